/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The parts of chained totals by key where lanes exchange data (cl/by_key_lanes.clh,
 * cl/link_lanes.clh) as C11 on an emulated work-group. Earlier tiles may have published nothing.
 */
enum { U = 64, E = 4, TILE = U * E };
#include "support/lane_group.h"

#define DMM_U               64
#define DMM_E               4
#define DMM_W               32
#define DMM_TILE            (DMM_U * DMM_E)
#define DMM_BANK_BYTES      4
#define DMM_INDEX_BYTES     4
#define DMM_KEY_KIND        0
#define DMM_KEY_BYTES       4
#define DMM_PLANES          1
#define DMM_PLANE_BYTES     4
#define DMM_DESCENDING      0
#define DMM_ZERO_EQUAL      0
#define DMM_SCAN_OP         0
#define DMM_EXCLUSIVE       0
#define DMM_WORDS           1
#define DMM_WORD_BYTES      4
#define DMM_HEADS           0
#define DMM_BY_KEY_HELD     1
#define DMM_BY_KEY          1
#define DMM_LINK_COUNT_BITS 30
#define DMM_LANES_BY        1
#define DMM_LANES           LANES
#define DMM_POLLS           3
#define mem_fence(what)

#include "support/kernel_begin.h"
#include "cl/scan_lanes.clh"
#include "cl/by_key_source.clh"
#include "cl/by_key_lanes.clh"
#include "cl/link_before.clh"
#pragma GCC diagnostic pop

enum { MOST_TILES = 2 * LANES + 3, MOST = MOST_TILES * TILE };

static struct {
    uint keys[MOST], items[MOST];
    uint links[MOST_TILES * DMM_LINK_WORDS];
    dmm_plane tile[DMM_SCAN_TILE_WORDS], sums[DMM_SCAN_SUM_WORDS];
    dmm_lanes heads[DMM_HEAD_WORDS];
    uint ranks[DMM_HEAD_WORDS], lengths[DMM_HEAD_WORDS];
    dmm_begun begun[DMM_LANE_GROUPS];
    uint number;    /* tile's */
    uint blocks[U]; /* heads of blocks */
    uint held_keys[TILE];
    uint rank[TILE], length[TILE]; /* of items, heads before, and items since the last */
    dmm_since before[U], whole[U], earlier[LANES];
} test;

static void scan_tile(void)
{
    const dmm_by_key_local mem = {
        {test.tile, test.sums, DMM_SCAN_T}, test.heads, test.ranks, test.lengths, test.begun};
    const dmm_link_source from = {test.keys, test.items};
    const uint t = mem.scan.t, first = DMM_SCAN_STRIPE(t), x0 = test.number * TILE;
    uint keys[DMM_E];
    const uint heads = dmm_by_key_heads(from.keys, x0, TILE, t, keys);
    dmm_since own = {0, 0};
    dmm_term r[DMM_E];
    for (uint i = 0; i < E; i++)
        r[i] = test.items[x0 + first + i * LANES];
    const uint marks = test.blocks[t] = dmm_by_key_to_block(mem, r, heads);
    for (uint j = 0; j < E; j++)
        own = dmm_since_join(own, (dmm_since){r[j], marks >> j & 1});
    test.whole[t] = dmm_by_key_group(mem, own, &test.before[t]);
    dmm_by_key_store_ranks(mem, marks, test.before[t].begun);
    if (t < DMM_LINK_WALKERS)
        test.earlier[t] = dmm_link_before(test.links, from, test.number, test.whole[t]);
    barrier(CLK_LOCAL_MEM_FENCE);
    dmm_since before;
    dmm_by_key_group(mem, dmm_by_key_counted(marks, E), &before);
    dmm_by_key_store_length(mem, before.total);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < E; i++) {
        test.rank[first + i * LANES] = dmm_by_key_rank(mem, i);
        test.length[first + i * LANES] = dmm_by_key_length(mem, i);
        test.held_keys[first + i * LANES] = keys[i];
    }
}

static dmm_since after(dmm_since before, uint x)
{
    return dmm_since_join(before, (dmm_since){test.items[x], dmm_by_key_begins(test.keys, x)});
}

static int are_equal(dmm_since a, dmm_since b)
{
    return a.total == b.total && a.begun == b.begun;
}

/* Checks the tile, which follows `all`; returns what is then before the next one. */
static dmm_since check_tile(dmm_since all)
{
    dmm_since tile = {0, 0};
    uint length = 0;
    for (uint lane = 0; lane < LANES; lane++)
        REQUIRE(are_equal(test.earlier[lane], all));
    for (uint i = 0; i < TILE; i++) {
        const uint x = test.number * TILE + i;
        REQUIRE(i % E != 0 || are_equal(test.before[i / E], tile));
        REQUIRE(test.rank[i] == tile.begun);
        REQUIRE((test.blocks[i / E] >> i % E & 1) == dmm_by_key_begins(test.keys, x));
        REQUIRE(test.length[i] == length);
        REQUIRE(test.held_keys[i] == test.keys[x]);
        length = dmm_by_key_begins(test.keys, x) ? 1 : length + 1;
        tile = after(tile, x);
        all = after(all, x);
    }
    for (uint t = 0; t < U; t++)
        REQUIRE(are_equal(test.whole[t], tile));
    return all;
}

static void tiles_are_scanned_whatever_earlier_ones_have_published(void **state)
{
    static const uint lengths[] = {1, 4, 300, MOST};
    (void)state;
    draw = (random_source){13};
    for (uint run = 0; run < 8; run++) {
        dmm_since all = {0, 0};
        test_note("run %u", run);
        for (uint x = 0; x < MOST; x++) {
            test.items[x] = (uint)random_next(&draw);
            test.keys[x] =
                x > 0 ? test.keys[x - 1] + (random_next(&draw) % lengths[run % 4] == 0) : 7;
        }
        memset(test.links, 0, sizeof test.links);
        for (test.number = 0; test.number < MOST_TILES; test.number++) {
            for (uint tile = 0; tile < test.number && run >= 4; tile++) {
                uint *const link = test.links + tile * DMM_LINK_WORDS;
                const uint kind = (uint)random_next(&draw) % 9;
                if (kind < 3) /* nothing; or its own total alone, or a part of it */
                    memset(link + (kind == 0 ? 0 : DMM_LINK_PARTS), 0,
                        (kind == 0 ? 2 : 1) * DMM_LINK_PARTS * sizeof *link);
                if (kind == 2)
                    link[1] = 0;
            }
            run_group(scan_tile);
            all = check_tile(all);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_scanned_whatever_earlier_ones_have_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
