/* SPDX-License-Identifier: MIT */
/* Building sorts, laying out a call's buffers, and judging its result. */
#include "support/items.h"
#include "support/sort_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/require.h"

enum { TEMP_OFFSET_BYTES = 512 };

dmm_sort_desc sort_desc_of(const sort_setup *setup)
{
    dmm_sort_desc desc = {0};
    desc.order = setup->k.order;
    desc.value_bytes = setup->value_bytes;
    desc.argsort = setup->argsort;
    desc.method = DMM_SORT_MERGE;
    desc.tuning = setup->tuning;
    return desc;
}

dmm_sort *sort_build(rig *r, const sort_setup *setup)
{
    return sort_build_by(r, setup, DMM_SORT_MERGE, 0);
}

dmm_sort *sort_build_by(rig *r, const sort_setup *setup, dmm_sort_method method, uint64_t max_n)
{
    dmm_sort_desc desc = sort_desc_of(setup);
    desc.method = method;
    desc.max_n = max_n;
    return sort_build_desc(r, &desc);
}

dmm_sort *sort_build_desc(rig *r, const dmm_sort_desc *desc)
{
    return sort_build_as(r, desc, dmm_sort_create);
}

dmm_sort *sort_build_as(rig *r, const dmm_sort_desc *desc, sort_creator *create)
{
    dmm_sort *sort = NULL;
    test_note("building a sort of type %d by method %d, value_bytes=%u, max_n=%llu",
        (int)desc->order.type, (int)desc->method, desc->value_bytes,
        (unsigned long long)desc->max_n);
    r->log_bytes = 0;
    REQUIRE_OK(rig_log_failure(r, create(&sort, r->ctx, desc)));
    return sort;
}

static void note_case(const sort_setup *setup, const sort_case *c)
{
    static const char *const places[] = {"", ", in place", ", keys in place", ", values in place"};
    const dmm_tuning *const t = &setup->tuning;
    test_note("sort %s%s%s, value_bytes=%u%s, form=%d u=%u E=%u tile=%u search=%d, n=%llu, %s, "
              "seed=%llu%s, offset_items=%llu%s",
        setup->k.name, setup->k.order.descending ? " descending" : "",
        setup->k.order.zero_equal ? " zero_equal" : "", setup->value_bytes,
        setup->argsort ? " argsort" : "", (int)t->form, t->u, t->E, t->tile, (int)t->search,
        (unsigned long long)c->n, shape_name(c->input), (unsigned long long)c->seed,
        places[c->in_place], (unsigned long long)c->offset_items,
        c->temp_given ? ", temp given" : "");
}

void *sort_values(const sort_setup *setup, uint64_t n, random_source *random)
{
    unsigned char *const values = allocate(n * setup->value_bytes);
    if (!setup->argsort)
        random_bytes(random, values, (size_t)(n * setup->value_bytes));
    for (uint64_t i = 0; setup->argsort && i < n; i++) {
        const uint32_t narrow = (uint32_t)i;
        memcpy(values + i * setup->value_bytes,
            setup->value_bytes == 4 ? (const void *)&narrow : (const void *)&i, setup->value_bytes);
    }
    return values;
}

static int are_values_in_place(const sort_setup *setup, const sort_case *c)
{
    return (c->in_place == IN_PLACE || c->in_place == VALUES_IN_PLACE) && !setup->argsort;
}

static void prepare_keys(sort_run *run)
{
    const sort_case *const c = run->c;
    const uint64_t item = run->setup->k.bytes, bytes = c->n * item, offset = c->offset_items * item;
    run->keys_in = zone_create(run->r, run->keys, bytes, offset);
    run->keys_out = run->keys_in_place ? run->keys_in : zone_create(run->r, NULL, bytes, offset);
    run->args.keys_in = zone_span(&run->keys_in);
    run->args.keys_out = zone_span(&run->keys_out);
}

static void prepare_values(sort_run *run)
{
    const sort_case *const c = run->c;
    const uint64_t item = run->setup->value_bytes, bytes = c->n * item;
    const uint64_t offset = c->offset_items * item;
    if (item == 0)
        return;
    if (!run->setup->argsort) {
        run->values_in = zone_create(run->r, run->values, bytes, offset);
        run->args.values_in = zone_span(&run->values_in);
    }
    run->values_out =
        run->values_in_place ? run->values_in : zone_create(run->r, NULL, bytes, offset);
    run->args.values_out = zone_span(&run->values_out);
}

sort_run sort_prepare_with(
    const rig *r, uint64_t temp_bytes, const sort_setup *setup, const sort_case *c)
{
    sort_run run = {.r = r, .setup = setup, .c = c};
    random_source random = {c->seed};
    note_case(setup, c);
    run.keys_in_place = c->in_place == IN_PLACE || c->in_place == KEYS_IN_PLACE;
    run.values_in_place = are_values_in_place(setup, c);
    run.keys = allocate(c->n * setup->k.bytes);
    kind_fill(&setup->k, c->input, run.keys, c->n, &random);
    run.values = sort_values(setup, c->n, &random);
    prepare_keys(&run);
    prepare_values(&run);
    if (c->temp_given && temp_bytes != 0) {
        run.temp = zone_create(r, NULL, temp_bytes, TEMP_OFFSET_BYTES);
        run.args.temp = zone_span(&run.temp);
    }
    return run;
}

sort_run sort_prepare(
    const rig *r, const dmm_sort *sort, const sort_setup *setup, const sort_case *c)
{
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_sort_temp_bytes(&temp_bytes, sort, c->n));
    return sort_prepare_with(r, temp_bytes, setup, c);
}

static void require_red_zones(const sort_run *run)
{
    const struct {
        const char *name;
        const zone *z;
    } zones[] = {{"keys_in", &run->keys_in}, {"values_in", &run->values_in},
        {"keys_out", &run->keys_out}, {"values_out", &run->values_out}, {"temp", &run->temp}};
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++)
        if (zones[i].z->buffer != NULL && !zone_intact(run->r, zones[i].z))
            fail_msg("the red zone of %s is broken\n  in: %s", zones[i].name, test_note_text());
}

static void judge_run(const sort_run *run)
{
    const sort_setup *const s = run->setup;
    const rows input = {run->keys, run->values, run->c->n, s->value_bytes};
    void *const keys = allocate(input.n * s->k.bytes);
    void *const values = allocate(input.n * s->value_bytes);
    zone_read(run->r, &run->keys_out, keys);
    if (s->value_bytes != 0)
        zone_read(run->r, &run->values_out, values);
    const rows result = {keys, values, input.n, s->value_bytes};
    REQUIRE_VERDICT(judge(&s->k, &input, &result));
    free(keys);
    free(values);
}

void sort_finish(sort_run *run)
{
    note_case(run->setup, run->c);
    require_red_zones(run);
    if (!run->keys_in_place)
        REQUIRE(zone_holds(run->r, &run->keys_in, run->keys));
    if (!run->values_in_place && run->values_in.buffer != NULL)
        REQUIRE(zone_holds(run->r, &run->values_in, run->values));
    if (!run->c->any_order)
        judge_run(run);
    if (run->keys_out.buffer != run->keys_in.buffer)
        zone_free(&run->keys_out);
    if (run->values_out.buffer != run->values_in.buffer)
        zone_free(&run->values_out);
    zone_free(&run->keys_in);
    zone_free(&run->values_in);
    zone_free(&run->temp);
    free(run->keys);
    free(run->values);
}

void sort_check(const rig *r, dmm_sort *sort, const sort_setup *setup, const sort_case *c)
{
    cl_event done = NULL;
    sort_run run = sort_prepare(r, sort, setup, c);
    REQUIRE_OK(dmm_sort_enqueue(sort, r->queue, &run.args, c->n, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    sort_finish(&run);
}
