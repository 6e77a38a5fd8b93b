/* SPDX-License-Identifier: MIT */
/*
 * Sorting over the ranks: each sorts its items on its device, all find the exact cuts together,
 * exchange, and merge what they got.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/merge_many.h>
#include <dmm-mpi/sort.h>

#include "exchange.h"
#include "split.h"

/* One call. Arrays have ranks + 1 numbers unless said otherwise. */
typedef struct sort_call {
    dmm_mpi *mpi;
    const dmm_sort_desc *desc;
    const dmm_mpi_sort_args *args;
    uint32_t key_bytes;
    dmm_mpi_opening *all; /* one a rank */
    uint64_t *cuts, *starts, *ties, *sums;
    uint64_t *counts; /* dmm_split_most_counts; as many behind them: their sums */
    dmm_goal *goals;
    void *keys_to, *values_to; /* n_out items received; in place: owned */
} sort_call;

static dmm_status check(const sort_call *s)
{
    const dmm_sort_desc *const desc = s->desc;
    const dmm_mpi_sort_args *const args = s->args;
    if (!desc || !args)
        return DMM_NULL_ARGUMENT;
    if (s->mpi->ranks > DMM_MPI_MOST_RANKS || (unsigned)desc->order.type > DMM_ITEM)
        return DMM_BAD_VALUE;
    if (desc->order.less || desc->order.type == DMM_ITEM || desc->bits.begin || desc->bits.end)
        return DMM_UNSUPPORTED;
    const uint64_t *const reserved = desc->reserved;
    if (dmm_mpi_check_reserved(args->reserved) || desc->map || reserved[0] || reserved[1] ||
        reserved[2])
        return DMM_UNSUPPORTED;
    if (desc->value_bytes > 256 ||
        (desc->argsort && desc->value_bytes != 4 && desc->value_bytes != 8))
        return DMM_BAD_VALUE;
    if ((args->n && !args->keys) || (args->n_out && !args->keys_out))
        return DMM_NULL_ARGUMENT;
    if (desc->value_bytes && ((args->n && !args->values) || (args->n_out && !args->values_out)))
        return DMM_NULL_ARGUMENT;
    if (args->n > SIZE_MAX / 512 || args->n_out > SIZE_MAX / 512)
        return DMM_TOO_LARGE;
    return DMM_OK;
}

static uint64_t digest(const dmm_sort_desc *desc)
{
    const uint64_t fields[] = {desc->value_bytes, desc->argsort != 0, desc->guarantee != 0};
    uint64_t sum = dmm_mpi_digest_order(0, &desc->order);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        sum = dmm_mpi_digest(sum, fields[i]);
    return sum;
}

static int is_in_place(const dmm_mpi_sort_args *args)
{
    return args->keys_out == args->keys;
}

/* Allocates all but `all`, and what is received. */
static dmm_status allocate(sort_call *s)
{
    const size_t ranks = (size_t)s->mpi->ranks, most = dmm_split_most_counts(ranks - 1);
    const size_t value_bytes = s->desc->value_bytes;
    s->keys_to = s->args->keys_out;
    s->values_to = s->args->values_out;
    s->cuts = malloc((ranks + 1) * 4 * sizeof *s->cuts);
    s->counts = malloc((2 * most + 1) * sizeof *s->counts);
    s->goals = malloc(ranks * sizeof *s->goals);
    if (is_in_place(s->args)) {
        s->keys_to = malloc((size_t)s->args->n_out * s->key_bytes + 1);
        s->values_to = malloc((size_t)s->args->n_out * value_bytes + 1);
    }
    if (!s->cuts || !s->counts || !s->goals ||
        (is_in_place(s->args) && (!s->keys_to || !s->values_to)))
        return DMM_OUT_OF_MEMORY;
    s->starts = s->cuts + ranks + 1;
    s->ties = s->starts + ranks + 1;
    s->sums = s->ties + ranks + 1;
    return DMM_OK;
}

static void release(sort_call *s)
{
    if (s->args && is_in_place(s->args)) {
        free(s->keys_to);
        free(s->values_to);
    }
    free(s->all);
    free(s->cuts);
    free(s->counts);
    free(s->goals);
}

static dmm_status sort_locally(sort_call *s)
{
    dmm_sort_desc desc = *s->desc;
    dmm_status status = allocate(s);
    if (status == DMM_OK && desc.argsort)
        status = dmm_mpi_number_items(s->args->values, desc.value_bytes,
            dmm_mpi_before(s->all, s->mpi->rank), s->args->n,
            dmm_mpi_before(s->all, s->mpi->ranks));
    desc.argsort = 0;
    desc.max_n = 0;
    return status != DMM_OK ? status
                            : dmm_sort_host(s->mpi->context, &desc, s->args->keys,
                                  desc.value_bytes ? s->args->values : NULL, (size_t)s->args->n);
}

/* Finds this rank's cuts at the boundaries between the shares. */
static void find_cuts(sort_call *s)
{
    MPI_Comm comm = s->mpi->comm;
    const size_t goals = (size_t)s->mpi->ranks - 1;
    uint64_t *const sums = s->counts + dmm_split_most_counts(goals);
    dmm_split split = {.code = dmm_key_code_of(&s->desc->order),
        .keys = s->args->keys,
        .n = s->args->n,
        .num_goals = goals,
        .goals = s->goals};
    uint64_t position = 0;
    for (size_t i = 0; i < goals; i++)
        s->goals[i].position = position += s->all[i].n_out;
    dmm_split_begin(&split);
    for (size_t count = 0; (count = dmm_split_count(&split, s->counts)) != 0;) {
        MPI_Allreduce(s->counts, sums, (int)count, MPI_UINT64_T, MPI_SUM, comm);
        dmm_split_take(&split, s->counts, sums);
    }
    memset(s->sums, 0, (goals + 1) * sizeof *s->sums); /* rank 0 gets no sums */
    dmm_split_ties(&split, s->ties);
    if (goals != 0)
        MPI_Exscan(s->ties, s->sums, (int)goals, MPI_UINT64_T, MPI_SUM, comm);
    s->cuts[0] = 0;
    for (size_t i = 0; i < goals; i++)
        s->cuts[i + 1] = dmm_split_cut(&split, i, s->sums[i]);
    s->cuts[goals + 1] = s->args->n;
}

static void exchange(sort_call *s)
{
    dmm_exchange_counts(s->mpi, s->cuts, s->starts, s->ties);
    dmm_exchange_items(s->mpi, s->args->keys, s->cuts, s->keys_to, s->starts, s->key_bytes);
    if (s->desc->value_bytes)
        dmm_exchange_items(
            s->mpi, s->args->values, s->cuts, s->values_to, s->starts, s->desc->value_bytes);
}

static dmm_status merge(sort_call *s)
{
    const dmm_merge_many_desc desc = {.order = s->desc->order,
        .value_bytes = s->desc->value_bytes,
        .offset_type = DMM_U64,
        .guarantee = s->desc->guarantee,
        .tuning = s->desc->tuning};
    const size_t n = (size_t)s->args->n_out, lists = (size_t)s->mpi->ranks;
    size_t filled = 0;
    for (size_t i = 0; i < lists; i++)
        filled += s->starts[i] < s->starts[i + 1];
    const dmm_status status =
        filled < 2 ? DMM_OK
                   : dmm_merge_many_host(s->mpi->context, &desc, s->keys_to,
                         desc.value_bytes ? s->values_to : NULL, n, s->starts, lists);
    if (status != DMM_OK || !is_in_place(s->args) || n == 0)
        return status;
    memcpy(s->args->keys_out, s->keys_to, n * s->key_bytes);
    if (desc.value_bytes)
        memcpy(s->args->values_out, s->values_to, n * desc.value_bytes);
    return DMM_OK;
}

dmm_status dmm_mpi_sort(dmm_mpi *mpi, const dmm_sort_desc *desc, const dmm_mpi_sort_args *args)
{
    if (!mpi)
        return DMM_NULL_ARGUMENT;
    sort_call s = {.mpi = mpi, .desc = desc, .args = args};
    dmm_mpi_opening mine = {.status = check(&s)};
    dmm_status status = DMM_OK;
    if (mine.status == DMM_OK) {
        mine = (dmm_mpi_opening){.n = args->n, .n_out = args->n_out, .digest = digest(desc)};
        s.key_bytes = dmm_type_bytes(desc->order.type);
    }
    TRY(dmm_mpi_open(mpi, &mine, &s.all));
    TRY(dmm_mpi_agree(mpi, sort_locally(&s)));
    find_cuts(&s);
    exchange(&s);
    TRY(dmm_mpi_agree(mpi, merge(&s)));
out:
    release(&s);
    return status;
}
