/* SPDX-License-Identifier: MIT */
/*
 * The object behind dmm_hull.
 */
#ifndef DMM_PRIMITIVES_HULL_H
#define DMM_PRIMITIVES_HULL_H

#include <dmm/hull.h>

#include "cl/hull/hull_call.clh"
#include "core/object.h"

typedef enum dmm_hull_kernel {
    DMM_HULL_CHECK,
    DMM_HULL_CUT,
    DMM_HULL_EXTREMES,
    DMM_HULL_SETS,
    DMM_HULL_SOLVE,
    DMM_HULL_PLACE,
    DMM_HULL_WRITE,
    /* GPU form */
    DMM_HULL_POLYGON,
    DMM_HULL_FILTER,
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
    DMM_HULL_SPREAD,
    DMM_HULL_JOIN,
    DMM_HULL_KERNELS
} dmm_hull_kernel;

struct dmm_hull {
    dmm_object object;
    dmm_hull_desc desc;
    dmm_parameters p;
    uint32_t coord_bytes;
    uint32_t index_bytes;                /* bytes of an index in the kernels */
    cl_kernel kernels[DMM_HULL_KERNELS]; /* NULL: not of this form */
};

/* Numbers of a call that determine its launches and the sizes of its regions. */
typedef struct dmm_hull_sizes {
    int splits;      /* true if there are more points than a tile, so there may be large sets */
    uint32_t levels; /* levels of the splitting stage */
    uint32_t strips; /* strips on a side of a large set */
    uint64_t n, groups, small, large_sets, halfplanes, pieces;
    uint64_t problems;                           /* entries of each table of large sets' problems */
    uint64_t tiles, slots;                       /* GPU form */
    uint64_t chords, strip_bounds, strip_counts; /* CPU form */
} dmm_hull_sizes;

dmm_hull_sizes dmm_hull_sizes_of(const dmm_hull *hull, uint64_t n, uint64_t sets);

/* Lays out temp from byte `at` of its buffer on; returns its size in bytes. */
uint64_t dmm_hull_place_regions(
    const dmm_hull *hull, dmm_hull_sizes s, uint64_t at, dmm_hull_call *c);

#endif
