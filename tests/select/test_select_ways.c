/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * dmm_select with a second list, with the rest behind the selected items, and in place, over sizes,
 * forms and launches, against loops on the host.
 */
#include "support/require.h"

#include <dmm/select.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/random.h"
#include "support/rig.h"
#include "support/zone.h"

/* An item of 12 bytes or one of 4: its first four decide where it goes. */
typedef struct shape {
    uint32_t item_bytes, value_bytes;
    dmm_type type;
    const char *item, *where, *second;
} shape;

static const shape shapes[] = {
    {4, 4, DMM_U32, NULL, "x % 4 == 1", "x % 4 == 2"},
    {12, 3, DMM_ITEM, "typedef struct { uint a, b, c; } dmm_item;", "x.a % 4 == 1",
        "x.a % 4 == 2 // and not 1"},
    {4, 0, DMM_I32, NULL, "(x & 3) == 1", "(x & 3) == 2"},
};
enum { NUM_SHAPES = sizeof shapes / sizeof *shapes, LISTS = 3, MOST = 6000 };

/* Items with values, and those of each list: 0: the rest; 1: selected; 2: second. */
typedef struct lists {
    uint64_t n, counts[LISTS];
    unsigned char *items, *values, *of_items[LISTS], *of_values[LISTS];
} lists;

static lists make_lists(const shape *s, uint64_t n, uint32_t most)
{
    lists made = {.n = n, .items = allocate(n * s->item_bytes)};
    random_source random = {n + most};
    made.values = allocate(n * s->value_bytes);
    random_bytes(&random, made.items, n * s->item_bytes);
    random_bytes(&random, made.values, n * s->value_bytes);
    for (size_t k = 0; k < LISTS; k++) {
        made.of_items[k] = allocate(n * s->item_bytes);
        made.of_values[k] = allocate(n * s->value_bytes);
    }
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t first = (uint32_t)random_below(&random, most);
        memcpy(made.items + i * s->item_bytes, &first, sizeof first);
        const size_t list = first % 4 == 1 ? 1 : first % 4 == 2 ? 2 : 0;
        const uint64_t at = made.counts[list]++;
        memcpy(made.of_items[list] + at * s->item_bytes, made.items + i * s->item_bytes,
            s->item_bytes);
        memcpy(made.of_values[list] + at * s->value_bytes, made.values + i * s->value_bytes,
            s->value_bytes);
    }
    return made;
}

static void free_lists(lists *l)
{
    free(l->items);
    free(l->values);
    for (size_t k = 0; k < LISTS; k++) {
        free(l->of_items[k]);
        free(l->of_values[k]);
    }
}

/* True if a zone begins with `count` items of these. */
static int begins_with(const rig *r, const zone *z, const unsigned char *items, uint64_t bytes)
{
    unsigned char *const got = allocate(z->bytes);
    zone_read(r, z, got);
    const int same = memcmp(got, items, bytes) == 0;
    free(got);
    return same && zone_intact(r, z);
}

/* True if the rest is at the end of a zone, the last item first. */
static int ends_with_rest(
    const rig *r, const zone *z, const unsigned char *rest, uint64_t count, uint32_t bytes)
{
    unsigned char *const got = allocate(z->bytes);
    int same = zone_intact(r, z);
    zone_read(r, z, got);
    for (uint64_t i = 0; i < count && bytes != 0; i++)
        same &= memcmp(got + z->bytes - (i + 1) * bytes, rest + i * bytes, bytes) == 0;
    free(got);
    return same;
}

typedef struct call {
    int has_second, behind, in_place, counted;
    dmm_tuning tuning;
} call;

static dmm_select *build(rig *r, const shape *s, const call *c)
{
    dmm_select *select = NULL;
    const dmm_select_desc desc = {.type = s->type,
        .item_bytes = s->type == DMM_ITEM ? s->item_bytes : 0,
        .item = s->item,
        .where = s->where,
        .value_bytes = s->value_bytes,
        .tuning = c->tuning,
        .second = c->has_second ? s->second : NULL,
        .rest_behind = (uint32_t)c->behind,
        .in_place = (uint32_t)c->in_place};
    REQUIRE_OK(rig_log_failure(r, dmm_select_create(&select, r->ctx, &desc)));
    return select;
}

enum {
    IN,
    IN_VALUES,
    OUT,
    OUT_VALUES,
    SECOND,
    SECOND_VALUES,
    REST,
    KEPT,
    SECONDS,
    TEMP,
    COUNT,
    NUM_ZONES
};

static void check(const rig *r, dmm_select *select, const shape *s, const call *c, const lists *l)
{
    const uint64_t n = l->n, items = n * s->item_bytes, values = n * s->value_bytes;
    const uint64_t both[] = {l->counts[1], l->counts[2]}, bound = n + (c->counted ? 100 : 0);
    const uint64_t extra = bound - n;
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_select_temp_bytes(&temp_bytes, select, bound));
    zone z[NUM_ZONES] = {
        [IN] = zone_create(r, NULL, items + extra * s->item_bytes, 2 * s->item_bytes),
        [IN_VALUES] = zone_create(r, NULL, values + extra * s->value_bytes, 3 * s->value_bytes),
        [OUT] = zone_create(r, NULL, items + extra * s->item_bytes, s->item_bytes),
        [OUT_VALUES] = zone_create(r, NULL, values + extra * s->value_bytes, s->value_bytes),
        [SECOND] = zone_create(r, NULL, items + extra * s->item_bytes, s->item_bytes),
        [SECOND_VALUES] = zone_create(r, NULL, values + extra * s->value_bytes, s->value_bytes),
        [REST] = zone_create(r, NULL, items + extra * s->item_bytes, s->item_bytes),
        [KEPT] = zone_create(r, NULL, 8, 8),
        [SECONDS] = zone_create(r, NULL, 8, 16),
        [TEMP] = zone_create(r, NULL, temp_bytes, 256),
        [COUNT] = zone_create(r, &n, 8, 8),
    };
    zone part_items = z[IN], part_values = z[IN_VALUES]; /* without the items behind the count */
    part_items.bytes = items;
    part_values.bytes = values;
    zone_write(r, &part_items, l->items);
    zone_write(r, &part_values, l->values);
    const dmm_select_second second = {.items_out = zone_span(&z[SECOND]),
        .values_out = s->value_bytes != 0 ? zone_span(&z[SECOND_VALUES]) : DMM_NONE,
        .selected_out = zone_span(&z[SECONDS])};
    const zone *const out = c->in_place ? &z[IN] : &z[OUT];
    const zone *const out_values = c->in_place ? &z[IN_VALUES] : &z[OUT_VALUES];
    const dmm_select_args args = {.items_in = zone_span(&z[IN]),
        .values_in = s->value_bytes != 0 ? zone_span(&z[IN_VALUES]) : DMM_NONE,
        .items_out = zone_span(out),
        .values_out = s->value_bytes != 0 ? zone_span(out_values) : DMM_NONE,
        .rest_out = c->behind ? DMM_NONE : zone_span(&z[REST]),
        .selected_out = zone_span(&z[KEPT]),
        .temp = temp_bytes != 0 ? zone_span(&z[TEMP]) : DMM_NONE,
        .count = c->counted ? zone_span(&z[COUNT]) : DMM_NONE,
        .second_out = c->has_second ? &second : NULL};
    REQUIRE_OK(dmm_select_enqueue(select, r->queue, &args, bound, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, &z[KEPT], &both[0]));
    zone packed = *out, packed_values = *out_values;
    packed.bytes = items;
    packed_values.bytes = values;
    REQUIRE(begins_with(r, out, l->of_items[1], l->counts[1] * s->item_bytes));
    REQUIRE(begins_with(r, out_values, l->of_values[1], l->counts[1] * s->value_bytes));
    if (c->has_second) {
        REQUIRE(zone_holds(r, &z[SECONDS], &both[1]));
        REQUIRE(begins_with(r, &z[SECOND], l->of_items[2], l->counts[2] * s->item_bytes));
        REQUIRE(begins_with(r, &z[SECOND_VALUES], l->of_values[2], l->counts[2] * s->value_bytes));
        REQUIRE(begins_with(r, &z[REST], l->of_items[0], l->counts[0] * s->item_bytes));
    }
    if (c->behind && !c->counted) {
        lists merged = {.n = 0, .items = allocate(items), .values = allocate(values)};
        for (uint64_t i = 0; i < n; i++) {
            uint32_t first = 0;
            memcpy(&first, l->items + i * s->item_bytes, sizeof first);
            if (first % 4 == 1)
                continue;
            memcpy(merged.items + merged.n * s->item_bytes, l->items + i * s->item_bytes,
                s->item_bytes);
            memcpy(merged.values + merged.n * s->value_bytes, l->values + i * s->value_bytes,
                s->value_bytes);
            merged.n++;
        }
        REQUIRE(ends_with_rest(r, &packed, merged.items, merged.n, s->item_bytes));
        REQUIRE(ends_with_rest(r, &packed_values, merged.values, merged.n, s->value_bytes));
        free(merged.items);
        free(merged.values);
    }
    if (!c->in_place)
        REQUIRE(begins_with(r, &z[IN], l->items, items));
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
}

static const dmm_tuning forms[] = {GPU(16, 4), CPU_BY(4, 64), GPU(32, 1), CPU_BY(8, 64)};

/* Few selected items, many, and all or none of them. */
static void check_sizes(rig *r, const shape *s, const call *c)
{
    static const uint64_t sizes[] = {1000, 0, 65, 1, 63, 64, 3001, MOST};
    static const uint32_t most[] = {4, 100, 1, 2};
    dmm_select *const select = build(r, s, c);
    for (size_t i = 0; i < by_size(3, 8, 8); i++) {
        test_note("form %u, second %d, behind %d, in place %d, n=%llu", (unsigned)c->tuning.form,
            c->has_second, c->behind, c->in_place, (unsigned long long)sizes[i]);
        lists l = make_lists(s, sizes[i], most[i % 4]);
        check(r, select, s, c, &l);
        free_lists(&l);
    }
    dmm_select_free(select);
}

static void items_go_to_the_lists(void **state)
{
    (void)state;
    for (size_t k = 0; k < by_size(2, NUM_SHAPES, NUM_SHAPES); k++)
        for (int way = 0; way < 6; way++)
            for (size_t f = (k + (size_t)way) % 2; f < by_size((k + (size_t)way) % 2 + 1, 2, 4);
                 f++) {
                static rig r;
                const call c = {.has_second = way % 3 == 0,
                    .behind = way % 3 == 1,
                    .in_place = way >= 2,
                    .counted = way == 3,
                    .tuning = forms[f]};
                if (sizes_wanted() == SIZES_SMALL && way % 2 != (int)k % 2)
                    continue;
                rig_open(&r, k == 1 ? "banks=8,units=3" : "banks=16,units=2,launch_items=1024");
                check_sizes(&r, &shapes[k], &c);
                rig_close(&r);
            }
}

/* Wrong descriptions, overlaps, a missing list, and texts in which the compiler finds mistakes. */
static void mistakes_are_named(void **state)
{
    enum { N = 4 };
    static const dmm_select_desc wrong[] = {
        {.second = "1"},
        {.where = "x", .second = "1", .rest_behind = 1},
        {.where = "x", .rest_behind = 2},
        {.where = "x", .in_place = 2},
    };
    static const dmm_select_desc apart = {.where = "x & 1"},
                                 three = {.where = "x & 1", .second = "x & 2"},
                                 bad = {.where = "x & 1", .second = "x &\n y"};
    static rig r;
    const uint32_t items[N] = {1, 2, 3, 4};
    dmm_select *select = NULL;
    (void)state;
    rig_open(&r, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REQUIRE_REFUSED(DMM_BAD_VALUE, &select, dmm_select_create(&select, r.ctx, &wrong[i]));
    REQUIRE_REFUSED(DMM_BUILD_FAILED, &select, dmm_select_create(&select, r.ctx, &bad));
    if (sizes_wanted() != SIZES_SMALL) /* Oclgrind: no #line */
        REQUIRE(strstr(r.log, "select.second:2:2") != NULL);
    zone in = zone_create(&r, items, sizeof items, 4), number = zone_create(&r, NULL, 8, 8);
    dmm_select_args args = {.items_in = zone_span(&in),
        .items_out = zone_span(&in),
        .selected_out = zone_span(&number)};
    REQUIRE_OK(dmm_select_create(&select, r.ctx, &apart));
    REQUIRE_STATUS(DMM_OVERLAP, dmm_select_enqueue(select, r.queue, &args, N, 0, NULL, NULL));
    dmm_select_free(select);
    args.items_out = DMM_NONE;
    REQUIRE_OK(dmm_select_create(&select, r.ctx, &three));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_select_enqueue(select, r.queue, &args, N, 0, NULL, NULL));
    REQUIRE(strstr(r.log, "second_out->selected_out: no buffer") != NULL);
    dmm_select_second second = {.items_out = zone_span(&in), .selected_out = zone_span(&number)};
    args.second_out = &second;
    REQUIRE_STATUS(DMM_OVERLAP, dmm_select_enqueue(select, r.queue, &args, N, 0, NULL, NULL));
    REQUIRE(zone_holds(&r, &in, items) && zone_untouched(&r, &number));
    dmm_select_free(select);
    zone_free(&in);
    zone_free(&number);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_go_to_the_lists),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests_name("select_ways", tests, NULL, NULL);
}
