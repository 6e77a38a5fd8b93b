/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_paths.
 */
#ifndef DMM_PRIMITIVES_PATHS_H
#define DMM_PRIMITIVES_PATHS_H

#include <dmm/heap.h>
#include <dmm/paths.h>

#include "cl/paths/paths_call.clh"
#include "primitives/classes.h"

struct dmm_paths {
    dmm_object object;
    dmm_paths_desc desc;
    dmm_parameters p;
    uint32_t delta; /* bits of desc.delta, in the type of the weights */
    cl_kernel narrow, wide, hand;
    dmm_heap *heap; /* NULL: near-far */
    uint64_t heap_bytes;
};

void dmm_paths_lay_out(const void *object, dmm_call *call);
dmm_status dmm_paths_steps(const void *object, dmm_call *call);

#endif
