/* SPDX-License-Identifier: MIT */
/*
 * The object behind dmm_hull.
 */
#ifndef DMM_PRIMITIVES_HULL_H
#define DMM_PRIMITIVES_HULL_H

#include <dmm/hull.h>

#include "core/object.h"

typedef enum dmm_hull_kernel {
    DMM_HULL_CHECK,
    DMM_HULL_CUT,
    DMM_HULL_EXTREMES,
    DMM_HULL_POLYGON,
    DMM_HULL_FILTER,
    DMM_HULL_SETS,
    DMM_HULL_SOLVE,
    DMM_HULL_PLACE,
    DMM_HULL_WRITE,
    /* GPU form */
    DMM_HULL_GATHER,
    DMM_HULL_START,
    DMM_HULL_FARTHEST,
    DMM_HULL_PIVOT,
    DMM_HULL_CLASSIFY,
    DMM_HULL_PLAN,
    DMM_HULL_MOVE,
    /* CPU form */
    DMM_HULL_SAMPLE,
    DMM_HULL_ASSIGN,
    DMM_HULL_STRIPS,
    DMM_HULL_SPREAD,
    DMM_HULL_JOIN,
    DMM_HULL_KERNELS
} dmm_hull_kernel;

struct dmm_hull {
    dmm_object object;
    dmm_hull_desc desc;
    dmm_parameters p;
    uint32_t coord_bytes;
    uint32_t index_bytes;                /* of an index within the kernels */
    cl_kernel kernels[DMM_HULL_KERNELS]; /* NULL: not of this form */
};

#endif
