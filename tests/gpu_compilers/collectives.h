/* SPDX-License-Identifier: MIT */
/* Programs of a caller's kernels with collectives of <dmm/group.h>. */
#ifndef DMM_TESTS_GPU_COMPILERS_COLLECTIVES_H
#define DMM_TESTS_GPU_COMPILERS_COLLECTIVES_H

#include <dmm/context.h>

/* Builds a program of work-group collectives. */
void build_collectives(const dmm_context *ctx);

/* Builds one of a sub-group's, if the lanes of the device exchange data. */
void build_lane_collectives(const dmm_context *ctx);

#endif
