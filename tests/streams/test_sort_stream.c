/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * dmm_sort_stream with tiny runs, windows and blocks: one run to thousands, one merge to many,
 * every shape of input; reads in the order of a merge with a heap; failing callbacks; stored runs
 * that a later call begins with.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/sort.h>

#include "core/context.h"
#include "support/stream_case.h"

typedef struct sizes {
    uint64_t run, window, block;
} sizes;

static void check_case(
    const rig *r, const kind *k, uint32_t value_bytes, sizes s, uint64_t n, shape input)
{
    stream_case c = {.k = *k, .value_bytes = value_bytes, .n = n, .most_read = n % 3 * 7};
    c.desc.run_items = s.run;
    c.desc.window_items = s.window;
    c.desc.block_items = s.block;
    test_note("%s%s, values of %u, n %llu, runs of %llu, windows of %llu, blocks of %llu, %s",
        k->name, k->order.descending ? " descending" : "", value_bytes, (unsigned long long)n,
        (unsigned long long)s.run, (unsigned long long)s.window, (unsigned long long)s.block,
        shape_name(input));
    stream_open(&c, r, input, n + s.run);
    REQUIRE_OK(stream_run(&c, r, 0));
    stream_check(&c);
    REQUIRE(c.result.runs == c.plan.runs && c.stored_items == (c.plan.runs > 1 ? n : 0));
    stream_close(&c);
}

static void every_shape_sorts_as_dmm_sort_does(void **state)
{
    static const sizes each[] = {
        {64, 64, 4}, {64, 33, 1}, {7, 16, 4}, {200, 40, 10}, {1, 8, 1}, {1000, 64, 16}};
    static const uint64_t counts[] = {0, 1, 63, 64, 65, 129, 700, 1023};
    const struct {
        kind k;
        uint32_t value_bytes;
    } rows[] = {{kind_named("u32"), 4}, {kind_named("f32"), 0}, {kind_named("item12"), 3}};
    static rig r;
    rig_open(&r, *state);
    /* In the GPU form the queues are the subject, not the kinds. */
    for (size_t i = 0; i < (*state == NULL ? by_size(1, 3, 3) : by_size(1, 1, 3)); i++)
        for (size_t s = 0; s < sizeof each / sizeof *each; s++) {
            /* The first kind with all counts, the others with a third of them. */
            const size_t step = i > 0 ? by_size(1, 3, 1) : 1;
            for (size_t n = i * s % step; n < sizeof counts / sizeof *counts; n += step) {
                const shape input = (shape)((n + s + 3 * i) % SHAPE_COUNT);
                const uint64_t most = each[s].run == 1 ? 65 : counts[n];
                check_case(&r, &rows[i].k, rows[i].value_bytes, each[s],
                    counts[n] < most ? counts[n] : most, input);
            }
        }
    for (shape input = SHAPE_RANDOM; input < SHAPE_COUNT; input++) {
        check_case(&r, &rows[0].k, 4, (sizes){32, 64, 4}, by_size(100, 999, 5000), input);
        check_case(&r, &rows[0].k, 4, (sizes){90, 40, 10}, by_size(100, 999, 5000), input);
    }
    rig_close(&r);
}

static void every_kind_sorts(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (size_t i = 0; kind_at(i) != NULL; i++) {
        const kind up = *kind_at(i), down = kind_descending(up);
        if (up.order.type == DMM_F64 && up.order.less != NULL && !rig_has_fp64(&r))
            continue;
        /* A program for each: few kinds by default, u64 among them. */
        if (sizes_wanted() != SIZES_FULL && i % 9 != 4 && i != 6)
            continue;
        check_case(&r, i % 2 ? &up : &down, i % 3 ? 8 : 0, (sizes){50, 48, 4}, 777, SHAPE_FEW);
        check_case(&r, i % 2 ? &up : &down, i % 3 ? 8 : 0, (sizes){50, 48, 4}, 777, SHAPE_SPECIAL);
    }
    rig_close(&r);
}

static void thousands_of_runs_merge_at_once(void **state)
{
    const kind k = kind_named("u32");
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    check_case(&r, &k, 4, (sizes){3, 2400, 1}, by_size(20, 3500, 9000), SHAPE_RANDOM);
    check_case(&r, &k, 4, (sizes){3, 2400, 1}, by_size(20, 2000, 9000), SHAPE_EQUAL);
    rig_close(&r);
}

/* Sizes by memory: a call of many items, whose store is the file system's affair. */
static void sizes_follow_the_memory(void **state)
{
    stream_case c = {.k = kind_named("u32"), .value_bytes = 4, .n = by_size(1000, 300000, 3000000)};
    static rig r;
    rig_open(&r, *state);
    c.desc.memory_bytes = by_size(1 << 19, 1 << 21, 1 << 24);
    test_note("memory of %llu bytes", (unsigned long long)c.desc.memory_bytes);
    stream_open(&c, &r, SHAPE_BITS, 5);
    REQUIRE(c.plan.run_items * 8 * 3 <= c.desc.memory_bytes);
    REQUIRE(c.plan.window_items * 8 * 4 <= c.desc.memory_bytes);
    REQUIRE(c.plan.run_items * 8 * 10 >= c.desc.memory_bytes);
    REQUIRE(
        c.plan.most_runs >= 2 && c.plan.block_items * 2 * c.plan.most_runs <= c.plan.window_items);
    REQUIRE_OK(stream_run(&c, &r, 0));
    stream_check(&c);
    REQUIRE(sizes_wanted() == SIZES_SMALL || c.plan.runs > 2);
    stream_close(&c);
    rig_close(&r);
}

/* No plan has a buffer beyond the device's largest, temp among them: each plan runs. */
static void no_buffer_is_beyond_the_device(void **state)
{
    enum { MOST_BYTES = 1 << 20 };
    stream_case c = {.k = kind_named("u32"), .n = 1000};
    static rig r;
    (void)state;
    for (int real = 0; real < 2; real++) {
        rig_open(&r, NULL);
        if (!real)
            r.ctx->device.max_buffer.value = MOST_BYTES;
        c.n = real ? 1000 : by_size(1000, 700000, 700000);
        c.desc.memory_bytes = UINT64_MAX;
        test_note("any memory, %s", real ? "the device" : "buffers of at most 1 MiB");
        stream_open(&c, &r, SHAPE_BITS, 6);
        if (!real) {
            const dmm_sort_desc desc = {.order = c.k.order, .max_n = c.plan.run_items};
            uint64_t temp = 0;
            dmm_sort *sort = NULL;
            REQUIRE_OK(dmm_sort_create(&sort, r.ctx, &desc));
            REQUIRE_OK(dmm_sort_temp_bytes(&temp, sort, c.plan.run_items));
            REQUIRE(temp <= MOST_BYTES && c.plan.run_items >= MOST_BYTES / 32);
            dmm_sort_free(sort);
        }
        REQUIRE_OK(stream_run(&c, &r, 0));
        stream_check(&c);
        stream_close(&c);
        c.desc = (dmm_sort_stream_desc){.run_items = MOST_BYTES / 4};
        c.desc.order = c.k.order;
        if (!real) /* its keys fit a buffer, its temp does not */
            REQUIRE_STATUS(DMM_TOO_LARGE, dmm_sort_stream_plan_host(&c.plan, r.ctx, &c.desc, 1000));
        c.desc = (dmm_sort_stream_desc){.run_items = 0};
        rig_close(&r);
    }
}

/* The block that a merge with k buffers and a heap reads next: of the run whose last item read is
 * least. `taken`: blocks read of each run. */
static uint64_t heap_takes(const stream_case *c, const char *const *runs, const uint64_t *items,
    const uint64_t *taken, uint64_t k)
{
    uint64_t least = k;
    for (uint64_t j = 0; j < k; j++) {
        if (taken[j] * c->plan.block_items >= items[j])
            continue;
        if (taken[j] == 0)
            return j;
        const char *const rank = runs[j] + (taken[j] * c->plan.block_items - 1) * c->k.bytes;
        if (least == k ||
            kind_compare(&c->k, rank,
                runs[least] + (taken[least] * c->plan.block_items - 1) * c->k.bytes) < 0)
            least = j;
    }
    return least;
}

/* After each window's loads, the blocks that have been read are a prefix of the heap's order. */
static void blocks_are_read_in_the_order_of_a_heap(void **state)
{
    enum { RUNS = 9, RUN = 60, BLOCK = 4, LAST = 23 };
    stream_case c = {.k = kind_named("u32"), .n = RUNS * RUN - RUN + LAST};
    stream_load loads[4 * RUNS * RUN];
    const char *runs[RUNS];
    uint64_t items[RUNS], taken[RUNS] = {0}, loaded[RUNS] = {0};
    static rig r;
    rig_open(&r, *state);
    test_note("order of blocks");
    c.desc = (dmm_sort_stream_desc){.run_items = RUN, .window_items = 80, .block_items = BLOCK};
    stream_open(&c, &r, SHAPE_RANDOM, 3);
    c.loads = loads;
    c.most_loads = sizeof loads / sizeof *loads;
    REQUIRE_OK(stream_run(&c, &r, 0));
    stream_check(&c);
    for (uint64_t j = 0; j < RUNS; j++) {
        runs[j] = (const char *)c.store + j * 4096;
        items[j] = j + 1 < RUNS ? RUN : LAST;
    }
    /* The first loads are the ranks of each run; a window loads from runs in rising order. */
    size_t windows = 0;
    for (size_t i = RUNS; i < c.num_loads; i++) {
        const uint64_t j = loads[i].at_bytes / 4096;
        const int ends = i + 1 == c.num_loads || loads[i + 1].at_bytes / 4096 <= j;
        REQUIRE(loads[i].at_bytes % 4096 / 4 == loaded[j]);
        loaded[j] += loads[i].bytes / 4;
        for (uint64_t least; ends && (least = heap_takes(&c, runs, items, taken, RUNS)) < RUNS;) {
            const uint64_t next = (taken[least] + 1) * BLOCK;
            if ((next < items[least] ? next : items[least]) > loaded[least])
                break;
            taken[least]++;
        }
        for (uint64_t k = 0; k < RUNS && ends; k++)
            REQUIRE((taken[k] * BLOCK < items[k] ? taken[k] * BLOCK : items[k]) == loaded[k]);
        windows += (size_t)ends;
    }
    REQUIRE(windows == c.result.windows && windows > 5);
    stream_close(&c);
    rig_close(&r);
}

static void a_callback_that_fails_ends_the_call_and_loses_nothing(void **state)
{
    stream_case c = {.k = kind_named("u32"), .value_bytes = 4, .n = 300};
    uint64_t resumed = 0, tries = 0;
    static rig r;
    rig_open(&r, *state);
    c.desc = (dmm_sort_stream_desc){.run_items = 40, .window_items = 32, .block_items = 4};
    stream_open(&c, &r, SHAPE_RANDOM, 1);
    REQUIRE_OK(stream_run(&c, &r, 0));
    stream_check(&c);
    const uint64_t calls = c.calls;
    for (uint64_t k = 1; k <= calls; k += by_size(17, 5, 1), tries++) {
        test_note("callback %llu of %llu fails", (unsigned long long)k, (unsigned long long)calls);
        c.fails_at = k;
        REQUIRE_STATUS(STREAM_FAILS, stream_run(&c, &r, 0));
        /* A failed `stored` has told of its run. A second call begins with the complete runs. */
        c.fails_at = 0;
        resumed += c.stored_items != 0;
        REQUIRE_OK(stream_run(&c, &r, 1));
        stream_check(&c);
    }
    REQUIRE(sizes_wanted() == SIZES_SMALL || resumed > tries / 3);
    stream_close(&c);
    rig_close(&r);
}

static void an_order_that_is_none_loses_no_item(void **state)
{
    static const char *const bad[] = {
        "1", "(a * 2654435761u >> 7) % 3 < (b * 2654435761u >> 9) % 3"};
    static rig r;
    rig_open(&r, *state);
    /* One of them in each form; full sizes: both. */
    for (size_t i = by_size(0, *state != NULL, 0); i < 2; i += by_size(1, 2, 1)) {
        stream_case c = {.k = kind_named("u32"), .n = 500};
        unsigned char seen[500] = {0};
        c.k.order.less = bad[i];
        test_note("less: %s", bad[i]);
        c.desc = (dmm_sort_stream_desc){.run_items = 30, .window_items = 40, .block_items = 2};
        stream_open(&c, &r, SHAPE_RANDOM, 1);
        for (uint32_t j = 0; j < 500; j++)
            memcpy(c.keys + 4 * j, &(uint32_t){j * 7 % 500}, 4);
        REQUIRE_OK(stream_run(&c, &r, 0));
        REQUIRE(c.written == c.n);
        for (uint32_t j = 0; j < 500; j++) {
            uint32_t key = 0;
            memcpy(&key, c.keys_out + 4 * j, 4);
            REQUIRE(key < 500 && !seen[key]++);
        }
        stream_close(&c);
    }
    rig_close(&r);
}

static dmm_status none(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    (void)user, (void)keys, (void)values;
    *count = most > 100 ? most : 0;
    return DMM_OK;
}

static dmm_status more(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    (void)user, (void)keys, (void)values;
    *count = most + 1;
    return DMM_OK;
}

static dmm_status no_write(void *user, const void *keys, const void *values, uint64_t count)
{
    (void)user, (void)keys, (void)values, (void)count;
    return STREAM_FAILS;
}

static dmm_status no_store(void *user, uint64_t at_bytes, const void *data, uint64_t bytes)
{
    (void)user, (void)at_bytes, (void)data, (void)bytes;
    return STREAM_FAILS;
}

static dmm_status no_load(void *user, uint64_t at_bytes, void *data, uint64_t bytes)
{
    (void)user, (void)at_bytes, (void)data, (void)bytes;
    return STREAM_FAILS;
}

static void wrong_arguments_are_refused(void **state)
{
    dmm_sort_stream_desc desc = {.run_items = 8, .window_items = 8, .block_items = 1};
    dmm_sort_stream_args args = {
        .read = none, .write = no_write, .store = no_store, .load = no_load};
    dmm_sort_stream_plan plan = {.runs = 77};
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    test_note("arguments");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_stream_plan_host(NULL, r.ctx, &desc, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_stream_plan_host(&plan, NULL, &desc, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_stream_plan_host(&plan, r.ctx, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_stream_host(NULL, &desc, &args));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_stream_host(r.ctx, NULL, &args));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_stream_host(r.ctx, &desc, NULL));
    for (int i = 0; i < 4; i++) {
        dmm_sort_stream_args without = args;
        *(i == 0     ? (void **)&without.read
            : i == 1 ? (void **)&without.write
            : i == 2 ? (void **)&without.store
                     : (void **)&without.load) = NULL;
        REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_stream_host(r.ctx, &desc, &without));
    }
    args.reserved[1] = 1;
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_sort_stream_host(r.ctx, &desc, &args));
    args.reserved[1] = 0;
    REQUIRE_OK(dmm_sort_stream_host(r.ctx, &desc, &args)); /* no items */
    args.read = more;
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_sort_stream_host(r.ctx, &desc, &args));
    args.stored_items = 12; /* a run and a half, and more to read */
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_sort_stream_host(r.ctx, &desc, &args));
    args.read = none;
    REQUIRE_STATUS(STREAM_FAILS, dmm_sort_stream_host(r.ctx, &desc, &args));
    static const sizes bad[] = {{8, 3, 0}, {8, 8, 3}, {8, 0, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        desc = (dmm_sort_stream_desc){.memory_bytes = 100,
            .run_items = bad[i].run,
            .window_items = bad[i].window,
            .block_items = bad[i].block};
        REQUIRE_STATUS(DMM_BAD_VALUE, dmm_sort_stream_plan_host(&plan, r.ctx, &desc, 1));
    }
    desc = (dmm_sort_stream_desc){.run_items = UINT64_MAX / 16};
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_sort_stream_plan_host(&plan, r.ctx, &desc, 1));
    desc = (dmm_sort_stream_desc){.value_bytes = 257};
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_sort_stream_plan_host(&plan, r.ctx, &desc, 1));
    desc = (dmm_sort_stream_desc){.reserved = {1}};
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_sort_stream_plan_host(&plan, r.ctx, &desc, 1));
    desc = (dmm_sort_stream_desc){.run_items = 8, .window_items = 8, .block_items = 1};
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_sort_stream_plan_host(&plan, r.ctx, &desc, UINT64_MAX));
    REQUIRE(plan.runs == 77);
    REQUIRE_OK(dmm_sort_stream_plan_host(&plan, r.ctx, &desc, 17));
    REQUIRE(plan.runs == 3 && plan.merges == 1 && plan.most_runs == 4);
    REQUIRE_OK(dmm_sort_stream_plan_host(&plan, r.ctx, &desc, 8));
    REQUIRE(plan.runs == 1 && plan.merges == 0 && plan.store_bytes == 0);
    rig_close(&r);
}

int main(void)
{
    /* Two queues, and two sets of buffers. */
    char gpu[] = "form=gpu,u=32,E=4";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_sorts_as_dmm_sort_does),
        cmocka_unit_test(every_kind_sorts),
        cmocka_unit_test(thousands_of_runs_merge_at_once),
        cmocka_unit_test(sizes_follow_the_memory),
        cmocka_unit_test(no_buffer_is_beyond_the_device),
        cmocka_unit_test(blocks_are_read_in_the_order_of_a_heap),
        cmocka_unit_test(a_callback_that_fails_ends_the_call_and_loses_nothing),
        cmocka_unit_test(an_order_that_is_none_loses_no_item),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test_prestate(every_shape_sorts_as_dmm_sort_does, gpu),
        cmocka_unit_test_prestate(sizes_follow_the_memory, gpu),
        cmocka_unit_test_prestate(blocks_are_read_in_the_order_of_a_heap, gpu),
        cmocka_unit_test_prestate(a_callback_that_fails_ends_the_call_and_loses_nothing, gpu),
        cmocka_unit_test_prestate(an_order_that_is_none_loses_no_item, gpu),
    };
    return cmocka_run_group_tests_name("sort_stream", tests, NULL, NULL);
}
