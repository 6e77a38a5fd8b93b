/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_merge_many over sizes, cuts into lists, shapes, types, values, places and parameters; offsets
 * that fall; and what it refuses. For the judges, a merge is the stable sort of all lists.
 */
#include "support/require.h"

#include <stdlib.h>

#include "cl/sort/middles.clh"
#include "support/cover.h"
#include "support/forms.h"
#include "support/merge_many_case.h"

/* clang-format off */
static const segment_row table[] = {
    {.kind = "u32", .offset_type = DMM_U32, .set = "banks=32", .tuning = GPU_BY(32, 4, CF)},
    {.kind = "u16", .offset_type = DMM_U32, .set = "", .tuning = CPU_BY(8, 64)},
    {.kind = "u64", .value_bytes = 3, .offset_type = DMM_U32, .set = "banks=16",
        .tuning = GPU_BY(32, 4, PLAIN)},
    {.kind = "f32", .descending = 1, .zero_equal = 1, .value_bytes = 4, .argsort = 1,
        .offset_type = DMM_U64, .set = "", .tuning = CPU_BY(4, 64)},
    {.kind = "u32", .descending = 1, .value_bytes = 4, .argsort = 1, .offset_type = DMM_U64,
        .set = "banks=32", .tuning = GPU_BY(32, 8, CF)},
    {.kind = "item12", .value_bytes = 8, .offset_type = DMM_U32, .set = "banks=32",
        .tuning = GPU_BY(32, 7, CF)},
    {.kind = "u16", .value_bytes = 12, .offset_type = DMM_U64, .set = "", .tuning = CPU_BY(8, 64)},
    {.kind = "u32 by less", .value_bytes = 4, .offset_type = DMM_U32, .set = "banks=32",
        .tuning = GPU_BY(32, 4, CF)},
    {.kind = "i64", .descending = 1, .value_bytes = 4, .offset_type = DMM_U64, .set = "",
        .tuning = CPU_BY(2, 64)},
    {.kind = "f64", .zero_equal = 1, .value_bytes = 8, .offset_type = DMM_U64, .set = "banks=64",
        .tuning = GPU_BY(64, 16, CF)},
    {.kind = "u32 by less", .descending = 1, .offset_type = DMM_U32, .set = "",
        .tuning = CPU_BY(4, 128)},
    {.kind = "i16", .descending = 1, .value_bytes = 2, .offset_type = DMM_U32,
        .set = "banks=8,bank_bytes=8", .tuning = GPU_BY(8, 32, CF)},
};
/* clang-format on */

enum { NUM_ROWS = sizeof table / sizeof table[0] };

/* Checks `count` runs that end at ends[]: their middles rise and are less than 1, and no two are
 * alike in their first 1 + ceil(log2(count)) bits, so that as many levels merge all. */
static void check_middles(const uint64_t *ends, uint64_t count)
{
    uint64_t before = 0, first = 0;
    unsigned levels = 1;
    while ((uint64_t)1 << (levels - 1) < count)
        levels++;
    test_note(
        "%llu runs of %llu items", (unsigned long long)count, (unsigned long long)ends[count - 1]);
    for (uint64_t i = 0; i < count; first = ends[i++]) {
        const uint64_t middle = dmm_middle_of(i, count, first, ends[i], ends[count - 1]);
        REQUIRE(middle >> DMM_MIDDLE_BITS == 0);
        REQUIRE(
            i == 0 || middle >> (DMM_MIDDLE_BITS - levels) != before >> (DMM_MIDDLE_BITS - levels));
        REQUIRE(i == 0 || middle > before);
        before = middle;
    }
}

/* Equal runs, one long one at a random place or an end, lengths that double, and random ones. */
static void a_tree_of_bounded_height_separates_all_runs(void **state)
{
    static uint64_t ends[65536];
    random_source random = {5};
    (void)state;
    for (uint64_t count = 1; count <= 65536; count += count < 300 ? 1 : count * 3 / 10)
        for (unsigned way = 0; way < 6; way++) {
            const uint64_t long_one = random_below(&random, count);
            for (uint64_t i = 0, at = 0; i < count; i++) {
                const uint64_t any =
                    random_below(&random, (uint64_t)1 << random_below(&random, 24));
                const uint64_t most[] = {1, i == long_one ? (uint64_t)1 << 40 : 1,
                    (uint64_t)1 << (i < 40 ? i : 40) / 2, 1 + any, i == 0 ? (uint64_t)1 << 40 : 1,
                    i + 1 == count ? (uint64_t)1 << 40 : 1};
                ends[i] = at += most[way];
            }
            check_middles(ends, count);
        }
    for (uint64_t i = 0; i < 65536; i++)
        ends[i] = (i + 1) * 999;
    check_middles(ends, 65536);
}

/* Sizes around every boundary, each cut in every way. */
static void check_sizes(
    const rig *r, dmm_merge_many *merge, const segment_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->items.tuning);
    const uint64_t sizes[] = {T + 1, 0, 3 * T + 1, 1, T, 2 * T, 27 * T - 5, T - 1, 2, 40 * T + 3};
    for (size_t i = 0; i < by_size(1, 7, 10); i++) {
        /* Fewer cuts of many items. */
        const int step = (int)by_size(2, sizes[i] > 8 * T ? 3 : 1, 1);
        for (int way = (int)seed % step; way < CUT_COUNT; way += step, seed++) {
            const sort_case c = {.n = sizes[i],
                .input = (shape)(seed % SHAPE_COUNT),
                .seed = seed,
                .offset_items = seed % 3 * 5,
                .temp_given = seed % 5 < 2};
            many_check_cut(r, merge, setup, &c, (cut)way);
        }
    }
}

/* Lists of lengths that differ by powers of two, in random order, some at the tiles' ends. */
static void check_skew(
    const rig *r, dmm_merge_many *merge, const segment_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->items.tuning);
    random_source random = {seed};
    many_case c = {.lists = 1 + random_below(&random, by_size(4, 40, 40))};
    c.offsets = malloc((size_t)(c.lists + 1) * sizeof *c.offsets);
    REQUIRE(c.offsets != NULL);
    c.offsets[0] = random_below(&random, 3) == 0 ? random_below(&random, T + 1) : 0;
    for (uint64_t i = 0; i < c.lists; i++) {
        const uint64_t first = c.offsets[i], most = by_size(1, 5, 6);
        const uint64_t length = random_below(&random, (T >> 5) << random_below(&random, most + 5));
        const uint64_t end = random_below(&random, 3) == 0 ? (first + length) / T * T : 0;
        c.offsets[i + 1] = end > first ? end : first + length;
    }
    c.items = (sort_case){.n = c.offsets[c.lists] + seed % 3 * random_below(&random, T),
        .input = (shape)(seed % SHAPE_COUNT),
        .seed = seed,
        .temp_given = (int)(seed % 2)};
    many_check(r, merge, setup, &c);
}

static void every_row_of_the_covering_table_merges(void **state)
{
    static rig r;
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        const segment_setup setup = segment_setup_of(&table[i]);
        if (!segment_row_runs(&seen, table, i))
            continue;
        rig_open(&r, table[i].set);
        dmm_merge_many *merge = many_build(&r, &setup, segment_is_wide(i) ? UINT64_MAX / 2 : 0);
        check_sizes(&r, merge, &setup, 100 * i);
        for (uint64_t seed = 0; seed < by_size(2, 20, 60); seed++)
            check_skew(&r, merge, &setup, 100 * i + seed);
        dmm_merge_many_free(merge);
        rig_close(&r);
    }
}

static void sizes_up_to_4096_merge(void **state)
{
    static rig r;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const segment_setup setup = segment_setup_of(&table[i]);
        const uint64_t dense = 3 * tile_of(&table[i].tuning) + 2;
        rig_open(&r, table[i].set);
        dmm_merge_many *merge = many_build(&r, &setup, 0);
        for (uint64_t n = 0; n <= by_size(20, 4096, 4096); n = size_after(n, dense)) {
            const sort_case c = {
                .n = n, .input = (shape)(n % SHAPE_COUNT), .seed = n, .temp_given = n % 2};
            many_check_cut(&r, merge, &setup, &c, (cut)(n % 5 + 1 + n % 2));
        }
        dmm_merge_many_free(merge);
        rig_close(&r);
    }
}

/* k lists of equal length, for k around powers of two up to the most. */
static void many_items_merge_with_default_parameters(void **state)
{
    static const segment_row programs[] = {{.kind = "u32", .tuning = CPU_BY(0, 0)},
        {.kind = "u32", .value_bytes = 4, .tuning = GPU_BY(0, 0, DEFAULT)}};
    static const uint64_t counts[] = {1, 2, 3, 8, 65, 1000, 65536};
    static rig r;
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    rig_optimise();
    rig_open(&r, NULL);
    for (size_t i = 0; i < 2; i++) {
        const segment_setup setup = segment_setup_of(&programs[i]);
        dmm_merge_many *merge = many_build(&r, &setup, 0);
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            many_case c = {.lists = counts[j]};
            c.items = (sort_case){
                .n = by_size(0, i == 0 ? 200003 : 50021, 3000017), .input = SHAPE_BITS, .seed = j};
            c.offsets = malloc((size_t)(c.lists + 1) * sizeof *c.offsets);
            REQUIRE(c.offsets != NULL);
            for (uint64_t l = 0; l <= c.lists; l++)
                c.offsets[l] = l * c.items.n / c.lists;
            many_check(&r, merge, &setup, &c);
        }
        dmm_merge_many_free(merge);
    }
    rig_close(&r);
}

/* Random offsets, in no order and far beyond n: nothing is read or written outside (red zones), no
 * item moves, the report says where the first one falls, and the object works as before. */
static void offsets_that_fall_are_reported_and_nothing_moves(void **state)
{
    enum { LISTS = 200 };
    static rig r;
    (void)state;
    for (size_t i = 0; i < by_size(1, 2, NUM_ROWS); i++) {
        const segment_setup setup = segment_setup_of(&table[i]);
        rig_open(&r, table[i].set);
        dmm_merge_many *merge = many_build(&r, &setup, 0);
        for (uint64_t seed = 0; seed < by_size(2, 10, 40); seed++) {
            many_case c = {.lists = LISTS};
            c.items = (sort_case){.n = by_size(2, 5, 5) * tile_of(&setup.items.tuning) + seed,
                .input = SHAPE_RANDOM,
                .seed = seed,
                .offset_items = seed % 4,
                .temp_given = seed % 3 == 0};
            c.offsets = make_wild_offsets(setup.offset_type, c.items.n, seed, LISTS);
            many_check(&r, merge, &setup, &c);
        }
        const sort_case after = {.n = by_size(100, 1000, 1000), .input = SHAPE_RANDOM, .seed = 1};
        many_check_cut(&r, merge, &setup, &after, CUT_MIDDLE);
        dmm_merge_many_free(merge);
        rig_close(&r);
    }
}

/* Lists that are not sorted: by `less` all items are in the output once, with their values;
 * otherwise no access is outside. */
static void lists_in_no_order_lose_no_item_by_less(void **state)
{
    static const segment_row program = {.kind = "u32 by less",
        .value_bytes = 4,
        .argsort = 1,
        .offset_type = DMM_U64,
        .set = "",
        .tuning = CPU_BY(4, 64)};
    static const segment_row *const programs[] = {&table[0], &table[1], &program, &table[7]};
    static rig r;
    (void)state;
    for (size_t i = 0; i < by_size(1, 3, 4); i++) {
        const segment_setup setup = segment_setup_of(programs[i]);
        rig_open(&r, programs[i]->set);
        dmm_merge_many *merge = many_build(&r, &setup, 0);
        for (uint64_t seed = 0; seed < by_size(1, 8, 30); seed++) {
            const uint64_t n = 5 * tile_of(&setup.items.tuning) + seed, lists = 1 + seed * 3;
            const sort_case items = {.n = n, .input = SHAPE_RANDOM, .seed = seed};
            uint64_t temp_bytes = 0, offsets[100];
            sort_case any = items;
            any.any_order = 1;
            for (uint64_t l = 0; l <= lists; l++)
                offsets[l] = l * n / lists;
            REQUIRE_OK(dmm_merge_many_temp_bytes(&temp_bytes, merge, n, lists));
            sort_run run = sort_prepare_with(&r, temp_bytes, &setup.items, &any);
            zone cuts = offsets_zone(&r, setup.offset_type, offsets, lists + 1);
            const dmm_merge_many_args args = {.keys_in = run.args.keys_in,
                .values_in = run.args.values_in,
                .keys_out = run.args.keys_out,
                .values_out = run.args.values_out,
                .offsets = zone_span(&cuts),
                .temp = run.args.temp};
            REQUIRE_OK(dmm_merge_many_enqueue(merge, r.queue, &args, n, lists, 0, NULL, NULL));
            REQUIRE_OK(clFinish(r.queue));
            if (programs[i]->argsort) {
                uint32_t from[20000];
                unsigned char seen[20000] = {0};
                REQUIRE(n <= 20000);
                zone_read(&r, &run.values_out, from);
                for (uint64_t x = 0; x < n; x++) {
                    REQUIRE(from[x] < n && !seen[from[x]]);
                    seen[from[x]] = 1;
                }
            }
            sort_finish(&run);
            zone_free(&cuts);
        }
        dmm_merge_many_free(merge);
        rig_close(&r);
    }
}

static void offsets_of_a_signed_type_are_refused(void **state)
{
    const dmm_merge_many_desc wrong = {.offset_type = DMM_I32};
    static rig r;
    dmm_merge_many *merge = NULL;
    (void)state;
    rig_open(&r, NULL);
    test_note("offsets of i32");
    REQUIRE_REFUSED(DMM_BAD_VALUE, &merge, dmm_merge_many_create(&merge, r.ctx, &wrong));
    rig_close(&r);
}

static dmm_status host(
    dmm_context *ctx, uint32_t *keys, uint32_t *from, size_t n, const uint32_t *offsets, size_t m)
{
    const dmm_merge_many_desc desc = {.value_bytes = 4, .argsort = 1, .tuning = usual_tuning()};
    return dmm_merge_many_host(ctx, &desc, keys, from, n, offsets, m);
}

static void host_arrays_are_merged(void **state)
{
    static const segment_host_case c = {.keys = {7, 8, 9, 2, 7, 6, 3},
        .offsets = {0, 3, 3, 5, 6},
        .sorted = {2, 6, 7, 7, 8, 9, 3},
        .from = {3, 5, 0, 4, 1, 2, 6},
        .m = 4};
    (void)state;
    segment_host_check(host, &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_of_bounded_height_separates_all_runs),
        cmocka_unit_test(every_row_of_the_covering_table_merges),
        cmocka_unit_test(sizes_up_to_4096_merge),
        cmocka_unit_test(many_items_merge_with_default_parameters),
        cmocka_unit_test(offsets_that_fall_are_reported_and_nothing_moves),
        cmocka_unit_test(lists_in_no_order_lose_no_item_by_less),
        cmocka_unit_test(offsets_of_a_signed_type_are_refused),
        cmocka_unit_test(host_arrays_are_merged),
    };
    return cmocka_run_group_tests_name("merge_many", tests, NULL, NULL);
}
