/* SPDX-License-Identifier: MIT */
/* cl/hull/exact.clh and quick.clh for coordinates of 4 bytes. */
#include "support/exact.h"

#include <string.h>
#include <tgmath.h>

#define DMM_COORD_BYTES 4
#define DMM_REAL        1
#include "cl/hull/exact.clh"

static float as_float(dmm_coord bits)
{
    float real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

#include "cl/hull/quick.clh"

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

int quick_cross_f32(flat a, flat b, flat p, flat q)
{
    return dmm_cross_quick(point_of(a), point_of(b), point_of(p), point_of(q));
}
