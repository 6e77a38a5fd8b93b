/* SPDX-License-Identifier: MIT */
/* ctest: wrap=clEnqueueNDRangeKernel */
/*
 * The fact launch_items: a step of a call with more items takes several launches, none of which has
 * more than its share of the groups, and the results are the same. So it is for a context that
 * reports progress, whose reports ascend to their total. The calls here have kernels whose groups
 * must know their number among all of a step; test_fuzz has the other primitives.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/nth.h>
#include <dmm/partition.h>
#include <dmm/reduce.h>
#include <dmm/reduce_by_key.h>
#include <dmm/run_length.h>
#include <dmm/scan.h>
#include <dmm/scan_by_key.h>
#include <dmm/search.h>
#include <dmm/select.h>
#include <dmm/sort.h>
#include <dmm/sort_segmented.h>
#include <dmm/topk.h>
#include <dmm/transpose.h>
#include <dmm/unique.h>

#include "core/context.h"
#include "support/forms.h"
#include "support/random.h"
#include "support/rig.h"
#include "support/wrap_launch.h"

enum { N = 64 * 80, LIMIT = 1024, PARTS = N / LIMIT };

/* What the library has enqueued. */
static struct {
    uint64_t launches, most_items;
} seen;

cl_int __wrap_clEnqueueNDRangeKernel(LAUNCH_PARAMETERS)
{
    seen.launches++;
    seen.most_items = *global > seen.most_items ? *global : seen.most_items;
    return __real_clEnqueueNDRangeKernel(
        queue, kernel, dimensions, offset, global, local, num_wait, wait, event);
}

/* Works on N items in place. */
typedef void subject(dmm_context *ctx, const dmm_tuning *tuning, uint32_t *items);

static void sort(dmm_context *ctx, const dmm_tuning *tuning, uint32_t *items)
{
    const dmm_sort_desc desc = {.order.type = DMM_U32, .tuning = *tuning};
    REQUIRE_OK(dmm_sort_host(ctx, &desc, items, NULL, N));
}

static void square(dmm_context *ctx, const dmm_tuning *tuning, uint32_t *items)
{
    const dmm_transpose_desc desc = {.tuning = *tuning};
    REQUIRE_OK(dmm_transpose_host(ctx, &desc, items, (dmm_matrices){16, 16, N / 256}));
}

static void oblong(dmm_context *ctx, const dmm_tuning *tuning, uint32_t *items)
{
    const dmm_transpose_desc desc = {.tuning = *tuning};
    REQUIRE_OK(dmm_transpose_host(ctx, &desc, items, (dmm_matrices){N / 160, 40, 4}));
}

static void unique(dmm_context *ctx, const dmm_tuning *tuning, uint32_t *items)
{
    const dmm_unique_desc desc = {.key_bytes = 4, .value_bytes = 4, .tuning = *tuning};
    uint32_t keys[N];
    size_t runs = 0;
    for (size_t i = 0; i < N; i++)
        keys[i] = (uint32_t)(i / 3);
    REQUIRE_OK(dmm_unique_host(ctx, &desc, keys, items, N, &runs));
    REQUIRE(runs == (N + 2) / 3);
}

/* The items become the ranks of queries. */
static void search(dmm_context *ctx, const dmm_tuning *tuning, uint32_t *items)
{
    const dmm_search_desc desc = {.order.type = DMM_U32, .tuning = *tuning};
    uint32_t keys[N], ranks[N];
    for (size_t i = 0; i < N; i++)
        keys[i] = (uint32_t)i * (UINT32_MAX / N);
    REQUIRE_OK(dmm_search_host(ctx, &desc, keys, N, items, N, ranks, NULL));
    memcpy(items, ranks, sizeof ranks);
}

/* Reports of the progress of one call. */
static struct {
    uint64_t reports, done, total;
} told;

static void take_report(void *user, uint64_t done, uint64_t total)
{
    REQUIRE(user == &told && total != 0 && done <= total);
    REQUIRE(told.reports == 0 ? done == 0 : done >= told.done && total == told.total);
    told.reports++;
    told.done = done;
    told.total = total;
}

/* Runs a subject on fixed items in a device with these facts. */
static void run(subject *one, const char *set, const dmm_tuning *tuning,
    dmm_progress_function progress, uint32_t items[N])
{
    rig r;
    random_source random = {1};
    for (size_t i = 0; i < N; i++)
        items[i] = (uint32_t)random_next(&random);
    rig_open(&r, set);
    r.ctx->progress = progress;
    r.ctx->progress_user = &told;
    memset(&told, 0, sizeof told);
    seen.launches = seen.most_items = 0;
    one(r.ctx, tuning, items);
    rig_close(&r);
}

static void parts_give_the_results_of_the_whole(void **state)
{
    static const struct {
        const char *name;
        subject *run;
    } subjects[] = {{"sort", sort}, {"square", square}, {"oblong", oblong}, {"unique", unique},
        {"search", search}};
    static const dmm_tuning forms[] = {GPU(32, 4), CPU(256)};
    static uint32_t whole[N], parts[N];
    char limited[64];
    (void)state;
    snprintf(limited, sizeof limited, "banks=16,units=2,launch_items=%d", LIMIT);
    for (size_t i = 0; i < 2 * sizeof subjects / sizeof *subjects; i++) {
        const dmm_tuning *const form = &forms[i % 2];
        test_note("%s, form %u", subjects[i / 2].name, (unsigned)form->form);
        run(subjects[i / 2].run, "banks=16,units=2", form, NULL, whole);
        const uint64_t launches = seen.launches, most = seen.most_items;
        run(subjects[i / 2].run, limited, form, NULL, parts);
        REQUIRE(memcmp(whole, parts, sizeof whole) == 0);
        REQUIRE(seen.launches > launches && seen.launches <= PARTS * launches);
        REQUIRE(seen.most_items < most);
        run(subjects[i / 2].run, "banks=16,units=2", form, take_report, parts);
        REQUIRE(memcmp(whole, parts, sizeof whole) == 0);
        REQUIRE(seen.launches > launches && seen.most_items < most);
        REQUIRE(told.reports > 2 && told.done == told.total && told.reports <= seen.launches + 2);
    }
}

/* Calls of one tile, and of several. */
enum { TILE = 128, SEVERAL = 20 * TILE };

static uint32_t given[SEVERAL], made[SEVERAL];

static void count_scan(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    REQUIRE_OK(dmm_scan_host(ctx, &(dmm_scan_desc){.type = DMM_U32, .tuning = *tuning}, made, n));
    REQUIRE(made[n - 1] == (uint32_t)n);
}

static void count_reduce(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    uint32_t sum = 0;
    REQUIRE_OK(dmm_reduce_host(
        ctx, &(dmm_reduce_desc){.type = DMM_U32, .tuning = *tuning}, made, n, &sum));
    REQUIRE(sum == n);
}

static void count_scan_by_key(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    const dmm_scan_by_key_desc desc = {.type = DMM_U32, .tuning = *tuning};
    REQUIRE_OK(dmm_scan_by_key_host(ctx, &desc, given, made, n));
    REQUIRE(made[n - 1] == (n - 1) % 3 + 1);
}

static void count_reduce_by_key(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    const dmm_reduce_by_key_desc desc = {.type = DMM_U32, .tuning = *tuning};
    size_t runs = 0;
    REQUIRE_OK(dmm_reduce_by_key_host(ctx, &desc, given, made, n, &runs));
    REQUIRE(runs == (n + 2) / 3 && made[0] == 3);
}

static void count_run_length(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    const dmm_run_length_desc desc = {.tuning = *tuning};
    static uint64_t lengths[SEVERAL];
    size_t runs = 0;
    REQUIRE_OK(dmm_run_length_host(ctx, &desc, given, n, lengths, &runs));
    REQUIRE(runs == (n + 2) / 3 && lengths[0] == 3);
}

static void count_select(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    const dmm_select_desc desc = {.type = DMM_U32, .where = "x % 2 == 0", .tuning = *tuning};
    const dmm_select_host_args args = {.items = given, .items_out = made};
    size_t selected = 0;
    REQUIRE_OK(dmm_select_host(ctx, &desc, &args, n, &selected));
    REQUIRE(selected == (n + 5) / 6 * 3 - (n % 6 == 1 ? 2 : n % 6 == 2) && made[3] == 2);
}

static void select_third(dmm_context *ctx, const dmm_tuning *tuning, size_t n, int unsorted)
{
    const dmm_topk_desc desc = {
        .order = {.type = DMM_U32, .descending = 1}, .unsorted = unsorted, .tuning = *tuning};
    REQUIRE_OK(dmm_topk_host(ctx, &desc, given, NULL, n, n / 3, made, NULL));
    REQUIRE(made[unsorted ? n / 3 - 1 : 0] == (n - 1) / 3);
}

static void count_topk(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    select_third(ctx, tuning, n, 0);
}

static void count_topk_unsorted(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    select_third(ctx, tuning, n, 1);
}

static void count_nth(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    const dmm_nth_desc desc = {.order.type = DMM_U32, .tuning = *tuning};
    REQUIRE_OK(dmm_nth_host(ctx, &desc, given, NULL, n, n / 2, made, NULL));
    REQUIRE(made[0] == n / 2 / 3);
}

/* By an expression of the items: their buckets are not stored. */
static void count_partition(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    const dmm_partition_desc desc = {
        .by = DMM_PARTITION_BY_EXPRESSION, .expression = "key & 1", .ways = 2, .tuning = *tuning};
    uint64_t offsets[3];
    static uint32_t items[SEVERAL];
    memcpy(items, given, n * sizeof *items);
    const dmm_partition_host_args args = {.items = items, .offsets_out = offsets};
    REQUIRE_OK(dmm_partition_host(ctx, &desc, &args, n));
    REQUIRE(offsets[2] == n && items[3] == 2 && items[offsets[1]] == 1);
}

/* Segments that are shorter than a tile, of which one crosses the middle of several. */
static void count_segments(dmm_context *ctx, const dmm_tuning *tuning, size_t n)
{
    const dmm_sort_segmented_desc desc = {
        .order = {.type = DMM_U32, .descending = 1}, .offset_type = DMM_U32, .tuning = *tuning};
    static uint32_t items[SEVERAL], offsets[SEVERAL / 100 + 2];
    const size_t segments = (n + 99) / 100;
    for (size_t i = 0; i <= segments; i++)
        offsets[i] = (uint32_t)(i < segments ? 100 * i : n);
    memcpy(items, given, n * sizeof *items);
    REQUIRE_OK(dmm_sort_segmented_host(ctx, &desc, items, NULL, n, offsets, segments));
    for (size_t i = 0; i < segments; i++)
        REQUIRE(items[offsets[i]] == given[offsets[i + 1] - 1]);
}

/* A call of one tile is one launch where tiles are chained, and one for all passes of a selection,
 * before the sort of what is selected. Segments take two for each pass of the longest one. */
static void launches_are_few(void **state)
{
    static const struct {
        const char *name;
        void (*run)(dmm_context *ctx, const dmm_tuning *tuning, size_t n);
        uint64_t one, several; /* launches of a call of one tile, and of several */
    } rows[] = {{"scan", count_scan, 1, 2}, {"reduce", count_reduce, 1, 2},
        {"scan_by_key", count_scan_by_key, 1, 2}, {"reduce_by_key", count_reduce_by_key, 1, 2},
        {"run_length", count_run_length, 1, 2}, {"select", count_select, 1, 2},
        {"topk", count_topk, 2, 13}, {"topk unsorted", count_topk_unsorted, 1, 6},
        {"nth", count_nth, 1, 6}, {"partition", count_partition, 2, 2},
        {"segments", count_segments, 3, 5}};
    const dmm_tuning tuning = GPU(32, 4);
    rig r;
    (void)state;
    rig_open(&r, "banks=16,units=2");
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const size_t n = i % 2 == 0 ? TILE : SEVERAL;
        test_note("launches of %s, n = %zu", rows[i / 2].name, n);
        for (size_t x = 0; x < n; x++) {
            given[x] = (uint32_t)(x / 3);
            made[x] = 1;
        }
        seen.launches = 0;
        rows[i / 2].run(r.ctx, &tuning, n);
        REQUIRE(seen.launches == (i % 2 == 0 ? rows[i / 2].one : rows[i / 2].several));
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_few),
        cmocka_unit_test(parts_give_the_results_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
