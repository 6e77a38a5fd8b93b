/* SPDX-License-Identifier: MIT */
/* dmm-lab sort, partition and selftest: the commands of dmm with methods and checks of the lab. */
#include <dmm-lab/dmm-lab.h>

#include "lab_commands.h"
#include "methods.h"

static dmm_status sort_by(dmm_context *ctx, const dmm_sort_desc *desc, unsigned method, void *keys,
    void *values, size_t n)
{
    static const dmm_lab_sort_method methods[] = {
        DMM_LAB_SORT_MATRIX, DMM_LAB_SORT_SHEAR, DMM_LAB_SORT_QUICK, DMM_LAB_SORT_GATHER};
    return dmm_lab_sort_host(ctx, desc, methods[method], keys, values, n);
}

int dmm_cli_lab_sort(int argc, char **argv)
{
    static const cli_sort_methods methods = {.names = "matrix|shear|quick|gather",
        .help = "tiles as matrices, by the phases of Afshani and Sitchinava or\n"
                "by shearsort; many pivots at once; or CF-Merge's search and gather\n"
                "of Berney (default: matrix)",
        .only_in_memory = true,
        .sort = sort_by};
    return cli_sort_by(&methods, argc, argv);
}

static dmm_status partition_by(dmm_context *ctx, const dmm_partition_desc *desc, unsigned method,
    const dmm_partition_host_args *args, size_t n)
{
    static const dmm_lab_partition_method methods[] = {
        DMM_LAB_PARTITION_MATRIX, DMM_LAB_PARTITION_BLOCKS};
    return dmm_lab_partition_host(ctx, desc, methods[method], args, n);
}

int dmm_cli_lab_partition(int argc, char **argv)
{
    static const cli_partition_methods methods = {.names = "matrix|blocks",
        .help = "tiles as matrices, or whole blocks (default: matrix)",
        .only_in_memory = true,
        .partition = partition_by};
    return cli_partition_by(&methods, argc, argv);
}

int dmm_cli_lab_selftest(int argc, char **argv)
{
    return cli_selftest_by(dmm_lab_selftest,
        "Runs methods of the lab on the device, over sizes from one item to 70,001, and compares\n"
        "with the host. Prints PASS, or what fails or crashes the driver. With CHECK only the\n"
        "checks whose names begin like that.",
        argc, argv);
}
