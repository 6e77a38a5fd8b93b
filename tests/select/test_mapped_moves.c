/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * Fused input: what dmm_select, dmm_unique, dmm_histogram, dmm_sort and dmm_partition make of a
 * map's items, over sizes and forms, against the same on the host.
 */
#include "support/require.h"

#include <dmm/histogram.h>
#include <dmm/partition.h>
#include <dmm/select.h>
#include <dmm/unique.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/mapped_case.h"

static const dmm_tuning forms[] = {GPU(16, 4), CPU_BY(4, 64), GPU(32, 1), CPU_BY(8, 64)};

/* What a call writes, and what it should. */
typedef struct outputs {
    unsigned char *items;
    uint64_t *positions;
    uint64_t count;
} outputs;

static outputs allocate_outputs(const inputs *in)
{
    return (outputs){allocate(in->n * in->made_bytes), allocate(in->n * 8), 0};
}

static void free_outputs(outputs *o)
{
    free(o->items);
    free(o->positions);
}

/* Appends item i. */
static void keep(outputs *o, const inputs *in, uint64_t i)
{
    memcpy(o->items + o->count * in->made_bytes, in->made + i * in->made_bytes, in->made_bytes);
    o->positions[o->count++] = i;
}

/* The zones of a call that writes items, their positions and their number. */
typedef struct kept_zones {
    device_inputs d;
    zone items, positions, count;
} kept_zones;

static kept_zones kept_begin(const rig *r, const inputs *in)
{
    return (kept_zones){upload(r, in), zone_create(r, NULL, in->n * in->made_bytes, in->made_bytes),
        zone_create(r, NULL, in->n * 8, 8), zone_create(r, NULL, 8, 8)};
}

/* Waits for the call; the zones must begin with what is expected. Frees all. */
static void kept_end(const rig *r, kept_zones *z, outputs *expected, const inputs *in)
{
    outputs got = allocate_outputs(in);
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &z->items, got.items);
    zone_read(r, &z->positions, got.positions);
    zone_read(r, &z->count, &got.count);
    REQUIRE(got.count == expected->count);
    REQUIRE(memcmp(got.items, expected->items, got.count * in->made_bytes) == 0);
    REQUIRE(memcmp(got.positions, expected->positions, got.count * 8) == 0);
    REQUIRE(
        zone_intact(r, &z->items) && zone_intact(r, &z->positions) && zone_intact(r, &z->count));
    free_outputs(&got);
    free_outputs(expected);
    zone_free(&z->items);
    zone_free(&z->positions);
    zone_free(&z->count);
    release(r, &z->d, in, 0);
}

/* The items whose lowest bit is set, or that lie next to a further input of an odd number. */
static void check_select(rig *r, const subject *s, dmm_tuning tuning, const inputs *in)
{
    const int has_y = s->map.further > 0;
    const dmm_select_desc desc = {.type = s->type,
        .where = has_y ? "(x & 1) | (y & 1)" : "x & 1",
        .tuning = tuning,
        .map = &s->map};
    outputs expected = allocate_outputs(in);
    dmm_select *select = NULL;
    for (uint64_t i = 0; i < in->n; i++)
        if ((number_at(in->made, in->made_bytes, i) | (has_y ? in->in[1][i * in->bytes[1]] : 0)) &
            1)
            keep(&expected, in, i);
    REQUIRE_OK(dmm_select_create(&select, r->ctx, &desc));
    kept_zones z = kept_begin(r, in);
    const dmm_select_args args = {.items_in = zone_span(&z.d.in[0]),
        .items_out = zone_span(&z.items),
        .positions_out = zone_span(&z.positions),
        .selected_out = zone_span(&z.count),
        .further = z.d.further};
    REQUIRE_OK(dmm_select_enqueue(select, r->queue, &args, in->n, 0, NULL, NULL));
    kept_end(r, &z, &expected, in);
    dmm_select_free(select);
}

/* Runs of equal items: few, since items are taken modulo 3. */
static void check_unique(rig *r, const subject *s, dmm_tuning tuning, inputs *in)
{
    char text[200];
    dmm_map map = s->map;
    dmm_unique *unique = NULL;
    const dmm_unique_desc desc = {.key_bytes = in->made_bytes, .tuning = tuning, .map = &map};
    snprintf(text, sizeof text, "(%s)((%s\n)) %% 3", s->type == DMM_U64 ? "ulong" : "uint",
        s->map.expression);
    map.expression = text;
    map.result.type = s->type;
    for (uint64_t i = 0; i < in->n; i++) {
        const uint64_t item = number_at(in->made, in->made_bytes, i) % 3;
        memcpy(in->made + i * in->made_bytes, &item, in->made_bytes);
    }
    outputs expected = allocate_outputs(in);
    for (uint64_t i = 0; i < in->n; i++)
        if (i == 0 || !same_item(in->made, i, in->made, i - 1, in->made_bytes))
            keep(&expected, in, i);
    REQUIRE_OK(rig_log_failure(r, dmm_unique_create(&unique, r->ctx, &desc)));
    kept_zones z = kept_begin(r, in);
    const dmm_unique_args args = {.keys_in = zone_span(&z.d.in[0]),
        .keys_out = zone_span(&z.items),
        .starts_out = zone_span(&z.positions),
        .runs_out = zone_span(&z.count),
        .further = z.d.further};
    REQUIRE_OK(dmm_unique_enqueue(unique, r->queue, &args, in->n, 0, NULL, NULL));
    kept_end(r, &z, &expected, in);
    dmm_unique_free(unique);
}

static void check_histogram(rig *r, const subject *s, dmm_tuning tuning, const inputs *in)
{
    enum { BINS = 200 };
    uint64_t expected[BINS] = {0};
    char text[200];
    dmm_map map = s->map;
    const dmm_histogram_desc desc = {.type = DMM_U16, .bins = BINS, .tuning = tuning, .map = &map};
    dmm_histogram *histogram = NULL;
    snprintf(text, sizeof text, "(%s)((%s\n)) %% 300", s->type == DMM_U64 ? "ulong" : "uint",
        s->map.expression);
    map.expression = text;
    for (uint64_t i = 0; i < in->n; i++)
        if (number_at(in->made, in->made_bytes, i) % 300 < BINS)
            expected[number_at(in->made, in->made_bytes, i) % 300]++;
    REQUIRE_OK(dmm_histogram_create(&histogram, r->ctx, &desc));
    device_inputs d = upload(r, in);
    zone counts = zone_create(r, NULL, sizeof expected, 8);
    const dmm_histogram_args args = {
        .labels = zone_span(&d.in[0]), .counts_out = zone_span(&counts), .further = d.further};
    REQUIRE_OK(dmm_histogram_enqueue(histogram, r->queue, &args, in->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, &counts, expected));
    zone_free(&counts);
    release(r, &d, in, 0);
    dmm_histogram_free(histogram);
}

/* Returns the positions of items in the order of `key`, of 0 to keys - 1: a stable sort. */
static void sort_positions(outputs *o, const inputs *in, uint64_t divisor)
{
    static const inputs *items;
    items = in;
    for (uint64_t i = 0; i < in->n; i++) { /* insertion, from the back */
        uint64_t at = o->count++;
        const uint64_t key = number_at(items->made, items->made_bytes, i) % divisor;
        for (; at > 0 &&
               number_at(items->made, items->made_bytes, o->positions[at - 1]) % divisor > key;
             at--)
            o->positions[at] = o->positions[at - 1];
        o->positions[at] = i;
    }
    for (uint64_t i = 0; i < in->n; i++)
        memcpy(o->items + i * in->made_bytes, in->made + o->positions[i] * in->made_bytes,
            in->made_bytes);
}

/* Sorts mapped keys, in place if the sizes allow, with their positions. */
static void check_sort(rig *r, const subject *s, dmm_tuning tuning, const inputs *in)
{
    const int in_place = in->made_bytes == in->bytes[0];
    const dmm_sort_desc desc = {.order = {.type = s->type},
        .value_bytes = 8,
        .argsort = 1,
        .method = in->n % 2 ? DMM_SORT_MERGE : DMM_SORT_RADIX,
        .tuning = tuning,
        .map = &s->map};
    dmm_sort *sort = NULL;
    outputs expected = allocate_outputs(in);
    sort_positions(&expected, in, UINT64_MAX);
    REQUIRE_OK(dmm_sort_create(&sort, r->ctx, &desc));
    device_inputs d = upload(r, in);
    zone keys = zone_create(r, NULL, in->n * in->made_bytes, in->made_bytes);
    zone positions = zone_create(r, NULL, in->n * 8, 8);
    const dmm_sort_args args = {.keys_in = zone_span(&d.in[0]),
        .keys_out = zone_span(in_place ? &d.in[0] : &keys),
        .values_out = zone_span(&positions),
        .further = d.further};
    REQUIRE_OK(dmm_sort_enqueue(sort, r->queue, &args, in->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, in_place ? &d.in[0] : &keys, expected.items));
    REQUIRE(zone_holds(r, &positions, expected.positions) && zone_intact(r, &keys));
    zone_free(&keys);
    zone_free(&positions);
    release(r, &d, in, in_place);
    dmm_sort_free(sort);
    free_outputs(&expected);
}

static void check_partition(rig *r, const subject *s, dmm_tuning tuning, const inputs *in)
{
    enum { WAYS = 7 };
    const dmm_partition_desc desc = {.ways = WAYS,
        .by = DMM_PARTITION_BY_EXPRESSION,
        .order = {.type = s->type},
        .expression = "key % 7",
        .tuning = tuning,
        .map = &s->map};
    dmm_partition *partition = NULL;
    outputs expected = allocate_outputs(in);
    uint64_t offsets[WAYS + 1] = {0};
    sort_positions(&expected, in, WAYS);
    for (uint64_t i = 0; i < in->n; i++)
        for (uint64_t way = number_at(in->made, in->made_bytes, i) % WAYS; way < WAYS; way++)
            offsets[way + 1]++;
    REQUIRE_OK(dmm_partition_create(&partition, r->ctx, &desc));
    device_inputs d = upload(r, in);
    zone items = zone_create(r, NULL, in->n * in->made_bytes, in->made_bytes);
    zone starts = zone_create(r, NULL, sizeof offsets, 8);
    const dmm_partition_args args = {.items_in = zone_span(&d.in[0]),
        .items_out = zone_span(&items),
        .offsets_out = zone_span(&starts),
        .count = in->n % 3 ? DMM_NONE : zone_span(&d.count),
        .further = d.further};
    REQUIRE_OK(dmm_partition_enqueue(partition, r->queue, &args, in->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, &items, expected.items) && zone_holds(r, &starts, offsets));
    zone_free(&items);
    zone_free(&starts);
    release(r, &d, in, 0);
    dmm_partition_free(partition);
    free_outputs(&expected);
}

typedef void check(rig *r, const subject *s, dmm_tuning tuning, inputs *in);

static void check_select_of(rig *r, const subject *s, dmm_tuning tuning, inputs *in)
{
    check_select(r, s, tuning, in);
    check_histogram(r, s, tuning, in);
}

static void check_moves_of(rig *r, const subject *s, dmm_tuning tuning, inputs *in)
{
    check_sort(r, s, tuning, in);
    check_partition(r, s, tuning, in);
}

/* Each subject in one form by default. */
static void check_subjects(check *of, const char *what)
{
    static const uint64_t sizes[] = {1000, 65, 0, 3001};
    for (size_t k = 0; k < by_size(2, NUM_SUBJECTS, NUM_SUBJECTS); k++)
        for (size_t f = k % 2; f < by_size(k % 2 + 1, k % 2 + 1, 4); f++) {
            static rig r;
            rig_open(&r, k % 2 ? "banks=8,units=3" : "banks=16,units=2");
            for (size_t i = 0; i < by_size(1, 2, 4); i++) {
                inputs in = make_inputs(&subjects[k], sizes[i], i);
                test_note("%s of %s, form %zu, n=%llu", what, subjects[k].name, f,
                    (unsigned long long)in.n);
                of(&r, &subjects[k], forms[f], &in);
                free_inputs(&in);
            }
            rig_close(&r);
        }
}

static void mapped_items_are_selected_and_counted(void **state)
{
    (void)state;
    check_subjects(check_select_of, "select and histogram");
    check_subjects(check_unique, "unique");
}

static void mapped_items_are_sorted_and_partitioned(void **state)
{
    (void)state;
    check_subjects(check_moves_of, "sort and partition");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapped_items_are_selected_and_counted),
        cmocka_unit_test(mapped_items_are_sorted_and_partitioned),
    };
    return cmocka_run_group_tests_name("mapped_moves", tests, NULL, NULL);
}
