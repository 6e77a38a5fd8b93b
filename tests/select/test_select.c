/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * dmm_select over sizes, item sizes, shares and parameters, by expressions and by flags, with every
 * choice of outputs, by two judges: an oracle that selects items itself, and the property that the
 * selected items and the others make the input.
 */
#include "support/require.h"

#include <dmm/select.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/random.h"
#include "support/shared.h"
#include "support/zone.h"

/* Outputs of a call. */
enum { ITEMS = 1, VALUES = 2, POSITIONS = 4, REST = 8, REST_VALUES = 16, ALL_OUTPUTS = 31 };

/* What goes in, and what came out of it. */
typedef struct selection {
    uint64_t n, selected;
    uint32_t item_bytes, value_bytes;
    int wanted; /* outputs */
    unsigned char *items, *values, *flags, *items_out, *values_out, *rest, *rest_values;
    uint64_t *positions;
} selection;

/* True if item i of the input is at a place of a list, as far as outputs are wanted. */
static int is_at(const selection *s, uint64_t i, const unsigned char *items,
    const unsigned char *values, uint64_t place, int wanted)
{
    return (!(wanted & ITEMS) || same_item(s->items, i, items, place, s->item_bytes)) &&
           (!(wanted & VALUES) || same_item(s->values, i, values, place, s->value_bytes));
}

static const char *judge_by_oracle(const selection *s)
{
    const int of_rest = (s->wanted & REST ? ITEMS : 0) | (s->wanted & REST_VALUES ? VALUES : 0);
    uint64_t selected = 0, rest = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        if (s->flags[i] == 0) {
            if (!is_at(s, i, s->rest, s->rest_values, rest++, of_rest))
                return "another item is in the rest";
            continue;
        }
        if (selected == s->selected)
            return "too few items";
        if (!is_at(s, i, s->items_out, s->values_out, selected, s->wanted))
            return "another item was selected";
        if (s->wanted & POSITIONS && s->positions[selected] != i)
            return "another position";
        selected++;
    }
    return selected == s->selected ? NULL : "too many items";
}

/* For calls with all outputs. */
static const char *judge_by_property(const selection *s)
{
    uint64_t before = 0;
    if (s->selected > s->n)
        return "more items than there are";
    for (uint64_t k = 0; k <= s->selected; k++) {
        const uint64_t at = k < s->selected ? s->positions[k] : s->n;
        if (at > s->n || at < before + (k > 0))
            return "positions do not rise";
        for (uint64_t i = before + (k > 0); i < at; i++)
            if (s->flags[i] != 0 || !is_at(s, i, s->rest, s->rest_values, i - k, ITEMS | VALUES))
                return "the rest is not what lies between selected items";
        if (k < s->selected &&
            (s->flags[at] == 0 || !is_at(s, at, s->items_out, s->values_out, k, ITEMS | VALUES)))
            return "an item is not that at its position";
        before = at;
    }
    return NULL;
}

/* One of `share` items is selected; 0: none. The first byte of an item is even if it is. */
static selection make_input(
    uint64_t n, uint32_t item_bytes, uint32_t value_bytes, uint64_t share, uint64_t seed)
{
    selection s = {
        .n = n, .item_bytes = item_bytes, .value_bytes = value_bytes, .wanted = ALL_OUTPUTS};
    random_source random = {seed};
    s.items = allocate(n * item_bytes);
    s.values = allocate(n * value_bytes);
    s.flags = allocate(n);
    s.items_out = allocate(n * item_bytes);
    s.values_out = allocate(n * value_bytes);
    s.rest = allocate(n * item_bytes);
    s.rest_values = allocate(n * value_bytes);
    s.positions = allocate(n * sizeof *s.positions);
    random_bytes(&random, s.items, n * item_bytes);
    random_bytes(&random, s.values, n * value_bytes);
    for (uint64_t i = 0; i < n; i++) {
        const int is_selected = share != 0 && random_below(&random, share) == 0;
        s.flags[i] = (unsigned char)(is_selected ? 1 + random_below(&random, 255) : 0);
        s.items[i * item_bytes] = (unsigned char)((s.items[i * item_bytes] & 254) | !is_selected);
    }
    return s;
}

static void free_selection(selection *s)
{
    free(s->items);
    free(s->values);
    free(s->flags);
    free(s->items_out);
    free(s->values_out);
    free(s->rest);
    free(s->rest_values);
    free(s->positions);
}

/* How items are described: by a type, or by a text. */
typedef struct shape {
    uint32_t item_bytes, value_bytes;
    dmm_type type;
    const char *item, *where; /* where == NULL: by flags */
} shape;

static const shape shapes[] = {
    {4, 0, DMM_U32, NULL, "x % 2 == 0"},
    {1, 8, DMM_U8, NULL, NULL},
    {12, 3, DMM_ITEM, "typedef struct { uint a, b, c; } dmm_item;", "(x.a & 1u) == 0"},
    {8, 4, DMM_I64, NULL, "!(x & 1) // even"},
    {256, 1, DMM_ITEM, NULL, NULL},
    {3, 100, DMM_ITEM, "typedef struct { uchar a[3]; } dmm_item;", "x.a[0] % 2 ? 0 : 1"},
    {2, 0, DMM_F16, NULL, "x % 2 == 0"},
};
enum { NUM_SHAPES = sizeof shapes / sizeof *shapes };

static dmm_select *build(rig *r, const shape *like, dmm_tuning tuning, uint64_t max_n)
{
    dmm_select *select = NULL;
    const dmm_select_desc desc = {.type = like->type,
        .item_bytes = like->type == DMM_ITEM ? like->item_bytes : 0,
        .item = like->where != NULL ? like->item : NULL,
        .where = like->where,
        .value_bytes = like->value_bytes,
        .max_n = max_n,
        .tuning = tuning};
    REQUIRE_OK(rig_log_failure(r, dmm_select_create(&select, r->ctx, &desc)));
    return select;
}

enum {
    IN,
    VALUES_IN,
    FLAGS,
    OUT,
    VALUES_OUT,
    PLACES,
    REST_OUT,
    REST_VALUES_OUT,
    SELECTED,
    TEMP,
    COUNT,
    NUM_ZONES
};

static dmm_span span_if(const zone *z, int wanted)
{
    return wanted ? zone_span(z) : DMM_NONE;
}

static void read_outputs(const rig *r, const zone *z, selection *s)
{
    zone_read(r, &z[OUT], s->items_out);
    zone_read(r, &z[VALUES_OUT], s->values_out);
    zone_read(r, &z[PLACES], s->positions);
    zone_read(r, &z[REST_OUT], s->rest);
    zone_read(r, &z[REST_VALUES_OUT], s->rest_values);
    zone_read(r, &z[SELECTED], &s->selected);
}

/* Runs a call for at most `most` items, of which the device's count says s->n. */
static void run(const rig *r, dmm_select *select, selection *s, uint64_t most, int by_flags)
{
    const uint64_t item = s->item_bytes, value = s->value_bytes, n = most, offset = n % 3 * 5;
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_select_temp_bytes(&temp_bytes, select, n));
    zone z[NUM_ZONES] = {
        [IN] = zone_create(r, s->items, n * item, offset * item),
        [VALUES_IN] = zone_create(r, value ? s->values : NULL, n * value, offset * value),
        [FLAGS] = zone_create(r, s->flags, n, offset),
        [OUT] = zone_create(r, NULL, n * item, 3 * item),
        [VALUES_OUT] = zone_create(r, NULL, n * value, 3 * value),
        [PLACES] = zone_create(r, NULL, n * sizeof *s->positions, 24),
        [REST_OUT] = zone_create(r, NULL, n * item, item),
        [REST_VALUES_OUT] = zone_create(r, NULL, n * value, value),
        [SELECTED] = zone_create(r, NULL, sizeof s->selected, 8),
        [TEMP] = zone_create(r, NULL, temp_bytes, 256),
        [COUNT] = zone_create(r, &s->n, sizeof s->n, 16),
    };
    const dmm_select_args args = {
        .items_in = span_if(&z[IN], !by_flags || s->wanted & (ITEMS | REST)),
        .values_in = span_if(&z[VALUES_IN], value != 0),
        .flags = span_if(&z[FLAGS], by_flags),
        .items_out = span_if(&z[OUT], s->wanted & ITEMS),
        .values_out = span_if(&z[VALUES_OUT], value != 0 && s->wanted & VALUES),
        .positions_out = span_if(&z[PLACES], s->wanted & POSITIONS),
        .rest_out = span_if(&z[REST_OUT], s->wanted & REST),
        .rest_values_out = span_if(&z[REST_VALUES_OUT], value != 0 && s->wanted & REST_VALUES),
        .selected_out = zone_span(&z[SELECTED]),
        .temp = span_if(&z[TEMP], n % 2 == 0 && temp_bytes != 0),
        .count = span_if(&z[COUNT], most != s->n)};
    REQUIRE_OK(dmm_select_enqueue(select, r->queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    read_outputs(r, z, s);
    REQUIRE(zone_holds(r, &z[IN], s->items) && zone_holds(r, &z[FLAGS], s->flags));
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
}

static void judge(const selection *s)
{
    REQUIRE_VERDICT(judge_by_oracle(s));
    if (s->wanted == ALL_OUTPUTS)
        REQUIRE_VERDICT(judge_by_property(s));
}

static const dmm_tuning forms[] = {GPU(16, 4), {DMM_FORM_CPU, 0, 4, 64, DMM_TILE_SEARCH_DEFAULT}};

static void items_of_every_size_are_selected(void **state)
{
    static const uint64_t shares[] = {2, 1, 40, 0}, sizes[] = {0, 1, 63, 64, 65, 1000, 3001};
    (void)state;
    for (size_t k = 0; k < by_size(3, NUM_SHAPES, NUM_SHAPES); k++) {
        static rig r;
        const shape *const like = &shapes[k];
        rig_open(&r, k % 2 ? "banks=8" : "banks=16");
        dmm_select *select = build(&r, like, forms[k / 2 % 2], 0);
        const uint64_t count = by_size(5, 7, 7);
        for (uint64_t i = 0; i < by_size(2, 4, 4) * count; i++) {
            const uint64_t n = sizes[i % count], share = shares[i / count];
            test_note("shape %zu, n=%llu, one of %llu", k, (unsigned long long)n,
                (unsigned long long)share);
            selection s = make_input(n, like->item_bytes, like->value_bytes, share, i);
            run(&r, select, &s, n, like->where == NULL);
            judge(&s);
            free_selection(&s);
        }
        dmm_select_free(select);
        rig_close(&r);
    }
}

/* Each choice of outputs; the lower half of sizes by a count in device memory. */
static void outputs_that_are_not_wanted_are_left_out(void **state)
{
    static rig r;
    selection s = make_input(700, 4, 2, 3, 7);
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t f = 0; f < 4; f++) {
        const int by_flags = f % 2 != 0;
        const shape like = {4, 2, DMM_U32, NULL, by_flags ? NULL : "x % 2 == 0"};
        dmm_select *select = build(&r, &like, forms[f / 2], 700);
        for (s.wanted = 0; s.wanted <= ALL_OUTPUTS; s.wanted++) {
            if (!size_wanted((uint64_t)s.wanted, 4))
                continue;
            test_note("form %zu, outputs %d", f, s.wanted);
            s.n = s.wanted % 3 == 0 ? 340 : 700;
            run(&r, select, &s, 700, by_flags);
            judge(&s);
        }
        dmm_select_free(select);
    }
    rig_close(&r);
    free_selection(&s);
}

/* An expression over positions; values that are not 0 or 1 are true. */
static void positions_are_those_of_the_call(void **state)
{
    enum { N = 1000 };
    static rig r;
    static uint64_t positions[N];
    static uint32_t items[N];
    (void)state;
    test_note("positions");
    rig_open(&r, "banks=16");
    for (size_t f = 0; f < 2; f++) {
        const dmm_select_desc desc = {.where = "(i & 6) << 40", .tuning = forms[f]};
        const dmm_select_host_args args = {.items = items, .positions_out = positions};
        size_t selected = 0, expected = 0;
        REQUIRE_OK(dmm_select_host(r.ctx, &desc, &args, N, &selected));
        for (uint64_t i = 0; i < N; i++)
            if ((i & 6) != 0)
                REQUIRE(positions[expected++] == i);
        REQUIRE(selected == expected);
    }
    rig_close(&r);
}

static void judges_tell_wrong_from_right(void **state)
{
    unsigned char items[] = {5, 8, 7, 4, 3, 6}, values[] = {1, 2, 3, 4, 5, 6};
    unsigned char flags[] = {0, 1, 0, 9, 0, 1}, items_out[] = {8, 4, 6}, values_out[] = {2, 4, 6};
    unsigned char rest[] = {5, 7, 3}, rest_values[] = {1, 3, 5};
    uint64_t positions[] = {1, 3, 5};
    selection s = {6, 3, 1, 1, ALL_OUTPUTS, items, values, flags, items_out, values_out, rest,
        rest_values, positions};
    (void)state;
    test_note("judges");
    judge(&s);
#define SPOILT(change, undo)                    \
    do {                                        \
        change;                                 \
        REQUIRE(judge_by_oracle(&s) != NULL);   \
        REQUIRE(judge_by_property(&s) != NULL); \
        undo;                                   \
    } while (0)
    SPOILT(s.selected = 2, s.selected = 3);
    SPOILT(positions[1] = 2, positions[1] = 3);
    SPOILT(items_out[1] = 5, items_out[1] = 4);
    SPOILT(values_out[2] = 4, values_out[2] = 6);
    SPOILT(rest[0] = 7, rest[0] = 5);
    SPOILT(rest_values[2] = 4, rest_values[2] = 5);
}

static void wrong_descriptions_are_refused(void)
{
    static const char text[] = "typedef uint dmm_item;";
    static const dmm_select_desc wrong[] = {
        {.type = (dmm_type)12, .where = "1"},
        {.value_bytes = 257},
        {.type = DMM_ITEM},
        {.type = DMM_ITEM, .item_bytes = 257},
        {.type = DMM_ITEM, .item_bytes = 4, .where = "1"},
        {.type = DMM_ITEM, .item_bytes = 4, .item = text},
        {.item_bytes = 4, .where = "1"},
        {.item = text, .where = "1"},
        {.reserved = {1}},
    };
    dmm_select *select = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const dmm_status status =
            i + 1 < sizeof wrong / sizeof *wrong ? DMM_BAD_VALUE : DMM_UNSUPPORTED;
        REQUIRE_REFUSED(status, &select, dmm_select_create(&select, shared.ctx, &wrong[i]));
    }
}

/* The log names the field and the caller's line and column. */
static void messages_name_the_field(void **state)
{
    static const struct {
        const char *item, *where, *named;
    } texts[] = {
        {NULL, "x >\n  limit", "select.where:2:3"},
        {NULL, "x.field > 2", "select.where:1:2"},
        {"typedef struct { uint a;\n wrong b; } dmm_item;", "x.a", "select.item:2:2"},
    };
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const dmm_select_desc desc = {.type = texts[i].item != NULL ? DMM_ITEM : DMM_U32,
            .item_bytes = texts[i].item != NULL ? 8 : 0,
            .item = texts[i].item,
            .where = texts[i].where};
        dmm_select *select = NULL;
        test_note("text %zu", i);
        REQUIRE_REFUSED(DMM_BUILD_FAILED, &select, dmm_select_create(&select, r.ctx, &desc));
        if (sizes_wanted() != SIZES_SMALL) /* Oclgrind does not follow #line */
            REQUIRE(strstr(r.log, texts[i].named) != NULL);
    }
    const dmm_select_desc short_item = {
        .type = DMM_ITEM, .item_bytes = 8, .item = "typedef uint dmm_item;", .where = "x"};
    dmm_select *select = NULL;
    REQUIRE_REFUSED(DMM_BUILD_FAILED, &select, dmm_select_create(&select, r.ctx, &short_item));
    REQUIRE(strstr(r.log, "dmm_item_bytes_must_be_its_sizeof") != NULL);
    rig_close(&r);
}

static void host_form_is_checked(void)
{
    enum { N = 3 };
    static const dmm_select_desc by_flags = {.value_bytes = 4};
    uint32_t items[N] = {3, 4, 1}, values[N] = {7, 8, 9};
    const uint8_t flags[N] = {1, 0, 5};
    size_t selected = 0;
    dmm_select_host_args args = {.values = values, .flags = flags, .items_out = items};
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_select_host(shared.ctx, &by_flags, &args, N, &selected));
    args.items = items;
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_select_host(shared.ctx, &by_flags, &args, N, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_select_host(shared.ctx, &by_flags, NULL, N, &selected));
    args.values_out = values;
    REQUIRE_OK(dmm_select_host(shared.ctx, &by_flags, &args, N, &selected));
    REQUIRE(selected == 2 && items[0] == 3 && items[1] == 1 && values[0] == 7 && values[1] == 9);
}

/* By flags, items are needed if they are to move: other wrong arguments are test_arguments.c's. */
static void wrong_arguments_are_refused(void **state)
{
    enum { N = 3 };
    static const dmm_select_desc desc = {.max_n = N};
    dmm_select *select = NULL;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments");
    wrong_descriptions_are_refused();
    REQUIRE_OK(dmm_select_create(&select, shared.ctx, &desc));
    zone flags = zone_create(&shared, NULL, N, 0), out = zone_create(&shared, NULL, 4 * N, 0);
    const dmm_select_args args = {.flags = zone_span(&flags), .items_out = zone_span(&out)};
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_select_enqueue(select, shared.queue, &args, N, 0, NULL, NULL));
    REQUIRE(zone_untouched(&shared, &out));
    zone_free(&flags);
    zone_free(&out);
    dmm_select_free(select);
    host_form_is_checked();
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_of_every_size_are_selected),
        cmocka_unit_test(outputs_that_are_not_wanted_are_left_out),
        cmocka_unit_test(positions_are_those_of_the_call),
        cmocka_unit_test(judges_tell_wrong_from_right),
        cmocka_unit_test(messages_name_the_field),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
