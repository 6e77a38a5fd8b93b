/* SPDX-License-Identifier: MIT */
/*
 * libdmm-mpi: items spread over the ranks of an MPI communicator, each rank with a device of its
 * own. Plain C11 over the public headers of libdmm and MPI 3.
 * ranks.h      a communicator with the device of each rank; failures
 * sort.h       sorting
 */
#ifndef DMM_MPI_DMM_MPI_H
#define DMM_MPI_DMM_MPI_H

#include <dmm-mpi/ranks.h>
#include <dmm-mpi/sort.h>

#endif
