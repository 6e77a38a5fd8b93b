/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * dmm_set_stream and dmm_unique_stream with tiny windows and blocks: every operation and shape,
 * items that come more often than a window has places, callbacks that give little or fail.
 */
#include "support/require.h"

#include "support/forms.h"
#include "support/set_stream_case.h"

/* Every operation on lists of one length, and, unless sizes are full, one on other lists: `turn`
 * chooses it. */
static void check_set(const rig *r, const kind *k, uint32_t value_bytes, uint64_t na, uint64_t nb,
    uint64_t different, uint64_t turn)
{
    static const uint64_t windows[] = {1, 2, 7, 64, 300};
    for (dmm_set_op op = DMM_SET_UNION; op <= DMM_SET_SYMMETRIC; op++) {
        if (turn % 4 != (uint64_t)op && na != nb && sizes_wanted() != SIZES_FULL)
            continue;
        const uint64_t window = windows[(na + nb + different + op) % 5];
        set_stream_case t = {
            .k = *k, .op = op, .value_bytes = value_bytes, .n = {na, nb}, .most_read = na % 4};
        uint64_t items = 0;
        test_note(
            "%s, operation %d, values of %u, %llu and %llu items, windows of %llu, different %llu",
            k->name, (int)op, value_bytes, (unsigned long long)na, (unsigned long long)nb,
            (unsigned long long)window, (unsigned long long)different);
        set_stream_open(&t, SHAPE_RANDOM, different, 1);
        set_stream_want(&t);
        REQUIRE_OK(set_stream_run(&t, r, usual_tuning(), window, &items));
        set_stream_judge(&t, items);
        set_stream_close(&t);
    }
}

static void sets_are_those_of_the_whole_lists(void **state)
{
    static const uint64_t counts[] = {0, 1, 2, 63, 64, 65, 130, 301};
    const kind pairs = kind_named("u32"), floats = kind_descending(kind_named("f32"));
    static rig r;
    rig_open(&r, *state);
    /* In simulators 63 items, and 64 of another shape, suffice. */
    const size_t first = by_size(3, 0, 0), end = by_size(5, 8, 8);
    for (size_t a = first; a < end; a += by_size(2, 1, 1))
        for (size_t b = first; b < end; b++) {
            const uint64_t different = (a + b) % 3 == 0 ? 1 : (a + b) % 3 == 1 ? 5 : 60;
            check_set(&r, &pairs, 4, counts[a], counts[b], different, a + b);
            if (sizes_wanted() == SIZES_FULL || (a == 7 && b == 7))
                check_set(&r, &floats, 0, counts[a], counts[b], different, a + b);
        }
    rig_close(&r);
}

static void check_unique(
    const rig *r, const kind *k, uint32_t value_bytes, uint64_t n, uint64_t block, shape input)
{
    set_stream_case t = {.k = *k, .value_bytes = value_bytes, .n = {n, 0}, .most_read = n % 5};
    uint64_t items = 0;
    test_note("unique, values of %u, %llu items, blocks of %llu, %s", value_bytes,
        (unsigned long long)n, (unsigned long long)block, shape_name(input));
    set_stream_open(&t, input, 0, n % 2 == 0);
    unique_stream_want(&t);
    REQUIRE_OK(unique_stream_run(&t, r, usual_tuning(), block, &items));
    set_stream_judge(&t, items);
    set_stream_close(&t);
}

static void runs_go_on_from_block_to_block(void **state)
{
    static const uint64_t counts[] = {0, 1, 2, 63, 64, 65, 130, 301, 1000};
    const kind k = kind_named("u32");
    static rig r;
    rig_open(&r, *state);
    for (size_t i = by_size(6, 0, 0); i < by_size(7, 9, 9); i++)
        for (shape input = SHAPE_RANDOM; input < SHAPE_COUNT; input += (shape)by_size(4, 1, 1)) {
            /* Full sizes: each block with each count and shape. */
            const uint64_t least = by_size(5, 65, 65), n = counts[i] < least ? counts[i] : least;
            const uint64_t turn = (i + (uint64_t)input) % 3, all = by_size(1, 0, 1);
            if (all || turn == 0)
                check_unique(&r, &k, 4, counts[i], 64, input);
            if (all || turn == 1)
                check_unique(&r, &k, 4, n, 1, input);
            if (all || turn == 2)
                check_unique(&r, &k, 4, counts[i], 37, input);
        }
    rig_close(&r);
}

/* Sizes by memory, and too little of it. */
static void sizes_follow_the_memory(void **state)
{
    set_stream_case t = {.k = kind_named("u32"),
        .op = DMM_SET_UNION,
        .value_bytes = 4,
        .n = {by_size(200, SET_STREAM_MOST, SET_STREAM_MOST),
            by_size(200, SET_STREAM_MOST, SET_STREAM_MOST)}};
    dmm_set_stream_desc set = {.order = t.k.order,
        .op = DMM_SET_UNION,
        .value_bytes = 4,
        .memory_bytes = 100000,
        .tuning = usual_tuning()};
    dmm_unique_stream_desc unique = {
        .value_bytes = 4, .memory_bytes = 100000, .tuning = usual_tuning()};
    const dmm_set_stream_args set_args = {
        .user = &t, .read = set_stream_read, .write = set_stream_write};
    const dmm_unique_stream_args unique_args = {
        .user = &t, .read = unique_stream_read, .write = set_stream_write};
    static rig r;
    rig_open(&r, *state);
    test_note("memory of 100000 bytes");
    set_stream_open(&t, SHAPE_RANDOM, 900, 1);
    set_stream_want(&t);
    REQUIRE_OK(dmm_set_stream_host(r.ctx, &set, &set_args));
    set_stream_judge(&t, t.wanted);
    t.wanted = t.written = t.read[0] = 0;
    unique_stream_want(&t);
    REQUIRE_OK(dmm_unique_stream_host(r.ctx, &unique, &unique_args));
    set_stream_judge(&t, t.wanted);
    set.memory_bytes = unique.memory_bytes = 1000;
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_set_stream_host(r.ctx, &set, &set_args));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_unique_stream_host(r.ctx, &unique, &unique_args));
    set.reserved[0] = unique.reserved[0] = 1;
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_set_stream_host(r.ctx, &set, &set_args));
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_unique_stream_host(r.ctx, &unique, &unique_args));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_set_stream_host(r.ctx, &set, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_unique_stream_host(r.ctx, NULL, &unique_args));
    set_stream_close(&t);
    rig_close(&r);
}

static void a_callback_that_fails_ends_the_call(void **state)
{
    set_stream_case t = {
        .k = kind_named("u32"), .op = DMM_SET_UNION, .value_bytes = 4, .n = {100, 120}};
    uint64_t items = 0;
    static rig r;
    rig_open(&r, *state);
    set_stream_open(&t, SHAPE_RANDOM, 30, 1);
    set_stream_want(&t);
    REQUIRE_OK(set_stream_run(&t, &r, usual_tuning(), 20, &items));
    const uint64_t step = by_size(9, 3, 1);
    for (uint64_t k = 1, calls = t.calls; k <= calls; k += step) {
        test_note("callback %llu of %llu fails", (unsigned long long)k, (unsigned long long)calls);
        t.fails_at = k;
        REQUIRE_STATUS(SET_STREAM_FAILS, set_stream_run(&t, &r, usual_tuning(), 20, &items));
    }
    t.fails_at = t.wanted = 0;
    unique_stream_want(&t);
    REQUIRE_OK(unique_stream_run(&t, &r, usual_tuning(), 16, &items));
    for (uint64_t k = 1, calls = t.calls; k <= calls; k += step) {
        test_note("unique: callback %llu fails", (unsigned long long)k);
        t.fails_at = k;
        REQUIRE_STATUS(SET_STREAM_FAILS, unique_stream_run(&t, &r, usual_tuning(), 16, &items));
    }
    set_stream_close(&t);
    rig_close(&r);
}

int main(void)
{
    /* Two queues, and two sets of buffers. */
    char gpu[] = "form=gpu,u=32,E=4";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_those_of_the_whole_lists),
        cmocka_unit_test(runs_go_on_from_block_to_block),
        cmocka_unit_test(sizes_follow_the_memory),
        cmocka_unit_test(a_callback_that_fails_ends_the_call),
        cmocka_unit_test_prestate(sets_are_those_of_the_whole_lists, gpu),
        cmocka_unit_test_prestate(runs_go_on_from_block_to_block, gpu),
        cmocka_unit_test_prestate(sizes_follow_the_memory, gpu),
        cmocka_unit_test_prestate(a_callback_that_fails_ends_the_call, gpu),
    };
    return cmocka_run_group_tests_name("set_stream", tests, NULL, NULL);
}
