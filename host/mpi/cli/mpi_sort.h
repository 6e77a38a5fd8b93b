/* SPDX-License-Identifier: MIT */
/* The commands of dmm-mpi. */
#ifndef DMM_MPI_CLI_MPI_SORT_H
#define DMM_MPI_CLI_MPI_SORT_H

int dmm_cli_mpi_sort(int argc, char **argv);

#endif
