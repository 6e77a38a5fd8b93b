/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * Plans of layouts, run on the host with the index maps of the kernels: every pass is a permutation
 * of its segments, and all of them together give the layout; from the end, the sorted order.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "primitives/layout/layout_plan.h"
#include "support/rig.h"

enum { MOST = 5000 };
static const uint64_t tiles[] = {16, 70, 512};

static const dmm_layout_way ways[] = {{DMM_LAYOUT_BST, 0, DMM_LAYOUT_INVOLUTIONS, 0},
    {DMM_LAYOUT_BST, 0, DMM_LAYOUT_CYCLES, 0}, {DMM_LAYOUT_BST, 0, DMM_LAYOUT_HYBRID, 0},
    {DMM_LAYOUT_BTREE, 2, DMM_LAYOUT_CYCLES, 0}, {DMM_LAYOUT_BTREE, 3, DMM_LAYOUT_CYCLES, 0},
    {DMM_LAYOUT_BTREE, 16, DMM_LAYOUT_CYCLES, 0}, {DMM_LAYOUT_BTREE, 32, DMM_LAYOUT_CYCLES, 0},
    {DMM_LAYOUT_BTREE, 2, DMM_LAYOUT_INVOLUTIONS, 0},
    {DMM_LAYOUT_BTREE, 3, DMM_LAYOUT_INVOLUTIONS, 0},
    {DMM_LAYOUT_BTREE, 16, DMM_LAYOUT_INVOLUTIONS, 0},
    {DMM_LAYOUT_BTREE, 32, DMM_LAYOUT_INVOLUTIONS, 0}, {DMM_LAYOUT_VEB, 0, DMM_LAYOUT_CYCLES, 0},
    {DMM_LAYOUT_VEB, 0, DMM_LAYOUT_INVOLUTIONS, 0}, {DMM_LAYOUT_MVEB, 0, DMM_LAYOUT_CYCLES, 0},
    {DMM_LAYOUT_MVEB, 0, DMM_LAYOUT_INVOLUTIONS, 0}, {DMM_LAYOUT_SORTED, 0, DMM_LAYOUT_CYCLES, 0}};
enum { NUM_WAYS = sizeof ways / sizeof ways[0] };

/* Exchanges items of a segment, each with its partner. */
static void swap_segment(const dmm_layout_pass *pass, uint64_t segment, uint32_t *items)
{
    for (uint64_t i = 0; i < pass->len; i++) {
        const uint64_t j = dmm_layout_partner(pass, segment, i);
        REQUIRE(j < pass->len && dmm_layout_partner(pass, segment, j) == i);
        if (j > i) {
            const uint32_t kept = items[i];
            items[i] = items[j];
            items[j] = kept;
        }
    }
}

static void move_columns(const dmm_layout_pass *pass, uint32_t *items)
{
    for (uint64_t z = 0; z < pass->len; z++) {
        const uint64_t stride = pass->l * pass->unit, most = z / pass->unit + 1;
        uint32_t kept = items[z + (pass->back ? 0 : most * stride)];
        for (uint64_t step = 0; step <= most; step++) {
            uint32_t *const at = &items[z + (pass->back ? most - step : step) * stride];
            const uint32_t next = *at;
            *at = kept;
            kept = next;
        }
    }
}

static void permute_tile(const dmm_layout_pass *pass, uint64_t items_n, uint32_t *items)
{
    static uint32_t copy[MOST];
    const dmm_tree tree = dmm_tree_of(pass->kind, pass->ways - 1, pass->len);
    memcpy(copy, items, items_n * sizeof *items);
    for (uint64_t i = 0; i < items_n; i++) {
        const uint64_t from = dmm_layout_from(pass, tree, items_n, i);
        REQUIRE(from < items_n);
        items[i] = copy[from];
    }
}

static void run_pass(const dmm_layout_pass *pass, uint64_t n, uint64_t tile, uint32_t *items)
{
    const uint64_t segments = dmm_layout_segments(pass);
    for (uint64_t s = 0; s < segments; s++) {
        const uint64_t begin = dmm_layout_begin(pass, s);
        const uint64_t len = s + 1 == segments && pass->last != 0 ? pass->last : pass->len;
        REQUIRE(begin + len <= n);
        if (pass->move == DMM_PASS_COLUMNS)
            move_columns(pass, items + begin);
        else if (pass->move < DMM_PASS_COLUMNS)
            swap_segment(pass, s, items + begin);
        else {
            REQUIRE(pass->len <= tile);
            permute_tile(pass, len, items + begin);
        }
    }
}

static void run_plan(const dmm_layout_way *way, uint64_t n)
{
    static uint32_t items[MOST + 1];
    dmm_layout_plan plan;
    REQUIRE_OK(dmm_layout_plan_make(&plan, way, n));
    for (uint64_t i = 0; i < n; i++)
        items[i] = (uint32_t)i;
    for (size_t i = 0; i < plan.count; i++)
        run_pass(&plan.passes[i], n, way->tile, items);
    for (uint64_t i = 0; i < n; i++)
        REQUIRE(items[i] == dmm_layout_rank(way->kind, way->B, n, i));
    for (size_t i = plan.count; i-- > 0;) {
        plan.passes[i].back = 1;
        run_pass(&plan.passes[i], n, way->tile, items);
    }
    for (uint64_t i = 0; i < n; i++)
        REQUIRE(items[i] == i);
    dmm_layout_plan_free(&plan);
}

static void every_plan_gives_its_layout_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_WAYS; i++)
        for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; t++)
            for (uint64_t n = 0; n <= MOST;
                 n = sizes_wanted() == SIZES_FULL ? n + 1 : size_after(n, 200)) {
                dmm_layout_way way = ways[i];
                way.tile = tiles[t] > 2 * (way.B + 1) ? tiles[t] : 2 * (way.B + 1);
                test_note("way %zu, tile %llu, n=%llu", i, (unsigned long long)way.tile,
                    (unsigned long long)n);
                run_plan(&way, n);
            }
}

/* Both are their own inverse, and one after the other is the shuffle. */
static void modular_involutions_are_involutions_beyond_2_to_the_32(void **state)
{
    static const uint64_t sizes[] = {((uint64_t)1 << 32) - 2, ((uint64_t)1 << 32) + 15,
        ((uint64_t)1 << 40) + 8, 99999999999u * 33, ((uint64_t)1 << 62) + 1};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (uint64_t ways_of = 1; ways_of <= 33; ways_of += 16)
            for (uint64_t k = 0; k < 300; k++) {
                const uint64_t n = sizes[s] / ways_of * ways_of;
                const uint64_t i = k < 100 ? k : k < 200 ? n - 1 - (k - 100) : n / 300 * k + k;
                test_note("n=%llu, r=%llu, i=%llu", (unsigned long long)n,
                    (unsigned long long)ways_of, (unsigned long long)i);
                const uint64_t j = dmm_layout_modular(i, n, ways_of);
                REQUIRE(j < n && dmm_layout_modular(j, n, ways_of) == i);
                const uint64_t to = dmm_layout_modular(dmm_layout_modular(i, n, 1), n, ways_of);
                const uint64_t block = i / (n / ways_of), within = i % (n / ways_of);
                REQUIRE(to == within * ways_of + block);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plan_gives_its_layout_and_back),
        cmocka_unit_test(modular_involutions_are_involutions_beyond_2_to_the_32),
    };
    return cmocka_run_group_tests_name("layout_plan", tests, NULL, NULL);
}
