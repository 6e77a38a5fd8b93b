/* SPDX-License-Identifier: MIT */
/*
 * Clouds of points for tests of hulls. Coordinates are doubles that a float holds exactly where the
 * type is DMM_F32, so that the judges need not know the type.
 */
#ifndef DMM_TESTS_HULL_CLOUD_H
#define DMM_TESTS_HULL_CLOUD_H

#include <dmm/types.h>

#include "support/exact.h"
#include "support/random.h"

typedef enum cloud {
    CLOUD_SQUARE,
    CLOUD_DISC,
    CLOUD_RING,
    CLOUD_CIRCLE,   /* as near to it as the type allows */
    CLOUD_PARABOLA, /* (i, i^2): all are vertices */
    CLOUD_GAUSSIAN,
    CLOUD_KUZMIN, /* dense in the middle, few points far out */
    CLOUD_CLUSTERS,
    CLOUD_GRID,         /* whole numbers: many on a line, many equal */
    CLOUD_FAR_CLUSTERS, /* two, and a world between them */
    CLOUD_WORST_PIVOTS, /* J figure 3.2: nearly every pair points to an end */
    CLOUD_GEOMETRIC,    /* a parabola whose points crowd at its vertex: 2^-i (1 - j), many i */
    CLOUD_SPIRAL,       /* an exponential one */
    CLOUD_STACK, /* a parabola in halving steps, and most points on a vertical line at its end */
    CLOUD_BITS,  /* any finite numbers: every exponent, subnormals, both zeros */
    CLOUD_SUBNORMAL,
    CLOUD_HUGE, /* differences overflow */
    CLOUD_EQUAL,
    CLOUD_HORIZONTAL,
    CLOUD_VERTICAL,
    CLOUD_DIAGONAL,
    CLOUD_SLOPE,     /* on a line that is no axis and no diagonal */
    CLOUD_NEAR_LINE, /* one ulp off it at most */
    CLOUD_FEW,       /* four corners and what is on their edges, each many times */
    CLOUD_TRIANGLE,  /* half of a grid, with a long slope */
    CLOUD_COUNT
} cloud;

const char *cloud_name(cloud c);
void cloud_fill(cloud c, dmm_type type, plane_point *out, uint64_t n, random_source *random);

#endif
