/* SPDX-License-Identifier: MIT */
/*
 * libdmm-mpi: items spread over the ranks of an MPI communicator, each rank with a device of its
 * own. Plain C11 over the public headers of libdmm and MPI 3.
 * ranks.h      a communicator with the device of each rank; failures
 * sort.h       sorting
 * partition.h  partitioning by labels
 * shuffle.h    random order
 * scan.h       prefix sums, maxima and minima
 * topk.h       the k first items in an order
 * hull.h       convex hulls
 */
#ifndef DMM_MPI_DMM_MPI_H
#define DMM_MPI_DMM_MPI_H

#include <dmm-mpi/hull.h>
#include <dmm-mpi/partition.h>
#include <dmm-mpi/ranks.h>
#include <dmm-mpi/scan.h>
#include <dmm-mpi/shuffle.h>
#include <dmm-mpi/sort.h>
#include <dmm-mpi/topk.h>

#endif
