/* SPDX-License-Identifier: MIT */
/*
 * Offsets in device memory that cut the items of a call into segments or lists, and the check that
 * they ascend.
 */
#ifndef DMM_PRIMITIVES_OFFSETS_H
#define DMM_PRIMITIVES_OFFSETS_H

#include "cl/sort/segments_call.clh"
#include "core/object.h"

typedef struct dmm_offsets {
    cl_kernel check;
    uint32_t offset_bytes, index_bytes;
} dmm_offsets;

/* Defines the size of an offset, for a program that includes cl/sort/offsets.clh. DMM_BAD_VALUE
 * unless the type is DMM_U32 or DMM_U64. */
dmm_status dmm_offsets_define(dmm_options *options, dmm_type type);
/* Creates the kernel that checks, which the object owns. */
dmm_status dmm_offsets_init(dmm_offsets *offsets, dmm_object *object, cl_program program,
    dmm_type type, uint32_t index_bytes);

/* Lays out what the check writes: a region of the call. */
void dmm_offsets_lay_out(const dmm_offsets *offsets, dmm_call *call, size_t region);

/* Where the offsets of a call are, and where they and their check are reported. */
typedef struct dmm_offset_spans {
    dmm_span offsets, report, fallen;
} dmm_offset_spans;

/* Returns the numbers of a call's m + 1 offsets. */
dmm_offsets_call dmm_offsets_call_of(
    const dmm_offsets *offsets, const dmm_call *call, const dmm_offset_spans *spans);
/* Enqueues the check of m + 1 offsets, unless the call has no items; *c is the same for all kernels
 * that read what it wrote. most: items between an offset and the next one; 0: any number. */
dmm_status dmm_offsets_check(const dmm_offsets *offsets, const dmm_call *call,
    const dmm_offset_spans *spans, uint64_t most, dmm_offsets_call *c);

#endif
