/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * Collectives of a sub-group (cl/group/group_lanes.clh) as C11 on an emulated work-group, against
 * the same on the host: here of 32 lanes with 4 numbers each, in test_group_lanes_items.c of 64
 * with 8 items by `less`.
 */
#ifndef LANES
#define LANES     32
#define DMM_E     4
#define DMM_ITEMS 0
#endif
enum { U = 2 * LANES };
#include "support/lane_group.h"

#define DMM_U              LANES
#define DMM_W              4
#define DMM_TILE           (DMM_U * DMM_E)
#define DMM_BANK_BYTES     4
#define DMM_INDEX_BYTES    4
#define DMM_DESCENDING     0
#define DMM_ZERO_EQUAL     0
#define DMM_TIES           1
#define DMM_GROUP_OPERATES 1
#define DMM_GROUP_SORTS    1
#define DMM_LANE_BINS      16

#if DMM_ITEMS
#define DMM_KEY_KIND  3
#define DMM_KEY_BYTES 12
typedef struct dmm_item {
    unsigned short number, rest;
    unsigned value;
    unsigned char more;
} dmm_item;
static int dmm_item_less(dmm_item a, dmm_item b)
{
    return a.number > b.number;
}
#define DMM_ITEM_OF_KEY(key) (key)
#define NUMBER(item)         (item).number
#define VALUE(item)          (item).value
#else
#define DMM_KEY_KIND          0
#define DMM_KEY_BYTES         4
#define DMM_PACKED            1
typedef unsigned dmm_item;
#define DMM_KEY_OF_ITEM(item) (item)
#define DMM_ITEM_OF_KEY(key)  (key)
#define NUMBER(item)          (item)
#define VALUE(item)           (item)
#endif

/* Affine maps mod 2^16, one after the other: does not commute. */
static unsigned affine(unsigned a, unsigned b)
{
    const unsigned scale = (b >> 16) * (a >> 16), add = (a & 0xffff) * (b >> 16) + (b & 0xffff);
    return scale << 16 | (add & 0xffff);
}

static dmm_item dmm_operator_combine(dmm_item a, dmm_item b)
{
    VALUE(b) = affine(VALUE(a), VALUE(b));
    return b;
}

static dmm_item dmm_operator_identity(void)
{
    dmm_item one;
    memset(&one, 0, sizeof one);
    VALUE(one) = 1 << 16;
    return one;
}

#include "support/kernel_begin.h"
#include "cl/group/group_lanes.clh"
#pragma GCC diagnostic pop

enum { T = DMM_TILE };

static struct {
    dmm_item items[GROUPS * T], out[GROUPS * T], again[GROUPS * T], total[U];
    uint from[GROUPS * T], count, exclusive;
} test;

static void draw_items(uint most)
{
    memset(&test, 0, sizeof test);
    for (uint x = 0; x < GROUPS * T; x++) {
        const uint any = (uint)random_next(&draw);
        VALUE(test.items[x]) = any;
        NUMBER(test.items[x]) = (unsigned short)(any % most);
    }
}

/* Keeps the registers of a lane, in the order of blocks. */
static void keep(dmm_item *out, const dmm_item r[DMM_E])
{
    for (uint j = 0; j < DMM_E; j++)
        out[current * DMM_E + j] = r[j];
}

static void move(void)
{
    const uint first = dmm_lane_group() * T;
    dmm_item r[DMM_E];
    dmm_load(r, test.items + first, test.count, test.items[0]);
    keep(test.again, r);
    dmm_store(test.out + first, r, test.count);
}

static void items_change_between_stripes_and_blocks(void **state)
{
    static const uint counts[] = {T, T - 1, LANES + 3, 1, 0};
    const dmm_item none = {0};
    (void)state;
    draw = (random_source){1};
    for (uint run = 0; run < 10; run++) {
        draw_items(1 << 16);
        test.count = counts[run % 5];
        run_group(move);
        for (uint x = 0; x < GROUPS * T; x++) {
            const int real = x % T < test.count;
            REQUIRE(memcmp(&test.again[x], &test.items[real ? x : 0], sizeof none) == 0);
            REQUIRE(memcmp(&test.out[x], real ? &test.items[x] : &none, sizeof none) == 0);
        }
    }
}

static void sort(void)
{
    dmm_item r[DMM_E];
    uint from[DMM_E];
    dmm_load(r, test.items + dmm_lane_group() * T, T, test.items[0]);
    dmm_sort_from(r, from, test.count);
    keep(test.out, r);
    for (uint j = 0; j < DMM_E; j++)
        test.from[current * DMM_E + j] = from[j];
}

/* True if a is to be before b. */
static int before(dmm_item a, dmm_item b)
{
    return DMM_ITEMS ? NUMBER(a) > NUMBER(b) : NUMBER(a) < NUMBER(b);
}

static void items_are_sorted_stably(void **state)
{
    static const uint counts[] = {T, T - 1, LANES + 3, 1, 0, T / 2};
    (void)state;
    draw = (random_source){2};
    for (uint run = 0; run < 24; run++) {
        draw_items(run % 2 ? 1 << 16 : 1 + run);
        test.count = counts[run % 6];
        run_group(sort);
        for (uint g = 0; g < GROUPS * T; g += T)
            for (uint x = 0; x < test.count; x++) {
                const uint from = test.from[g + x];
                REQUIRE(from < test.count);
                REQUIRE(memcmp(&test.out[g + x], &test.items[g + from], sizeof(dmm_item)) == 0);
                REQUIRE(
                    x == 0 || before(test.out[g + x - 1], test.out[g + x]) ||
                    (!before(test.out[g + x], test.out[g + x - 1]) && test.from[g + x - 1] < from));
            }
    }
}

static void combine(void)
{
    dmm_item r[DMM_E], carry = test.items[7];
    dmm_load(r, test.items + dmm_lane_group() * T, T, test.items[0]);
    test.total[current] = dmm_reduce(r);
    REQUIRE(VALUE(dmm_scan_after(r, (int)test.exclusive, carry)) == VALUE(test.total[current]));
    keep(test.out, r);
    dmm_load(r, test.items + dmm_lane_group() * T, T, test.items[0]);
    dmm_scan_inclusive(r);
    keep(test.again, r);
}

static void operators_combine_in_order(void **state)
{
    (void)state;
    draw = (random_source){3};
    for (uint run = 0; run < 10; run++) {
        draw_items(1 << 16);
        test.exclusive = run % 2;
        run_group(combine);
        for (uint g = 0; g < GROUPS; g++) {
            uint own = 1 << 16, carried = VALUE(test.items[7]);
            for (uint x = g * T; x < (g + 1) * T; x++) {
                const uint earlier = carried;
                own = affine(own, VALUE(test.items[x]));
                carried = affine(carried, VALUE(test.items[x]));
                REQUIRE(VALUE(test.again[x]) == own);
                REQUIRE(VALUE(test.out[x]) == (test.exclusive ? earlier : carried));
            }
            for (uint lane = 0; lane < LANES; lane++)
                REQUIRE(VALUE(test.total[g * LANES + lane]) == own);
        }
    }
}

static uint digits[GROUPS * T], ranks[GROUPS * T], places[GROUPS * T], numbers[U];

static void rank_and_place(void)
{
    const uint first = dmm_lane_group() * T + dmm_lane();
    uint digit[DMM_E], rank[DMM_E], flags[DMM_E];
    for (uint i = 0; i < DMM_E; i++)
        flags[i] = (digit[i] = digits[first + i * LANES]) % 3 == 0 ? digit[i] + 1 : 0;
    dmm_rank(rank, digit);
    for (uint i = 0; i < DMM_E; i++)
        ranks[first + i * LANES] = rank[i];
    numbers[current] = dmm_places(rank, flags);
    for (uint i = 0; i < DMM_E; i++)
        places[first + i * LANES] = rank[i];
}

static void digits_have_ranks_and_flags_places(void **state)
{
    (void)state;
    draw = (random_source){4};
    for (uint run = 0; run < 20; run++) {
        for (uint x = 0; x < GROUPS * T; x++)
            digits[x] = (uint)random_next(&draw) % (run % 2 ? 1 + run / 2 : DMM_LANE_BINS);
        run_group(rank_and_place);
        for (uint g = 0; g < GROUPS * T; g += T) {
            uint flagged = 0;
            for (uint x = g; x < g + T; x++) {
                uint rank = 0;
                for (uint y = g; y < g + T; y++)
                    rank += digits[y] < digits[x] || (digits[y] == digits[x] && y < x);
                REQUIRE(ranks[x] == rank);
                REQUIRE(places[x] == flagged);
                flagged += digits[x] % 3 == 0;
            }
            REQUIRE(numbers[g / T * LANES] == flagged);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_change_between_stripes_and_blocks),
        cmocka_unit_test(items_are_sorted_stably),
        cmocka_unit_test(operators_combine_in_order),
        cmocka_unit_test(digits_have_ranks_and_flags_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
