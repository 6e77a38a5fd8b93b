/* SPDX-License-Identifier: MIT */
/* A call of every primitive (primitives/classes.h) that is right, by its public functions. */
#ifndef DMM_TESTS_RIGHT_CALLS_H
#define DMM_TESTS_RIGHT_CALLS_H

#include "primitives/classes.h"

enum { MOST_TOO_LARGE = 3 };

/* The public functions of a primitive, by the sizes of dmm_class. */
typedef struct public_functions {
    dmm_status (*create)(void **out, dmm_context *ctx, const void *desc);
    dmm_status (*temp_bytes)(uint64_t *out, const void *object, dmm_sizes s);
    dmm_status (*enqueue)(void *object, cl_command_queue queue, const void *args, dmm_sizes s,
        cl_uint num_wait, cl_event *event);
    void (*free)(void *object);
} public_functions;

/* A call that is right, and sizes that are too large for the object. */
typedef struct right_call {
    const char *word;
    const public_functions *public;
    const dmm_class *class;
    const void *desc;
    size_t desc_bytes;
    dmm_sizes sizes;
    dmm_sizes too_large[MOST_TOO_LARGE]; /* ends with zeros */
    const void *args;                    /* the fields that are no spans; NULL: zeros */
    uint64_t bytes[DMM_MAX_PORTS + 1];   /* size of each span; ends with 0 */
    /* Its spans, as the header says: R or W, read or written; r or w if it may be missing; and the
     * number of its pair. */
    const char *spans;
    dmm_sizes nothing; /* sizes of a call without items */
    /* Whether zeros are data for it, and a call of no items is right. */
    enum { ALSO_WITHOUT, WITH_ITEMS, NEVER } runs;
} right_call;

extern const right_call right_calls[];
extern const size_t num_right_calls;

#endif
