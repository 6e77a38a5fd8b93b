/* SPDX-License-Identifier: MIT */
/*
 * Selects the k items that come first in an order, of items that are spread over the ranks.
 *
 * Result         as dmm_topk's of all items, rank 0's first; every rank gets it
 * Any n          ranks may have different numbers of items, or none
 * Cost           a local selection; then rank 0 gets at most k items of each rank, selects from
 *                them and sends k items to all. For k beyond an n of one rank, dmm_mpi_sort sends
 *                less
 * Memory         rank 0: at most k items for each rank, on the host and on the device
 * Bank claim     as <dmm/topk.h>
 * Source         as there
 */
#ifndef DMM_MPI_TOPK_H
#define DMM_MPI_TOPK_H

#include <dmm/topk.h>
#include <dmm-mpi/ranks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays in host memory; outputs have space for min(k, items of all ranks) and are apart from
 * inputs. */
typedef struct dmm_mpi_topk_args {
    const void *keys;
    void *values; /* NULL for keys alone; argsort: not read, but overwritten */
    uint64_t n;   /* items of this rank */
    uint64_t k;   /* the same on all ranks */
    void *keys_out;
    void *values_out;     /* argsort: positions in the input of all ranks, rank 0's first */
    uint64_t reserved[4]; /* 0 */
} dmm_mpi_topk_args;

/*
 * Selects. Collective: descriptions are the same on all ranks, but for tuning, and for max_n and
 * max_k, which are not used. Any order, `less` too. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE
 * (descriptions or k differ); DMM_UNSUPPORTED (`unsorted`; reserved words); DMM_TOO_LARGE (argsort
 * by 4 bytes of more than 2^32 items); DMM_OUT_OF_MEMORY; those of dmm_topk_host.
 */
DMM_MPI_API dmm_status dmm_mpi_topk(
    dmm_mpi *mpi, const dmm_topk_desc *desc, const dmm_mpi_topk_args *args);

#ifdef __cplusplus
}
#endif

#endif
