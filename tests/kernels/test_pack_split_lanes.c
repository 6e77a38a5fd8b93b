/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The ranges of a split where lanes exchange data (cl/pack/pack_split.clh, pack_split_lanes.clh) as
 * C11 on an emulated work-group: of one tile or several, and ranges without items.
 */
enum { U = 64, E = 3, TILE = U * E };
#include "support/lane_group.h"

#define DMM_U             64
#define DMM_E             3
#define DMM_W             32
#define DMM_TILE          (DMM_U * DMM_E)
#define DMM_BANK_BYTES    4
#define DMM_INDEX_BYTES   4
#define DMM_WORDS         1
#define DMM_WORD_BYTES    4
#define DMM_PACK_BY       2
#define DMM_PACK_SECOND   0
#define DMM_PACK_BEHIND   0
#define DMM_PACK_SPLIT    1
#define DMM_CARRIED       1
#define DMM_CARRIED_BYTES 4
#define DMM_LANES_BY      1
#define DMM_LANES         LANES

typedef uint dmm_item;
static int dmm_select_where(dmm_item x, ulong i)
{
    return x % 3 == 0 || i % 7 == 0;
}

#include "support/kernel_begin.h"
#include "cl/pack/pack_split_lanes.clh"
#undef DMM_KERNEL_LANES /* clang allows Intel's attribute for OpenCL's kernels alone */
#define DMM_KERNEL_LANES DMM_KERNEL
#include "cl/pack/pack_split.clh"
#pragma GCC diagnostic pop

enum { MOST_RANGES = 70, NUMBER = 1000, MOST = MOST_RANGES * 3 * TILE };

static struct {
    uint items[MOST], values[MOST], out[MOST], values_out[MOST], n, size, ranges, own;
    uint sums[4 * DMM_LANE_GROUPS], kept[MOST_RANGES], all[U];
} test;

static void move_range(void)
{
    const uint t = dmm_lane_group() * DMM_LANES + dmm_lane();
    const dmm_pack_split_local mem = {test.sums, t};
    const dmm_pack_view s = {.items = test.items,
        .values = test.values,
        .out = {test.out, test.values_out},
        .end = test.n,
        .all = test.n,
        .number = NUMBER};
    test.all[t] = dmm_pack_split_range(s, mem, test.kept, test.own, test.ranges, test.size);
}

static int is_kept(uint x)
{
    return dmm_select_where(test.items[x], NUMBER + x);
}

/* Draws items and counts what is kept; returns the number of all that are. */
static uint begin(uint run)
{
    uint kept = 0;
    memset(test.kept, 0, sizeof test.kept);
    memset(test.out, 0xff, sizeof test.out);
    for (uint x = 0; x < test.n; x++) {
        test.items[x] = run % 5 == 0 ? 3 : run % 5 == 1 ? 1 : (uint)random_next(&draw) % 1000;
        test.values[x] = (uint)random_next(&draw);
        test.kept[x / test.size] += is_kept(x) != 0;
        kept += is_kept(x) != 0;
    }
    return kept;
}

static void move_all(void)
{
    for (test.own = test.ranges; test.own-- > 0;)
        run_group(move_range);
}

static void ranges_are_moved_in_order(void **state)
{
    static const uint sizes[] = {TILE, 2 * TILE, 3 * TILE, 2 * TILE + 50};
    (void)state;
    draw = (random_source){11};
    for (uint run = 0; run < 60; run++) {
        test.size = sizes[run % 4];
        test.n = run == 0 ? 1 : 1 + (uint)random_next(&draw) % (MOST_RANGES * test.size);
        test.ranges = (test.n - 1) / test.size + 1;
        test_note("run %u: %u items in ranges of %u", run, test.n, test.size);
        const uint all = begin(run), begins = test.n - all;
        if (test.ranges < MOST_RANGES) /* device memory may say that there are fewer items */
            test.ranges++;
        move_all();
        for (uint x = 0, kept = 0; x < test.n; x++) {
            const uint place = is_kept(x) ? begins + kept : x - kept;
            REQUIRE(test.out[place] == test.items[x] && test.values_out[place] == test.values[x]);
            kept += is_kept(x) != 0;
        }
        for (uint t = 0; t < U; t++)
            REQUIRE(test.all[t] == all);
    }
}

static void nothing_is_moved_if_an_item_is_wrong(void **state)
{
    (void)state;
    draw = (random_source){12};
    test.size = 2 * TILE;
    test.n = MOST_RANGES * test.size;
    test.ranges = MOST_RANGES;
    for (uint wrong = 0; wrong < MOST_RANGES; wrong += 23) {
        begin(2);
        test.kept[wrong] = DMM_PACK_WRONG;
        move_all();
        for (uint x = 0; x < test.n; x++)
            REQUIRE(test.out[x] == 0xffffffffu);
        for (uint t = 0; t < U; t++)
            REQUIRE(test.all[t] == DMM_PACK_WRONG);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_moved_in_order),
        cmocka_unit_test(nothing_is_moved_if_an_item_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
