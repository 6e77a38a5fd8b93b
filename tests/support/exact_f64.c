/* SPDX-License-Identifier: MIT */
/* cl/hull/exact.clh and quick.clh for coordinates of 8 bytes. */
#include "support/exact.h"

#include <string.h>
#include <tgmath.h>

#define DMM_COORD_BYTES 8
#define DMM_REAL        1
#include "cl/hull/exact.clh"

static double as_double(dmm_coord bits)
{
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

#include "cl/hull/quick.clh"

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

int quick_cross_f64(plane_point a, plane_point b, plane_point p, plane_point q)
{
    return dmm_cross_quick(point_of(a), point_of(b), point_of(p), point_of(q));
}
