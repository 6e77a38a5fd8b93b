/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums, maxima and minima of items that are spread over the ranks.
 *
 * Result         as dmm_scan's of all items, rank 0's first; each rank keeps its items, in place
 * Any n          ranks may have different numbers of items, or none
 * Cost           two calls on the device: the rank's items are reduced, then scanned; between them
 *                one MPI_Allgather of one item a rank
 * Bank claim     as <dmm/scan.h> and <dmm/reduce.h>
 * Float sums     are added rank by rank: the same bits for the same shares, devices and parameters
 * Source         G. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.2
 */
#ifndef DMM_MPI_SCAN_H
#define DMM_MPI_SCAN_H

#include <dmm/scan.h>
#include <dmm-mpi/ranks.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Scans n items of this rank in place. Collective: descriptions are the same on all ranks, but for
 * tuning and max_n, which is not used. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE (descriptions
 * differ); DMM_UNSUPPORTED (own, reserved words); DMM_OUT_OF_MEMORY; those of dmm_scan_host and
 * dmm_reduce_host. After an error the items are undefined.
 */
DMM_MPI_API dmm_status dmm_mpi_scan(
    dmm_mpi *mpi, const dmm_scan_desc *desc, void *items, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif
