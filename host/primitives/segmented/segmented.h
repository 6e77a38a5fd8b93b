/* SPDX-License-Identifier: MIT */
/*
 * What the primitives on segments share: offsets of segments of one length, marks at the first item
 * of each segment, and the kernels of cl/segmented.cl.
 */
#ifndef DMM_PRIMITIVES_SEGMENTED_H
#define DMM_PRIMITIVES_SEGMENTED_H

#include <dmm/scan.h>

#include "cl/segmented_call.clh"
#include "core/object.h"

/* One size of items that are taken, and of offsets. */
typedef struct dmm_segmented {
    uint32_t offset_bytes;
    uint32_t item_bytes, word_bytes; /* sizes of what is taken */
    cl_kernel rows, mark, first;     /* first: the kernel that takes */
} dmm_segmented;

/* Regions of a call; a primitive's own follow. OFFSETS is empty if the caller gives offsets. */
enum { DMM_SEGMENTED_OFFSETS, DMM_SEGMENTED_MARKS, DMM_SEGMENTED_REGIONS };

/* What is taken: items of so many bytes, if any are. */
typedef struct dmm_segmented_items {
    uint32_t item_bytes;
    int takes;
} dmm_segmented_items;

/* Returns the size of an offset. DMM_BAD_VALUE: offset_type is neither DMM_U32 nor DMM_U64. */
dmm_status dmm_segmented_offset_bytes(dmm_type offset_type, uint32_t *out);
/* Builds the kernels of an object. DMM_BAD_VALUE as above. */
dmm_status dmm_segmented_init(
    dmm_segmented *out, void *object, dmm_type offset_type, const dmm_segmented_items *items);

/* Returns the bytes of an item of a scan or a reduction, whose description has been checked. */
uint32_t dmm_segmented_item_bytes(dmm_type type, const dmm_operator *own);

/* Returns the sizes of a call: n items, m segments, l = 1 without offsets. */
dmm_sizes dmm_segmented_sizes(uint64_t n, uint64_t segments, int has_offsets);
/* Checks them, and n against `most`. */
dmm_status dmm_segmented_check(const void *object, const dmm_sizes *sizes);
/* Returns the number of offsets that a call reads from the caller. */
uint64_t dmm_segmented_read(const dmm_sizes *sizes);

/* Returns the items from the first one of a view to its last one: `rows` rows of `cols` items,
 * `stride` apart; 0: side by side. */
uint64_t dmm_view_items(uint64_t rows, uint64_t cols, uint64_t stride);
/* DMM_BAD_VALUE, which names the field, if rows of that stride overlap. */
dmm_status dmm_view_check(const char *field, uint64_t stride, uint64_t cols);

/* Lays the regions out; marks: the call needs marks. */
void dmm_segmented_lay_out(const dmm_segmented *segmented, dmm_call *call, int marks);
/* Returns the offsets of a call: `given`, or those of rows, which it makes. */
dmm_status dmm_segmented_offsets(
    const dmm_segmented *segmented, const dmm_call *call, dmm_span given, dmm_span *out);
/* Marks the first item of each segment in the region of marks. */
dmm_status dmm_segmented_marks(
    const dmm_segmented *segmented, const dmm_call *call, dmm_span offsets);

/* Takes the first items of `in` to `out`; `c`: k and subtracts. */
dmm_status dmm_segmented_take(const dmm_segmented *segmented, const dmm_call *call,
    const dmm_span offsets, dmm_span in, dmm_span out, dmm_segmented_call c);

#endif
