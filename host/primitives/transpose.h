/* SPDX-License-Identifier: MIT */
/*
 * What is not public of dmm_transpose.
 */
#ifndef DMM_PRIMITIVES_TRANSPOSE_H
#define DMM_PRIMITIVES_TRANSPOSE_H

#include <dmm/transpose.h>

#include "primitives/words.h"

struct dmm_transpose {
    dmm_context *ctx; /* borrowed */
    dmm_transpose_desc desc;
    dmm_word_layout words;
    dmm_parameters p;
    uint32_t side;    /* of a tile (GPU form) */
    cl_kernel turn;   /* out of place */
    cl_kernel square; /* in place; NULL: squares go as others do */
    cl_kernel rows, columns;
};

#endif
