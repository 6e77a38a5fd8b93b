/* SPDX-License-Identifier: MIT */
/* Selection over the ranks: each selects k items, rank 0 selects from these. */
#include <stdlib.h>

#include <dmm-mpi/topk.h>

#include "exchange.h"

typedef struct topk_call {
    dmm_mpi *mpi;
    dmm_topk_desc desc; /* description of both selections */
    const dmm_mpi_topk_args *args;
    uint32_t key_bytes;
    dmm_mpi_opening *all;
    uint64_t *starts; /* ranks + 1: where each rank's kept items begin on rank 0; scratch behind */
    uint64_t kept;    /* items that this rank keeps */
    uint64_t found;   /* items that all ranks find */
    void *keys, *values;         /* kept */
    void *all_keys, *all_values; /* rank 0: kept by all */
} topk_call;

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static dmm_status check(const dmm_topk_desc *desc, const dmm_mpi_topk_args *args)
{
    if (!desc || !args)
        return DMM_NULL_ARGUMENT;
    if (desc->unsorted || dmm_mpi_check_reserved(desc->reserved) ||
        dmm_mpi_check_reserved(args->reserved))
        return DMM_UNSUPPORTED;
    if ((unsigned)desc->order.type > DMM_ITEM || desc->order.item_bytes > 256 ||
        desc->value_bytes > 256 ||
        (desc->argsort && desc->value_bytes != 4 && desc->value_bytes != 8))
        return DMM_BAD_VALUE;
    if ((args->n && !args->keys) || (args->k && !args->keys_out) ||
        (desc->value_bytes && ((args->n && !args->values) || (args->k && !args->values_out))))
        return DMM_NULL_ARGUMENT;
    return args->n > SIZE_MAX / 512 ? DMM_TOO_LARGE : DMM_OK;
}

static uint64_t digest(const dmm_topk_desc *desc, uint64_t k)
{
    const uint64_t fields[] = {desc->value_bytes, desc->argsort != 0, desc->guarantee != 0, k};
    uint64_t sum = dmm_mpi_digest_order(0, &desc->order);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        sum = dmm_mpi_digest(sum, fields[i]);
    return sum;
}

static dmm_status allocate(topk_call *s)
{
    const size_t ranks = (size_t)s->mpi->ranks, value_bytes = s->desc.value_bytes;
    s->starts = malloc((ranks + 1) * 3 * sizeof *s->starts);
    if (!s->starts)
        return DMM_OUT_OF_MEMORY;
    s->starts[0] = 0;
    for (size_t rank = 0; rank < ranks; rank++)
        s->starts[rank + 1] = s->starts[rank] + least(s->all[rank].n, s->args->k);
    s->kept = least(s->args->n, s->args->k);
    s->found = least(dmm_mpi_before(s->all, s->mpi->ranks), s->args->k);
    s->keys = malloc((size_t)s->kept * s->key_bytes + 1);
    s->values = malloc((size_t)s->kept * value_bytes + 1);
    if (s->mpi->rank == 0) {
        const uint64_t sum = s->starts[ranks];
        if (sum > SIZE_MAX / 512)
            return DMM_TOO_LARGE;
        s->all_keys = malloc((size_t)sum * s->key_bytes + 1);
        s->all_values = malloc((size_t)sum * value_bytes + 1);
    }
    return s->keys && s->values && (s->mpi->rank != 0 || (s->all_keys && s->all_values))
               ? DMM_OK
               : DMM_OUT_OF_MEMORY;
}

/* Selects k of n items; values are left out if there are none. */
static dmm_status topk(const topk_call *s, const void *keys, const void *values, uint64_t n,
    void *keys_out, void *values_out)
{
    const int has_values = s->desc.value_bytes != 0;
    return dmm_topk_host(s->mpi->context, &s->desc, keys, has_values ? values : NULL, (size_t)n,
        (size_t)least(s->args->k, n), keys_out, has_values ? values_out : NULL);
}

static dmm_status select_mine(topk_call *s, int argsort)
{
    dmm_status status = allocate(s);
    if (status == DMM_OK && argsort)
        status = dmm_mpi_number_items(s->args->values, s->desc.value_bytes,
            dmm_mpi_before(s->all, s->mpi->rank), s->args->n,
            dmm_mpi_before(s->all, s->mpi->ranks));
    return status != DMM_OK
               ? status
               : topk(s, s->args->keys, s->args->values, s->args->n, s->keys, s->values);
}

static void gather(const topk_call *s)
{
    uint64_t *const scratch = s->starts + s->mpi->ranks + 1;
    dmm_exchange_gather(s->mpi, s->keys, s->kept, s->all_keys, s->starts, s->key_bytes, scratch);
    if (s->desc.value_bytes)
        dmm_exchange_gather(
            s->mpi, s->values, s->kept, s->all_values, s->starts, s->desc.value_bytes, scratch);
}

static dmm_status select_of_all(const topk_call *s)
{
    return s->mpi->rank != 0 ? DMM_OK
                             : topk(s, s->all_keys, s->all_values, s->starts[s->mpi->ranks],
                                   s->args->keys_out, s->args->values_out);
}

dmm_status dmm_mpi_topk(dmm_mpi *mpi, const dmm_topk_desc *desc, const dmm_mpi_topk_args *args)
{
    if (!mpi)
        return DMM_NULL_ARGUMENT;
    topk_call s = {.mpi = mpi, .args = args};
    dmm_status status = DMM_OK;
    dmm_mpi_opening mine = {.status = check(desc, args)};
    if (mine.status == DMM_OK) {
        mine = (dmm_mpi_opening){.n = args->n, .n_out = args->n, .digest = digest(desc, args->k)};
        s.desc = *desc;
        s.desc.argsort = 0;
        s.desc.max_n = s.desc.max_k = 0;
        s.key_bytes = desc->order.type == DMM_ITEM ? desc->order.item_bytes
                                                   : dmm_type_bytes(desc->order.type);
    }
    TRY(dmm_mpi_open(mpi, &mine, &s.all));
    TRY(dmm_mpi_agree(mpi, select_mine(&s, desc->argsort)));
    gather(&s);
    TRY(dmm_mpi_agree(mpi, select_of_all(&s)));
    dmm_exchange_broadcast(mpi, args->keys_out, s.found * s.key_bytes);
    if (desc->value_bytes)
        dmm_exchange_broadcast(mpi, args->values_out, s.found * desc->value_bytes);
out:
    free(s.all);
    free(s.starts);
    free(s.keys);
    free(s.values);
    free(s.all_keys);
    free(s.all_values);
    return status;
}
