/* SPDX-License-Identifier: MIT */
/* The dmm-mpi command, started by mpirun on every rank. */
#include <mpi.h>

#include "commands.h"
#include "leftover.h"
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

static const cli_program program = {.name = "dmm-mpi",
    .about = "Sorting over the ranks of MPI, each with an OpenCL device of its own.",
    .commands = commands,
    .sections = sections};

static void show_nothing(const cli_syntax *syntax)
{
    (void)syntax;
}

/* Help is rank 0's; so are mistakes in the command line, which are the same on all ranks. */
int main(int argc, char **argv)
{
    int rank = 0;
    cli_leftover_watch();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        cli_global.show_help = show_nothing;
        cli_global.is_silent = true;
    }
    const int exit_code = cli_run(&program, argc, argv);
    MPI_Finalize();
    return exit_code;
}
