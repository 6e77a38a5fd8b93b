/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * MIN and ISMIN against all that any strategy can do on trees of up to 13 nodes. The content of a
 * cache is a set, as bits.
 */
#include "support/require.h"

#include <stdbool.h>
#include <string.h>

#include <dmm-model/translation.h>

#include "support/random.h"
#include "support/rig.h"
#include "support/traces.h"

enum { SETS = 1 << 13, UNREACHED = 1 << 20 };

/* The bit of a node of the tree K, d: root 0, then layer by layer. */
static uint32_t bit_of(const trace_case *c, uint32_t t, uint32_t layer)
{
    uint32_t first = 0, width = 1;
    uint64_t number = c->addresses[t] / TRACE_PAGE_BYTES;
    for (uint32_t l = 0; l < layer; l++)
        number /= c->K;
    for (uint32_t l = c->d; l > layer; l--, width *= c->K)
        first += width;
    return 1u << (first + (uint32_t)number);
}

static uint32_t size_of(uint32_t set)
{
    uint32_t size = 0;
    for (; set; set &= set - 1)
        size++;
    return size;
}

/* True if no node of the set lacks its parent. */
static bool is_segment(uint32_t set, uint32_t K)
{
    for (uint32_t i = 1; set >> i; i++)
        if ((set >> i & 1) && !(set >> (i - 1) / K & 1))
            return false;
    return true;
}

static void lower_to(int *cost, uint32_t set, int value)
{
    if (cost[set] > value)
        cost[set] = value;
}

/* One access: a node that is there, or put into a free cell, or in the place of any other. */
static void access_any(int *after, const int *before, uint32_t bit, uint32_t W)
{
    for (uint32_t set = 0; set < SETS; set++) {
        if (before[set] == UNREACHED)
            continue;
        if (set & bit) {
            lower_to(after, set, before[set]);
        } else if (size_of(set) < W) {
            lower_to(after, set | bit, before[set] + 1);
        } else {
            for (uint32_t out = set; out; out &= out - 1)
                lower_to(after, (set & ~(out & (0u - out))) | bit, before[set] + 1);
        }
    }
}

/* One translation that keeps an initial segment: any subset of what was there and the path. */
static void translate_segment(int *after, const int *before, uint32_t path, uint32_t W, uint32_t K)
{
    for (uint32_t set = 0; set < SETS; set++) {
        const uint32_t all = set | path, free = all & ~path;
        if (before[set] == UNREACHED)
            continue;
        for (uint32_t kept = free;; kept = (kept - 1) & free) {
            const uint32_t next = kept | path;
            if (size_of(next) <= W && is_segment(next, K))
                lower_to(after, next, before[set] + (int)size_of(path & ~set));
            if (kept == 0)
                break;
        }
    }
}

static int fewest(const trace_case *c, uint32_t W, bool segment)
{
    static int before[SETS], after[SETS];
    int least = UNREACHED;
    for (uint32_t set = 0; set < SETS; set++)
        before[set] = set == 0 ? 0 : UNREACHED;
    for (uint32_t t = 0; t < c->length; t++) {
        uint32_t path = 0;
        for (uint32_t l = c->d + 1; l-- > 0;) {
            path |= bit_of(c, t, l);
            if (segment && l > 0)
                continue;
            for (uint32_t set = 0; set < SETS; set++)
                after[set] = UNREACHED;
            if (segment)
                translate_segment(after, before, path, W, c->K);
            else
                access_any(after, before, bit_of(c, t, l), W);
            memcpy(before, after, sizeof before);
        }
    }
    for (uint32_t set = 0; set < SETS; set++)
        lower_to(&least, 0, before[set]);
    return least;
}

static uint64_t insertions(const trace_case *c, uint32_t W, dmm_model_eviction by)
{
    const dmm_model_translation machine = {
        .page_bytes = TRACE_PAGE_BYTES, .fanout = c->K, .depth = c->d, .nodes = W, .eviction = by};
    dmm_model_translation_counts counts;
    REQUIRE_OK(dmm_model_translate(&counts, NULL, &machine, c->addresses, c->length));
    return counts.insertions;
}

static void min_and_ismin_are_the_fewest_of_all(void **state)
{
    static const uint32_t trees[][2] = {{2, 1}, {2, 2}, {4, 1}, {8, 1}};
    random_source random = {2};
    (void)state;
    const uint32_t cases = (uint32_t)by_size(20, 20, 400);
    for (uint32_t i = 0; i < cases * 4; i++) {
        const uint32_t *tree = trees[i % 4];
        trace_case c;
        trace_make_random(&c, &random, tree[0], tree[1], 4 + (uint32_t)random_below(&random, 14));
        for (uint32_t W = tree[1] + 1; W <= tree[1] + 4; W++) {
            test_note("K = %u, d = %u, W = %u, case %u", tree[0], tree[1], W, i);
            REQUIRE(insertions(&c, W, DMM_MODEL_MIN) == (uint64_t)fewest(&c, W, false));
            REQUIRE(insertions(&c, W, DMM_MODEL_ISMIN) == (uint64_t)fewest(&c, W, true));
        }
        trace_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(min_and_ismin_are_the_fewest_of_all),
    };
    return cmocka_run_group_tests_name("translation_fewest", tests, NULL, NULL);
}
