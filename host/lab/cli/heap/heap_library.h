/* SPDX-License-Identifier: MIT */
/* dmm_heap behind the calls of host/lab/heap_levels.h, which `dmm-lab heap` compares it with. */
#ifndef DMM_LAB_HEAP_LIBRARY_H
#define DMM_LAB_HEAP_LIBRARY_H

#include <dmm/heap.h>

typedef struct heap_library {
    dmm_context *ctx; /* borrowed */
    dmm_heap *heap;
    dmm_heap_args args;
    uint32_t *keys, *priorities;           /* of a call */
    cl_mem memory, in[2], out[2], temp, n; /* owned */
} heap_library;

/* {0} is fine for heap_library_free. */
dmm_status heap_library_create(
    heap_library *heap, dmm_context *ctx, uint64_t bulk, uint64_t capacity);
void heap_library_free(heap_library *heap);
dmm_status heap_library_update(heap_library *heap, const uint64_t *entries, uint64_t n);
dmm_status heap_library_take(heap_library *heap, uint64_t *out, uint64_t *n);

#endif
