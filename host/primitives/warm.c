/* SPDX-License-Identifier: MIT */
/*
 * dmm_context_warm: creates the described objects and frees them again; their programs stay with
 * the context.
 */
#include <dmm/warm.h>

#include <stdatomic.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/os.h"
#include "primitives/classes.h"

enum { MAX_THREADS = 64 };

/* Creates an object and frees it again. */
static dmm_status warm(dmm_context *ctx, const dmm_warm_item *item)
{
    dmm_object *object = NULL;
    const dmm_class *const class = dmm_class_of(item->primitive);
    const dmm_status status =
        class != NULL ? dmm_object_create(&object, ctx, class, item->desc) : DMM_BAD_VALUE;
    dmm_object_free(object);
    return status;
}

typedef struct work {
    dmm_context *ctx;
    const dmm_warm_item *items;
    size_t count;
    dmm_status *statuses;
    atomic_size_t next;
} work;

static void take_items(void *user)
{
    work *const w = user;
    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;)
        w->statuses[i] = warm(w->ctx, &w->items[i]);
}

static unsigned threads_for(const dmm_context *ctx, size_t count, unsigned wanted)
{
    unsigned threads = wanted != 0 ? wanted : dmm_os_processors();
    threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    threads = threads < count ? threads : (unsigned)count;
    return ctx->device.kind == DMM_KIND_SIMULATOR ? 1 : threads;
}

dmm_status dmm_context_warm(
    dmm_context *ctx, const dmm_warm_item *items, size_t count, unsigned threads)
{
    dmm_status status = DMM_OK;
    dmm_thread others[MAX_THREADS];
    unsigned started = 1;
    if (ctx == NULL || (items == NULL && count != 0))
        return DMM_NULL_ARGUMENT;
    work w = {.ctx = ctx, .items = items, .count = count};
    if (count == 0)
        return DMM_OK;
    FAIL_IF((w.statuses = calloc(count, sizeof *w.statuses)) == NULL, DMM_OUT_OF_MEMORY);
    const unsigned most = threads_for(ctx, count, threads);
    /* This thread works, too; alone if no other can be started. */
    while (started < most && dmm_thread_start(&others[started], take_items, &w))
        started++;
    take_items(&w);
    for (unsigned i = 1; i < started; i++)
        dmm_thread_join(&others[i]);
    for (size_t i = 0; i < count && status == DMM_OK; i++)
        status = w.statuses[i];
out:
    free(w.statuses);
    return status;
}
