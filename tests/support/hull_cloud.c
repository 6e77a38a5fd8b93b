/* SPDX-License-Identifier: MIT */
/* Making clouds. */
#include "support/hull_cloud.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double turn = 6.283185307179586;

static const char *const names[CLOUD_COUNT] = {"square", "disc", "ring", "circle", "parabola",
    "gaussian", "kuzmin", "clusters", "grid", "far clusters", "worst pivots", "geometric", "spiral",
    "stack", "bits", "subnormal", "huge", "equal", "horizontal", "vertical", "diagonal", "slope",
    "near line", "few", "triangle"};

const char *cloud_name(cloud c)
{
    return names[c];
}

/* 0 <= x < 1 */
static double unit(random_source *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

static double between(random_source *random, double low, double high)
{
    return low + (high - low) * unit(random);
}

static plane_point polar(random_source *random, double radius)
{
    const double angle = turn * unit(random);
    return (plane_point){radius * cos(angle), radius * sin(angle)};
}

static double whole(random_source *random, uint64_t bound)
{
    return (double)random_below(random, bound);
}

static double any_bits(random_source *random, dmm_type type)
{
    for (;;) {
        const uint64_t bits = random_next(random);
        float narrow;
        double wide;
        memcpy(&narrow, &bits, sizeof narrow);
        memcpy(&wide, &bits, sizeof wide);
        if (type == DMM_F32 ? isfinite(narrow) : isfinite(wide))
            return type == DMM_F32 ? (double)narrow : wide;
    }
}

static double gauss(random_source *random)
{
    return sqrt(-2 * log(1 - unit(random))) * cos(turn * unit(random));
}

static plane_point spread_one(cloud c, dmm_type type, uint64_t i, uint64_t n, random_source *random)
{
    const double step = (double)i / (double)n;
    switch (c) {
    case CLOUD_SQUARE:
        return (plane_point){unit(random), unit(random)};
    case CLOUD_DISC:
        return polar(random, sqrt(unit(random)));
    case CLOUD_RING:
        return polar(random, between(random, 0.95, 1));
    case CLOUD_CIRCLE:
        return polar(random, 1);
    case CLOUD_GAUSSIAN:
        return (plane_point){gauss(random), gauss(random)};
    case CLOUD_KUZMIN: {
        const double far = 1 - 0.999 * unit(random);
        return polar(random, sqrt(1 / (far * far) - 1));
    }
    case CLOUD_CLUSTERS: {
        const double at = whole(random, 9);
        return (plane_point){at * at + 0.01 * unit(random), 3 * at + 0.01 * gauss(random)};
    }
    case CLOUD_FAR_CLUSTERS: {
        const double side = random_below(random, 2) ? 1e6 : -1e6;
        return (plane_point){side + unit(random), unit(random) - side};
    }
    case CLOUD_WORST_PIVOTS: /* halving steps towards the end, each a little steeper */
        return (plane_point){1 - exp2(-40 * step), exp2(-20 * (1 - step)) - unit(random) * 0x1p-30};
    case CLOUD_GEOMETRIC: {
        const uint64_t scales = type == DMM_F32 ? 60 : 500;
        const double within = (double)(i / scales) / (double)(n / scales + 1);
        const double x = ldexp(1 - within / 2, -(int)(i % scales));
        return (plane_point){x, x * x};
    }
    case CLOUD_SPIRAL: {
        const double angle = between(random, 0, 100);
        return (plane_point){exp(-angle / 2) * cos(angle), exp(-angle / 2) * sin(angle)};
    }
    case CLOUD_STACK: { /* below each chord from the origin to a step */
        const uint64_t steps = type == DMM_F32 ? 60 : 500;
        const double x = ldexp(i % 16 == 0 && i > 0 ? 1 : 0, 1 - (int)(i / 16));
        if (i % 16 == 0 && i / 16 <= steps)
            return (plane_point){x, x * x};
        return (plane_point){ldexp(1, -(int)steps - 1),
            ldexp(1 + whole(random, 1 << 20) * 0x1p-20, -2 * (int)steps - 2)};
    }
    case CLOUD_HUGE: {
        const double most = type == DMM_F32 ? (double)FLT_MAX : DBL_MAX;
        return (plane_point){most * (2 * unit(random) - 1), most * (2 * unit(random) - 1)};
    }
    case CLOUD_SUBNORMAL: {
        const double least = type == DMM_F32 ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
        return (plane_point){least * (whole(random, 64) - 32), least * (whole(random, 64) - 32)};
    }
    default:
        return (plane_point){any_bits(random, type), any_bits(random, type)};
    }
}

static plane_point lined_one(cloud c, uint64_t i, uint64_t n, random_source *random)
{
    const double t = whole(random, n), side = ceil(sqrt((double)n));
    switch (c) {
    case CLOUD_PARABOLA:
        return (plane_point){(double)i - (double)(n / 2),
            ((double)i - (double)(n / 2)) * ((double)i - (double)(n / 2))};
    case CLOUD_GRID:
        return (plane_point){whole(random, (uint64_t)side), whole(random, (uint64_t)side)};
    case CLOUD_EQUAL:
        return (plane_point){i % 2 ? 0.0 : -0.0, -3};
    case CLOUD_HORIZONTAL:
        return (plane_point){t, 5};
    case CLOUD_VERTICAL:
        return (plane_point){-0.0, t - 7};
    case CLOUD_DIAGONAL:
        return (plane_point){-t, t};
    case CLOUD_SLOPE:
        return (plane_point){3 * t - 1000, 2 * t + 1};
    case CLOUD_NEAR_LINE: /* between 1 and 2 an ulp of a float is 2^-23 */
        return (plane_point){1 + t * 0x1p-23, 1 + t * 0x1p-23 + whole(random, 2) * 0x1p-23};
    case CLOUD_FEW: {
        const double x = whole(random, 3), y = whole(random, 3);
        return (plane_point){x, y};
    }
    default: {
        const double x = whole(random, (uint64_t)side);
        return (plane_point){x, whole(random, (uint64_t)x + 1)};
    }
    }
}

/* A float's value. Volatile: gcc 12.2 at -O2 leaves out a rounding of two members to float and
 * back. */
static double rounded(double x)
{
    volatile float narrow = (float)x;
    return (double)narrow;
}

void cloud_fill(cloud c, dmm_type type, plane_point *out, uint64_t n, random_source *random)
{
    const int lined = c == CLOUD_PARABOLA || c == CLOUD_GRID || c >= CLOUD_EQUAL;
    for (uint64_t i = 0; i < n; i++) {
        out[i] = lined ? lined_one(c, i, n, random) : spread_one(c, type, i, n, random);
        if (type == DMM_F32)
            out[i] = (plane_point){rounded(out[i].x), rounded(out[i].y)};
    }
}
