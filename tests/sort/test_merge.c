/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_merge over lengths, shapes, types, values and parameters, both forms; unsorted input; the
 * host form.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "support/cover.h"
#include "support/forms.h"
#include "support/judge.h"
#include "support/merge_case.h"

typedef struct row {
    const char *kind;
    int descending, zero_equal;
    uint32_t value_bytes;
    const char *set;
    dmm_tuning tuning;
} row;

static const row table[] = {
    {.kind = "u32", .set = "banks=32", .tuning = GPU_BY(32, 8, CF)},
    {.kind = "u8", .descending = 1, .value_bytes = 4, .set = "", .tuning = CPU_BY(8, 64)},
    {.kind = "u64", .value_bytes = 1, .set = "banks=16", .tuning = GPU_BY(32, 4, PLAIN)},
    {.kind = "f32",
        .descending = 1,
        .zero_equal = 1,
        .value_bytes = 3,
        .set = "banks=8",
        .tuning = GPU_BY(8, 15, CF)},
    {.kind = "f16", .value_bytes = 8, .set = "banks=64", .tuning = GPU_BY(64, 2, CF)},
    {.kind = "item12", .value_bytes = 16, .set = "banks=32", .tuning = GPU_BY(64, 1, PLAIN)},
    {.kind = "item256", .descending = 1, .set = "", .tuning = CPU_BY(1, 128)},
    {.kind = "f64", .value_bytes = 100, .set = "", .tuning = CPU_BY(4, 64)},
    {.kind = "u32 by less", .value_bytes = 2, .set = "banks=16", .tuning = GPU_BY(16, 16, CF)},
};

enum { NUM_ROWS = sizeof table / sizeof table[0] };

static merge_setup setup_of(const row *r)
{
    merge_setup setup = {
        .k = kind_named(r->kind), .value_bytes = r->value_bytes, .tuning = r->tuning};
    setup.k.order.descending = r->descending;
    setup.k.order.zero_equal = r->zero_equal;
    return setup;
}

/* Lengths around the tile, each with each; the shapes change from pair to pair. */
static void check_lengths(const rig *r, dmm_merge *merge, const merge_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->tuning), E = setup->tuning.E;
    const uint64_t lengths[] = {T + 1, 0, E, 1, T - 1, T, 3 * T + 5};
    const uint64_t count = by_size(3, 7, 7);
    /* Simulators take every other pair, by turns. */
    for (uint64_t i = by_rows(seed / 100 % 2, 0); i < count * count; i += by_rows(2, 1)) {
        const merge_case c = {.na = lengths[i % count],
            .nb = lengths[i / count],
            .a = (shape)(i % SHAPE_COUNT),
            .b = (shape)(i / 2 % SHAPE_COUNT),
            .seed = seed + i,
            .offset_items = i % 3 * 5,
            .temp_given = i % 2};
        merge_check(r, merge, setup, &c);
    }
}

static void check_row(const row *one, uint64_t seed)
{
    static rig r;
    const merge_setup setup = setup_of(one);
    rig_open(&r, one->set);
    dmm_merge *merge = merge_build(&r, &setup);
    check_lengths(&r, merge, &setup, seed);
    dmm_merge_free(merge);
    rig_close(&r);
}

static void every_row_of_the_covering_table_merges(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++)
        check_row(&table[i], 100 * i);
}

static void every_pair_of_small_lengths_merges(void **state)
{
    const merge_setup setup = {kind_named("u16"), 4, GPU_BY(16, 4, CF)};
    const uint64_t most = by_size(3, 40, 130);
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    dmm_merge *merge = merge_build(&r, &setup);
    for (uint64_t na = 0; na <= most; na++)
        for (uint64_t nb = 0; nb <= most; nb++) {
            const merge_case c = {.na = na,
                .nb = nb,
                .a = SHAPE_FEW,
                .b = SHAPE_FEW,
                .seed = na * 1000 + nb,
                .temp_given = 1};
            merge_check(&r, merge, &setup, &c);
        }
    dmm_merge_free(merge);
    rig_close(&r);
}

/* All of A before B, all of B before A, and one list far longer than the other. */
static void lists_that_do_not_interleave_merge(void **state)
{
    const merge_setup setup = {
        kind_named("u32"), 8, {DMM_FORM_DEFAULT, 0, 0, 0, DMM_TILE_SEARCH_DEFAULT}};
    static const uint64_t lengths[][2] = {{100000, 100000}, {1, 200000}, {200000, 1}, {7, 99991}};
    static rig r;
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    rig_open(&r, NULL);
    dmm_merge *merge = merge_build(&r, &setup);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (int s = 0; s < 3; s++) {
            const merge_case c = {.na = lengths[i][0],
                .nb = lengths[i][1],
                .seed = i,
                .a = s == 1 ? SHAPE_EQUAL : SHAPE_SORTED,
                .b = s == 2 ? SHAPE_EQUAL : SHAPE_BITS};
            merge_check(&r, merge, &setup, &c);
        }
    dmm_merge_free(merge);
    rig_close(&r);
}

static void unsorted_input_ends_and_stays_inside_its_spans(void **state)
{
    static const size_t some_rows[] = {0, 1, 3, 5, 8};
    static rig r;
    (void)state;
    for (size_t i = 0; i < sizeof some_rows / sizeof some_rows[0]; i++) {
        const row *const one = &table[some_rows[i]];
        const merge_setup setup = setup_of(one);
        const uint64_t T = tile_of(&setup.tuning);
        rig_open(&r, one->set);
        dmm_merge *merge = merge_build(&r, &setup);
        for (uint64_t seed = 0; seed < by_size(2, 12, 100); seed++) {
            const merge_case c = {.na = 1 + seed * 13 % (5 * T),
                .nb = 1 + seed * 101 % (3 * T),
                .a = SHAPE_BITS,
                .b = SHAPE_REVERSED,
                .seed = seed,
                .temp_given = 1,
                .unsorted = 1};
            merge_check(&r, merge, &setup, &c);
        }
        dmm_merge_free(merge);
        rig_close(&r);
    }
}

static void check_host(rig *r, const merge_setup *setup, uint64_t na, uint64_t nb)
{
    const merge_case c = {.na = na, .nb = nb, .a = SHAPE_BITS, .b = SHAPE_FEW, .seed = na + nb};
    const dmm_merge_desc desc = merge_desc_of(setup);
    const uint32_t key = setup->k.bytes, value = setup->value_bytes;
    merge_inputs in = merge_inputs_of(setup, &c);
    unsigned char *const keys = in.keys, *const values = in.values;
    void *const keys_out = calloc((size_t)(na + nb + 1), key);
    void *const values_out = calloc((size_t)(na + nb + 1), value + 1);
    const dmm_merge_host_args args = {keys, values, (size_t)na, keys + na * key,
        values + na * value, (size_t)nb, keys_out, values_out};
    test_note("host form, na=%d nb=%d", (int)na, (int)nb);
    REQUIRE_OK(dmm_merge_host(r->ctx, &desc, &args));
    REQUIRE_VERDICT(judge(&setup->k, &(rows){keys, values, na + nb, value},
        &(rows){keys_out, values_out, na + nb, value}));
    free(keys);
    free(values);
    free(keys_out);
    free(values_out);
}

static void the_host_form_merges(void **state)
{
    const merge_setup setup = {kind_named("i16"), 5, GPU_BY(32, 2, CF)};
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    check_host(&r, &setup, 200, 77);
    if (sizes_wanted() != SIZES_SMALL) {
        check_host(&r, &setup, 0, 0);
        check_host(&r, &setup, 0, 300);
        check_host(&r, &setup, 300, 0);
        check_host(&r, &setup, 5000, 5000);
    }
    rig_close(&r);
}

/* Every pair of two levels: of kinds, values, and forms with directions; of banks, E, searches and
 * widths. */
static void every_pair_of_levels_merges(void **state)
{
    static const uint32_t values[] = {0, 1, 3, 4, 16};
    static const char *const banks[] = {"banks=8", "banks=16", "banks=32", "banks=64"};
    static const uint32_t all_E[] = {1, 2, 4, 7, 8, 15, 16, 17, 32};
    const dmm_tuning forms[] = {GPU_BY(64, 4, CF), CPU_BY(4, 64)};
    uint64_t seed = 10000;
    (void)state;
    if (sizes_wanted() != SIZES_FULL)
        skip();
    for (size_t k = 0; kind_at(k) != NULL; k++)
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            const int f = (int)(k + v) % 4;
            const row one = {kind_at(k)->name, f / 2, 0, values[v], banks[v % 4], forms[f % 2]};
            seed += 100;
            if (part_starts(seed / 100))
                check_row(&one, seed);
        }
    for (size_t w = 0; w < 4; w++)
        for (size_t e = 0; e < sizeof all_E / sizeof all_E[0]; e++) {
            const int wide = (int)(w / 2 + e) % 2;
            const dmm_tuning t = {DMM_FORM_GPU, 64, all_E[e], 0,
                (w + e) % 2 ? DMM_TILE_SEARCH_PLAIN : DMM_TILE_SEARCH_CF};
            const row one = {.kind = wide ? "u64" : "u32",
                .value_bytes = wide ? 0u : 4u,
                .set = banks[w],
                .tuning = t};
            seed += 100;
            if (part_starts(seed / 100))
                check_row(&one, seed);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_merges),
        cmocka_unit_test(every_pair_of_small_lengths_merges),
        cmocka_unit_test(lists_that_do_not_interleave_merge),
        cmocka_unit_test(unsorted_input_ends_and_stays_inside_its_spans),
        cmocka_unit_test(the_host_form_merges),
        cmocka_unit_test(every_pair_of_levels_merges), /* 5 parts */
    };
    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
