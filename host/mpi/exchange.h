/* SPDX-License-Identifier: MIT */
/*
 * Exchange of items between all pairs of ranks, with counts of 64 bits. In step s rank r sends to
 * rank r + s and receives from rank r - s, modulo the ranks, in messages of bounded size, straight
 * from and to the arrays.
 */
#ifndef DMM_MPI_EXCHANGE_H
#define DMM_MPI_EXCHANGE_H

#include "machine.h"

/* One message each way of a step; 0 bytes: none. */
typedef struct dmm_exchange_piece {
    uint64_t at_bytes; /* from where the items for, or from, that rank begin */
    uint64_t send_bytes, receive_bytes;
} dmm_exchange_piece;

/* Goes to the next piece of a step that sends and receives so many bytes; `piece` begins as zeros.
 * Returns 0 past the last one. */
int dmm_exchange_next(
    dmm_exchange_piece *piece, uint64_t send_bytes, uint64_t receive_bytes, uint64_t piece_bytes);

/* Returns the other rank of a step; step = ranks - s: the one that step s receives from. */
int dmm_exchange_peer(int rank, int step, int ranks);

/*
 * Sends items cuts[r] .. cuts[r + 1] - 1 of `from` to each rank r, and receives items starts[r] ..
 * starts[r + 1] - 1 of `to` from it. Both have ranks + 1 numbers.
 */
void dmm_exchange_items(dmm_mpi *mpi, const void *from, const uint64_t *cuts, void *to,
    const uint64_t *starts, uint32_t item_bytes);

/* Sends each rank r the number of items that it gets, cuts[r + 1] - cuts[r]; starts[0 .. ranks]:
 * where those from each rank begin here. */
void dmm_exchange_counts(
    dmm_mpi *mpi, const uint64_t *cuts, uint64_t *starts, uint64_t *scratch_of_ranks);

/* Sends n items of each rank to rank 0, whose array `to` gets items starts[r] .. starts[r + 1] - 1
 * from rank r. `starts` is not used on other ranks; scratch: 2 (ranks + 1) numbers. */
void dmm_exchange_gather(dmm_mpi *mpi, const void *from, uint64_t n, void *to,
    const uint64_t *starts, uint32_t item_bytes, uint64_t *scratch);

/* Sends rank 0's bytes to all ranks. */
void dmm_exchange_broadcast(dmm_mpi *mpi, void *data, uint64_t bytes);

#endif
