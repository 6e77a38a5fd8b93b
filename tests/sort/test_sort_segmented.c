/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_sort_segmented over sizes, cuts, shapes, types, values, places and parameters; offsets that
 * fall; and what it refuses.
 */
#include "support/require.h"

#include <stdlib.h>

#include "support/cover.h"
#include "support/forms.h"
#include "support/segment_case.h"

/* clang-format off */
static const segment_row table[] = {
    {.kind = "u32", .value_bytes = 4, .argsort = 1, .offset_type = DMM_U32, .set = "banks=32",
        .tuning = GPU_BY(32, 4, CF)},
    {.kind = "u16", .offset_type = DMM_U32, .set = "", .tuning = CPU_BY(8, 64)},
    {.kind = "f32", .descending = 1, .zero_equal = 1, .value_bytes = 4, .offset_type = DMM_U32,
        .set = "", .tuning = CPU_BY(4, 64)},
    {.kind = "i16", .descending = 1, .value_bytes = 2, .offset_type = DMM_U32,
        .set = "banks=8,bank_bytes=8", .tuning = GPU_BY(8, 32, CF)},
    {.kind = "item12", .value_bytes = 8, .argsort = 1, .offset_type = DMM_U32, .set = "banks=32",
        .tuning = GPU_BY(32, 7, CF)},
    {.kind = "u16", .value_bytes = 12, .offset_type = DMM_U64, .set = "", .tuning = CPU_BY(8, 64)},
    {.kind = "u64", .value_bytes = 3, .offset_type = DMM_U32, .set = "banks=16",
        .tuning = GPU_BY(32, 4, PLAIN)},
    {.kind = "f16", .offset_type = DMM_U64, .set = "banks=16", .tuning = GPU_BY(64, 2, CF)},
    {.kind = "i64", .descending = 1, .value_bytes = 4, .offset_type = DMM_U64, .set = "",
        .tuning = CPU_BY(2, 64)},
    {.kind = "u32", .descending = 1, .offset_type = DMM_U64, .set = "", .tuning = CPU_BY(16, 256)},
    {.kind = "f64", .zero_equal = 1, .value_bytes = 8, .offset_type = DMM_U64, .set = "banks=64",
        .tuning = GPU_BY(64, 16, CF)},
    {.kind = "u8", .value_bytes = 4, .argsort = 1, .offset_type = DMM_U64, .set = "banks=8",
        .tuning = GPU_BY(16, 15, CF)},
    {.kind = "item3", .descending = 1, .value_bytes = 1, .offset_type = DMM_U32, .set = "",
        .tuning = CPU_BY(4, 128)},
    {.kind = "u32", .offset_type = DMM_U32, .set = "banks=32", .tuning = GPU_BY(32, 8, CF)},
};
/* clang-format on */

enum { NUM_ROWS = sizeof table / sizeof table[0] };

/* Sizes around every boundary, each cut in every way. */
static void check_sizes(
    const rig *r, dmm_sort_segmented *sort, const segment_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->items.tuning);
    const uint64_t sizes[] = {T + 1, 0, 3 * T + 1, 1, T, 2 * T, 27 * T - 5, T - 1, 2, 40 * T + 3};
    for (size_t i = 0; i < by_size(1, 7, 10); i++)
        for (int way = 0; way < CUT_COUNT; way += (int)by_size(2, 1, 1), seed++) {
            const sort_case c = {.n = sizes[i],
                .input = (shape)(seed % SHAPE_COUNT),
                .seed = seed,
                .in_place = (int)(seed % NUM_PLACES),
                .offset_items = seed % 3 * 5,
                .temp_given = seed % 5 < 2};
            segment_check(r, sort, setup, &c, (cut)way);
        }
}

static void every_row_of_the_covering_table_sorts(void **state)
{
    static rig r;
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        const segment_setup setup = segment_setup_of(&table[i]);
        if (!segment_row_runs(&seen, table, i))
            continue;
        rig_open(&r, table[i].set);
        dmm_sort_segmented *sort =
            segment_build(&r, &setup, segment_is_wide(i) ? UINT64_MAX / 2 : 0);
        check_sizes(&r, sort, &setup, 100 * i);
        dmm_sort_segmented_free(sort);
        rig_close(&r);
    }
}

static void sizes_up_to_4096_sorts(void **state)
{
    static rig r;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const segment_setup setup = segment_setup_of(&table[i]);
        const uint64_t dense = 3 * tile_of(&table[i].tuning) + 2;
        rig_open(&r, table[i].set);
        dmm_sort_segmented *sort = segment_build(&r, &setup, 0);
        for (uint64_t n = 0; n <= by_size(60, 4096, 4096); n = size_after(n, dense)) {
            const sort_case c = {.n = n,
                .input = (shape)(n % SHAPE_COUNT),
                .seed = n,
                .in_place = n % 4 < 2,
                .temp_given = n % 2};
            segment_check(&r, sort, &setup, &c, (cut)(n % 5 + 1 + n % 2));
        }
        dmm_sort_segmented_free(sort);
        rig_close(&r);
    }
}

static void many_items_sort_with_default_parameters(void **state)
{
    static const segment_row programs[] = {{.kind = "u32", .tuning = CPU_BY(0, 0)},
        {.kind = "u32", .value_bytes = 4, .tuning = GPU_BY(0, 0, DEFAULT)}};
    static rig r;
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    rig_open(&r, NULL);
    for (size_t i = 0; i < 2; i++) {
        const segment_setup setup = segment_setup_of(&programs[i]);
        dmm_sort_segmented *sort = segment_build(&r, &setup, 0);
        for (int way = CUT_TINY; way <= CUT_SKEWED; way++) {
            const sort_case c = {
                .n = by_size(0, i == 0 ? 200003 : 50021, 3000017), .input = SHAPE_BITS, .seed = 1};
            segment_check(&r, sort, &setup, &c, (cut)way);
        }
        dmm_sort_segmented_free(sort);
    }
    rig_close(&r);
}

/* One call, whose report must say which offset is wrong, or that none is. fall: that one, or 0. */
static void check_report_at(const rig *r, dmm_sort_segmented *sort, const segment_setup *setup,
    const sort_case *c, uint64_t *offsets, uint64_t segments, uint64_t fall)
{
    zone report = report_unwritten(r, c->offset_items * 8);
    segment_run run = segment_prepare(r, sort, setup, c, CUT_COUNT, offsets, segments);
    run.args.report_out = zone_span(&report);
    REQUIRE_OK(
        dmm_sort_segmented_enqueue(sort, r->queue, &run.args, c->n, segments, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    segment_finish(&run, setup);
    report_judged(r, &report, fall);
}

/* The same, where an offset is wrong only if it falls. */
static void check_report(const rig *r, dmm_sort_segmented *sort, const segment_setup *setup,
    const sort_case *c, uint64_t *offsets, uint64_t segments)
{
    check_report_at(r, sort, setup, c, offsets, segments, first_fall(offsets, segments, c->n));
}

/* The longest segment that is allowed ends its passes early; one more item, and nothing moves. */
static void segments_are_as_long_as_the_caller_said(void **state)
{
    static rig r;
    (void)state;
    for (size_t i = 0; i < by_size(2, 4, NUM_ROWS); i++) {
        segment_setup setup = segment_setup_of(&table[i]);
        const uint64_t T = tile_of(&setup.items.tuning), longest[] = {1, 2, T, T + 1, 3 * T + 1};
        for (size_t k = 0; k < 5; k++)
            for (uint64_t more = 0; more < 2; more++) {
                const uint64_t most = longest[k], n = 3 * most + 7 * T + 5;
                const sort_case c = {.n = n,
                    .input = SHAPE_RANDOM,
                    .seed = n,
                    .any_order = more != 0, /* nothing moves */
                    .in_place = 1};
                uint64_t *const offsets = malloc(5 * sizeof *offsets);
                REQUIRE(offsets != NULL);
                offsets[0] = T / 2; /* each crosses its tiles' ends elsewhere */
                offsets[1] = offsets[0] + most;
                offsets[2] = offsets[1] + most / 2;
                offsets[3] = offsets[2] + most + more;
                offsets[4] = offsets[3];
                setup.max_segment = most;
                rig_open(&r, table[i].set);
                dmm_sort_segmented *sort = segment_build(&r, &setup, 0);
                check_report_at(&r, sort, &setup, &c, offsets, 4, more != 0 ? 3 : 0);
                dmm_sort_segmented_free(sort);
                rig_close(&r);
            }
    }
}

/* Random offsets, in no order and far beyond n: nothing is read or written outside (red zones), no
 * item moves, the report says where the first one falls, and the object works as before. */
static void offsets_that_fall_are_reported_and_nothing_moves(void **state)
{
    enum { SEGMENTS = 200 };
    static rig r;
    (void)state;
    for (size_t i = 0; i < by_size(1, 2, NUM_ROWS); i++) {
        const segment_setup setup = segment_setup_of(&table[i]);
        rig_open(&r, table[i].set);
        dmm_sort_segmented *sort = segment_build(&r, &setup, 0);
        for (uint64_t seed = 0; seed < by_size(2, 10, 40); seed++) {
            const sort_case c = {.n = by_size(2, 5, 5) * tile_of(&setup.items.tuning) + seed,
                .input = SHAPE_RANDOM,
                .seed = seed,
                .in_place = seed % 2,
                .offset_items = seed % 4,
                .temp_given = seed % 3 == 0};
            check_report(&r, sort, &setup, &c,
                make_wild_offsets(setup.offset_type, c.n, seed, SEGMENTS), SEGMENTS);
        }
        const sort_case after = {.n = by_size(100, 1000, 1000), .input = SHAPE_RANDOM, .seed = 1};
        segment_check(&r, sort, &setup, &after, CUT_MIDDLE);
        dmm_sort_segmented_free(sort);
        rig_close(&r);
    }
}

/* One offset of many falls, at every distance from the ends; and none does, beyond n neither. */
static void one_offset_that_falls_is_found(void **state)
{
    static const uint64_t counts[] = {1, 2, 63, 64, 65, 5000, 40000};
    const uint64_t n = by_size(by_rows(60, 200), 3000, 3000);
    static rig r;
    (void)state;
    const segment_setup setup = segment_setup_of(&table[0]);
    rig_open(&r, table[0].set);
    dmm_sort_segmented *sort = segment_build(&r, &setup, 0);
    for (size_t i = 0; i < by_size(3, 7, 7); i++)
        for (uint64_t where = 0; where < 4; where++) {
            const uint64_t segments = counts[i];
            const uint64_t falls[] = {0, 1, segments / 2, segments};
            const sort_case c = {
                .n = where == 0 && i % 2 ? 0 : n, .input = SHAPE_RANDOM, .seed = i};
            uint64_t *const offsets = malloc((size_t)(segments + 1) * sizeof *offsets);
            REQUIRE(offsets != NULL);
            for (uint64_t j = 0; j <= segments; j++)
                offsets[j] = 5 + j * (n - 5) / segments + (j == segments ? 9u : 0u);
            if (falls[where] != 0)
                offsets[falls[where]] = offsets[falls[where] - 1] - 1;
            else
                offsets[segments - 1] = where == 0 && i % 3 == 0 ? n + 50 : offsets[segments - 1];
            check_report(&r, sort, &setup, &c, offsets, segments);
        }
    dmm_sort_segmented_free(sort);
    rig_close(&r);
}

static void offsets_of_a_signed_type_are_refused(void **state)
{
    const dmm_sort_segmented_desc wrong = {.offset_type = DMM_I32};
    static rig r;
    dmm_sort_segmented *sort = NULL;
    (void)state;
    rig_open(&r, NULL);
    test_note("offsets of i32");
    REQUIRE_REFUSED(DMM_BAD_VALUE, &sort, dmm_sort_segmented_create(&sort, r.ctx, &wrong));
    rig_close(&r);
}

static dmm_status host(
    dmm_context *ctx, uint32_t *keys, uint32_t *from, size_t n, const uint32_t *offsets, size_t m)
{
    const dmm_sort_segmented_desc desc = {.value_bytes = 4, .argsort = 1, .tuning = usual_tuning()};
    return dmm_sort_segmented_host(ctx, &desc, keys, from, n, offsets, m);
}

static void host_arrays_are_sorted(void **state)
{
    static const segment_host_case c = {.keys = {9, 8, 7, 6, 5, 4, 3},
        .offsets = {0, 3, 3, 6},
        .sorted = {7, 8, 9, 4, 5, 6, 3},
        .from = {2, 1, 0, 5, 4, 3, 6},
        .m = 3};
    (void)state;
    segment_host_check(host, &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_sorts),
        cmocka_unit_test(sizes_up_to_4096_sorts),
        cmocka_unit_test(many_items_sort_with_default_parameters),
        cmocka_unit_test(offsets_that_fall_are_reported_and_nothing_moves),
        cmocka_unit_test(one_offset_that_falls_is_found),
        cmocka_unit_test(segments_are_as_long_as_the_caller_said),
        cmocka_unit_test(offsets_of_a_signed_type_are_refused),
        cmocka_unit_test(host_arrays_are_sorted),
    };
    return cmocka_run_group_tests_name("sort_segmented", tests, NULL, NULL);
}
