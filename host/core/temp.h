/* SPDX-License-Identifier: MIT */
/*
 * Temporary device memory of a call. A primitive describes its regions once, as a sequence of
 * dmm_temp_region calls; the same sequence gives the total for *_temp_bytes and the offsets.
 */
#ifndef DMM_CORE_TEMP_H
#define DMM_CORE_TEMP_H

#include <dmm/types.h>

enum { DMM_TEMP_ALIGN = 256 };

typedef struct dmm_temp {
    uint64_t bytes; /* total of the regions so far; UINT64_MAX: more than any device has */
    dmm_span span;  /* after dmm_temp_acquire: the memory */
    int owned;      /* allocated for this call */
} dmm_temp;

/* Appends a region of count items; returns its offset within temp, a multiple of DMM_TEMP_ALIGN. */
uint64_t dmm_temp_region(dmm_temp *temp, uint64_t count, uint64_t item_bytes);

/* Uses the caller's span, or allocates if it is DMM_NONE. DMM_MISALIGNED, DMM_TEMP_TOO_SMALL,
 * OpenCL's statuses. */
dmm_status dmm_temp_acquire(dmm_temp *temp, cl_context context, dmm_span given);
/* Releases allocated memory. Commands already enqueued keep it alive until they have finished. */
void dmm_temp_release(dmm_temp *temp);

#endif
