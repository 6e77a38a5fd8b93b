/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_heap, and the layout of a heap's memory.
 */
#ifndef DMM_PRIMITIVES_HEAP_H
#define DMM_PRIMITIVES_HEAP_H

#include <dmm/heap.h>
#include <dmm/sort.h>

#include "cl/heap_call.clh"
#include "primitives/classes.h"
#include "primitives/scan_part.h"

/* The bytes and levels of heaps of a description. */
typedef struct dmm_heap_shape {
    uint64_t bulk;
    uint32_t key_bytes, priority_bytes;
    uint32_t levels;
    uint64_t mark; /* stored in each heap */
    /* Offsets of its arrays, and the end. */
    uint64_t bucket_keys, bucket_priorities, signal_keys, signal_priorities, signal_kinds, bytes;
} dmm_heap_shape;

/* DMM_BAD_VALUE, DMM_TOO_LARGE. */
dmm_status dmm_heap_shape_init(dmm_heap_shape *out, const dmm_heap_desc *desc);

struct dmm_heap {
    dmm_object object;
    dmm_heap_desc desc;
    dmm_heap_shape shape;
    dmm_parameters p;
    cl_kernel begin, gather, combine, compact, place, emit;
    dmm_sort *by_key, *by_priority;
    dmm_scan *scan;
};

#endif
