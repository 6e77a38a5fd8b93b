/* SPDX-License-Identifier: MIT */
/*
 * Random calls: a random machine, primitive, type, order, form and parameters, then some calls of
 * that object with random n, shape of the input, offsets, places, temp and queue, each judged by
 * the host oracles of tests/support.
 * DMM_FUZZ_SEED     the first description's seed (default 1); 0: by the clock
 * DMM_FUZZ_SECONDS  goes on with further seeds until so much time has passed (default:
 *                   DEFAULT_SEEDS descriptions, whatever the time)
 * DMM_FUZZ_ROUND    begins again after so many seeds: a soak. Memory may grow in the first rounds,
 *                   while drivers fill what they keep, and afterwards only by what a driver keeps
 *                   of programs that were released
 * DMM_FUZZ_FAMILY   only seeds that draw this family of calls (the table below)
 * A failure names its seed: with that as DMM_FUZZ_SEED it is the first one.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <dmm/sort_devices.h>

#include "support/fuzz.h"
#include "support/graph_case.h"
#include "support/heap_pair.h"
#include "support/hull_case.h"
#include "support/memory.h"
#include "support/merge_case.h"
#include "support/methods.h"
#include "support/partition_case.h"
#include "support/permute_case.h"
#include "support/random.h"
#include "support/scan_case.h"
#include "support/segment_case.h"
#include "support/stream_case.h"
#include "support/topk_case.h"

enum { DEFAULT_SEEDS = 20 };

static dmm_tuning power_of_two(dmm_tuning t)
{
    while (t.E & (t.E - 1))
        t.E &= t.E - 1;
    return t;
}

static sort_case a_case(void)
{
    return (sort_case){.n = fuzz_size(),
        .input = (shape)fuzz_below(SHAPE_COUNT),
        .seed = random_next(&fuzz.random),
        .in_place = (int)fuzz_below(NUM_PLACES),
        .offset_items = fuzz_below(9),
        .temp_given = fuzz_coin()};
}

static void fuzz_sort(dmm_tuning t)
{
    static const dmm_sort_method methods[] = {DMM_SORT_AUTO, DMM_SORT_MERGE, DMM_SORT_RADIX,
        DMM_SORT_NETWORK, SORT_BY_MATRIX, SORT_BY_SHEAR, SORT_BY_QUICK};
    sort_setup s = fuzz_items(t);
    dmm_sort_method method = FUZZ_ONE_OF(methods);
    if (method == DMM_SORT_RADIX && s.k.order.less != NULL)
        method = DMM_SORT_MERGE;
    if (method == DMM_SORT_NETWORK && (s.value_bytes > 8 || (s.value_bytes & (s.value_bytes - 1))))
        method = DMM_SORT_MERGE;
    const int matrix = method == SORT_BY_MATRIX || method == SORT_BY_SHEAR;
    if ((int)method > METHODS_OF_LAB && (!lab_is_built() || (matrix && t.form == DMM_FORM_CPU)))
        method = DMM_SORT_AUTO;
    else if (matrix || method == DMM_SORT_NETWORK)
        s.tuning = power_of_two(s.tuning);
    dmm_sort_desc desc = sort_desc_of(&s);
    desc.method = method;
    dmm_sort *const sort = sort_build_as(&fuzz.r, &desc, any_sort_create);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const sort_case c = a_case();
        sort_check(fuzz_queue(), sort, &s, &c);
    }
    dmm_sort_free(sort);
}

static void fuzz_segments(dmm_tuning t)
{
    const segment_setup s = {
        .items = fuzz_items(t), .offset_type = fuzz_coin() ? DMM_U32 : DMM_U64};
    dmm_sort_segmented *const sort = segment_build(&fuzz.r, &s, 0);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const sort_case c = a_case();
        segment_check(fuzz_queue(), sort, &s, &c, (cut)fuzz_below(CUT_COUNT));
    }
    dmm_sort_segmented_free(sort);
}

static void fuzz_merge(dmm_tuning t)
{
    const sort_setup items = fuzz_items(t);
    const merge_setup s = {items.k, items.value_bytes, items.tuning};
    dmm_merge *const merge = merge_build(&fuzz.r, &s);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const merge_case c = {.na = fuzz_size(),
            .nb = fuzz_size(),
            .a = (shape)fuzz_below(SHAPE_COUNT),
            .b = (shape)fuzz_below(SHAPE_COUNT),
            .seed = random_next(&fuzz.random),
            .offset_items = fuzz_below(9),
            .temp_given = fuzz_coin()};
        merge_check(fuzz_queue(), merge, &s, &c);
    }
    dmm_merge_free(merge);
}

static void fuzz_topk(dmm_tuning t)
{
    const topk_setup s = {.items = fuzz_items(t)};
    dmm_topk *const topk = topk_build(&fuzz.r, &s);
    dmm_nth *const nth = nth_build(&fuzz.r, &s);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        topk_case c = {.n = 1 + fuzz_size(),
            .input = (shape)fuzz_below(SHAPE_COUNT),
            .seed = random_next(&fuzz.random),
            .same_prefix = fuzz_coin(),
            .offset_items = fuzz_below(9),
            .temp_given = fuzz_coin()};
        c.k = 1 + fuzz_below(fuzz_coin() ? c.n : 1 + c.n / 100);
        if (fuzz_coin())
            topk_check(fuzz_queue(), topk, &s, &c);
        else
            nth_check(fuzz_queue(), nth, &s, &c);
    }
    dmm_topk_free(topk);
    dmm_nth_free(nth);
}

static void fuzz_scan(dmm_tuning t)
{
    scan_setup s = {
        .k = {(dmm_type)fuzz_below(DMM_F64 + 1), (dmm_scan_op)fuzz_below(3), fuzz_coin()},
        .tuning = t};
    if (s.k.type == DMM_F16 || (s.k.type == DMM_F64 && !rig_has_fp64(&fuzz.r)))
        s.k.type = DMM_U32;
    dmm_scan *const scan = scan_build(&fuzz.r, &s);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const scan_case c = {.n = fuzz_size(),
            .input = (shape)fuzz_below(SHAPE_COUNT),
            .seed = random_next(&fuzz.random),
            .in_place = fuzz_coin(),
            .offset_items = fuzz_below(9),
            .temp_given = fuzz_coin()};
        scan_check(fuzz_queue(), scan, &s, &c);
    }
    dmm_scan_free(scan);
}

static void fuzz_partition(dmm_tuning t)
{
    static const uint32_t labels[] = {1, 2, 4};
    const sort_setup items = fuzz_items(t);
    partition_setup s = {.k = items.k,
        .ways = 1 + (uint32_t)fuzz_below(fuzz_coin() ? 16 : 256),
        .by = fuzz_coin() ? DMM_PARTITION_BY_LABELS : DMM_PARTITION_BY_SPLITTERS,
        .value_bytes = items.value_bytes,
        .guarantee = fuzz_coin() && t.search != DMM_TILE_SEARCH_PLAIN,
        .tuning = items.tuning};
    s.tuning.search = DMM_TILE_SEARCH_DEFAULT;
    if (s.by == DMM_PARTITION_BY_LABELS)
        s.label_bytes = FUZZ_ONE_OF(labels);
    dmm_partition *const partition = partition_build(&fuzz.r, &s);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const partition_case c = {.n = fuzz_size(),
            .labels = (spread)fuzz_below(SPREAD_COUNT),
            .input = (shape)fuzz_below(SHAPE_COUNT),
            .seed = random_next(&fuzz.random),
            .in_place = fuzz_coin(),
            .offset_items = fuzz_below(9),
            .temp_given = fuzz_coin()};
        partition_check(fuzz_queue(), partition, &s, &c);
    }
    dmm_partition_free(partition);
}

static void fuzz_permute(dmm_tuning t)
{
    static const uint32_t bytes[] = {1, 2, 4, 8, 12, 16, 40};
    const dmm_permute_desc d = {.item_bytes = FUZZ_ONE_OF(bytes),
        .index_bytes = fuzz_coin() ? 4 : 8,
        .direction = fuzz_coin() ? DMM_DIRECTION_GATHER : DMM_DIRECTION_SCATTER,
        .check = 1,
        .tuning = {.form = t.form}};
    dmm_permute *const permute = permute_build(&fuzz.r, &d);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const permute_case c = {.n = fuzz_size(),
            .kind = (permute_order)fuzz_below(ORDER_ONE_BANK),
            .seed = random_next(&fuzz.random),
            .in_place = fuzz_coin(),
            .temp_given = fuzz_coin(),
            .offset_items = fuzz_below(9)};
        permute_check(&fuzz.r, permute, &d, &c);
    }
    dmm_permute_free(permute);
}

static void fuzz_hull(dmm_tuning t)
{
    const hull_setup s = {.type = fuzz_coin() && rig_has_fp64(&fuzz.r) ? DMM_F64 : DMM_F32,
        .two_arrays = fuzz_coin(),
        .index_bytes = fuzz_coin() ? 4 : 8,
        .tuning = {.form = t.form}};
    dmm_hull *const hull = hull_build(&fuzz.r, &s);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const hull_case c = {.n = fuzz_size(),
            .points = (cloud)fuzz_below(CLOUD_COUNT),
            .seed = random_next(&fuzz.random),
            .offset_items = fuzz_below(9),
            .temp_given = fuzz_coin()};
        hull_check(fuzz_queue(), hull, &s, &c, NULL);
    }
    dmm_hull_free(hull);
}

/* Updates, deletions and extractions of a heap beside a sequential one. */
static void fuzz_heap(dmm_tuning t)
{
    static const dmm_type types[] = {DMM_U32, DMM_F32, DMM_U64, DMM_I64};
    const uint32_t items = 1 + (uint32_t)fuzz_below(400);
    const dmm_heap_desc d = {.key_bytes = fuzz_coin() ? 4 : 8,
        .priority = FUZZ_ONE_OF(types),
        .bulk = 1 + fuzz_below(fuzz_coin() ? 8 : 100),
        .capacity = items,
        .guarantee = fuzz_coin(),
        .tuning = {.form = t.form}};
    heap_pair p = pair_create(&fuzz.r, &d, items);
    pair_clear(&p);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const uint64_t n = fuzz_below(p.bulk + 1), way = fuzz_below(4);
        test_note("heap of %u items, bulk %llu, call %d: way %llu, n=%llu", items,
            (unsigned long long)p.bulk, i, (unsigned long long)way, (unsigned long long)n);
        for (uint64_t j = 0; j < n; j++) {
            p.items[j] = (uint32_t)fuzz_below(items);
            p.codes[j] = fuzz_below(fuzz_coin() ? 3 : UINT32_MAX);
        }
        if (way < 2)
            pair_update(&p, n);
        else if (way == 2)
            pair_delete(&p, n);
        else
            pair_take(&p, fuzz_coin() ? DMM_HEAP_EXTRACT : DMM_HEAP_PEEK, n);
        pair_check(&p);
    }
    pair_free(&p);
}

static void fuzz_paths(dmm_tuning t)
{
    const int by_heap = fuzz_below(4) == 0;
    const dmm_paths_desc d = {.weight = fuzz_coin() ? DMM_U32 : DMM_F32,
        .method = by_heap ? DMM_PATHS_DIJKSTRA : DMM_PATHS_AUTO,
        .delta = fuzz_coin() ? 0 : (double)fuzz_below(1000),
        .max_n = by_heap ? 500 : 0,
        .tuning = {.form = t.form}};
    for (int i = 0; i < FUZZ_CALLS / 4; i++, fuzz.calls++) {
        graph_case g = graph_make((graph_kind)fuzz_below(NUM_GRAPH_KINDS), d.weight,
            1 + fuzz_below(by_heap ? 500 : 3000), fuzz_below(5), random_next(&fuzz.random));
        const dmm_paths_host_args args = {.offsets = g.offsets,
            .targets = g.targets,
            .weights = g.weights,
            .sources = g.sources,
            .num_sources = g.num_sources,
            .distances_out = g.distances,
            .predecessors_out = g.predecessors};
        test_note("paths, method %d, delta %g, n=%llu, m=%llu", (int)d.method, d.delta,
            (unsigned long long)g.n, (unsigned long long)g.m);
        const dmm_status status = dmm_paths_host(fuzz.r.ctx, &d, &args, (size_t)g.n, (size_t)g.m);
        const char *const wrong = status == DMM_OK ? graph_judge_by_oracle(&g) : NULL;
        if (wrong != NULL)
            fail_msg("%s\n  in: %s", wrong, test_note_text());
        REQUIRE(status == DMM_OK || status == DMM_TOO_LARGE);
        graph_free(&g);
    }
}

/* Sorts beyond memory, and by two contexts. */
static void fuzz_stream(dmm_tuning t)
{
    const sort_setup s = fuzz_items(t);
    for (int i = 0; i < FUZZ_CALLS / 4; i++, fuzz.calls++) {
        stream_case c = {.k = s.k,
            .value_bytes = s.argsort ? 0 : s.value_bytes,
            .n = fuzz_below(2000),
            .most_read = fuzz_coin() ? fuzz_below(300) : 0};
        c.desc.tuning.form = t.form;
        c.desc.run_items = 1 + fuzz_below(fuzz_coin() ? 100 : 1000);
        c.desc.block_items = 1 + fuzz_below(8);
        c.desc.window_items = 8 * c.desc.block_items + fuzz_below(100);
        c.n = c.n < 200 * c.desc.run_items ? c.n : 200 * c.desc.run_items;
        test_note("stream of %s, values of %u, n=%llu, runs of %llu, blocks of %llu", s.k.name,
            c.value_bytes, (unsigned long long)c.n, (unsigned long long)c.desc.run_items,
            (unsigned long long)c.desc.block_items);
        stream_open(&c, &fuzz.r, (shape)fuzz_below(SHAPE_COUNT), random_next(&fuzz.random));
        REQUIRE_OK(stream_run(&c, &fuzz.r, 0));
        stream_check(&c);
        stream_close(&c);
    }
}

static int compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void fuzz_devices(dmm_tuning t)
{
    static uint32_t keys[FUZZ_MOST_ITEMS], right[FUZZ_MOST_ITEMS], values[FUZZ_MOST_ITEMS];
    rig second;
    rig_open(&second, "units=1");
    dmm_context *const contexts[] = {fuzz.r.ctx, second.ctx};
    for (int i = 0; i < FUZZ_CALLS / 4; i++, fuzz.calls++) {
        const uint64_t n = fuzz_size();
        const dmm_sort_devices_desc d = {.value_bytes = sizeof *values,
            .part_items = 1 + n / (1 + fuzz_below(20)),
            .tuning = {.form = t.form}};
        test_note("devices, n=%llu, parts of %llu", (unsigned long long)n,
            (unsigned long long)d.part_items);
        for (uint32_t j = 0; j < n; j++) {
            right[j] = keys[j] = (uint32_t)fuzz_below(n + 1);
            values[j] = keys[j] * 7 + 1;
        }
        qsort(right, (size_t)n, sizeof *right, compare_u32);
        REQUIRE_OK(dmm_sort_devices_host(
            contexts, 1 + (uint32_t)fuzz_below(2), &d, keys, values, (size_t)n, NULL));
        for (uint64_t j = 0; j < n; j++)
            REQUIRE(keys[j] == right[j] && values[j] == keys[j] * 7 + 1);
    }
    rig_close(&second);
}

static uint64_t setting(const char *name, uint64_t usual)
{
    const char *const text = getenv(name);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : usual;
}

/* Families of calls, those of several primitives twice, and how many calls each has made. */
static struct {
    const char *name;
    void (*draw)(dmm_tuning t);
    uint64_t calls;
} families[] = {{"sort", fuzz_sort, 0}, {"sort", fuzz_sort, 0}, {"segments", fuzz_segments, 0},
    {"merge", fuzz_merge, 0}, {"topk", fuzz_topk, 0}, {"scan", fuzz_scan, 0},
    {"partition", fuzz_partition, 0}, {"permute", fuzz_permute, 0}, {"hull", fuzz_hull, 0},
    {"heap", fuzz_heap, 0}, {"paths", fuzz_paths, 0}, {"stream", fuzz_stream, 0},
    {"devices", fuzz_devices, 0}, {"counted", fuzz_counted, 0}, {"counted", fuzz_counted, 0},
    {"keyed", fuzz_keyed, 0}, {"keyed", fuzz_keyed, 0}, {"columns", fuzz_columns, 0},
    {"columns", fuzz_columns, 0}, {"segmented", fuzz_segmented, 0},
    {"segmented", fuzz_segmented, 0}, {"operators", fuzz_operators, 0},
    {"operators", fuzz_operators, 0}, {"network", fuzz_network, 0},
    {"set_stream", fuzz_set_stream, 0}, {"merge_stream", fuzz_merge_stream, 0},
    {"partition_stream", fuzz_partition_stream, 0}, {"maps", fuzz_maps, 0}, {"maps", fuzz_maps, 0},
    {"map_lines", fuzz_map_lines, 0}, {"moves", fuzz_moves, 0}, {"moves", fuzz_moves, 0}};
enum { NUM_FAMILIES = sizeof families / sizeof *families };

/* True if DMM_FUZZ_FAMILY names another family. */
static int is_left_out(size_t family)
{
    const char *const wanted = getenv("DMM_FUZZ_FAMILY");
    return wanted != NULL && *wanted != '\0' && strcmp(wanted, families[family].name) != 0;
}

static void fuzz_one(uint64_t seed)
{
    static const uint32_t banks[] = {4, 8, 16, 32, 64, 128};
    char set[64];
    fuzz.random = (random_source){seed};
    const uint32_t w = FUZZ_ONE_OF(banks);
    snprintf(set, sizeof set, "banks=%u,units=%u%s", w, 1 + (uint32_t)fuzz_below(6),
        fuzz_coin() ? ",launch_items=1024" : "");
    const dmm_tuning t = fuzz_tuning(w);
    const size_t family = (size_t)fuzz_below(NUM_FAMILIES);
    const uint64_t before = fuzz.calls;
    if (is_left_out(family))
        return;
    rig_open(&fuzz.r, set);
    fuzz.other = fuzz.r;
    fuzz.other.queue = fuzz.r.out_of_order;
    test_prefix("DMM_FUZZ_SEED=%llu: ", (unsigned long long)seed);
    families[family].draw(t);
    families[family].calls += fuzz.calls - before;
    rig_close(&fuzz.r);
}

static void print_calls(void)
{
    for (size_t i = 0; i < NUM_FAMILIES; i++)
        if (families[i].calls != 0)
            print_message("%s %llu\n", families[i].name, (unsigned long long)families[i].calls);
}

/* Memory of this process in KiB; 0 where /proc does not say. */
static uint64_t resident(void)
{
    return memory_kib("/proc/self/status", "VmRSS:");
}

/* PoCL 3.1 keeps about 1.5 KB of each program with 60 macros that it builds and releases, without
 * dmm, too; an object here has up to four programs. */
enum { WARM_ROUNDS = 3, MOST_GROWTH_PERCENT = 5, DRIVER_KIB = 16 };

static void random_calls_are_right(void **state)
{
    const uint64_t seconds = setting("DMM_FUZZ_SECONDS", 0), given = setting("DMM_FUZZ_SEED", 1);
    const uint64_t round = setting("DMM_FUZZ_ROUND", UINT64_MAX);
    const time_t begin = time(NULL);
    const uint64_t first = given != 0 ? given : (uint64_t)begin;
    uint64_t objects = 0, warm = 0;
    (void)state;
    do {
        fuzz_one(first + objects % round);
        if (++objects == WARM_ROUNDS * round)
            warm = resident();
    } while (seconds != 0 ? (uint64_t)(time(NULL) - begin) < seconds : objects < DEFAULT_SEEDS);
    print_calls();
    print_message("%llu calls of %llu objects from seed %llu on; %llu KiB, after the first rounds "
                  "%llu KiB\n",
        (unsigned long long)fuzz.calls, (unsigned long long)objects, (unsigned long long)first,
        (unsigned long long)resident(), (unsigned long long)warm);
    REQUIRE(warm == 0 || resident() <= warm + warm * MOST_GROWTH_PERCENT / 100 +
                                           (objects - WARM_ROUNDS * round) * DRIVER_KIB);
}

/* Runs the program again with a larger stack, if it may have one: PoCL's threads get as much, and
 * without its optimiser a group of large items needs more than 8 MiB. */
static void with_large_stacks(char **argv)
{
    const rlim_t bytes = (rlim_t)256 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= bytes || limit.rlim_max < bytes)
        return;
    limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_STACK, &limit) == 0)
        execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_calls_are_right)};
    (void)argc;
    with_large_stacks(argv);
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
