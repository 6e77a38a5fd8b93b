/* SPDX-License-Identifier: MIT */
/*
 * Kinds of keys: what the library is told about them (dmm_order), and an independent account of
 * their order and of interesting values. A key has one or two scalar fields that decide its order;
 * its other bytes are random, so that equal keys can be told apart and an unstable sort shows.
 */
#ifndef DMM_TESTS_KIND_H
#define DMM_TESTS_KIND_H

#include <dmm/types.h>

#include "support/random.h"

typedef struct field {
    dmm_type type;
    uint32_t offset_bytes;
} field;

typedef struct kind {
    const char *name;
    dmm_order order;
    uint32_t bytes;
    uint32_t num_fields;
    field fields[2]; /* the first one decides, the second one breaks its ties */
} kind;

/* Every type, then items of 3, 12, 16, 40 and 256 bytes, then types ordered by `less`. NULL past
 * the end. */
const kind *kind_at(size_t i);
/* One of them by name: "u32", "f16", "item40", "u32 by less"; it must exist. */
kind kind_named(const char *name);
kind kind_descending(kind k);

/* < 0, 0, > 0: a comes before b, ties with it, comes after it. Descending and zero_equal count. */
int kind_compare(const kind *k, const void *a, const void *b);

/* Shapes of inputs. */
typedef enum shape {
    SHAPE_RANDOM,  /* at most 4096 different values, over the whole range */
    SHAPE_BITS,    /* random bits: NaNs and denormals among floats */
    SHAPE_SPECIAL, /* the ends of the range; both zeros, infinities, denormals, NaNs of both signs
                    */
    SHAPE_SORTED,
    SHAPE_REVERSED,
    SHAPE_EQUAL,
    SHAPE_FEW,      /* four different values */
    SHAPE_SAWTOOTH, /* rises and drops every 37 items */
    SHAPE_ORGAN_PIPE,
    SHAPE_COUNT
} shape;

const char *shape_name(shape s);
/* Fills n keys. SHAPE_SORTED is ascending whatever k->order.descending says. */
void kind_fill(const kind *k, shape s, void *out, uint64_t n, random_source *random);

#endif
