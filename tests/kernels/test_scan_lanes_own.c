/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * test_scan_lanes.c for items of 10 bytes and an operator of the caller's: maps x -> slope*x +
 * shift, one after the other, which do not commute, and sums.
 */
typedef struct dmm_item {
    unsigned short slope, shift, sums[3];
} dmm_item;

#define DMM_SCAN_OP     3
#define DMM_KEY_KIND    3
#define DMM_KEY_BYTES   10
#define DMM_PLANES      3
#define DMM_PLANE_BYTES 4

static dmm_item dmm_operator_identity(void)
{
    return (dmm_item){.slope = 1};
}

static dmm_item dmm_operator_combine(const dmm_item a, const dmm_item b)
{
    dmm_item both = {.slope = (unsigned short)((unsigned)a.slope * b.slope),
        .shift = (unsigned short)((unsigned)a.shift * b.slope + b.shift)};
    for (int i = 0; i < 3; i++)
        both.sums[i] = (unsigned short)(a.sums[i] + b.sums[i]);
    return both;
}

static int dmm_item_less(const dmm_item a, const dmm_item b)
{
    (void)a, (void)b;
    return 0;
}

#include "test_scan_lanes.c"
