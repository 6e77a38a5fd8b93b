/* SPDX-License-Identifier: MIT */
/* cl/hull/exact.clh for coordinates of 8 bytes. */
#include "support/exact.h"

#include <string.h>

#define DMM_COORD_BYTES 8
#include "cl/hull/exact.clh"

static dmm_point point_of(plane_point p)
{
    dmm_point bits;
    memcpy(&bits, &p, sizeof bits);
    return bits;
}

int exact_orient_f64(plane_point a, plane_point b, plane_point c)
{
    return dmm_orient_exact(point_of(a), point_of(b), point_of(c));
}

int exact_cross_f64(plane_point a, plane_point b, plane_point p, plane_point q)
{
    return dmm_cross_exact(point_of(a), point_of(b), point_of(p), point_of(q));
}

int exact_compare_f64(plane_point a, plane_point b)
{
    return dmm_point_compare(point_of(a), point_of(b));
}
