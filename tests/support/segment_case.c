/* SPDX-License-Identifier: MIT */
/* Cutting lists into segments, sorting these, and judging each of them. */
#include "support/segment_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/require.h"

static uint64_t next_size(cut way, uint64_t at, uint64_t n, uint64_t i, random_source *random)
{
    switch (way) {
    case CUT_ONE:
        return n;
    case CUT_TINY:
        return random_below(random, 6);
    case CUT_SKEWED:
        return at >= n / 3 && at < n / 3 + 6 ? n / 2 + 1 : random_below(random, 4);
    case CUT_EMPTY:
        return i % 300 == 0 ? 1 + random_below(random, 700) : 0;
    default:
        return random_below(random, 301);
    }
}

uint64_t *make_offsets(cut way, uint64_t n, uint64_t seed, uint64_t *segments)
{
    random_source random = {seed};
    const uint64_t first = way == CUT_OUTSIDE ? n / 5 : 0;
    const uint64_t end = way == CUT_OUTSIDE ? n - n / 7 : n;
    uint64_t *const offsets = malloc((size_t)(300 * n + 2) * sizeof *offsets);
    uint64_t count = 0;
    REQUIRE(offsets != NULL);
    offsets[0] = first;
    while (way != CUT_NONE && offsets[count] < end && count < 300 * n) {
        const uint64_t next = offsets[count] + next_size(way, offsets[count], n, count, &random);
        offsets[++count] = next < end ? next : end;
    }
    if (way == CUT_BEYOND && count > 0)
        offsets[count] = n + 17;
    *segments = count;
    return offsets;
}

static rows slice(const kind *k, const rows *all, uint64_t first, uint64_t end)
{
    return (rows){(const unsigned char *)all->keys + first * k->bytes,
        (const unsigned char *)all->values + first * all->value_bytes, end - first,
        all->value_bytes};
}

static const char *judge_outside(const kind *k, const rows *input, const rows *result)
{
    return memcmp(input->keys, result->keys, (size_t)(input->n * k->bytes)) != 0 ||
                   memcmp(input->values, result->values, (size_t)(input->n * input->value_bytes)) !=
                       0
               ? "an item outside of all segments has changed"
               : NULL;
}

uint64_t *make_wild_offsets(dmm_type type, uint64_t n, uint64_t seed, uint64_t segments)
{
    random_source random = {seed};
    uint64_t *const offsets = malloc((size_t)(segments + 1) * sizeof *offsets);
    REQUIRE(offsets != NULL);
    for (uint64_t i = 0; i <= segments; i++) {
        const uint64_t any = i % 9 == 0 ? random_next(&random) : random_below(&random, n + 9);
        offsets[i] = type == DMM_U32 ? (uint32_t)any : any;
    }
    return offsets;
}

uint64_t first_fall(const uint64_t *offsets, uint64_t segments, uint64_t n)
{
    for (uint64_t i = 1; i <= segments; i++)
        if (offsets[i] < n && offsets[i] < offsets[i - 1])
            return i;
    return 0;
}

zone report_unwritten(const rig *r, uint64_t offset_bytes)
{
    const dmm_report unwritten = {.code = 77, .detail = 77, .position = 77};
    return zone_create(r, &unwritten, sizeof unwritten, offset_bytes);
}

void report_judged(const rig *r, zone *report, uint64_t fall)
{
    dmm_report got;
    zone_read(r, report, &got);
    REQUIRE(got.code == (fall != 0 ? (uint32_t)DMM_BAD_DATA : (uint32_t)DMM_OK) && got.detail == 0);
    REQUIRE(got.position == fall);
    zone_free(report);
}

void segment_host_check(segment_host *host, const segment_host_case *c)
{
    static const uint32_t falling[] = {0, 3, 2, 6};
    static rig r;
    uint32_t keys[7], from[7], again[] = {9, 8, 7, 6, 5, 4, 3};
    rig_open(&r, NULL);
    test_note("host arrays");
    memcpy(keys, c->keys, sizeof keys);
    REQUIRE_OK(host(r.ctx, keys, from, 7, c->offsets, c->m));
    REQUIRE(memcmp(keys, c->sorted, sizeof keys) == 0 && memcmp(from, c->from, sizeof from) == 0);
    REQUIRE_OK(host(r.ctx, NULL, NULL, 0, NULL, 0));
    REQUIRE_STATUS(DMM_BAD_DATA, host(r.ctx, again, from, 7, falling, 3));
    REQUIRE(again[0] == 9 && again[6] == 3 && memcmp(from, c->from, sizeof from) == 0);
    rig_close(&r);
}

const char *judge_segments(const kind *k, const rows *input, const rows *result,
    const uint64_t *offsets, uint64_t segments)
{
    if (first_fall(offsets, segments, input->n) != 0)
        return judge_outside(k, input, result);
    uint64_t at = offsets[0] < input->n && segments != 0 ? offsets[0] : input->n;
    rows before = slice(k, input, 0, at), after = slice(k, result, 0, at);
    const char *fault = judge_outside(k, &before, &after);
    for (uint64_t i = 0; i < segments && fault == NULL; i++) {
        const uint64_t end = offsets[i + 1] < input->n ? offsets[i + 1] : input->n;
        before = slice(k, input, at, end);
        after = slice(k, result, at, end);
        if (end > at)
            fault = judge(k, &before, &after);
        at = end;
    }
    if (fault != NULL)
        return fault;
    before = slice(k, input, at, input->n);
    after = slice(k, result, at, input->n);
    return judge_outside(k, &before, &after);
}

dmm_sort_segmented *segment_build(rig *r, const segment_setup *setup, uint64_t max_n)
{
    dmm_sort_segmented *sort = NULL;
    dmm_sort_segmented_desc desc = {0};
    desc.order = setup->items.k.order;
    desc.value_bytes = setup->items.value_bytes;
    desc.argsort = setup->items.argsort;
    desc.offset_type = setup->offset_type;
    desc.max_n = max_n;
    desc.max_segment = setup->max_segment;
    desc.tuning = setup->items.tuning;
    test_note("building a sort of segments of %s, value_bytes=%u", setup->items.k.name,
        setup->items.value_bytes);
    r->log_bytes = 0;
    REQUIRE_OK(rig_log_failure(r, dmm_sort_segmented_create(&sort, r->ctx, &desc)));
    return sort;
}

zone offsets_zone(const rig *r, dmm_type type, const uint64_t *offsets, uint64_t count)
{
    uint32_t *const narrow = malloc((size_t)count * sizeof *narrow);
    REQUIRE(narrow != NULL);
    for (uint64_t i = 0; i < count; i++)
        narrow[i] = (uint32_t)offsets[i];
    const zone z = type == DMM_U64 ? zone_create(r, offsets, count * sizeof *offsets, 8)
                                   : zone_create(r, narrow, count * sizeof *narrow, 12);
    free(narrow);
    return z;
}

segment_run segment_prepare(const rig *r, const dmm_sort_segmented *sort,
    const segment_setup *setup, const sort_case *c, cut way, uint64_t *offsets, uint64_t segments)
{
    segment_run run = {.way = way, .offsets = offsets, .segments = segments};
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_sort_segmented_temp_bytes(&temp_bytes, sort, c->n));
    run.items = sort_prepare_with(r, temp_bytes, &setup->items, c);
    if (offsets == NULL)
        run.offsets = make_offsets(way, c->n, c->seed, &run.segments);
    run.offsets_in = offsets_zone(r, setup->offset_type, run.offsets, run.segments + 1);
    const dmm_sort_args *const items = &run.items.args;
    run.args = (dmm_sort_segmented_args){.keys_in = items->keys_in,
        .values_in = items->values_in,
        .keys_out = items->keys_out,
        .values_out = items->values_out,
        .offsets = zone_span(&run.offsets_in),
        .temp = items->temp};
    return run;
}

void segments_judged(const sort_run *run, const uint64_t *offsets, uint64_t segments)
{
    const kind *const k = &run->setup->k;
    const uint64_t n = run->c->n, value = run->setup->value_bytes;
    void *const keys = malloc((size_t)(n * k->bytes + 1));
    void *const values = malloc((size_t)(n * value + 1));
    REQUIRE(keys != NULL && values != NULL);
    zone_read(run->r, &run->keys_out, keys);
    if (value != 0)
        zone_read(run->r, &run->values_out, values);
    const rows input = {run->keys, run->values, n, (uint32_t)value};
    const rows result = {keys, values, n, (uint32_t)value};
    REQUIRE_VERDICT(judge_segments(k, &input, &result, offsets, segments));
    free(keys);
    free(values);
}

void segment_finish(segment_run *run, const segment_setup *setup)
{
    sort_case segments = *run->items.c;
    segments.any_order = 1;
    test_note("cut %d: %s, value_bytes=%u%s, form=%d u=%u E=%u tile=%u, n=%llu, %s, seed=%llu, "
              "place %d",
        (int)run->way, setup->items.k.name, setup->items.value_bytes,
        setup->items.argsort ? " argsort" : "", (int)setup->items.tuning.form,
        setup->items.tuning.u, setup->items.tuning.E, setup->items.tuning.tile,
        (unsigned long long)segments.n, shape_name(segments.input),
        (unsigned long long)segments.seed, segments.in_place);
    REQUIRE(zone_intact(run->items.r, &run->offsets_in));
    if (!run->items.c->any_order)
        segments_judged(&run->items, run->offsets, run->segments);
    run->items.c = &segments;
    sort_finish(&run->items);
    zone_free(&run->offsets_in);
    free(run->offsets);
}

void segment_check(
    const rig *r, dmm_sort_segmented *sort, const segment_setup *setup, const sort_case *c, cut way)
{
    cl_event done = NULL;
    segment_run run = segment_prepare(r, sort, setup, c, way, NULL, 0);
    REQUIRE_OK(
        dmm_sort_segmented_enqueue(sort, r->queue, &run.args, c->n, run.segments, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    segment_finish(&run, setup);
}

segment_setup segment_setup_of(const segment_row *row)
{
    segment_setup setup = {.items = {.k = kind_named(row->kind), .tuning = row->tuning}};
    setup.items.k.order.descending = row->descending;
    setup.items.k.order.zero_equal = row->zero_equal;
    setup.items.value_bytes = row->value_bytes;
    setup.items.argsort = row->argsort;
    setup.offset_type = row->offset_type;
    return setup;
}

int segment_is_wide(size_t i)
{
    return i % 3 == 2;
}

int segment_row_runs(cover *seen, const segment_row *table, size_t i)
{
    const segment_row *const one = &table[i];
    const kind k = kind_named(one->kind);
    const dmm_tuning *const t = &one->tuning;
    return COVER_TAKES(seen, 1, t->form, 2u * t->form + (one->argsort != 0), t->search,
        2u * t->form + (unsigned)segment_is_wide(i), one->offset_type, cover_bytes(k.bytes),
        cover_order(&k), cover_bytes(one->value_bytes),
        2u * (one->descending != 0) + (one->zero_equal != 0));
}
