/* SPDX-License-Identifier: MIT */
/* Building partitions, laying out a call's buffers, and judging its result. */
#include "support/items.h"
#include "support/partition_case.h"

#include <stdlib.h>
#include <string.h>

#include "primitives/partition.h"
#include "support/judge.h"
#include "support/methods.h"
#include "support/partition_judge.h"
#include "support/require.h"

enum { TEMP_OFFSET_BYTES = 512 };

partition_case partition_case_of(uint64_t n, uint64_t k)
{
    return (partition_case){.n = n,
        .labels = (spread)(k % SPREAD_COUNT),
        .input = (shape)(k % SHAPE_COUNT),
        .seed = k,
        .in_place = k % 2 == 0,
        .offset_items = k % 3 * 5,
        .temp_given = k % 5 < 2,
        .no_report = k % 7 == 0};
}

dmm_partition_desc partition_desc_of(const partition_setup *setup)
{
    dmm_partition_desc desc = {0};
    desc.ways = setup->ways;
    desc.by = setup->by;
    desc.order = setup->k.order;
    desc.value_bytes = setup->value_bytes;
    desc.label_bytes = setup->label_bytes;
    desc.bits = setup->bits;
    desc.expression = setup->expression;
    desc.guarantee = setup->guarantee;
    desc.method = setup->method;
    desc.max_n = setup->max_n;
    desc.tuning = setup->tuning;
    return desc;
}

dmm_partition *partition_build(rig *r, const partition_setup *setup)
{
    dmm_partition *partition = NULL;
    const dmm_partition_desc desc = partition_desc_of(setup);
    test_note("building a partition of %s into %u ways by %d, value_bytes=%u", setup->k.name,
        setup->ways, (int)setup->by, setup->value_bytes);
    r->log_bytes = 0;
    REQUIRE_OK(rig_log_failure(r, any_partition_create(&partition, r->ctx, &desc)));
    return partition;
}

static void note_case(const partition_setup *setup, const partition_case *c)
{
    const dmm_tuning *const t = &setup->tuning;
    test_note(
        "partition %s into %u by %d, value_bytes=%u label_bytes=%u%s, method=%d form=%d u=%u E=%u "
        "tile=%u, n=%llu, labels %d, %s, seed=%llu%s, offset_items=%llu%s",
        setup->k.name, setup->ways, (int)setup->by, setup->value_bytes, setup->label_bytes,
        setup->guarantee ? " guarantee" : "", (int)setup->method, (int)t->form, t->u, t->E, t->tile,
        (unsigned long long)c->n, (int)c->labels, shape_name(c->input), (unsigned long long)c->seed,
        c->in_place ? ", in place" : "", (unsigned long long)c->offset_items,
        c->temp_given ? ", temp given" : "");
}

static uint32_t draw_label(const partition_run *run, uint64_t i, random_source *random)
{
    const uint32_t ways = run->setup->ways, drawn = (uint32_t)random_below(random, ways);
    switch (run->c->labels) {
    case SPREAD_ONE:
        return (uint32_t)(run->c->seed % ways);
    case SPREAD_SKEWED:
        return random_below(random, 4) != 0 ? 0 : drawn / 7 * 7;
    case SPREAD_ENDS:
        return drawn % 2 ? ways - 1 : 0;
    case SPREAD_CYCLE:
        return (uint32_t)(i % ways);
    case SPREAD_SORTED:
        return (uint32_t)(i * ways / run->c->n);
    default:
        return drawn;
    }
}

static void make_labels(partition_run *run, random_source *random)
{
    const uint32_t bytes = run->setup->label_bytes != 0 ? run->setup->label_bytes : 4;
    run->by = allocate(run->c->n * bytes);
    for (uint64_t i = 0; i < run->c->n; i++) {
        run->buckets[i] = draw_label(run, i, random);
        memcpy(run->by + i * bytes, &run->buckets[i], bytes); /* the low bytes come first */
    }
}

/* Some of the items themselves, so that there are ties. */
static void make_splitters(partition_run *run, random_source *random)
{
    const kind *const k = &run->setup->k;
    const uint64_t count = run->setup->ways - 1;
    unsigned char *const drawn = allocate((count + 1) * k->bytes);
    run->by = allocate((count + 1) * k->bytes);
    kind_fill(k, run->c->input, drawn, count, random);
    for (uint64_t s = 0; s < count && run->c->n != 0; s += 2)
        memcpy(drawn + s * k->bytes, run->items + random_below(random, run->c->n) * k->bytes,
            k->bytes);
    const rows unsorted = {drawn, NULL, count, 0};
    oracle_sort(k, &unsorted, run->by, NULL);
    free(drawn);
}

/* They are sorted: the first `least` come before the item or with it, those from `most` after it.
 * */
static uint32_t count_splitters(const partition_run *run, const unsigned char *item)
{
    const kind *const k = &run->setup->k;
    uint32_t least = 0, most = run->setup->ways - 1;
    while (least < most) {
        const uint32_t middle = (least + most) / 2;
        if (kind_compare(k, run->by + (uint64_t)middle * k->bytes, item) <= 0)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

static uint32_t bits_of(const partition_run *run, const unsigned char *item)
{
    const kind *const k = &run->setup->k;
    const dmm_bits bits = run->setup->bits;
    const int is_signed = k->order.type == DMM_I8 || k->order.type == DMM_I16 ||
                          k->order.type == DMM_I32 || k->order.type == DMM_I64;
    uint64_t number = 0;
    memcpy(&number, item, k->bytes);
    number ^= is_signed ? (uint64_t)1 << (8 * k->bytes - 1) : 0;
    number = k->order.descending ? ~number : number;
    return (uint32_t)(number >> bits.begin & (((uint64_t)1 << (bits.end - bits.begin)) - 1));
}

static void make_buckets(partition_run *run, random_source *random)
{
    const partition_setup *const s = run->setup;
    run->buckets = allocate(run->c->n * sizeof *run->buckets);
    if (s->by == DMM_PARTITION_BY_LABELS)
        make_labels(run, random);
    if (s->by == DMM_PARTITION_BY_SPLITTERS)
        make_splitters(run, random);
    for (uint64_t i = 0; i < run->c->n && s->by != DMM_PARTITION_BY_LABELS; i++) {
        const unsigned char *const item = run->items + i * s->k.bytes;
        const unsigned char *const value = run->values + i * s->value_bytes;
        run->buckets[i] = s->by == DMM_PARTITION_BY_SPLITTERS ? count_splitters(run, item)
                          : s->by == DMM_PARTITION_BY_BITS
                              ? bits_of(run, item)
                              : (uint32_t)s->rule(item, value, i + run->c->first);
    }
}

/* Random bytes behind the item's number, where that fits. */
static void make_values(partition_run *run, random_source *random)
{
    const uint32_t bytes = run->setup->value_bytes;
    run->values = allocate(run->c->n * bytes);
    random_bytes(random, run->values, (size_t)(run->c->n * bytes));
    for (uint64_t i = 0; i < run->c->n && bytes >= 4; i++)
        memcpy(run->values + i * bytes, &i, 4);
}

static void place(partition_run *run, zone *z, dmm_span *span, const void *from, uint64_t count,
    uint32_t item_bytes)
{
    if (item_bytes == 0)
        return;
    *z = zone_create(run->r, from, count * item_bytes, run->c->offset_items * item_bytes);
    *span = zone_span(z);
}

static void prepare_outputs(partition_run *run)
{
    const partition_setup *const s = run->setup;
    const partition_case *const c = run->c;
    if (c->in_place)
        run->args.items_out = run->args.items_in;
    else
        place(run, &run->items_out, &run->args.items_out, NULL, c->n, s->k.bytes);
    if (c->in_place)
        run->args.values_out = run->args.values_in;
    else
        place(run, &run->values_out, &run->args.values_out, NULL, c->n, s->value_bytes);
    place(run, &run->offsets, &run->args.offsets_out, NULL, s->ways + (uint64_t)1, 8);
    if (!c->no_report)
        place(run, &run->report, &run->args.report_out, NULL, 2, 8);
}

partition_run partition_prepare(const rig *r, const dmm_partition *partition,
    const partition_setup *setup, const partition_case *c)
{
    partition_run run = {.r = r, .setup = setup, .c = c};
    random_source random = {c->seed};
    uint64_t temp_bytes = 0;
    note_case(setup, c);
    run.items = allocate(c->n * setup->k.bytes);
    kind_fill(&setup->k, c->input, run.items, c->n, &random);
    make_values(&run, &random);
    make_buckets(&run, &random);
    place(&run, &run.items_in, &run.args.items_in, run.items, c->n, setup->k.bytes);
    place(&run, &run.values_in, &run.args.values_in, run.values, c->n, setup->value_bytes);
    if (setup->by == DMM_PARTITION_BY_LABELS)
        place(&run, &run.by_in, &run.args.by, run.by, c->n,
            setup->label_bytes != 0 ? setup->label_bytes : 4);
    if (setup->by == DMM_PARTITION_BY_SPLITTERS)
        place(&run, &run.by_in, &run.args.by, run.by, setup->ways - 1, setup->k.bytes);
    prepare_outputs(&run);
    REQUIRE_OK(dmm_partition_temp_bytes(&temp_bytes, partition, c->n));
    if (c->temp_given && temp_bytes != 0) {
        run.temp = zone_create(r, NULL, temp_bytes, TEMP_OFFSET_BYTES);
        run.args.temp = zone_span(&run.temp);
    }
    return run;
}

static void require_red_zones(const partition_run *run)
{
    const struct {
        const char *name;
        const zone *z;
    } zones[] = {{"items_in", &run->items_in}, {"values_in", &run->values_in}, {"by", &run->by_in},
        {"items_out", &run->items_out}, {"values_out", &run->values_out},
        {"offsets", &run->offsets}, {"report", &run->report}, {"temp", &run->temp}};
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++)
        if (zones[i].z->buffer != NULL && !zone_intact(run->r, zones[i].z))
            fail_msg("the red zone of %s is broken\n  in: %s", zones[i].name, test_note_text());
}

static void require_inputs(const partition_run *run, int moved)
{
    const int items = run->items_out.buffer != NULL || !moved;
    const int values = run->values_out.buffer != NULL || !moved;
    REQUIRE(!items || zone_holds(run->r, &run->items_in, run->items));
    REQUIRE(!values || run->values_in.buffer == NULL ||
            zone_holds(run->r, &run->values_in, run->values));
    REQUIRE(run->by_in.buffer == NULL || zone_holds(run->r, &run->by_in, run->by));
}

static void require_report(const partition_run *run, const dmm_report *expected)
{
    REQUIRE(run->report.buffer == NULL || zone_holds(run->r, &run->report, expected));
}

static void judge_run(const partition_run *run)
{
    const partition_setup *const s = run->setup;
    const partition_input in = {.n = run->c->n,
        .ways = s->ways,
        .item_bytes = s->k.bytes,
        .value_bytes = s->value_bytes,
        .numbered = s->value_bytes >= 4,
        .items = run->items,
        .values = run->values,
        .buckets = run->buckets};
    unsigned char *const items = allocate(in.n * in.item_bytes);
    unsigned char *const values = allocate(in.n * in.value_bytes);
    uint64_t *const offsets = allocate((in.ways + (uint64_t)1) * sizeof *offsets);
    const partition_result out = {items, values, offsets};
    zone_read(run->r, run->items_out.buffer != NULL ? &run->items_out : &run->items_in, items);
    if (in.value_bytes != 0)
        zone_read(
            run->r, run->values_out.buffer != NULL ? &run->values_out : &run->values_in, values);
    zone_read(run->r, &run->offsets, offsets);
    REQUIRE_VERDICT(partition_judge(&in, &out));
    free(items);
    free(values);
    free(offsets);
}

static void release(partition_run *run)
{
    zone *const zones[] = {&run->items_in, &run->values_in, &run->by_in, &run->items_out,
        &run->values_out, &run->offsets, &run->report, &run->temp};
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++)
        zone_free(zones[i]);
    free(run->items);
    free(run->values);
    free(run->by);
    free(run->buckets);
}

void partition_finish(partition_run *run)
{
    const dmm_report fine = {DMM_OK, 0, 0};
    note_case(run->setup, run->c);
    require_red_zones(run);
    require_inputs(run, 1);
    if (!run->c->any_result) {
        require_report(run, &fine);
        judge_run(run);
    }
    release(run);
}

void partition_finish_refused(partition_run *run, uint64_t position)
{
    const dmm_report refused = {DMM_BAD_DATA, 0, position};
    require_red_zones(run);
    require_inputs(run, 0);
    require_report(run, &refused);
    REQUIRE(run->items_out.buffer == NULL || zone_untouched(run->r, &run->items_out));
    REQUIRE(run->values_out.buffer == NULL || zone_untouched(run->r, &run->values_out));
    REQUIRE(zone_untouched(run->r, &run->offsets));
    release(run);
}

void partition_check(
    const rig *r, dmm_partition *partition, const partition_setup *setup, const partition_case *c)
{
    cl_event done = NULL;
    partition_run run = partition_prepare(r, partition, setup, c);
    const dmm_sizes sizes = {.n = c->n, .first = c->first};
    REQUIRE_OK(dmm_object_enqueue(partition, r->queue, &run.args, sizes, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    partition_finish(&run);
}
