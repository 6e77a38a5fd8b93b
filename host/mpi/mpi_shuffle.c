/* SPDX-License-Identifier: MIT */
/*
 * Shuffles over the ranks. A rank sorts its items by their places: those for one rank are then
 * together, by rising place. The receiver computes which rank each of its items comes from, and
 * takes the next one of that rank.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/sort.h>
#include <dmm-mpi/shuffle.h>

#include "exchange.h"

/* One call. Arrays have ranks + 1 numbers unless said otherwise. */
typedef struct shuffle_call {
    dmm_mpi *mpi;
    const dmm_mpi_shuffle_args *args;
    dmm_mpi_opening *all;
    uint64_t *in, *out;      /* where the items of each rank begin, before and after */
    uint64_t *cuts, *starts; /* bounds of what is sent and received */
    uint64_t *places;        /* n */
    uint32_t *sources;       /* n_out: the rank that each item comes from */
    char *received;          /* n_out items */
} shuffle_call;

static dmm_status check(const dmm_mpi_shuffle_args *args)
{
    if (!args)
        return DMM_NULL_ARGUMENT;
    if (dmm_mpi_check_reserved(args->reserved))
        return DMM_UNSUPPORTED;
    if (args->item_bytes == 0 || args->item_bytes > 256)
        return DMM_BAD_VALUE;
    if ((args->n && !args->items) || (args->n_out && !args->items_out))
        return DMM_NULL_ARGUMENT;
    return args->n > SIZE_MAX / 512 || args->n_out > SIZE_MAX / 512 ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status allocate(shuffle_call *s)
{
    const size_t ranks = (size_t)s->mpi->ranks, n_out = (size_t)s->args->n_out;
    s->in = calloc((ranks + 1) * 4, sizeof *s->in);
    s->places = malloc((size_t)s->args->n * sizeof *s->places + 1);
    s->sources = malloc(n_out * sizeof *s->sources + 1);
    s->received = malloc(n_out * s->args->item_bytes + 1);
    if (!s->in || !s->places || !s->sources || !s->received)
        return DMM_OUT_OF_MEMORY;
    s->out = s->in + ranks + 1;
    s->cuts = s->out + ranks + 1;
    s->starts = s->cuts + ranks + 1;
    for (size_t rank = 0; rank < ranks; rank++) {
        s->in[rank + 1] = s->in[rank] + s->all[rank].n;
        s->out[rank + 1] = s->out[rank] + s->all[rank].n_out;
    }
    return DMM_OK;
}

/* Returns the rank whose items contain item x: the last that begins at or before it. */
static uint32_t rank_of(const uint64_t *begins, int ranks, uint64_t x)
{
    uint32_t low = 0, high = (uint32_t)ranks;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (begins[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Sorts the items by their places, and counts what is sent to and received from each rank. */
static dmm_status prepare(shuffle_call *s)
{
    const dmm_mpi_shuffle_args *const args = s->args;
    const int rank = s->mpi->rank, ranks = s->mpi->ranks;
    const dmm_sort_desc desc = {.order.type = DMM_U64, .value_bytes = args->item_bytes};
    const dmm_status status = allocate(s);
    if (status != DMM_OK)
        return status;
    const uint64_t total = s->in[ranks], first = s->in[rank], first_out = s->out[rank];
    for (uint64_t i = 0; i < args->n; i++) {
        s->places[i] = dmm_shuffle_place(args->seed, total, first + i);
        s->cuts[rank_of(s->out, ranks, s->places[i]) + 1]++;
    }
    for (uint64_t i = 0; i < args->n_out; i++) {
        const uint64_t from = dmm_shuffle_index(args->seed, total, first_out + i);
        s->sources[i] = rank_of(s->in, ranks, from);
        s->starts[s->sources[i] + 1]++;
    }
    for (int other = 0; other < ranks; other++) {
        s->cuts[other + 1] += s->cuts[other];
        s->starts[other + 1] += s->starts[other];
    }
    return dmm_sort_host(s->mpi->context, &desc, s->places, args->items, (size_t)args->n);
}

/* Takes each item from its rank's, in order; moves the starts. */
static void place(shuffle_call *s)
{
    const size_t bytes = s->args->item_bytes;
    for (uint64_t i = 0; i < s->args->n_out; i++)
        memcpy((char *)s->args->items_out + i * bytes,
            s->received + s->starts[s->sources[i]]++ * bytes, bytes);
}

dmm_status dmm_mpi_shuffle(dmm_mpi *mpi, const dmm_mpi_shuffle_args *args)
{
    if (!mpi)
        return DMM_NULL_ARGUMENT;
    shuffle_call s = {.mpi = mpi, .args = args};
    dmm_mpi_opening mine = {.status = check(args)};
    dmm_status status = DMM_OK;
    if (mine.status == DMM_OK)
        mine = (dmm_mpi_opening){.n = args->n,
            .n_out = args->n_out,
            .digest = dmm_mpi_digest(dmm_mpi_digest(0, args->seed), args->item_bytes)};
    TRY(dmm_mpi_open(mpi, &mine, &s.all));
    TRY(dmm_mpi_agree(mpi, prepare(&s)));
    dmm_exchange_items(mpi, args->items, s.cuts, s.received, s.starts, args->item_bytes);
    place(&s);
out:
    free(s.all);
    free(s.in);
    free(s.places);
    free(s.sources);
    free(s.received);
    return status;
}
