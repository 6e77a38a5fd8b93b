/* SPDX-License-Identifier: MIT */
/* Building selections, laying out a call's buffers, and judging its result. */
#include "support/items.h"
#include "support/topk_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/require.h"

enum { TEMP_OFFSET_BYTES = 512 };

dmm_topk_desc topk_desc_of(const topk_setup *setup)
{
    dmm_topk_desc desc = {0};
    desc.order = setup->items.k.order;
    desc.value_bytes = setup->items.value_bytes;
    desc.argsort = setup->items.argsort;
    desc.unsorted = setup->unsorted;
    desc.tuning = setup->items.tuning;
    return desc;
}

dmm_nth_desc nth_desc_of(const topk_setup *setup)
{
    dmm_nth_desc desc = {0};
    desc.order = setup->items.k.order;
    desc.value_bytes = setup->items.value_bytes;
    desc.argsort = setup->items.argsort;
    desc.tuning = setup->items.tuning;
    return desc;
}

static void note_building(rig *r, const topk_setup *setup)
{
    test_note("building a selection of %s, value_bytes=%u", setup->items.k.name,
        setup->items.value_bytes);
    r->log_bytes = 0;
}

dmm_topk *topk_build(rig *r, const topk_setup *setup)
{
    dmm_topk *topk = NULL;
    const dmm_topk_desc desc = topk_desc_of(setup);
    note_building(r, setup);
    REQUIRE_OK(rig_log_failure(r, dmm_topk_create(&topk, r->ctx, &desc)));
    return topk;
}

dmm_nth *nth_build(rig *r, const topk_setup *setup)
{
    dmm_nth *nth = NULL;
    const dmm_nth_desc desc = nth_desc_of(setup);
    note_building(r, setup);
    REQUIRE_OK(rig_log_failure(r, dmm_nth_create(&nth, r->ctx, &desc)));
    return nth;
}

static void note_case(const topk_run *run)
{
    const topk_case *const c = run->c;
    const sort_setup *const s = &run->setup->items;
    const dmm_tuning *const t = &s->tuning;
    test_note("%s %s%s%s, value_bytes=%u%s%s, form=%d u=%u E=%u tile=%u, n=%llu, k=%llu, %s%s, "
              "seed=%llu, offset_items=%llu%s",
        run->nth ? "nth" : "topk", s->k.name, s->k.order.descending ? " descending" : "",
        s->k.order.zero_equal ? " zero_equal" : "", s->value_bytes, s->argsort ? " argsort" : "",
        run->setup->unsorted ? " unsorted" : "", (int)t->form, t->u, t->E, t->tile,
        (unsigned long long)c->n, (unsigned long long)c->k, shape_name(c->input),
        c->same_prefix ? " but for one prefix" : "", (unsigned long long)c->seed,
        (unsigned long long)c->offset_items, c->temp_given ? ", temp given" : "");
}

static void *make_keys(const topk_run *run, random_source *random)
{
    const kind *const k = &run->setup->items.k;
    unsigned char *const keys = allocate(run->c->n * k->bytes);
    kind_fill(k, run->c->input, keys, run->c->n, random);
    for (uint64_t i = 1; run->c->same_prefix && i < run->c->n; i++)
        memcpy(keys + i * k->bytes + 1, keys + 1, k->bytes - 1);
    return keys;
}

topk_run topk_prepare(
    const rig *r, const topk_setup *setup, const topk_case *c, int nth, uint64_t temp_bytes)
{
    const uint64_t key = setup->items.k.bytes, value = setup->items.value_bytes;
    random_source random = {c->seed};
    topk_run run = {.r = r, .setup = setup, .c = c, .nth = nth};
    run.out_items = nth ? 1 : c->k < c->n ? c->k : c->n;
    note_case(&run);
    run.keys = make_keys(&run, &random);
    run.values = sort_values(&setup->items, c->n, &random);
    run.keys_in = zone_create(r, run.keys, c->n * key, c->offset_items * key);
    run.keys_out = zone_create(r, NULL, run.out_items * key, c->offset_items * key);
    if (value != 0 && !setup->items.argsort)
        run.values_in = zone_create(r, run.values, c->n * value, c->offset_items * value);
    if (value != 0)
        run.values_out = zone_create(r, NULL, run.out_items * value, c->offset_items * value);
    if (c->temp_given && temp_bytes != 0)
        run.temp = zone_create(r, NULL, temp_bytes, TEMP_OFFSET_BYTES);
    return run;
}

static dmm_span span_of(const zone *z)
{
    return z->buffer != NULL ? zone_span(z) : DMM_NONE;
}

dmm_topk_args topk_args_of(const topk_run *run)
{
    return (dmm_topk_args){.keys_in = span_of(&run->keys_in),
        .values_in = span_of(&run->values_in),
        .keys_out = span_of(&run->keys_out),
        .values_out = span_of(&run->values_out),
        .temp = span_of(&run->temp)};
}

dmm_nth_args nth_args_of(const topk_run *run)
{
    const dmm_topk_args args = topk_args_of(run);
    return (dmm_nth_args){.keys_in = args.keys_in,
        .values_in = args.values_in,
        .key_out = args.keys_out,
        .value_out = args.values_out,
        .temp = args.temp};
}

static void judge_run(const topk_run *run)
{
    const sort_setup *const s = &run->setup->items;
    const uint64_t items = run->nth ? run->c->k : run->out_items;
    const rows input = {run->keys, run->values, run->c->n, s->value_bytes};
    void *const keys = allocate(run->out_items * s->k.bytes);
    void *const values = allocate(run->out_items * s->value_bytes);
    zone_read(run->r, &run->keys_out, keys);
    if (s->value_bytes != 0)
        zone_read(run->r, &run->values_out, values);
    const rows result = {keys, values, run->out_items, s->value_bytes};
    REQUIRE_VERDICT(
        topk_judge_by_property(&s->k, &input, &result, items, run->setup->unsorted, run->nth));
    REQUIRE_VERDICT(
        topk_judge_by_oracle(&s->k, &input, &result, items, run->setup->unsorted, run->nth));
    free(keys);
    free(values);
}

void topk_finish(topk_run *run, int judged)
{
    zone *const zones[] = {
        &run->keys_in, &run->values_in, &run->keys_out, &run->values_out, &run->temp};
    note_case(run);
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++)
        REQUIRE(zones[i]->buffer == NULL || zone_intact(run->r, zones[i]));
    REQUIRE(zone_holds(run->r, &run->keys_in, run->keys));
    if (run->values_in.buffer != NULL)
        REQUIRE(zone_holds(run->r, &run->values_in, run->values));
    if (judged)
        judge_run(run);
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++)
        zone_free(zones[i]);
    free(run->keys);
    free(run->values);
}

static void wait_for(cl_event done)
{
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
}

void topk_check(const rig *r, dmm_topk *topk, const topk_setup *setup, const topk_case *c)
{
    uint64_t temp_bytes = 0;
    cl_event done = NULL;
    REQUIRE_OK(dmm_topk_temp_bytes(&temp_bytes, topk, c->n, c->k));
    topk_run run = topk_prepare(r, setup, c, 0, temp_bytes);
    const dmm_topk_args args = topk_args_of(&run);
    REQUIRE_OK(dmm_topk_enqueue(topk, r->queue, &args, c->n, c->k, 0, NULL, &done));
    wait_for(done);
    topk_finish(&run, 1);
}

void nth_check(const rig *r, dmm_nth *nth, const topk_setup *setup, const topk_case *c)
{
    uint64_t temp_bytes = 0;
    cl_event done = NULL;
    REQUIRE_OK(dmm_nth_temp_bytes(&temp_bytes, nth, c->n));
    topk_run run = topk_prepare(r, setup, c, 1, temp_bytes);
    const dmm_nth_args args = nth_args_of(&run);
    REQUIRE_OK(dmm_nth_enqueue(nth, r->queue, &args, c->n, c->k - 1, 0, NULL, &done));
    wait_for(done);
    topk_finish(&run, 1);
}
