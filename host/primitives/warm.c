/* SPDX-License-Identifier: MIT */
/*
 * dmm_context_warm: creates what is described and frees it again; the programs stay with the
 * context.
 */
#include <dmm/warm.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <dmm/dmm.h>

#include "core/check.h"
#include "core/context.h"

enum { MAX_THREADS = 64 };

#define WARM(word)                                                       \
    static dmm_status warm_##word(dmm_context *ctx, const void *desc)    \
    {                                                                    \
        dmm_##word *made = NULL;                                         \
        const dmm_status status = dmm_##word##_create(&made, ctx, desc); \
        dmm_##word##_free(made);                                         \
        return status;                                                   \
    }

WARM(sort)
WARM(sort_segmented)
WARM(merge)
WARM(topk)
WARM(nth)
WARM(partition)
WARM(scan)
WARM(reduce)
WARM(unique)
WARM(histogram)
WARM(permute)
WARM(shuffle)
WARM(transpose)
WARM(hull)

static dmm_status (*const makers[])(dmm_context *ctx, const void *desc) = {
    [DMM_PRIMITIVE_SORT] = warm_sort,
    [DMM_PRIMITIVE_SORT_SEGMENTED] = warm_sort_segmented,
    [DMM_PRIMITIVE_MERGE] = warm_merge,
    [DMM_PRIMITIVE_TOPK] = warm_topk,
    [DMM_PRIMITIVE_NTH] = warm_nth,
    [DMM_PRIMITIVE_PARTITION] = warm_partition,
    [DMM_PRIMITIVE_SCAN] = warm_scan,
    [DMM_PRIMITIVE_REDUCE] = warm_reduce,
    [DMM_PRIMITIVE_UNIQUE] = warm_unique,
    [DMM_PRIMITIVE_HISTOGRAM] = warm_histogram,
    [DMM_PRIMITIVE_PERMUTE] = warm_permute,
    [DMM_PRIMITIVE_SHUFFLE] = warm_shuffle,
    [DMM_PRIMITIVE_TRANSPOSE] = warm_transpose,
    [DMM_PRIMITIVE_HULL] = warm_hull,
};

typedef struct work {
    dmm_context *ctx;
    const dmm_warm_item *items;
    size_t count;
    dmm_status *statuses;
    atomic_size_t next;
} work;

static void *take_items(void *user)
{
    work *const w = user;
    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) {
        const dmm_warm_item *const item = &w->items[i];
        const int known = (size_t)item->primitive < sizeof makers / sizeof *makers;
        w->statuses[i] =
            known ? makers[item->primitive](w->ctx, item->desc) : (dmm_status)DMM_BAD_VALUE;
    }
    return NULL;
}

static unsigned threads_for(const dmm_context *ctx, size_t count, unsigned wanted)
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned threads = wanted != 0 ? wanted : cpus > 0 ? (unsigned)cpus : 1;
    threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    threads = threads < count ? threads : (unsigned)count;
    return ctx->device.kind == DMM_KIND_SIMULATOR ? 1 : threads;
}

dmm_status dmm_context_warm(
    dmm_context *ctx, const dmm_warm_item *items, size_t count, unsigned threads)
{
    dmm_status status = DMM_OK;
    pthread_t others[MAX_THREADS];
    unsigned started = 1;
    if (ctx == NULL || (items == NULL && count != 0))
        return DMM_NULL_ARGUMENT;
    work w = {.ctx = ctx, .items = items, .count = count};
    if (count == 0)
        return DMM_OK;
    FAIL_IF((w.statuses = calloc(count, sizeof *w.statuses)) == NULL, DMM_OUT_OF_MEMORY);
    const unsigned most = threads_for(ctx, count, threads);
    /* This thread works, too: alone, where no other can be had. */
    while (started < most && pthread_create(&others[started], NULL, take_items, &w) == 0)
        started++;
    take_items(&w);
    for (unsigned i = 1; i < started; i++)
        pthread_join(others[i], NULL);
    for (size_t i = 0; i < count && status == DMM_OK; i++)
        status = w.statuses[i];
out:
    free(w.statuses);
    return status;
}
