/* SPDX-License-Identifier: MIT */
/* Every primitive, with descriptions and sizes that the driver's tests use. */
#ifndef DMM_TESTS_LIAR_EVERY_CLASS_H
#define DMM_TESTS_LIAR_EVERY_CLASS_H

#include "primitives/classes.h"

enum { EVERY_N = 3000, EVERY_MOST_BYTES = 200 * EVERY_N };

/* A primitive and a description. */
typedef struct every_case {
    const dmm_class *class;
    const void *desc;
    const char *name; /* for notes */
} every_case;

/* Sizes of the calls; m: of a heap, the operation. */
extern const dmm_sizes every_sizes;

/* Returns case i, from 0: each primitive's usual description, then other methods; class NULL behind
 * the last. */
every_case every_case_at(int i);

#endif
