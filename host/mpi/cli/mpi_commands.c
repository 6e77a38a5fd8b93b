/* SPDX-License-Identifier: MIT */
/* The table of commands of dmm-mpi, and the sections of its --help. */
#include "mpi_sort.h"
#include "option.h"

static const cli_command commands[] = {
    {"sort", dmm_cli_mpi_sort, "sort the numbers of a file over all ranks"},
    {0},
};

static const cli_section sections[] = {
    {"Ranks",
        "Start it by mpirun, e.g. mpirun -n 4 dmm-mpi sort keys.npy -o sorted.npy. Every rank\n"
        "opens the files by the same names: they are in a folder that all machines share. A\n"
        "rank takes the device with its number among the ranks of its machine; see --device.\n"
        "The first rank that fails says why, and all end with its exit status."},
    {"Exit status", "  0   done\n"
                    "  1   a mistake in the command line or in a file\n"
                    "  2   OpenCL or memory failed"},
    {NULL, NULL},
};

const cli_program cli_dmm_mpi = {.name = "dmm-mpi",
    .about = "Sorting over the ranks of MPI, each with an OpenCL device of its own.",
    .commands = commands,
    .sections = sections};
