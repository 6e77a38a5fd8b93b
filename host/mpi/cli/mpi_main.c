/* SPDX-License-Identifier: MIT */
/* The dmm-mpi command, started by mpirun on every rank. */
#include <mpi.h>

#include "leftover.h"
#include "mpi_sort.h"
#include "option.h"

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
    const int exit_code = cli_run(&cli_dmm_mpi, argc, argv);
    MPI_Finalize();
    return exit_code;
}
