/* SPDX-License-Identifier: MIT */
/* Every primitive, with a description and sizes that the driver's tests use. */
#ifndef DMM_TESTS_LIAR_EVERY_CLASS_H
#define DMM_TESTS_LIAR_EVERY_CLASS_H

#include "primitives/classes.h"

enum { EVERY_N = 3000, EVERY_MOST_BYTES = 200 * EVERY_N };

/* Sizes of the calls; m: of a heap, the operation. */
extern const dmm_sizes every_sizes;

/* Returns primitive i, from 0; NULL behind the last. */
const dmm_class *every_class_at(int i);
const void *every_desc_of(const dmm_class *class);

#endif
