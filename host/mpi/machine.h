/* SPDX-License-Identifier: MIT */
/* A communicator with the rank's device, and how its ranks begin a call together. */
#ifndef DMM_MPI_MACHINE_H
#define DMM_MPI_MACHINE_H

#include <dmm-mpi/ranks.h>

/* Leaves through `out` with the expression's status unless that is DMM_OK. */
#define TRY(expr)                        \
    do {                                 \
        if ((status = (expr)) != DMM_OK) \
            goto out;                    \
    } while (0)

struct dmm_mpi {
    MPI_Comm comm;
    int rank, ranks;
    int failed_rank;
    uint64_t piece_bytes; /* most bytes of one message */
    dmm_context *context;
};

enum { DMM_MPI_PIECE_BYTES = 1 << 30, DMM_MPI_MOST_RANKS = 65536 };

/* What a rank says when a call begins. */
typedef struct dmm_mpi_opening {
    uint64_t n, n_out; /* items before and after */
    uint64_t digest;   /* digest of the description */
    int64_t status;    /* status of its checks */
} dmm_mpi_opening;

/*
 * Gathers what all ranks say into *all, one for each rank, which the caller frees in any case.
 * Returns the status of the lowest rank that failed; else DMM_BAD_VALUE if a digest differs from
 * rank 0's; else DMM_BAD_VALUE if the sums of n and n_out differ.
 */
dmm_status dmm_mpi_open(dmm_mpi *mpi, const dmm_mpi_opening *mine, dmm_mpi_opening **all);

/* Returns the number of items (n) of the ranks below `rank`. */
uint64_t dmm_mpi_before(const dmm_mpi_opening *all, int rank);

/* Adds a number to a digest (FNV-1a by words; begins as 0). */
uint64_t dmm_mpi_digest(uint64_t digest, uint64_t number);
/* Adds an order. */
uint64_t dmm_mpi_digest_order(uint64_t digest, const dmm_order *order);

/* Writes positions `first`, first + 1, ... as values of 4 or 8 bytes. DMM_TOO_LARGE: 4 bytes cannot
 * hold those of `total` items. */
dmm_status dmm_mpi_number_items(
    void *values, uint32_t value_bytes, uint64_t first, uint64_t n, uint64_t total);

/* DMM_UNSUPPORTED unless the four words are 0. */
dmm_status dmm_mpi_check_reserved(const uint64_t reserved[4]);

#endif
