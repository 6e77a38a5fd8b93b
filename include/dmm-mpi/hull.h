/* SPDX-License-Identifier: MIT */
/*
 * Convex hull of points in the plane that are spread over the ranks.
 *
 * Result         as dmm_hull's of all points, rank 0's first; every rank gets the indices, which
 *                count from rank 0's first point
 * Exact          as <dmm/hull.h>: of equal points the lowest index
 * Any n          ranks may have different numbers of points, or none
 * Cost           a local hull; then rank 0 gets the vertices of all ranks, finds the hull of these
 *                and sends its indices to all
 * Memory         a rank 8 bytes a point; rank 0 also the vertices of all local hulls, twice
 * Bank claim     as <dmm/hull.h>
 * Source         the hull of a union is that of the union of hulls; otherwise as there
 */
#ifndef DMM_MPI_HULL_H
#define DMM_MPI_HULL_H

#include <dmm/hull.h>
#include <dmm-mpi/ranks.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_mpi_hull_args {
    const void *points;   /* x and y of each point together */
    uint64_t n;           /* points of this rank */
    uint64_t *hull_out;   /* indices of the vertices */
    uint64_t most;        /* that hull_out has space for */
    uint64_t *count_out;  /* number of vertices */
    uint64_t reserved[4]; /* 0 */
} dmm_mpi_hull_args;

/*
 * Finds the hull. Collective: descriptions are the same on all ranks, but for tuning, and for max_n
 * and index_bytes, which are not used. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE (descriptions
 * differ); DMM_UNSUPPORTED (two_arrays; reserved words); DMM_NOT_FINITE (on the rank named,
 * *count_out is the index of its first such point); DMM_SPAN_TOO_SMALL (`most` is less than
 * *count_out, which is written on all ranks); DMM_OUT_OF_MEMORY; those of dmm_hull_host.
 */
DMM_MPI_API dmm_status dmm_mpi_hull(
    dmm_mpi *mpi, const dmm_hull_desc *desc, const dmm_mpi_hull_args *args);

#ifdef __cplusplus
}
#endif

#endif
