/* SPDX-License-Identifier: MIT */
/*
 * Convex hulls of points in the plane: one set, or many at once.
 *
 *     dmm_hull *hull = NULL;
 *     dmm_hull_desc desc = {.coordinates = DMM_HULL_F64};
 *     dmm_status status = dmm_hull_create(&hull, ctx, &desc);
 *     dmm_hull_args args = {.points = points, .hull_out = indices, .count_out = count};
 *     if (status == DMM_OK)
 *         status = dmm_hull_enqueue(hull, queue, &args, n, 0, NULL, &event);
 *     dmm_hull_free(hull);
 *
 * Output         the indices of the hull's vertices, counter-clockwise from the lexicographically
 *                smallest point (by x, then y); of equal points the lowest index
 * Exact          for all finite floats and doubles, subnormals and the ends of the range included
 * In place       no: outputs are apart from inputs and from each other
 * Cost           two reads of the points; then, CPU form, a sort of those that pass a filter, or,
 *                GPU form, splitting at farthest points. Nothing blocks
 * Bank claim     every kernel is `conflict-free` or uses no local memory; the CPU form uses none
 * Temp           about two copies of the points with indices, and a byte a point; in the GPU form
 *                four indices a point more
 *
 * Details and sources are at the end of this file.
 */
#ifndef DMM_HULL_H
#define DMM_HULL_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_hull_coordinates { DMM_HULL_F32 = 0, DMM_HULL_F64 = 1 } dmm_hull_coordinates;

typedef enum dmm_hull_part {
    DMM_HULL_WHOLE = 0,
    DMM_HULL_LOWER = 1, /* from the lexicographically smallest point to the largest */
    DMM_HULL_UPPER = 2  /* and back: from the largest to the smallest */
} dmm_hull_part;

typedef struct dmm_hull_desc {
    dmm_hull_coordinates coordinates;
    int two_arrays; /* all x in one span, all y in another; 0: x and y of each point together */
    uint32_t index_bytes; /* bytes of an index of the output: 4 (0 means 4) or 8 */
    int collinear;        /* keep points between vertices on the boundary */
    dmm_hull_part part;   /* whole, or one chain with both its ends */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;    /* form, u, E; tile: points that a part is split down to (CPU form) */
    uint64_t reserved[4]; /* 0 */
} dmm_hull_desc;

/*
 * One set of n points, or `sets` sets: set s has the points starts[s] .. starts[s + 1] - 1, and
 * indices count from the first point of all.
 */
typedef struct dmm_hull_args {
    dmm_span points;   /* n points; with two_arrays n x */
    dmm_span ys;       /* with two_arrays: n y */
    uint64_t sets;     /* number of sets in `starts`; 0: one set of all n points */
    dmm_span starts;   /* sets + 1 u64, ascending, none greater than n */
    dmm_span hull_out; /* n indices */
    dmm_span
        count_out; /* one set: a u64, the number of indices; sets: sets + 1 u64: where each set's
                        indices begin, and behind the last one's */
    /* a dmm_report: DMM_NOT_FINITE and the first such point, or DMM_BAD_DATA and the first start
     * that is wrong, or DMM_WRONG_RESULT if the device lost a work-group; then nothing else is
     * written. None: no report */
    dmm_span report_out;
    dmm_span temp;
    uint64_t reserved[4]; /* 0 */
} dmm_hull_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_hull dmm_hull;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_BUILD_FAILED,
 * DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_hull_create(dmm_hull **out, dmm_context *ctx, const dmm_hull_desc *desc);
/* Monotone in n and sets. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_hull_temp_bytes(
    uint64_t *out, const dmm_hull *hull, uint64_t n, uint64_t sets);
/* Errors and events as dmm_sort_enqueue. Outputs are apart from inputs and each other. With n =
 * 0, too, count_out and report_out are written. */
DMM_API dmm_status dmm_hull_enqueue(dmm_hull *hull, cl_command_queue queue,
    const dmm_hull_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_hull_free(dmm_hull *hull);

/*
 * Finds the hull of n points in host memory, and blocks. ys is NULL unless two_arrays; hull_out has
 * space for n indices of index_bytes. DMM_NOT_FINITE: *count_out is the index of the first point
 * that is not finite; hull_out is untouched. Other errors leave *count_out alone.
 */
DMM_API dmm_status dmm_hull_host(dmm_context *ctx, const dmm_hull_desc *desc, const void *points,
    const void *ys, size_t n, void *hull_out, uint64_t *count_out);

/*
 * Details
 * Collinear      with `collinear`, points between two vertices on the boundary are vertices too
 * Degenerate     n = 0: none; all points equal: one; all on a line: the two ends, or with
 *                `collinear` all different points once, in lexicographic order
 * Arithmetic     decisions that rounding leaves in doubt are made in integers. -0 is 0. Doubles
 *                need no fp64 of the device, but without it every decision is made in integers,
 *                which is slow
 * Determinism    the result depends on the points alone, not on device, parameters or timing; a
 *                permutation of the points gives the same vertices
 * Filter         extreme points in 8 directions; points within their polygon are discarded, or, in
 *                the CPU form, between the two chains of a sample, if that discards more of it
 * CPU form       the m remaining points are cut into strips by x; each strip is thinned and sorted,
 *                and becomes a chain: O(n) work, O(m log m) where most x are equal or nearly so; 9
 *                launches (sets: 11)
 * GPU form       the points are split at those farthest from a line until each part is small, and
 *                finished in parts: 9 launches (sets: 11), and 5 for each of at most 1.5 log2(16
 *                groups) levels; points of one tile: 5 launches. Expected work O(n log h), over
 *                pairs drawn at random (docs/proofs.md; docs/hull.md counts it); they are drawn by
 *                a fixed hash
 * Sets           a set of more than n / groups points is worked on by all groups, as if it were
 *                alone; any other is begun by one group. The number of launches depends on n and
 *                the device, not on the data
 * Lost groups    on a driver that loses work-groups, later launches do nothing and the report says
 *                DMM_WRONG_RESULT; a loss in the last two launches goes unnoticed
 *                (docs/records/drivers.md)
 * Source         GPU form: T. Jurkiewicz, "Toward Better Computation Models for Modern Machines",
 *                PhD thesis, Saarland University, 2013, chapter 3 (docs/decisions.md: what
 *                differs); B. Bhattacharya, S. Sen, "On a Simple, Practical, Optimal,
 *                Output-Sensitive Randomized Planar Convex Hull Algorithm", Journal of Algorithms
 *                25(1), 1997, DOI 10.1006/jagm.1997.0869. CPU form: A. M. Andrew, "Another
 *                Efficient Algorithm for Convex Hulls in Two Dimensions", Information Processing
 *                Letters 9(5), 1979, DOI 10.1016/0020-0190(79)90072-3
 */

#ifdef __cplusplus
}
#endif

#endif
