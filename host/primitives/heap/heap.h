/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_heap, and the layout of a heap's memory.
 */
#ifndef DMM_PRIMITIVES_HEAP_H
#define DMM_PRIMITIVES_HEAP_H

#include <dmm/heap.h>
#include <dmm/sort.h>

#include "cl/heap_cpu_call.clh"
#include "primitives/classes.h"
#include "primitives/scan_part.h"

/* The bytes of heaps of a description, in either form, and their layouts. */
typedef struct dmm_heap_shape {
    uint64_t bulk;
    uint32_t key_bytes, priority_bytes;
    uint32_t levels;
    uint64_t mark; /* stored in each heap */
    /* Offsets of its arrays, and the end. */
    uint64_t bucket_keys, bucket_priorities, signal_keys, signal_priorities, signal_kinds, bytes;
    /* CPU form: most items, bytes of an entry, offset of the runs' entries. */
    uint64_t room, entry_bytes, entries;
} dmm_heap_shape;

/* DMM_BAD_VALUE, DMM_TOO_LARGE. */
dmm_status dmm_heap_shape_init(dmm_heap_shape *out, const dmm_heap_desc *desc);

/* What differs between the forms. */
typedef struct dmm_heap_form {
    dmm_status (*build)(dmm_heap *heap); /* after `p` is set */
    void (*lay_out)(const void *object, dmm_call *call);
    dmm_status (*steps)(const void *object, dmm_call *call);
} dmm_heap_form;

extern const dmm_heap_form dmm_heap_cpu;

/* Offset of the table of a heap in the CPU form. */
#define DMM_HEAP_TABLE_AT sizeof(dmm_heap_runs)
/* Entries of the table and of the runs for so many items. */
#define DMM_HEAP_SLOTS(room) (2 * (room))

/* Builds a form's program of this root. */
dmm_status dmm_heap_program(
    cl_program *out, dmm_heap *heap, const char *root, uint32_t index_bytes);

/* Returns what a call asks, for the kernels of either form. */
dmm_heap_ask dmm_heap_ask_of(const dmm_heap *heap, const dmm_call *call);

struct dmm_heap {
    dmm_object object;
    dmm_heap_desc desc;
    dmm_heap_shape shape;
    dmm_parameters p;
    const dmm_heap_form *form;
    cl_kernel alone; /* CPU form only; the others are of the GPU form */
    cl_kernel begin, gather, combine, compact, place, emit;
    dmm_sort *by_key, *by_priority;
    dmm_scan *scan;
};

#endif
