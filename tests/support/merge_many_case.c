/* SPDX-License-Identifier: MIT */
/* Building merges of many lists, laying out a call's buffers, and judging its result. */
#include "support/merge_many_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/require.h"

dmm_merge_many *many_build(rig *r, const segment_setup *setup, uint64_t max_n)
{
    dmm_merge_many *merge = NULL;
    const dmm_merge_many_desc desc = {.order = setup->items.k.order,
        .value_bytes = setup->items.value_bytes,
        .argsort = setup->items.argsort,
        .offset_type = setup->offset_type,
        .max_n = max_n,
        .tuning = setup->items.tuning};
    test_note("building a merge of many of %s, value_bytes=%u", setup->items.k.name,
        setup->items.value_bytes);
    r->log_bytes = 0;
    REQUIRE_OK(rig_log_failure(r, dmm_merge_many_create(&merge, r->ctx, &desc)));
    return merge;
}

static uint64_t at_most(uint64_t x, uint64_t n)
{
    return x < n ? x : n;
}

/* Sorts each list of the case's keys, and uploads them. */
static void sort_lists(sort_run *run, const many_case *c)
{
    const kind *const k = &run->setup->k;
    const uint64_t n = c->items.n;
    unsigned char *const keys = run->keys, *const from = malloc((size_t)(n * k->bytes + 1));
    REQUIRE(from != NULL);
    memcpy(from, keys, (size_t)(n * k->bytes));
    for (uint64_t i = 0; i < c->lists; i++) {
        const uint64_t first = at_most(c->offsets[i], n), end = at_most(c->offsets[i + 1], n);
        const rows list = {from + first * k->bytes, NULL, end - first, 0};
        if (first < end)
            oracle_sort(k, &list, keys + first * k->bytes, NULL);
    }
    free(from);
    zone_free(&run->keys_in);
    run->keys_in = zone_create(run->r, keys, n * k->bytes, c->items.offset_items * k->bytes);
    run->args.keys_in = zone_span(&run->keys_in);
}

/* If offsets fall, nothing may have moved; otherwise the lists are one. */
static void judge_run(const sort_run *run, const many_case *c)
{
    const uint64_t both[] = {c->offsets[0], c->offsets[c->lists]};
    if (first_fall(c->offsets, c->lists, c->items.n) != 0)
        segments_judged(run, c->offsets, c->lists);
    else
        segments_judged(run, both, c->lists != 0);
}

static void note(const segment_setup *setup, const many_case *c)
{
    const dmm_tuning *const t = &setup->items.tuning;
    test_note("%s, value_bytes=%u%s, form=%d u=%u E=%u tile=%u, n=%llu, %llu lists, %s, seed=%llu",
        setup->items.k.name, setup->items.value_bytes, setup->items.argsort ? " argsort" : "",
        (int)t->form, t->u, t->E, t->tile, (unsigned long long)c->items.n,
        (unsigned long long)c->lists, shape_name(c->items.input),
        (unsigned long long)c->items.seed);
}

void many_check(const rig *r, dmm_merge_many *merge, const segment_setup *setup, const many_case *c)
{
    const uint64_t fall = first_fall(c->offsets, c->lists, c->items.n);
    sort_case any = c->items;
    uint64_t temp_bytes = 0;
    any.any_order = 1;
    REQUIRE_OK(dmm_merge_many_temp_bytes(&temp_bytes, merge, c->items.n, c->lists));
    sort_run run = sort_prepare_with(r, temp_bytes, &setup->items, &c->items);
    if (fall == 0 && c->items.n != 0)
        sort_lists(&run, c);
    zone offsets = offsets_zone(r, setup->offset_type, c->offsets, c->lists + 1);
    zone report = report_unwritten(r, c->items.offset_items * 8);
    const dmm_merge_many_args args = {.keys_in = run.args.keys_in,
        .values_in = run.args.values_in,
        .keys_out = run.args.keys_out,
        .values_out = run.args.values_out,
        .offsets = zone_span(&offsets),
        .temp = run.args.temp,
        .report_out = zone_span(&report)};
    REQUIRE_OK(dmm_merge_many_enqueue(merge, r->queue, &args, c->items.n, c->lists, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    note(setup, c);
    REQUIRE(zone_intact(r, &offsets));
    report_judged(r, &report, fall);
    if (!c->items.any_order)
        judge_run(&run, c);
    run.c = &any;
    sort_finish(&run);
    zone_free(&offsets);
    free(c->offsets);
}

void many_check_cut(const rig *r, dmm_merge_many *merge, const segment_setup *setup,
    const sort_case *items, cut way)
{
    many_case c = {.items = *items};
    c.offsets = make_offsets(way, items->n, items->seed, &c.lists);
    test_note("cut %d", (int)way);
    if (c.lists > 65536)
        c.lists = 65536;
    many_check(r, merge, setup, &c);
}
