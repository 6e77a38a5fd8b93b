/* SPDX-License-Identifier: MIT */
/* Tests that run on several ranks: a failed check says where and ends the job. */
#ifndef DMM_TESTS_MPI_RANKS_H
#define DMM_TESTS_MPI_RANKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm-mpi/dmm-mpi.h>

#include "support/random.h"

/* What runs; shown by a failed check. */
extern char ranks_note[200];

#define CHECK(condition)                                                                          \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            fprintf(stderr, "%s:%d: %s\n  in: %s\n", __FILE__, __LINE__, #condition, ranks_note); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                         \
        }                                                                                         \
    } while (0)

/* The expression returns `expected` on this rank, and `failed` is the rank it names. */
#define CHECK_FAILS(expected, failed, mpi, expr)              \
    do {                                                      \
        const dmm_status got_ = (expr);                       \
        if (got_ != (expected))                               \
            fprintf(stderr, "%s\n", dmm_status_string(got_)); \
        CHECK(got_ == (expected));                            \
        CHECK(dmm_mpi_failed_rank(mpi) == (failed));          \
    } while (0)

#define CHECK_OK(mpi, expr) CHECK_FAILS(DMM_OK, -1, mpi, expr)

/* How n items are spread over the ranks. */
typedef enum spread { EVEN, ALL_ON_LAST, ODD_RANKS_EMPTY, ROUGH, NUM_SPREADS } spread;

/* Returns the first item of a rank; for rank = ranks: n. */
uint64_t spread_begin(spread how, uint64_t n, int ranks, int rank);

/* Returns zeros, at least one byte. */
void *ranks_allocate(uint64_t bytes);

void test_moves(dmm_mpi *mpi);
void test_results(dmm_mpi *mpi);
void test_sorts(dmm_mpi *mpi);
void test_sort_failures(dmm_mpi *mpi);

#endif
