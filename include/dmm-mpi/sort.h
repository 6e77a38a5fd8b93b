/* SPDX-License-Identifier: MIT */
/*
 * Sorting of items that are spread over the ranks.
 *
 * Result         as dmm_sort's of all items, rank 0's first: rank 0 gets its first n_out items,
 *                rank 1 the next, ... The shares are exact on any input, a million equal keys
 *                included, and the caller's choice
 * Stable         yes: equal keys keep the order of ranks, and of positions within a rank
 * Any n          ranks may have different numbers of items, or none
 * Cost           one local sort, one exchange and one merge: each item is sent at most once, to
 *                its place. Splitting: ceil(bits / d) sums of (2^d - 1)(p - 1) counts, d the most
 *                bits with which they are at most 2^13, but 1 to 8, for keys of `bits` bits and
 *                p ranks (docs/scale.md)
 * Messages       of at most 2^30 bytes, to at most p - 1 ranks, one at a time
 * Memory         beside the arrays: p ranks' worth of some words (some 100 bytes each), and in
 *                place n_out items more; the device's as dmm_sort and dmm_merge_many
 * Bank claim     as <dmm/sort.h> and <dmm/merge_many.h>, the only kernels that run
 * Determinism    the result depends on the input and the order of ranks alone
 *
 * Details
 * Splitting      exact: for each boundary between shares, the key at its position in the order of
 *                all items is found digit by digit, the highest first, by counting smaller keys
 *                in the sorted lists. Ties at a boundary go to its sides in the order of ranks
 * Source         H. Shi, J. Schaeffer, "Parallel Sorting by Regular Sampling", JPDC 14, 1992, DOI
 *                10.1016/0743-7315(92)90075-X (sort, exchange, merge); E. Solomonik, L. Kale,
 *                "Highly Scalable Parallel Sorting", IPDPS 2010, DOI 10.1109/IPDPS.2010.5470406
 *                (splitters by histograms)
 */
#ifndef DMM_MPI_SORT_H
#define DMM_MPI_SORT_H

#include <dmm/sort.h>
#include <dmm-mpi/ranks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays in host memory. keys_out (values_out) is equal to keys (values) or apart from it, the same
 * for both; in either case keys and values are overwritten. */
typedef struct dmm_mpi_sort_args {
    void *keys;
    void *values; /* NULL for keys alone; argsort: not read, but overwritten */
    uint64_t n;   /* items of this rank */
    void *keys_out;
    void *values_out;     /* argsort: positions in the input of all ranks, rank 0's first */
    uint64_t n_out;       /* items that this rank gets; their sum over all ranks is that of n. In
                         place: both arrays have space for the larger of n and n_out */
    uint64_t reserved[4]; /* 0 */
} dmm_mpi_sort_args;

/*
 * Sorts. Collective: descriptions are the same on all ranks, but for tuning and max_n, which is not
 * used. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE (descriptions differ, named is the first rank that
 * differs from rank 0; n and n_out have different sums; more than 65536 ranks); DMM_UNSUPPORTED
 * (`less`, DMM_ITEM, bits; reserved words); DMM_TOO_LARGE (argsort by 4 bytes of more than 2^32
 * items); DMM_OUT_OF_MEMORY; those of dmm_sort_host and dmm_merge_many_host. The rank is that of
 * dmm_mpi_failed_rank. After an error the arrays are undefined, and `mpi` can be used again.
 */
DMM_MPI_API dmm_status dmm_mpi_sort(
    dmm_mpi *mpi, const dmm_sort_desc *desc, const dmm_mpi_sort_args *args);

#ifdef __cplusplus
}
#endif

#endif
