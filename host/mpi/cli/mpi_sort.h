/* SPDX-License-Identifier: MIT */
/* The commands of dmm-mpi. */
#ifndef DMM_MPI_CLI_MPI_SORT_H
#define DMM_MPI_CLI_MPI_SORT_H

#include "commands.h"

/* dmm-mpi itself. */
extern const cli_program cli_dmm_mpi;

int dmm_cli_mpi_sort(int argc, char **argv);

#endif
