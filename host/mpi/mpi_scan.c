/* SPDX-License-Identifier: MIT */
/*
 * Scans over the ranks. A rank's carry is the reduction of what the ranks below reduced theirs to;
 * it stands before the rank's items, or in the first of them, when these are scanned.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/reduce.h>
#include <dmm-mpi/scan.h>

#include "machine.h"

typedef struct scan_call {
    dmm_mpi *mpi;
    const dmm_scan_desc *desc;
    char *items;
    uint64_t n;
    size_t bytes; /* bytes of an item */
    dmm_mpi_opening *all;
    char *sums; /* one for each rank */
} scan_call;

static dmm_status check(const scan_call *s)
{
    if (!s->desc || (s->n != 0 && !s->items))
        return DMM_NULL_ARGUMENT;
    const uint64_t *const reserved = s->desc->reserved;
    if (s->desc->own || s->desc->map || reserved[0] || reserved[1])
        return DMM_UNSUPPORTED;
    if (dmm_type_bytes(s->desc->type) == 0)
        return DMM_BAD_VALUE;
    return s->n > SIZE_MAX / 16 ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status reduce(const scan_call *s, const void *items, uint64_t n, void *sum)
{
    const dmm_reduce_desc desc = {
        .type = s->desc->type, .op = s->desc->op, .tuning = s->desc->tuning};
    return dmm_reduce_host(s->mpi->context, &desc, items, (size_t)n, sum);
}

static dmm_status reduce_mine(scan_call *s, void *sum)
{
    s->sums = malloc((size_t)s->mpi->ranks * s->bytes);
    return s->sums ? reduce(s, s->items, s->n, sum) : DMM_OUT_OF_MEMORY;
}

static dmm_status scan_mine(const scan_call *s)
{
    char pair[16];
    dmm_scan_desc desc = *s->desc;
    dmm_status status = DMM_OK;
    if (s->n == 0)
        return DMM_OK;
    desc.max_n = 0;
    if (s->mpi->rank > 0) {
        TRY(reduce(s, s->sums, (uint64_t)s->mpi->rank, pair));
        if (desc.exclusive) {
            memmove(s->items + s->bytes, s->items, ((size_t)s->n - 1) * s->bytes);
            memcpy(s->items, pair, s->bytes);
        } else {
            memcpy(pair + s->bytes, s->items, s->bytes);
            TRY(reduce(s, pair, 2, s->items));
        }
        desc.exclusive = 0;
    }
    status = dmm_scan_host(s->mpi->context, &desc, s->items, (size_t)s->n);
out:
    return status;
}

dmm_status dmm_mpi_scan(dmm_mpi *mpi, const dmm_scan_desc *desc, void *items, uint64_t n)
{
    if (!mpi)
        return DMM_NULL_ARGUMENT;
    char sum[8] = {0};
    dmm_status status = DMM_OK;
    scan_call s = {.mpi = mpi, .desc = desc, .items = items, .n = n};
    dmm_mpi_opening mine = {.n = n, .n_out = n, .status = check(&s)};
    if (mine.status == DMM_OK) {
        s.bytes = dmm_type_bytes(desc->type);
        mine.digest = dmm_mpi_digest(0, desc->type);
        mine.digest = dmm_mpi_digest(mine.digest, desc->op);
        mine.digest = dmm_mpi_digest(mine.digest, desc->exclusive != 0);
    }
    TRY(dmm_mpi_open(mpi, &mine, &s.all));
    TRY(dmm_mpi_agree(mpi, reduce_mine(&s, sum)));
    MPI_Allgather(sum, (int)s.bytes, MPI_BYTE, s.sums, (int)s.bytes, MPI_BYTE, mpi->comm);
    TRY(dmm_mpi_agree(mpi, scan_mine(&s)));
out:
    free(s.all);
    free(s.sums);
    return status;
}
