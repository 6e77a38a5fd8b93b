/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_transpose.
 */
#ifndef DMM_PRIMITIVES_TRANSPOSE_H
#define DMM_PRIMITIVES_TRANSPOSE_H

#include <dmm/transpose.h>

#include "primitives/classes.h"
#include "primitives/words.h"

struct dmm_transpose {
    dmm_object object;
    dmm_transpose_desc desc;
    dmm_word_layout words;
    dmm_parameters p;
    uint32_t side;    /* side of a tile in items (GPU form) */
    cl_kernel turn;   /* out of place */
    cl_kernel square; /* in place; NULL: squares take the passes of C2R */
    cl_kernel rows, columns;
    cl_kernel blocks; /* in place; CPU form */
};

/* Returns a shape as the class takes it: n rows, m columns, l matrices. */
dmm_sizes dmm_transpose_sizes(dmm_matrices shape);
/* Returns a call's shape from its sizes, and the number of its items. */
dmm_matrices dmm_transpose_shape(const dmm_sizes *sizes);
uint64_t dmm_transpose_items(dmm_matrices shape);

/* See dmm_class. */
void dmm_transpose_lay_out(const void *object, dmm_call *call);
dmm_status dmm_transpose_steps(const void *object, dmm_call *call);

#endif
