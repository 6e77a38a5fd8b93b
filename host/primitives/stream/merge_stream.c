/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge_stream: the caller's lists as the runs of one merge.
 */
#include <dmm/merge_stream.h>

#include <stdlib.h>

#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/stream/stream.h"

enum { MOST_LISTS = 1 << 16 };

static dmm_status check_args(const dmm_merge_stream_args *args)
{
    if (args == NULL || args->key == NULL || args->load == NULL || args->write == NULL ||
        (args->items == NULL && args->lists != 0))
        return DMM_NULL_ARGUMENT;
    if (args->lists > MOST_LISTS)
        return DMM_TOO_LARGE;
    return dmm_check_reserved(args, sizeof *args, 0);
}

/* Makes a run of each list that has items. */
static dmm_status list_runs(dmm_stream *s)
{
    dmm_stored_runs *const store = &s->store;
    store->runs = malloc((size_t)s->lists->lists * sizeof *store->runs + 1);
    if (store->runs == NULL)
        return DMM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < s->lists->lists; i++) {
        s->result.items = dmm_size_add(s->result.items, s->lists->items[i]);
        if (s->lists->items[i] != 0)
            store->runs[store->count++] = (dmm_stored_run){s->lists->items[i], i};
    }
    s->result.runs = store->count;
    return s->result.items == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

dmm_status dmm_merge_stream_host(
    dmm_context *ctx, const dmm_sort_stream_desc *desc, const dmm_merge_stream_args *args)
{
    dmm_status status = DMM_OK;
    dmm_stream s = {.ctx = ctx, .desc = desc, .lists = args};
    dmm_refuse_begin();
    if (ctx == NULL || desc == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(check_args(args));
    s.user = args->user;
    s.write = args->write;
    TRY(list_runs(&s));
    TRY(dmm_stream_size(&s));
    FAIL_IF(s.store.count > s.plan.most_runs, DMM_TOO_LARGE);
    if (s.store.count != 0)
        TRY(dmm_stream_merge_runs(&s, 0, s.store.count, NULL));
    if (args->result_out != NULL)
        *args->result_out = s.result;
out:
    dmm_stream_close(&s);
    return status;
}
