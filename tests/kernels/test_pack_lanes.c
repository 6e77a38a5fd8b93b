/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The rank by ballots of packing, and its look back along the chain by a sub-group
 * (cl/pack/pack_ballot.clh, cl/chain_lanes.clh), as C11 on an emulated work-group: selections by an
 * expression, or runs in test_pack_lanes_runs.c. Earlier tiles may have published their own number
 * alone, or nothing yet.
 */
enum { U = 64, E = 3, TILE = U * E };
#include "support/lane_group.h"

#define DMM_U           64
#define DMM_E           3
#define DMM_W           32
#define DMM_TILE        (DMM_U * DMM_E)
#define DMM_BANK_BYTES  4
#define DMM_INDEX_BYTES 4
#define DMM_WORDS       1
#define DMM_WORD_BYTES  4
#if !defined(DMM_PACK_BY)
#define DMM_PACK_BY 2
#endif
#define DMM_PACK_SECOND   0
#define DMM_PACK_BEHIND   0
#define DMM_PACK_SPLIT    0
#define DMM_CARRIED       1
#define DMM_CARRIED_BYTES 4
#define DMM_LANES_BY      1
#define DMM_LANES         LANES
#define DMM_POLLS         3

typedef uint dmm_item;
static int dmm_select_where(dmm_item x, ulong i)
{
    return x % 3 == 0 || i % 7 == 0;
}

#include "support/kernel_begin.h"
#include "cl/pack/pack_ballot.clh"
#pragma GCC diagnostic pop

enum { MOST_TILES = 3 * LANES, MOST = MOST_TILES * TILE };

static struct {
    uint items[MOST], values[MOST], out[MOST], values_out[MOST], rest[MOST], n;
    ulong positions[MOST];
    uint words[MOST_TILES], own[MOST_TILES]; /* chain; numbers of kept items of tiles */
    uint sums[DMM_LANE_GROUPS];
    dmm_pack_places place, next;
    uint tile;
} test;

static void pack_tile(void)
{
    const dmm_pack_local mem = {test.sums, &test.place, dmm_lane_group() * DMM_LANES + dmm_lane()};
    const dmm_pack_view s = {.items = test.items,
        .values = test.values,
        .out = {test.out, test.values_out},
        .rest = {test.rest, NULL},
        .positions = test.positions,
        .end = test.n,
        .all = test.n};
    const dmm_pack_link link = {
        .words = test.words, .tile = test.tile, .last = (test.n - 1) / TILE};
    const uint x0 = test.tile * TILE, count = test.n - x0 < TILE ? test.n - x0 : TILE;
    test.next = dmm_pack_tile(s, mem, x0, count, link, (dmm_pack_places){0, 0});
}

static int is_kept(uint x)
{
    return DMM_PACK_BY == DMM_PACK_RUNS ? x == 0 || test.items[x] != test.items[x - 1]
                                        : dmm_select_where(test.items[x], x);
}

/* Takes back what earlier tiles have published: all, their own number alone, or nothing. */
static void take_back(uint tiles, uint run)
{
    for (uint tile = 0; tile < tiles; tile++) {
        const uint kind = run % 4 == 0 ? 0 : (uint)random_next(&draw) % (run % 4 == 1 ? 3 : 20);
        if (kind == 1 || run % 4 == 3)
            test.words[tile] = DMM_CHAIN_OWN | test.own[tile];
        if (kind == 2)
            test.words[tile] = 0;
    }
}

static void check(void)
{
    uint kept = 0, rest = 0;
    for (uint x = 0; x < test.n; x++)
        if (is_kept(x)) {
            REQUIRE(test.out[kept] == test.items[x] && test.values_out[kept] == test.values[x]);
            REQUIRE(test.positions[kept++] == x);
        } else {
            REQUIRE(!DMM_PACK_HAS_REST || test.rest[rest] == test.items[x]);
            rest++;
        }
    REQUIRE(test.next.kept == kept);
}

static void tiles_are_packed_whatever_earlier_ones_have_published(void **state)
{
    static const uint sizes[] = {
        1, TILE, TILE - 1, TILE + 1, 5 * TILE + 7, LANES * TILE, (LANES + 1) * TILE + 100, MOST};
    (void)state;
    draw = (random_source){7};
    for (uint run = 0; run < 32; run++) {
        test.n = sizes[run / 4];
        test_note("run %u: %u items", run, test.n);
        for (uint x = 0; x < test.n; x++) {
            test.items[x] = run % 5 == 0 ? 3 : x / 5 + (uint)random_next(&draw) % 2;
            test.values[x] = (uint)random_next(&draw);
        }
        memset(test.words, 0, sizeof test.words);
        for (test.tile = 0; test.tile * TILE < test.n; test.tile++) {
            const uint x0 = test.tile * TILE, end = test.n - x0 < TILE ? test.n : x0 + TILE;
            test.own[test.tile] = 0;
            for (uint x = x0; x < end; x++)
                test.own[test.tile] += is_kept(x) != 0;
            take_back(test.tile, run);
            run_group(pack_tile);
            REQUIRE(test.words[test.tile] == (end < test.n ? DMM_CHAIN_ALL | test.next.kept : 0));
        }
        check();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_packed_whatever_earlier_ones_have_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
