/* SPDX-License-Identifier: MIT */
#include "support/chain_case.h"

#include <string.h>

#include <dmm/reduce_by_key.h>
#include <dmm/scan_by_key.h>
#include <dmm/scan.h>
#include <dmm/set.h>
#include <dmm/sort.h>
#include <dmm/topk.h>
#include <dmm/unique.h>

#include "support/forms.h"
#include "support/require.h"

static const char *sort_by(
    const rig *r, random_source *random, size_t n, uint32_t most_key, dmm_bits bits)
{
    const dmm_sort_desc desc = {.order.type = DMM_U16,
        .value_bytes = 4,
        .method = DMM_SORT_RADIX,
        .bits = bits,
        .tuning = GPU(CHAIN_U, CHAIN_TILE / CHAIN_U)};
    uint16_t keys[CHAIN_MOST], from[CHAIN_MOST];
    uint32_t values[CHAIN_MOST];
    for (size_t i = 0; i < n; i++) {
        from[i] = keys[i] = (uint16_t)(random_next(random) % (most_key + 1));
        values[i] = (uint32_t)i;
    }
    REQUIRE_OK(dmm_sort_host(r->ctx, &desc, keys, values, n));
    for (size_t i = 0; i < n; i++) {
        if (values[i] >= n || keys[i] != from[values[i]])
            return "a key without its position";
        if (i > 0 &&
            (keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && values[i - 1] >= values[i])))
            return "keys out of order";
    }
    return NULL;
}

const char *chain_sort(const rig *r, random_source *random, size_t n, uint32_t most_key)
{
    return sort_by(r, random, n, most_key, (dmm_bits){0, 0});
}

const char *chain_pass(const rig *r, random_source *random, size_t n, uint32_t most_key)
{
    return sort_by(r, random, n, most_key, (dmm_bits){0, 8});
}

const char *chain_pack(const rig *r, random_source *random, size_t n, uint32_t length)
{
    const dmm_unique_desc desc = {
        .key_bytes = 2, .value_bytes = 4, .tuning = GPU(CHAIN_U, CHAIN_TILE / CHAIN_U)};
    uint16_t keys[CHAIN_MOST], from[CHAIN_MOST];
    uint32_t values[CHAIN_MOST];
    size_t runs = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        const int begins = i > 0 && random_next(random) % length == 0;
        from[i] = keys[i] = (uint16_t)(i == 0 ? 0 : keys[i - 1] + begins);
        values[i] = (uint32_t)i;
    }
    REQUIRE_OK(dmm_unique_host(r->ctx, &desc, keys, values, n, &runs));
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && from[i] == from[i - 1])
            continue;
        if (at >= runs || keys[at] != from[i] || values[at] != i)
            return "a run that is missing, or elsewhere";
        at++;
    }
    return at == runs ? NULL : "a wrong number of runs";
}

const char *chain_select(const rig *r, random_source *random, size_t n, uint32_t most_key)
{
    const dmm_topk_desc desc = {.order.type = DMM_U16,
        .argsort = 1,
        .value_bytes = 4,
        .unsorted = 1,
        .max_n = CHAIN_MOST,
        .tuning = GPU(CHAIN_U, CHAIN_TILE / CHAIN_U)};
    static size_t counts[65536];
    uint16_t keys[CHAIN_MOST], out[CHAIN_MOST];
    uint32_t positions[CHAIN_MOST];
    const size_t k = 1 + random_next(random) % n;
    size_t before = 0, ties, at = 0;
    uint32_t last = 0; /* the greatest selected key */
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < n; i++)
        counts[keys[i] = (uint16_t)(random_next(random) % (most_key + 1))]++;
    for (; before + counts[last] < k; last++)
        before += counts[last];
    ties = k - before;
    memset(positions, 0xff, sizeof positions);
    REQUIRE_OK(dmm_topk_host(r->ctx, &desc, keys, NULL, n, k, out, positions));
    for (size_t i = 0; i < n; i++) {
        if (keys[i] > last || (keys[i] == last && ties == 0))
            continue;
        ties -= keys[i] == last;
        if (out[at] != keys[i] || positions[at] != i)
            return "an item that is missing, or elsewhere";
        at++;
    }
    return NULL;
}

/* Fills a list with n keys below `range`, in order, and counts each. */
static void fill_list(random_source *random, uint16_t *keys, size_t n, size_t *counts, size_t range)
{
    for (size_t i = 0; i < n; i++)
        counts[random_next(random) % range]++;
    for (size_t key = 0, at = 0; key < range; key++)
        for (size_t i = 0; i < counts[key]; i++)
            keys[at++] = (uint16_t)key;
}

/* Returns how many of a key's items an operation keeps. */
static size_t kept_of(size_t a, size_t b, uint32_t op)
{
    const size_t more = a > b ? a : b, less = a > b ? b : a;
    return op == DMM_SET_UNION          ? more
           : op == DMM_SET_INTERSECTION ? less
           : op == DMM_SET_DIFFERENCE   ? a - less
                                        : more - less;
}

const char *chain_set(const rig *r, random_source *random, size_t n, uint32_t op)
{
    const dmm_set_desc desc = {.order.type = DMM_U16,
        .op = (dmm_set_op)op,
        .max_n = CHAIN_MOST,
        .tuning = GPU(CHAIN_U, CHAIN_TILE / CHAIN_U)};
    enum { MOST_RANGE = 700 };
    uint16_t a[CHAIN_MOST], b[CHAIN_MOST], out[CHAIN_MOST];
    size_t in_a[MOST_RANGE] = {0}, in_b[MOST_RANGE] = {0}, count = 0, at = 0;
    const size_t na = random_next(random) % (n + 1),
                 range = random_next(random) % 2 ? MOST_RANGE : 5;
    fill_list(random, a, na, in_a, range);
    fill_list(random, b, n - na, in_b, range);
    const dmm_set_host_args args = {
        .a_keys = a, .na = na, .b_keys = b, .nb = n - na, .keys_out = out, .count_out = &count};
    REQUIRE_OK(dmm_set_host(r->ctx, &desc, &args));
    for (size_t key = 0; key < range; key++)
        for (size_t i = kept_of(in_a[key], in_b[key], op); i > 0; i--, at++)
            if (at >= count || out[at] != key)
                return "an item that is missing, or elsewhere";
    return at == count ? NULL : "a wrong number of items";
}

const char *chain_scan(const rig *r, random_source *random, size_t n, uint32_t bytes)
{
    const int adds = bytes != 2;
    const dmm_scan_desc desc = {.type = bytes == 1   ? DMM_U8
                                        : bytes == 2 ? DMM_U16
                                        : bytes == 4 ? DMM_U32
                                                     : DMM_U64,
        .op = adds ? DMM_SCAN_SUM : DMM_SCAN_MAX,
        .exclusive = bytes == 8,
        .tuning = GPU(CHAIN_U, CHAIN_TILE / CHAIN_U)};
    static uint64_t wanted[CHAIN_MOST], items[CHAIN_MOST];
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) { /* maxima rise in every tile */
        const uint64_t bits = random_next(random);
        const uint64_t item = adds ? bits >> (64 - 8 * bytes) : bits % (100 + 40 * (uint64_t)i);
        const uint64_t before = total;
        memcpy((unsigned char *)items + i * bytes, &item, bytes); /* hosts are little-endian */
        total = adds ? total + item : total > item ? total : item;
        wanted[i] = desc.exclusive ? before : total;
    }
    REQUIRE_OK(dmm_scan_host(r->ctx, &desc, items, n));
    for (size_t i = 0; i < n; i++)
        if (memcmp((unsigned char *)items + i * bytes, &wanted[i], bytes) != 0)
            return "a wrong total";
    return NULL;
}

const char *chain_by_key(const rig *r, random_source *random, size_t n, uint32_t length)
{
    const dmm_tuning tuning = GPU(CHAIN_U, CHAIN_TILE / CHAIN_U);
    const dmm_reduce_by_key_desc totals = {.type = DMM_U32, .key_bytes = 2, .tuning = tuning};
    const dmm_scan_by_key_desc scan = {.type = DMM_U32, .key_bytes = 2, .tuning = tuning};
    uint16_t keys[CHAIN_MOST], from[CHAIN_MOST];
    uint32_t items[CHAIN_MOST], scanned[CHAIN_MOST];
    size_t runs = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        const int begins = i > 0 && random_next(random) % length == 0;
        from[i] = keys[i] = (uint16_t)(i == 0 ? 0 : keys[i - 1] + begins);
        items[i] = scanned[i] = (uint32_t)random_next(random);
    }
    uint32_t given[CHAIN_MOST], sum = 0;
    memcpy(given, items, sizeof given);
    REQUIRE_OK(dmm_scan_by_key_host(r->ctx, &scan, from, scanned, n));
    REQUIRE_OK(dmm_reduce_by_key_host(r->ctx, &totals, keys, items, n, &runs));
    for (size_t i = 0; i < n; i++) {
        sum = (i > 0 && from[i] == from[i - 1] ? sum : 0) + given[i];
        if (scanned[i] != sum)
            return "a wrong sum within a run";
        if (i + 1 < n && from[i + 1] == from[i])
            continue;
        if (at >= runs || keys[at] != from[i] || items[at] != sum)
            return "a run that is missing, or elsewhere, or its total is wrong";
        at++;
    }
    return at == runs ? NULL : "a wrong number of runs";
}
