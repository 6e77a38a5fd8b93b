/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * A radix sort of a group whose lanes exchange data (cl/radix/radix_bits_lanes.clh) as C11 on an
 * emulated work-group, against the same on the host, and the banks that its items meet: here of
 * numbers of 32 bits, 32 lanes and 32 banks, in test_group_radix_lanes_u64.c of 64 bits, in _few.c
 * and _wide.c of 8 and 64 lanes and 4 and 64 banks.
 */
#if !defined(LANES)
#define LANES         32
#define DMM_E         8
#define DMM_W         32
#define DMM_KEY_BYTES 4
#endif
enum { U = 4 * LANES };
#include "support/lane_group.h"

#include "support/banks.h"

#define DMM_U             (4 * LANES)
#define DMM_TILE          (DMM_U * DMM_E)
#define DMM_BANK_BYTES    4
#define DMM_PLANE_BYTES   DMM_KEY_BYTES
#define DMM_PLANES        1
#define DMM_PACKED        0
#define DMM_INDEX_BYTES   4
#define DMM_KEY_KIND      0
#define DMM_DESCENDING    0
#define DMM_ZERO_EQUAL    0
#define DMM_TIES          1
#define DMM_SPLIT         1
#define DMM_STEP_BITS     4
#define DMM_GROUP_LANES   LANES
#define DMM_GROUP_COLUMNS 0
#if DMM_KEY_BYTES == 8
typedef unsigned long dmm_item;
#else
typedef unsigned dmm_item;
#endif
#define ALL                   ((dmm_item)-1)
#define DMM_KEY_OF_ITEM(item) (item)
#define DMM_ITEM_OF_KEY(key)  (key)

#include "support/kernel_begin.h"
#include "cl/tile.clh"

enum { T = DMM_TILE, MOST_ACCESSES = 2 * DMM_E * (8 * DMM_KEY_BYTES + 1) };

/* Addresses of the items that each work-item accesses, in order. */
static struct {
    uint address[U][MOST_ACCESSES], number[U];
} seen;
static int planted;

static uint noted(uint address)
{
    REQUIRE(seen.number[current] < MOST_ACCESSES && address < DMM_PLANE_WORDS);
    return seen.address[current][seen.number[current]++] = address;
}

/* Returns dmm_split_address or, as an error for the judge to find, ones upward, too. */
static uint address_of(uint x, uint one, uint zeros_before, uint tile)
{
    if (planted && one)
        return (tile / 2 + 1 + x - zeros_before) % tile;
    return dmm_split_address(x, one, zeros_before, tile);
}

#define dmm_split_address         address_of
#define dmm_block_put(tile, j, r) dmm_block_put(tile, noted(j), r)
#define dmm_block_get(tile, j)    dmm_block_get(tile, noted(j))
#include "cl/group/group_radix.clh"
#pragma GCC diagnostic pop

static struct {
    dmm_item items[T], out[T];
    uint from[T], begin, bits, count;
    dmm_room_word room[DMM_ROOM_WORDS];
} test;

static void sort(void)
{
    dmm_item r[DMM_E];
    uint from[DMM_E];
    dmm_load_stripes(r, test.items, test.count, 0);
    dmm_sort_bits_from(r, from, test.count, test.begin, test.bits, test.room);
    for (uint i = 0; i < DMM_E; i++) {
        test.out[current + i * U] = r[i];
        test.from[current + i * U] = from[i];
    }
}

static void sort_drawn(uint run)
{
    static const uint counts[] = {T, T - 1, LANES + 3, 1, 0, T / 2};
    test.count = counts[run % 6];
    test.begin = run * 5 % (8 * DMM_KEY_BYTES);
    test.bits = (uint)random_below(&draw, 8 * DMM_KEY_BYTES + 1 - test.begin);
    if (run == 7)
        test.begin = 0, test.bits = 8 * DMM_KEY_BYTES;
    for (uint x = 0; x < T; x++)
        test.items[x] = (dmm_item)random_next(&draw) >> (run % 3 == 0 ? 8 * DMM_KEY_BYTES - 3 : 0) |
                        (run == 4 ? ALL : 0);
    memset(&seen, 0, sizeof seen);
    run_group(sort);
}

static void bits_are_sorted_stably(void **state)
{
    (void)state;
    draw = (random_source){1};
    for (uint run = 0; run < 24; run++) {
        sort_drawn(run);
        const dmm_item mask = test.bits > 0 ? ALL >> (8 * DMM_KEY_BYTES - test.bits) : 0;
        for (uint x = 0; x < test.count; x++) {
            const uint from = test.from[x];
            REQUIRE(from < test.count && test.out[x] == test.items[from]);
            const dmm_item digit = test.out[x] >> test.begin & mask;
            const dmm_item last = x > 0 ? test.out[x - 1] >> test.begin & mask : 0;
            REQUIRE(x == 0 || last < digit || (last == digit && test.from[x - 1] < from));
        }
    }
}

/* Returns the most passes of a step in which w neighbouring work-items access items. */
static uint most_passes(void)
{
    uint most = 0;
    for (uint warp = 0; warp < U; warp += DMM_W_KEY)
        for (uint k = 0; k < seen.number[warp]; k++) {
            uint addresses[DMM_W_KEY];
            for (uint lane = 0; lane < DMM_W_KEY; lane++) {
                REQUIRE(seen.number[warp + lane] == seen.number[warp]);
                addresses[lane] = seen.address[warp + lane][k];
            }
            const uint here = passes(addresses, DMM_W_KEY, DMM_W_KEY);
            most = here > most ? here : most;
        }
    return most;
}

static void no_bank_is_asked_for_two_items(void **state)
{
    (void)state;
    draw = (random_source){2};
    for (uint run = 0; run < 24; run++) {
        sort_drawn(run);
        REQUIRE(most_passes() == (test.bits > 0));
    }
}

static void the_judge_finds_ones_that_go_upward(void **state)
{
    (void)state;
    draw = (random_source){3};
    planted = 1;
    sort_drawn(7);
    planted = 0;
    REQUIRE(most_passes() > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_sorted_stably),
        cmocka_unit_test(no_bank_is_asked_for_two_items),
        cmocka_unit_test(the_judge_finds_ones_that_go_upward),
    };
    return cmocka_run_group_tests_name("group_radix_lanes", tests, NULL, NULL);
}
