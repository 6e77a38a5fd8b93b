/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * Set operations of lone keys where lanes exchange data (cl/sort/set_lanes.clh,
 * cl/before_lanes.clh), as C11 on an emulated work-group: unions, or symmetric differences in
 * test_set_lanes_singles.c. Earlier tiles may have published their own number alone, or nothing
 * yet.
 */
enum { U = 64, E = 4, TILE = U * E };
#include "support/lane_group.h"

#define clamp(x, least, most) max(least, min(x, most))

#define DMM_U               64
#define DMM_E               4
#define DMM_W               32
#define DMM_TILE            (DMM_U * DMM_E)
#define DMM_BANK_BYTES      4
#define DMM_INDEX_BYTES     4
#define DMM_PARTITION_U     64
#define DMM_KEY_KIND        0
#define DMM_KEY_BYTES       4
#define DMM_DESCENDING      0
#define DMM_ZERO_EQUAL      0
#define DMM_TIES            0
#define DMM_PLANES          1
#define DMM_PLANE_BYTES     4
#define DMM_VALUE_BYTES     0
#define DMM_PLAIN_SEARCH    0
#define DMM_SORT_POSITIONS  0
#define DMM_MERGE_POSITIONS 0
#define DMM_LANES_BY        1
#define DMM_LANES           LANES
#define DMM_POLLS           3
#define DMM_CHAINED
#if !defined(DMM_SET_OP)
#define DMM_SET_OP 0
#endif

#include "support/kernel_begin.h"
#include "cl/sort/set_lanes.clh"
#undef DMM_KERNEL_LANES /* clang allows Intel's attribute for OpenCL's kernels alone */
#define DMM_KERNEL_LANES DMM_KERNEL
#include "cl/sort/set_tile.clh"
#pragma GCC diagnostic pop

enum { MOST_TILES = 2 * LANES, MOST = MOST_TILES * TILE };

static struct {
    uint a[MOST], b[MOST], out[MOST], expected[MOST];
    uint na, nb;
    uint splits[2 * MOST_TILES + 1], counts[2]; /* the chain follows the splits */
    ulong total;
    uint own[MOST_TILES]; /* numbers of kept items of tiles */
    dmm_plane codes[DMM_PLANES * DMM_PLANE_WORDS];
    dmm_word sums[DMM_SUMS_WORDS];
    uint taken;
    dmm_index first;
} test;

static uint tiles(void)
{
    return max((test.na + test.nb + TILE - 1) / TILE, 1u);
}

static dmm_set_call call(void)
{
    return (dmm_set_call){.merge = {.end = test.na + test.nb,
                              .run = test.na,
                              .span = max(test.na + test.nb, 1u),
                              .tiles = tiles()},
        .most = test.na + test.nb,
        .last_tile = tiles() - 1};
}

static void set_tile(void)
{
    const dmm_tile tile = {.codes = test.codes};
    const dmm_set_local mem = {
        tile, test.sums, &test.taken, &test.first, dmm_lane_group() * DMM_LANES + dmm_lane()};
    const dmm_items a = {.keys = test.a}, b = {.keys = test.b - test.na}, out = {.keys = test.out};
    dmm_set_take_tile(mem, a, b, out, test.splits, test.counts, &test.total, call());
}

/* Returns the number of expected items. */
static uint expect(void)
{
    uint i = 0, j = 0, kept = 0;
    while (i < test.na || j < test.nb) {
        const uint x =
            j == test.nb || (i < test.na && test.a[i] <= test.b[j]) ? test.a[i] : test.b[j];
        uint of_a = 0, of_b = 0;
        for (; i < test.na && test.a[i] == x; i++)
            of_a++;
        for (; j < test.nb && test.b[j] == x; j++)
            of_b++;
        const uint most = max(of_a, of_b), least = min(of_a, of_b);
        for (uint k = 0; k < (DMM_SET_OP == DMM_SET_EITHER ? most : most - least); k++)
            test.expected[kept++] = x;
    }
    return kept;
}

/* Draws n rising keys: `step` apart at most. */
static void draw_list(uint *list, uint n, uint step, uint first)
{
    for (uint x = first, i = 0; i < n; i++) {
        x += (uint)random_next(&draw) % step;
        list[i] = x;
    }
}

/* Takes back what earlier tiles have published: all, their own number alone, or nothing. */
static void take_back(uint tile, uint run)
{
    uint *const words = test.splits + tiles() + 1;
    for (uint t = 0; t < tile; t++) {
        const uint kind = run % 4 == 0 ? 0 : (uint)random_next(&draw) % (run % 4 == 1 ? 3 : 20);
        if (kind == 1 || run % 4 == 3)
            words[t] = DMM_CHAIN_OWN | test.own[t];
        if (kind == 2)
            words[t] = 0;
    }
}

static void run_call(uint run)
{
    const uint n = test.na + test.nb, expected = expect();
    uint kept = 0;
    memset(test.out, 0, sizeof test.out);
    memset(test.splits, 0, sizeof test.splits);
    for (uint q = 0; q < tiles(); q++)
        test.splits[q] = dmm_merge_search(test.a, test.na, test.b, test.nb, q * TILE);
    for (uint tile = 0; tile < tiles(); tile++) {
        take_back(tile, run);
        run_group(set_tile);
        const uint end = tile + 1 < tiles() ? test.splits[tiles() + 1 + tile] : 0;
        REQUIRE(tile + 1 == tiles() || (end & DMM_CHAIN_ALL) != 0);
        test.own[tile] = (end & DMM_CHAIN_COUNT) - kept;
        kept = end & DMM_CHAIN_COUNT;
    }
    REQUIRE(test.total == expected && test.counts[1] == expected);
    REQUIRE(memcmp(test.out, test.expected, expected * sizeof *test.out) == 0);
    REQUIRE(expected == n || test.out[expected] == 0);
}

static void tiles_keep_what_they_should_whatever_earlier_ones_have_published(void **state)
{
    static const uint sizes[] = {1, TILE, TILE - 1, TILE + 1, 5 * TILE + 7, (LANES + 3) * TILE + 5};
    (void)state;
    draw = (random_source){7};
    for (uint run = 0; run < 48; run++) {
        const uint n = sizes[run / 8], steps[] = {1, 2, 7, 50};
        test.na = run % 5 == 0 ? n : run % 7 == 0 ? 0 : (uint)random_next(&draw) % (n + 1);
        test.nb = n - test.na;
        test_note("run %u: %u and %u items", run, test.na, test.nb);
        /* also up to the greatest code, which padding has */
        draw_list(test.a, test.na, steps[run % 4], run % 3 == 0 ? ~0u - 49 * MOST : 5);
        draw_list(test.b, test.nb, steps[run / 2 % 4], run % 3 == 0 ? ~0u - 49 * MOST : 5);
        if (run % 3 == 1 && test.na > 0 && test.nb > 0)
            test.a[test.na - 1] = test.b[test.nb - 1] = ~0u;
        run_call(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_keep_what_they_should_whatever_earlier_ones_have_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
