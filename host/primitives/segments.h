/* SPDX-License-Identifier: MIT */
/*
 * What dmm_sort_segmented holds as a method of dmm_sort: merging that stays within segments
 * (cl/sort/segments.clh). The segments of a call are set before it.
 */
#ifndef DMM_PRIMITIVES_SEGMENTS_H
#define DMM_PRIMITIVES_SEGMENTS_H

#include "primitives/merge.h"

struct dmm_sort;

typedef struct dmm_segment_sort {
    dmm_merger merger; /* its kernels split and merge within segments */
    cl_kernel check, find, tile;
    dmm_span offsets; /* of the call */
    uint64_t num_offsets;
    dmm_span report; /* of the call; or none */
} dmm_segment_sort;

/* Writes the report of a call without items. */
dmm_status dmm_segments_report_none(const struct dmm_sort *sort, dmm_chain *chain);

#endif
