/* SPDX-License-Identifier: MIT */
/* cl/hull/exact.clh for coordinates of 4 bytes. */
#include "support/exact.h"

#include <string.h>

#define DMM_COORD_BYTES 4
#include "cl/hull/exact.clh"

static dmm_point point_of(flat p)
{
    dmm_point bits;
    memcpy(&bits, &p, sizeof bits);
    return bits;
}

int exact_orient_f32(flat a, flat b, flat c)
{
    return dmm_orient_exact(point_of(a), point_of(b), point_of(c));
}

int exact_cross_f32(flat a, flat b, flat p, flat q)
{
    return dmm_cross_exact(point_of(a), point_of(b), point_of(p), point_of(q));
}

int exact_compare_f32(flat a, flat b)
{
    return dmm_point_compare(point_of(a), point_of(b));
}
