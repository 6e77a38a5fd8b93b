/* SPDX-License-Identifier: MIT */
/* dmm_mpi_scan, dmm_mpi_topk and dmm_mpi_hull: results as those of one device with all items. */
#include "ranks.h"

enum { MOST = 5003 };

/* All items are numbers that a float holds, so sums do not depend on the order of additions. */
static void scan_once(dmm_mpi *mpi, const dmm_scan_desc *desc, uint64_t n, spread how)
{
    const int rank = dmm_mpi_rank(mpi), ranks = dmm_mpi_ranks(mpi);
    const uint64_t begin = spread_begin(how, n, ranks, rank);
    const uint64_t end = spread_begin(how, n, ranks, rank + 1);
    float *const all = ranks_allocate(n * 4), *const mine = ranks_allocate((end - begin) * 4);
    snprintf(ranks_note, sizeof ranks_note, "rank %d of %d: scan %d %d, n=%llu, spread %d", rank,
        ranks, desc->op, desc->exclusive, (unsigned long long)n, how);
    for (uint64_t i = 0; i < n; i++)
        all[i] = (float)(i * 7 % 11);
    if (end > begin)
        memcpy(mine, all + begin, (size_t)(end - begin) * 4);
    CHECK_OK(mpi, dmm_mpi_scan(mpi, desc, mine, end - begin));
    CHECK(dmm_scan_host(dmm_mpi_context(mpi), desc, all, (size_t)n) == DMM_OK);
    CHECK(memcmp(mine, all + begin, (size_t)(end - begin) * 4) == 0);
    free(all);
    free(mine);
}

static void topk_once(dmm_mpi *mpi, const dmm_topk_desc *desc, uint64_t n, uint64_t k, spread how)
{
    static uint32_t all[MOST], keys[MOST], values[MOST], wanted[MOST], wanted_values[MOST];
    const int rank = dmm_mpi_rank(mpi), ranks = dmm_mpi_ranks(mpi);
    const uint64_t begin = spread_begin(how, n, ranks, rank);
    const uint64_t end = spread_begin(how, n, ranks, rank + 1), found = k < n ? k : n;
    uint32_t *const scratch = ranks_allocate((end - begin) * 4);
    snprintf(ranks_note, sizeof ranks_note, "rank %d of %d: topk, n=%llu, k=%llu, spread %d", rank,
        ranks, (unsigned long long)n, (unsigned long long)k, how);
    for (uint64_t i = 0; i < n; i++)
        all[i] = (uint32_t)(i * 7919 % 1000);
    const dmm_mpi_topk_args args = {.keys = all + begin,
        .values = scratch,
        .n = end - begin,
        .k = k,
        .keys_out = keys,
        .values_out = values};
    CHECK_OK(mpi, dmm_mpi_topk(mpi, desc, &args));
    CHECK(dmm_topk_host(dmm_mpi_context(mpi), desc, all, NULL, (size_t)n, (size_t)k, wanted,
              wanted_values) == DMM_OK);
    CHECK(memcmp(keys, wanted, (size_t)found * 4) == 0);
    CHECK(memcmp(values, wanted_values, (size_t)found * 4) == 0);
    free(scratch);
}

static void hull_once(dmm_mpi *mpi, uint64_t n, uint32_t range, spread how)
{
    static float points[2 * MOST];
    static uint64_t hull[MOST], wanted[MOST];
    const int rank = dmm_mpi_rank(mpi), ranks = dmm_mpi_ranks(mpi);
    const dmm_hull_desc desc = {.index_bytes = 8};
    const uint64_t begin = spread_begin(how, n, ranks, rank);
    const uint64_t end = spread_begin(how, n, ranks, rank + 1);
    uint64_t count = 77, wanted_count = 0;
    random_source random = {n + range};
    snprintf(ranks_note, sizeof ranks_note, "rank %d of %d: hull, n=%llu, range %u, spread %d",
        rank, ranks, (unsigned long long)n, range, how);
    for (uint64_t i = 0; i < 2 * n; i++)
        points[i] = (float)random_below(&random, range);
    dmm_mpi_hull_args args = {.points = points + 2 * begin,
        .n = end - begin,
        .hull_out = hull,
        .most = MOST,
        .count_out = &count};
    CHECK_OK(mpi, dmm_mpi_hull(mpi, &desc, &args));
    CHECK(dmm_hull_host(dmm_mpi_context(mpi), &desc, points, NULL, (size_t)n, wanted,
              &wanted_count) == DMM_OK);
    CHECK(count == wanted_count && memcmp(hull, wanted, (size_t)count * 8) == 0);
    if (count == 0)
        return;
    args.most = rank == ranks - 1 ? count - 1 : count;
    CHECK_FAILS(DMM_SPAN_TOO_SMALL, ranks - 1, mpi, dmm_mpi_hull(mpi, &desc, &args));
    CHECK(count == wanted_count);
}

static void test_failures(dmm_mpi *mpi)
{
    const int last = dmm_mpi_ranks(mpi) - 1, is_last = dmm_mpi_rank(mpi) == last;
    float points[] = {1, 2, is_last ? 1 / 0.0f : 3, 4};
    uint64_t hull[8], count = 0;
    uint32_t key = 1;
    snprintf(ranks_note, sizeof ranks_note, "failures of scan, topk and hull");
    const dmm_hull_desc hulls = {0};
    const dmm_mpi_hull_args infinite = {
        .points = points, .n = 2, .hull_out = hull, .most = 8, .count_out = &count};
    CHECK_FAILS(DMM_NOT_FINITE, last, mpi, dmm_mpi_hull(mpi, &hulls, &infinite));
    CHECK(!is_last || count == 1);
    const dmm_hull_desc two = {.two_arrays = is_last};
    CHECK_FAILS(DMM_UNSUPPORTED, last, mpi, dmm_mpi_hull(mpi, &two, &infinite));
    const dmm_topk_desc topk = {.unsorted = is_last};
    const dmm_mpi_topk_args one = {.keys = &key, .n = 1, .k = 1, .keys_out = &key};
    CHECK_FAILS(DMM_UNSUPPORTED, last, mpi, dmm_mpi_topk(mpi, &topk, &one));
    const dmm_scan_desc halves = {.type = is_last ? DMM_F16 : DMM_F32};
    CHECK(dmm_mpi_scan(mpi, &halves, points, 2) != DMM_OK && dmm_mpi_failed_rank(mpi) == last);
    const dmm_scan_desc floats = {.type = DMM_F32};
    CHECK_FAILS(
        DMM_NULL_ARGUMENT, last, mpi, dmm_mpi_scan(mpi, &floats, is_last ? NULL : points, 2));
}

void test_results(dmm_mpi *mpi)
{
    static const uint64_t sizes[] = {0, 1, 2, 5, 100, MOST};
    static const dmm_scan_desc scans[] = {{.type = DMM_F32}, {.type = DMM_F32, .exclusive = 1},
        {.type = DMM_F32, .op = DMM_SCAN_MIN, .exclusive = 1}};
    static const dmm_topk_desc topk = {.order.descending = 1, .value_bytes = 4, .argsort = 1};
    static const dmm_topk_desc by_less = {
        .order.less = "a % 10 < b % 10", .value_bytes = 4, .argsort = 1};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int how = 0; how < NUM_SPREADS; how++) {
            for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++)
                scan_once(mpi, &scans[i], sizes[s], (spread)how);
            topk_once(mpi, &topk, sizes[s], 17, (spread)how);
            hull_once(mpi, sizes[s], how % 2 ? 5 : 100000, (spread)how);
        }
    topk_once(mpi, &topk, MOST, 0, EVEN);
    topk_once(mpi, &topk, MOST, MOST, ROUGH);
    topk_once(mpi, &by_less, MOST, 33, ROUGH);
    test_failures(mpi);
}
