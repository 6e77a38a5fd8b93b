/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_stream: sorts runs, then merges them until none are left (stream_runs.c,
 * stream_merge.c).
 */
#include <dmm/sort_stream.h>

#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/stream/stream.h"

enum { MOST_RUNS = 1 << 24 };

/* Appends runs of `items` items in all. */
static dmm_status append_runs(dmm_stream *s, uint64_t items)
{
    dmm_status status = DMM_OK;
    const uint64_t run = s->plan.run_items;
    FAIL_IF(dmm_size_div_up(items, run) > MOST_RUNS, DMM_TOO_LARGE);
    for (; items != 0; items -= items < run ? items : run)
        TRY(dmm_stream_append(s, items < run ? items : run));
out:
    return status;
}

dmm_status dmm_sort_stream_plan_host(
    dmm_sort_stream_plan *out, dmm_context *ctx, const dmm_sort_stream_desc *desc, uint64_t n)
{
    dmm_status status = DMM_OK;
    dmm_stream s = {.ctx = ctx, .desc = desc};
    size_t first = 0, count = 0;
    dmm_refuse_begin();
    if (out == NULL || ctx == NULL || desc == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_stream_size(&s));
    s.plan.runs = dmm_size_div_up(n, s.plan.run_items);
    if (s.plan.runs > 1) {
        TRY(append_runs(&s, n));
        for (s.plan.merges = 1; !dmm_stream_next_merge(&s, &first, &count); s.plan.merges++)
            dmm_stream_replace(&s, first, count);
        s.plan.store_bytes = s.store.end_bytes;
    }
    FAIL_IF(s.plan.store_bytes == UINT64_MAX, DMM_TOO_LARGE);
    *out = s.plan;
out:
    dmm_stream_close(&s);
    return status;
}

static dmm_status check_args(const dmm_sort_stream_args *args)
{
    if (args == NULL || args->read == NULL || args->write == NULL || args->store == NULL ||
        args->load == NULL)
        return DMM_NULL_ARGUMENT;
    return dmm_check_reserved(args, sizeof *args, 0);
}

/* Merges runs until the last merge has written all items. */
static dmm_status merge_all(dmm_stream *s)
{
    dmm_status status = DMM_OK;
    size_t first = 0, count = 0;
    while (!dmm_stream_next_merge(s, &first, &count)) {
        dmm_stored_run to = {0, s->store.end_bytes};
        for (size_t i = first; i < first + count; i++)
            to.items += s->store.runs[i].items;
        TRY(dmm_stream_merge_runs(s, first, count, &to));
        dmm_stream_replace(s, first, count);
    }
    if (count != 0)
        TRY(dmm_stream_merge_runs(s, first, count, NULL));
out:
    return status;
}

dmm_status dmm_sort_stream_host(
    dmm_context *ctx, const dmm_sort_stream_desc *desc, const dmm_sort_stream_args *args)
{
    dmm_status status = DMM_OK;
    dmm_stream s = {.ctx = ctx, .desc = desc, .args = args};
    dmm_refuse_begin();
    if (ctx == NULL || desc == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(check_args(args));
    s.user = args->user;
    s.write = args->write;
    TRY(dmm_stream_size(&s));
    s.result.items = args->stored_items;
    TRY(append_runs(&s, args->stored_items));
    TRY(dmm_stream_sort_runs(&s));
    TRY(merge_all(&s));
    if (args->result_out != NULL)
        *args->result_out = s.result;
out:
    dmm_stream_close(&s);
    return status;
}
