/* SPDX-License-Identifier: MIT */
/* Exchange of items between all pairs of ranks. */
#include <string.h>

#include "exchange.h"

int dmm_exchange_peer(int rank, int step, int ranks)
{
    return (int)(((int64_t)rank + step) % ranks);
}

static uint64_t part(uint64_t all, uint64_t at, uint64_t most)
{
    const uint64_t left = all > at ? all - at : 0;
    return left < most ? left : most;
}

int dmm_exchange_next(
    dmm_exchange_piece *piece, uint64_t send_bytes, uint64_t receive_bytes, uint64_t piece_bytes)
{
    if (piece->send_bytes != 0 || piece->receive_bytes != 0)
        piece->at_bytes += piece_bytes;
    piece->send_bytes = part(send_bytes, piece->at_bytes, piece_bytes);
    piece->receive_bytes = part(receive_bytes, piece->at_bytes, piece_bytes);
    return piece->send_bytes != 0 || piece->receive_bytes != 0;
}

void dmm_exchange_items(dmm_mpi *mpi, const void *from, const uint64_t *cuts, void *to,
    const uint64_t *starts, uint32_t item_bytes)
{
    const char *const source = from;
    char *const target = to;
    const int self = mpi->rank;
    if (cuts[self + 1] > cuts[self])
        memcpy(target + starts[self] * item_bytes, source + cuts[self] * item_bytes,
            (size_t)((cuts[self + 1] - cuts[self]) * item_bytes));
    for (int step = 1; step < mpi->ranks; step++) {
        const int next = dmm_exchange_peer(self, step, mpi->ranks);
        const int previous = dmm_exchange_peer(self, mpi->ranks - step, mpi->ranks);
        const uint64_t send = (cuts[next + 1] - cuts[next]) * item_bytes;
        const uint64_t receive = (starts[previous + 1] - starts[previous]) * item_bytes;
        dmm_exchange_piece piece = {0};
        while (dmm_exchange_next(&piece, send, receive, mpi->piece_bytes))
            MPI_Sendrecv(source + cuts[next] * item_bytes + piece.at_bytes, (int)piece.send_bytes,
                MPI_BYTE, piece.send_bytes != 0 ? next : MPI_PROC_NULL, 0,
                target + starts[previous] * item_bytes + piece.at_bytes, (int)piece.receive_bytes,
                MPI_BYTE, piece.receive_bytes != 0 ? previous : MPI_PROC_NULL, 0, mpi->comm,
                MPI_STATUS_IGNORE);
    }
}

void dmm_exchange_counts(
    dmm_mpi *mpi, const uint64_t *cuts, uint64_t *starts, uint64_t *scratch_of_ranks)
{
    for (int rank = 0; rank < mpi->ranks; rank++)
        scratch_of_ranks[rank] = cuts[rank + 1] - cuts[rank];
    MPI_Alltoall(scratch_of_ranks, 1, MPI_UINT64_T, starts + 1, 1, MPI_UINT64_T, mpi->comm);
    starts[0] = 0;
    for (int rank = 0; rank < mpi->ranks; rank++)
        starts[rank + 1] += starts[rank];
}

void dmm_exchange_gather(dmm_mpi *mpi, const void *from, uint64_t n, void *to,
    const uint64_t *starts, uint32_t item_bytes, uint64_t *scratch)
{
    const size_t count = (size_t)mpi->ranks + 1;
    uint64_t *const none = scratch + count;
    scratch[0] = 0;
    for (size_t i = 1; i < count; i++)
        scratch[i] = n;
    memset(none, 0, count * sizeof *none);
    dmm_exchange_items(mpi, from, scratch, to, mpi->rank == 0 ? starts : none, item_bytes);
}

void dmm_exchange_broadcast(dmm_mpi *mpi, void *data, uint64_t bytes)
{
    dmm_exchange_piece piece = {0};
    while (dmm_exchange_next(&piece, bytes, 0, mpi->piece_bytes))
        MPI_Bcast((char *)data + piece.at_bytes, (int)piece.send_bytes, MPI_BYTE, 0, mpi->comm);
}
