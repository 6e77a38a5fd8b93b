/* SPDX-License-Identifier: MIT */
/* A program outside the project that sorts over all ranks through the installed library. */
#include <stdio.h>

#include <dmm-mpi/dmm-mpi.h>

int main(int argc, char **argv)
{
    uint32_t keys[] = {3, 1, 2};
    const dmm_sort_desc desc = {0};
    const dmm_mpi_sort_args args = {.keys = keys, .n = 3, .keys_out = keys, .n_out = 3};
    dmm_mpi *mpi = NULL;
    int failed = -1;
    MPI_Init(&argc, &argv);
    dmm_status status = dmm_mpi_create(&mpi, &failed, MPI_COMM_WORLD, NULL);
    if (status == DMM_OK) {
        status = dmm_mpi_sort(mpi, &desc, &args);
        failed = dmm_mpi_failed_rank(mpi);
    }
    if (status != DMM_OK)
        fprintf(stderr, "mpi: rank %d: %s\n", failed, dmm_status_string(status));
    dmm_mpi_free(mpi);
    MPI_Finalize();
    printf("over all ranks: %u %u %u\n", keys[0], keys[1], keys[2]);
    return status == DMM_OK && keys[0] <= keys[1] && keys[1] <= keys[2] ? 0 : 1;
}
