/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge_stream with tiny windows and blocks: from no list to hundreds, empty ones and huge
 * ones; failing callbacks; lists in no order.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/merge_stream.h>

#include "support/judge.h"
#include "support/kind.h"
#include "support/rig.h"

enum { MOST_LISTS = 200, FAILS = 4711 };

typedef struct merge_case {
    kind k;
    uint32_t value_bytes;
    dmm_sort_stream_desc desc;
    uint64_t lists, items[MOST_LISTS], first[MOST_LISTS + 1]; /* first: in keys */
    uint64_t next[MOST_LISTS];                                /* item to be loaded */
    char *keys, *values, *keys_out, *values_out;
    uint64_t written;
    uint64_t calls, fails_at; /* of callbacks, on both threads; that one, from 1, fails */
    dmm_sort_stream_result result;
} merge_case;

static int counts(merge_case *c)
{
    return __atomic_add_fetch(&c->calls, 1, __ATOMIC_SEQ_CST) != c->fails_at;
}

static dmm_status load_key(void *user, uint64_t list, uint64_t at, void *key)
{
    merge_case *const c = user;
    if (!counts(c))
        return FAILS;
    if (list >= c->lists || at >= c->items[list])
        return FAILS + 1;
    memcpy(key, c->keys + (c->first[list] + at) * c->k.bytes, c->k.bytes);
    return DMM_OK;
}

static dmm_status load(
    void *user, uint64_t list, uint64_t first, uint64_t count, void *keys, void *values)
{
    merge_case *const c = user;
    if (!counts(c))
        return FAILS;
    if (list >= c->lists || first != c->next[list] || count == 0 ||
        count > c->items[list] - first || (values != NULL) != (c->value_bytes != 0))
        return FAILS + 2;
    const uint64_t at = c->first[list] + first;
    memcpy(keys, c->keys + at * c->k.bytes, count * c->k.bytes);
    if (values != NULL)
        memcpy(values, c->values + at * c->value_bytes, count * c->value_bytes);
    c->next[list] += count;
    return DMM_OK;
}

static dmm_status write_items(void *user, const void *keys, const void *values, uint64_t count)
{
    merge_case *const c = user;
    if (!counts(c))
        return FAILS;
    if (count > c->first[c->lists] - c->written)
        return FAILS + 3;
    memcpy(c->keys_out + c->written * c->k.bytes, keys, count * c->k.bytes);
    if (values != NULL)
        memcpy(c->values_out + c->written * c->value_bytes, values, count * c->value_bytes);
    c->written += count;
    return DMM_OK;
}

/* Lists of different lengths: every fourth is empty, the sixth is long. */
static void fill(merge_case *c, uint64_t lists, shape input, int sorted)
{
    random_source random = {lists + (uint64_t)input};
    c->lists = lists;
    for (uint64_t i = 0; i < lists; i++) {
        c->items[i] = i % 4 == 3 ? 0 : i % 7 == 5 ? 200 : random_below(&random, 40);
        c->first[i + 1] = c->first[i] + c->items[i];
    }
    const uint64_t n = c->first[lists];
    char **const arrays[] = {&c->keys, &c->values, &c->keys_out, &c->values_out};
    for (size_t i = 0; i < 4; i++)
        REQUIRE((*arrays[i] = malloc((size_t)(n * 16 + 1))) != NULL);
    kind_fill(&c->k, input, c->keys_out, n, &random);
    random_bytes(&random, c->values_out, n * c->value_bytes);
    for (uint64_t i = 0; i < lists; i++) {
        const uint64_t at = c->first[i];
        const rows list = {c->keys_out + at * c->k.bytes,
            c->value_bytes != 0 ? c->values_out + at * c->value_bytes : NULL, c->items[i],
            c->value_bytes};
        char *const values = c->value_bytes != 0 ? c->values + at * c->value_bytes : NULL;
        if (sorted)
            oracle_sort(&c->k, &list, c->keys + at * c->k.bytes, values);
        else
            memcpy(c->keys + at * c->k.bytes, list.keys, c->items[i] * c->k.bytes);
    }
    memset(c->keys_out, 0x5a, (size_t)(n * c->k.bytes));
}

static void release(merge_case *c)
{
    free(c->keys);
    free(c->values);
    free(c->keys_out);
    free(c->values_out);
}

static dmm_status run(merge_case *c, const rig *r)
{
    const dmm_merge_stream_args args = {.user = c,
        .lists = c->lists,
        .items = c->items,
        .key = load_key,
        .load = load,
        .write = write_items,
        .result_out = &c->result};
    c->desc.order = c->k.order;
    c->desc.value_bytes = c->value_bytes;
    c->calls = c->written = 0;
    memset(c->next, 0, sizeof c->next);
    return dmm_merge_stream_host(r->ctx, &c->desc, &args);
}

static void check(const merge_case *c)
{
    const uint64_t n = c->first[c->lists];
    const rows input = {c->keys, c->value_bytes != 0 ? c->values : NULL, n, c->value_bytes};
    const rows output = {
        c->keys_out, c->value_bytes != 0 ? c->values_out : NULL, n, c->value_bytes};
    REQUIRE(c->written == n && c->result.items == n);
    REQUIRE_VERDICT(judge_by_oracle(&c->k, &input, &output));
}

static void lists_of_any_lengths_merge(void **state)
{
    static const uint64_t counts_of_lists[] = {0, 1, 2, 3, 4, 9, 60, MOST_LISTS};
    static const struct {
        uint64_t window, block;
    } sizes[] = {{800, 0}, {800, 2}, {40, 10}, {420, 1}};
    static rig r;
    rig_open(&r, *state);
    for (size_t l = 0; l < sizeof counts_of_lists / sizeof *counts_of_lists; l++)
        for (size_t s = 0; s < 4; s++)
            for (shape input = SHAPE_RANDOM; input < SHAPE_COUNT; input += 3) {
                merge_case c = {.k = kind_named("u32"), .value_bytes = 4};
                const shape kind_of_input = (shape)((input + l + s) % SHAPE_COUNT);
                c.desc.window_items = sizes[s].window;
                c.desc.block_items = sizes[s].block;
                test_note("%llu lists, windows of %llu, blocks of %llu, %s",
                    (unsigned long long)counts_of_lists[l], (unsigned long long)sizes[s].window,
                    (unsigned long long)sizes[s].block, shape_name(kind_of_input));
                fill(&c, counts_of_lists[l], kind_of_input, 1);
                uint64_t filled = 0;
                for (uint64_t i = 0; i < c.lists; i++)
                    filled += c.items[i] != 0;
                const int fits =
                    filled <= c.desc.window_items / 2 / (sizes[s].block + !sizes[s].block);
                REQUIRE_STATUS(fits ? DMM_OK : DMM_TOO_LARGE, run(&c, &r));
                if (fits)
                    check(&c);
                release(&c);
            }
    rig_close(&r);
}

static void a_callback_that_fails_ends_the_merge(void **state)
{
    merge_case c = {.k = kind_named("u32"), .value_bytes = 4};
    static rig r;
    rig_open(&r, *state);
    c.desc = (dmm_sort_stream_desc){.window_items = 60, .block_items = 5};
    fill(&c, 7, SHAPE_RANDOM, 1);
    REQUIRE_OK(run(&c, &r));
    check(&c);
    const uint64_t calls = c.calls;
    for (uint64_t k = 1; k <= calls; k += sizes_wanted() == SIZES_SMALL ? 17 : 1) {
        test_note("callback %llu of %llu fails", (unsigned long long)k, (unsigned long long)calls);
        c.fails_at = k;
        REQUIRE_STATUS(FAILS, run(&c, &r));
    }
    release(&c);
    rig_close(&r);
}

static void lists_in_no_order_lose_no_item(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (shape input = SHAPE_RANDOM; input < SHAPE_COUNT; input++) {
        merge_case c = {.k = kind_named("u32 by less")};
        test_note("unsorted lists, %s", shape_name(input));
        c.desc = (dmm_sort_stream_desc){.window_items = 60, .block_items = 3};
        fill(&c, 9, input, 0);
        REQUIRE_OK(run(&c, &r));
        const uint64_t n = c.first[c.lists];
        const rows output = {c.keys_out, NULL, n, 0}, result = {c.values_out, NULL, n, 0};
        const rows items = {c.keys, NULL, n, 0};
        REQUIRE(c.written == n);
        oracle_sort(&c.k, &output, c.values_out, NULL);
        REQUIRE_VERDICT(judge_by_property(&c.k, &items, &result));
        release(&c);
    }
    rig_close(&r);
}

static void wrong_arguments_are_refused(void **state)
{
    const uint64_t items[] = {1, 1, 1};
    dmm_sort_stream_desc desc = {.window_items = 4, .block_items = 1};
    dmm_merge_stream_args args = {
        .lists = 3, .items = items, .key = load_key, .load = load, .write = write_items};
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
        without.key = i == 1 ? NULL : load_key;
        without.load = i == 2 ? NULL : load;
        without.write = i == 3 ? NULL : write_items;
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
