/* SPDX-License-Identifier: MIT */
/* Building merges, laying out a call's buffers, and judging its result. */
#include "support/items.h"
#include "support/merge_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/require.h"

enum { TEMP_OFFSET_BYTES = 256 };

dmm_merge_desc merge_desc_of(const merge_setup *setup)
{
    dmm_merge_desc desc = {0};
    desc.order = setup->k.order;
    desc.value_bytes = setup->value_bytes;
    desc.tuning = setup->tuning;
    return desc;
}

dmm_merge *merge_build(rig *r, const merge_setup *setup)
{
    dmm_merge *merge = NULL;
    const dmm_merge_desc desc = merge_desc_of(setup);
    test_note("building a merge of %s, value_bytes=%u", setup->k.name, setup->value_bytes);
    r->log_bytes = 0;
    REQUIRE_OK(rig_log_failure(r, dmm_merge_create(&merge, r->ctx, &desc)));
    return merge;
}

static void note_case(const merge_setup *setup, const merge_case *c)
{
    const dmm_tuning *const t = &setup->tuning;
    test_note("merge %s%s%s, value_bytes=%u, form=%d u=%u E=%u tile=%u search=%d, na=%llu %s, "
              "nb=%llu %s, seed=%llu, offset_items=%llu%s",
        setup->k.name, setup->k.order.descending ? " descending" : "",
        setup->k.order.zero_equal ? " zero_equal" : "", setup->value_bytes, (int)t->form, t->u,
        t->E, t->tile, (int)t->search, (unsigned long long)c->na, shape_name(c->a),
        (unsigned long long)c->nb, shape_name(c->b), (unsigned long long)c->seed,
        (unsigned long long)c->offset_items, c->temp_given ? ", temp given" : "");
}

static void *at(void *items, uint64_t i, uint32_t item_bytes)
{
    return (unsigned char *)items + i * item_bytes;
}

/* Puts n of the inputs' items, from the first-th on, in order. */
static void sort_part(const merge_setup *setup, merge_inputs *inputs, uint64_t first, uint64_t n)
{
    const uint32_t key = setup->k.bytes, value = setup->value_bytes;
    void *const keys = allocate(n * key), *const values = allocate(n * value);
    memcpy(keys, at(inputs->keys, first, key), (size_t)(n * key));
    memcpy(values, at(inputs->values, first, value), (size_t)(n * value));
    oracle_sort(&setup->k, &(rows){keys, values, n, value}, at(inputs->keys, first, key),
        at(inputs->values, first, value));
    free(keys);
    free(values);
}

merge_inputs merge_inputs_of(const merge_setup *setup, const merge_case *c)
{
    const uint64_t n = c->na + c->nb;
    random_source random = {c->seed};
    merge_inputs inputs = {allocate(n * setup->k.bytes), allocate(n * setup->value_bytes)};
    kind_fill(&setup->k, c->a, inputs.keys, c->na, &random);
    kind_fill(&setup->k, c->b, at(inputs.keys, c->na, setup->k.bytes), c->nb, &random);
    random_bytes(&random, inputs.values, (size_t)(n * setup->value_bytes));
    if (!c->unsorted) {
        sort_part(setup, &inputs, 0, c->na);
        sort_part(setup, &inputs, c->na, c->nb);
    }
    return inputs;
}

/* The inputs' items from the first-th on, or (from NULL) room for as many. No span for items of no
 * bytes. */
static dmm_span place(
    const merge_run *run, zone *z, void *from, uint64_t first, uint64_t n, uint32_t item_bytes)
{
    if (item_bytes == 0)
        return (dmm_span){NULL, 0};
    *z = zone_create(run->r, from != NULL ? at(from, first, item_bytes) : NULL, n * item_bytes,
        run->c->offset_items * item_bytes);
    return zone_span(z);
}

merge_run merge_prepare(
    const rig *r, const dmm_merge *merge, const merge_setup *setup, const merge_case *c)
{
    const uint32_t key = setup->k.bytes, value = setup->value_bytes;
    const uint64_t n = c->na + c->nb;
    merge_run run = {.r = r, .setup = setup, .c = c};
    uint64_t temp_bytes = 0;
    note_case(setup, c);
    run.inputs = merge_inputs_of(setup, c);
    run.args.a_keys = place(&run, &run.a_keys, run.inputs.keys, 0, c->na, key);
    run.args.a_values = place(&run, &run.a_values, run.inputs.values, 0, c->na, value);
    run.args.b_keys = place(&run, &run.b_keys, run.inputs.keys, c->na, c->nb, key);
    run.args.b_values = place(&run, &run.b_values, run.inputs.values, c->na, c->nb, value);
    run.args.keys_out = place(&run, &run.keys_out, NULL, 0, n, key);
    run.args.values_out = place(&run, &run.values_out, NULL, 0, n, value);
    REQUIRE_OK(dmm_merge_temp_bytes(&temp_bytes, merge, n));
    if (c->temp_given && temp_bytes != 0) {
        run.temp = zone_create(r, NULL, temp_bytes, TEMP_OFFSET_BYTES);
        run.args.temp = zone_span(&run.temp);
    }
    return run;
}

static void require_untouched(
    const merge_run *run, const zone *z, void *from, uint64_t first, uint32_t item_bytes)
{
    if (z->buffer != NULL)
        REQUIRE(zone_holds(run->r, z, at(from, first, item_bytes)));
}

static void judge_run(const merge_run *run)
{
    const merge_setup *const s = run->setup;
    const uint64_t n = run->c->na + run->c->nb;
    void *const keys = allocate(n * s->k.bytes), *const values = allocate(n * s->value_bytes);
    zone_read(run->r, &run->keys_out, keys);
    if (s->value_bytes != 0)
        zone_read(run->r, &run->values_out, values);
    const rows input = {run->inputs.keys, run->inputs.values, n, s->value_bytes};
    const rows result = {keys, values, n, s->value_bytes};
    REQUIRE_VERDICT(judge(&s->k, &input, &result));
    free(keys);
    free(values);
}

void merge_finish(merge_run *run)
{
    const uint32_t key = run->setup->k.bytes, value = run->setup->value_bytes;
    const uint64_t na = run->c->na;
    zone *const zones[] = {&run->keys_out, &run->values_out, &run->temp, &run->a_keys,
        &run->a_values, &run->b_keys, &run->b_values};
    note_case(run->setup, run->c);
    for (size_t i = 0; i < 3; i++)
        REQUIRE(zones[i]->buffer == NULL || zone_intact(run->r, zones[i]));
    require_untouched(run, &run->a_keys, run->inputs.keys, 0, key);
    require_untouched(run, &run->a_values, run->inputs.values, 0, value);
    require_untouched(run, &run->b_keys, run->inputs.keys, na, key);
    require_untouched(run, &run->b_values, run->inputs.values, na, value);
    if (!run->c->unsorted)
        judge_run(run);
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++)
        zone_free(zones[i]);
    free(run->inputs.keys);
    free(run->inputs.values);
}

void merge_check(const rig *r, dmm_merge *merge, const merge_setup *setup, const merge_case *c)
{
    cl_event done = NULL;
    merge_run run = merge_prepare(r, merge, setup, c);
    REQUIRE_OK(dmm_merge_enqueue(merge, r->queue, &run.args, c->na, c->nb, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    merge_finish(&run);
}
