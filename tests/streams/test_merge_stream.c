/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge_stream with tiny windows and blocks: from no list to hundreds, empty ones and huge
 * ones; failing callbacks; lists in no order.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/merge_stream_case.h"

static void lists_of_any_lengths_merge(void **state)
{
    static const uint64_t counts_of_lists[] = {0, 1, 2, 3, 4, 9, 60, MERGE_STREAM_LISTS};
    static const struct {
        uint64_t window, block;
    } sizes[] = {{800, 0}, {800, 2}, {40, 10}, {420, 1}};
    static rig r;
    rig_open(&r, *state);
    for (size_t l = 0; l < sizeof counts_of_lists / sizeof *counts_of_lists; l++)
        for (size_t s = 0; s < 4; s++)
            for (shape input = SHAPE_RANDOM; input < SHAPE_COUNT; input += 3) {
                merge_stream_case c = {.k = kind_named("u32"), .value_bytes = 4};
                const shape kind_of_input = (shape)((input + l + s) % SHAPE_COUNT);
                c.desc.window_items = sizes[s].window;
                c.desc.block_items = sizes[s].block;
                test_note("%llu lists, windows of %llu, blocks of %llu, %s",
                    (unsigned long long)counts_of_lists[l], (unsigned long long)sizes[s].window,
                    (unsigned long long)sizes[s].block, shape_name(kind_of_input));
                merge_stream_open(&c, counts_of_lists[l], kind_of_input,
                    counts_of_lists[l] + (uint64_t)kind_of_input, 1);
                const int fits = merge_stream_fits(&c);
                REQUIRE_STATUS(fits ? DMM_OK : DMM_TOO_LARGE, merge_stream_run(&c, &r));
                if (fits)
                    merge_stream_check(&c);
                merge_stream_close(&c);
            }
    rig_close(&r);
}

static void a_callback_that_fails_ends_the_merge(void **state)
{
    merge_stream_case c = {.k = kind_named("u32"), .value_bytes = 4};
    static rig r;
    rig_open(&r, *state);
    c.desc = (dmm_sort_stream_desc){.window_items = 60, .block_items = 5};
    merge_stream_open(&c, 7, SHAPE_RANDOM, 7, 1);
    REQUIRE_OK(merge_stream_run(&c, &r));
    merge_stream_check(&c);
    const uint64_t calls = c.calls;
    for (uint64_t k = 1; k <= calls; k += sizes_wanted() == SIZES_SMALL ? 17 : 1) {
        test_note("callback %llu of %llu fails", (unsigned long long)k, (unsigned long long)calls);
        c.fails_at = k;
        REQUIRE_STATUS(MERGE_STREAM_FAILS, merge_stream_run(&c, &r));
    }
    merge_stream_close(&c);
    rig_close(&r);
}

static void lists_in_no_order_lose_no_item(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (shape input = SHAPE_RANDOM; input < SHAPE_COUNT; input++) {
        merge_stream_case c = {.k = kind_named("u32 by less")};
        test_note("unsorted lists, %s", shape_name(input));
        c.desc = (dmm_sort_stream_desc){.window_items = 60, .block_items = 3};
        merge_stream_open(&c, 9, input, 9 + (uint64_t)input, 0);
        REQUIRE_OK(merge_stream_run(&c, &r));
        const uint64_t n = c.first[c.lists];
        const rows output = {c.keys_out, NULL, n, 0}, result = {c.values_out, NULL, n, 0};
        const rows items = {c.keys, NULL, n, 0};
        REQUIRE(c.written == n);
        oracle_sort(&c.k, &output, c.values_out, NULL);
        REQUIRE_VERDICT(judge_by_property(&c.k, &items, &result));
        merge_stream_close(&c);
    }
    rig_close(&r);
}

static void wrong_arguments_are_refused(void **state)
{
    const uint64_t items[] = {1, 1, 1};
    dmm_sort_stream_desc desc = {.window_items = 4, .block_items = 1};
    dmm_merge_stream_args args = {.lists = 3,
        .items = items,
        .key = merge_stream_key,
        .load = merge_stream_load,
        .write = merge_stream_write};
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    test_note("arguments");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_stream_host(NULL, &desc, &args));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_stream_host(r.ctx, NULL, &args));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_stream_host(r.ctx, &desc, NULL));
    for (int i = 0; i < 4; i++) {
        dmm_merge_stream_args without = args;
        without.items = i == 0 ? NULL : items;
        without.key = i == 1 ? NULL : merge_stream_key;
        without.load = i == 2 ? NULL : merge_stream_load;
        without.write = i == 3 ? NULL : merge_stream_write;
        REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_stream_host(r.ctx, &desc, &without));
    }
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_merge_stream_host(r.ctx, &desc, &args)); /* most_runs is 2 */
    args.lists = 65537;
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_merge_stream_host(r.ctx, &desc, &args));
    args.lists = 0;
    REQUIRE_OK(dmm_merge_stream_host(r.ctx, &desc, &args));
    args.reserved[3] = 1;
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_merge_stream_host(r.ctx, &desc, &args));
    rig_close(&r);
}

int main(void)
{
    /* Two queues, and two sets of buffers. */
    char gpu[] = "form=gpu,u=32,E=4";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_any_lengths_merge),
        cmocka_unit_test(a_callback_that_fails_ends_the_merge),
        cmocka_unit_test(lists_in_no_order_lose_no_item),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test_prestate(lists_of_any_lengths_merge, gpu),
        cmocka_unit_test_prestate(a_callback_that_fails_ends_the_merge, gpu),
    };
    return cmocka_run_group_tests_name("merge_stream", tests, NULL, NULL);
}
