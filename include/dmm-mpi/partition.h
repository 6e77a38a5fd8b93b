/* SPDX-License-Identifier: MIT */
/*
 * Partitioning by labels of items that are spread over the ranks.
 *
 * Result         as dmm_partition's of all items by labels, rank 0's first: rank 0 gets its first
 *                n_out items, rank 1 the next, ... The shares are exact, whatever the labels
 * Stable         yes
 * Cost           that of dmm_mpi_sort with the labels as keys and the items as values, and a sum of
 *                `ways` counts
 * Messages, memory, bank claim: as <dmm-mpi/sort.h>
 */
#ifndef DMM_MPI_PARTITION_H
#define DMM_MPI_PARTITION_H

#include <dmm-mpi/sort.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays in host memory. labels_out (items_out) is equal to labels (items) or apart from it, the
 * same for both; in either case labels and items are overwritten. */
typedef struct dmm_mpi_partition_args {
    uint32_t ways;        /* buckets, 1 to 65536 */
    uint32_t label_bytes; /* 1, 2 or 4 */
    uint32_t item_bytes;  /* 1 to 256 */
    void *labels;         /* less than `ways` each */
    void *items;
    uint64_t n; /* items of this rank */
    void *labels_out;
    void *items_out;
    uint64_t n_out; /* as in dmm_mpi_sort_args */
    uint64_t
        *offsets_out; /* ways + 1 numbers, the same on all ranks: where each bucket begins in the
                          items of all ranks */
    uint64_t reserved[4]; /* 0 */
} dmm_mpi_partition_args;

/* Partitions. Collective: the first three fields are the same on all ranks. Errors:
 * DMM_NULL_ARGUMENT; DMM_BAD_VALUE (a field outside its range; fields differ; n and n_out have
 * different sums); DMM_BAD_DATA (a label of `ways` or more); DMM_UNSUPPORTED (reserved words);
 * DMM_OUT_OF_MEMORY; those of dmm_mpi_sort. After DMM_BAD_DATA the arrays are as before. */
DMM_MPI_API dmm_status dmm_mpi_partition(dmm_mpi *mpi, const dmm_mpi_partition_args *args);

#ifdef __cplusplus
}
#endif

#endif
