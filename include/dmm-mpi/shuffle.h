/* SPDX-License-Identifier: MIT */
/*
 * Random order of items that are spread over the ranks.
 *
 * Order          that of dmm_shuffle: item i of all outputs is item dmm_shuffle_index(seed, n, i)
 *                of all inputs, rank 0's first. It does not depend on the number of ranks
 * Any n          ranks may have different numbers of items, or none
 * Cost           the places of the rank's items are computed and sorted with the items on the
 *                device; each item is sent at most once. Every rank computes where its items go and
 *                where those it gets come from: neither counts nor places are sent. The host
 *                computes one place for each item sent, and one for each item received
 * Messages       as <dmm-mpi/sort.h>
 * Memory         8 bytes for each item, and 4 bytes and one item for each item of the output
 * Bank claim     that of dmm_sort's auto
 * Source         as <dmm/shuffle.h>
 */
#ifndef DMM_MPI_SHUFFLE_H
#define DMM_MPI_SHUFFLE_H

#include <dmm/shuffle.h>
#include <dmm-mpi/ranks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays in host memory. items_out is equal to items or apart from it; in either case items are
 * overwritten. */
typedef struct dmm_mpi_shuffle_args {
    uint64_t seed;       /* the same on all ranks */
    uint32_t item_bytes; /* 1 to 256 */
    void *items;
    uint64_t n; /* items of this rank */
    void *items_out;
    uint64_t n_out;       /* items that this rank gets; their sum over all ranks is that of n */
    uint64_t reserved[4]; /* 0 */
} dmm_mpi_shuffle_args;

/* Shuffles. Collective. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE (item_bytes; seeds or item_bytes
 * differ; n and n_out have different sums); DMM_UNSUPPORTED (reserved words); DMM_OUT_OF_MEMORY;
 * those of dmm_sort_host. After an error the arrays are undefined. */
DMM_MPI_API dmm_status dmm_mpi_shuffle(dmm_mpi *mpi, const dmm_mpi_shuffle_args *args);

#ifdef __cplusplus
}
#endif

#endif
