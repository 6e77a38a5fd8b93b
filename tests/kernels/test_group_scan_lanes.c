/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * Reductions and scans of a group whose lanes exchange data (cl/scan_sub_groups.clh) as C11 on an
 * emulated work-group, by an operator that does not commute, against the same on the host: here in
 * sub-groups of 16 lanes, in test_group_scan_lanes_few.c of 4, whose totals are more than lanes.
 */
#if !defined(LANES)
#define LANES 16
#endif
enum { U = 128 };
#include "support/lane_group.h"

#define DMM_U              128
#define DMM_E              3
#define DMM_W              16
#define DMM_TILE           (DMM_U * DMM_E)
#define DMM_BANK_BYTES     4
#define DMM_PLANE_BYTES    4
#define DMM_PLANES         3
#define DMM_PACKED         0
#define DMM_INDEX_BYTES    4
#define DMM_KEY_KIND       3
#define DMM_KEY_BYTES      12
#define DMM_DESCENDING     0
#define DMM_ZERO_EQUAL     0
#define DMM_TIES           1
#define DMM_GROUP_OPERATES 1
#define DMM_GROUP_LANES    LANES
#define DMM_GROUP_COLUMNS  0
typedef struct dmm_item {
    unsigned scale, add, other;
} dmm_item;
#define DMM_ITEM_OF_KEY(key) (key)

static int dmm_item_less(dmm_item a, dmm_item b)
{
    (void)a, (void)b;
    return 0;
}

/* Affine maps, one after the other, and a sum. */
static dmm_item dmm_operator_combine(dmm_item a, dmm_item b)
{
    return (dmm_item){a.scale * b.scale, a.add * b.scale + b.add, a.other + b.other};
}

static dmm_item dmm_operator_identity(void)
{
    return (dmm_item){1, 0, 0};
}

#include "support/kernel_begin.h"
#include "cl/group/group_items.clh"
#pragma GCC diagnostic pop

enum { T = DMM_TILE };

static struct {
    dmm_item items[T], scanned[T], inclusive[T], total[U], again[U];
    int exclusive;
    dmm_room_word room[DMM_ROOM_WORDS];
} test;

static void combine(void)
{
    dmm_item r[DMM_E];
    dmm_load(r, test.items, T, test.items[0], test.room);
    test.total[current] = dmm_reduce(r, test.room);
    test.again[current] = dmm_scan_after(r, test.exclusive, test.items[7], test.room);
    memcpy(test.scanned + current * DMM_E, r, sizeof r);
    dmm_load(r, test.items, T, test.items[0], test.room);
    dmm_scan_inclusive(r, test.room);
    memcpy(test.inclusive + current * DMM_E, r, sizeof r);
}

static int same(dmm_item a, dmm_item b)
{
    return a.scale == b.scale && a.add == b.add && a.other == b.other;
}

static void operators_combine_in_order(void **state)
{
    (void)state;
    draw = (random_source){1};
    for (int run = 0; run < 10; run++) {
        random_bytes(&draw, test.items, sizeof test.items);
        test.exclusive = run % 2;
        run_group(combine);
        dmm_item own = dmm_operator_identity(), carried = test.items[7];
        for (uint x = 0; x < T; x++) {
            const dmm_item earlier = carried;
            own = dmm_operator_combine(own, test.items[x]);
            carried = dmm_operator_combine(carried, test.items[x]);
            REQUIRE(same(test.inclusive[x], own));
            REQUIRE(same(test.scanned[x], test.exclusive ? earlier : carried));
        }
        for (uint t = 0; t < U; t++)
            REQUIRE(same(test.total[t], own) && same(test.again[t], own));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_combine_in_order),
    };
    return cmocka_run_group_tests_name("group_scan_lanes", tests, NULL, NULL);
}
