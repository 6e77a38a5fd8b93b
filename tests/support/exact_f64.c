/* SPDX-License-Identifier: MIT */
/* cl/hull/exact.clh for coordinates of 8 bytes. */
#include "support/exact.h"

#include <string.h>

#define DMM_COORD_BYTES 8
#include "cl/hull/exact.clh"

static dmm_point point_of(spot p)
{
    dmm_point bits;
    memcpy(&bits, &p, sizeof bits);
    return bits;
}

int exact_orient_f64(spot a, spot b, spot c)
{
    return dmm_orient_exact(point_of(a), point_of(b), point_of(c));
}

int exact_cross_f64(spot a, spot b, spot p, spot q)
{
    return dmm_cross_exact(point_of(a), point_of(b), point_of(p), point_of(q));
}

int exact_compare_f64(spot a, spot b)
{
    return dmm_point_compare(point_of(a), point_of(b));
}
