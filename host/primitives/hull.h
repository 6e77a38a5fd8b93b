/* SPDX-License-Identifier: MIT */
/*
 * What is not public of dmm_hull.
 */
#ifndef DMM_PRIMITIVES_HULL_H
#define DMM_PRIMITIVES_HULL_H

#include <dmm/hull.h>

#include "core/temp.h"
#include "primitives/order.h"

/* In the order of their names' table in hull.c: those of both forms, the GPU form's, the CPU form's. */
typedef enum dmm_hull_kernel {
    DMM_HULL_CHECK,
    DMM_HULL_CUT,
    DMM_HULL_EXTREMES,
    DMM_HULL_FRAME,
    DMM_HULL_FILTER,
    DMM_HULL_SETS,
    DMM_HULL_SETTLE,
    DMM_HULL_PLACE,
    DMM_HULL_WRITE,
    DMM_HULL_GATHER,
    DMM_HULL_START,
    DMM_HULL_FARTHEST,
    DMM_HULL_PIVOT,
    DMM_HULL_CLASSIFY,
    DMM_HULL_PLAN,
    DMM_HULL_MOVE,
    DMM_HULL_SAMPLE,
    DMM_HULL_ASSIGN,
    DMM_HULL_STRIPS,
    DMM_HULL_SPREAD,
    DMM_HULL_JOIN,
    DMM_HULL_KERNELS
} dmm_hull_kernel;

struct dmm_hull {
    dmm_context *ctx; /* borrowed */
    dmm_hull_desc desc;
    dmm_parameters p;
    uint32_t coord_bytes;
    uint32_t name_bytes; /* of an index within the kernels */
    uint64_t max_n;
    cl_kernel kernels[DMM_HULL_KERNELS];
};

/* How a call goes, and where everything of it lies. */
typedef struct dmm_hull_layout {
    int splits;          /* more points than a tile: there may be large sets */
    uint32_t levels;     /* of the splitting stage, in the GPU form */
    uint64_t capacity;   /* problems of a table of large sets */
    uint64_t max_tiles;  /* of all active problems */
    uint64_t max_pieces; /* of all large sets */
    dmm_temp temp;
    uint64_t coords, names, sides, marks, problems, small, tiles, pieces, frames, bad, state;
} dmm_hull_layout;

dmm_hull_layout dmm_hull_lay_out(const dmm_hull *hull, uint64_t n, uint64_t sets);

#endif
