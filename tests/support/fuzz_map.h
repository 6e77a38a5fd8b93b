/* SPDX-License-Identifier: MIT */
/*
 * Random maps (<dmm/map.h>): an expression over up to four inputs of any types and the position,
 * and the same on the host.
 */
#ifndef DMM_TESTS_FUZZ_MAP_H
#define DMM_TESTS_FUZZ_MAP_H

#include <dmm/map.h>

#include "support/fuzz.h"

enum { FUZZ_MOST_NODES = 64, FUZZ_TEXT_BYTES = 2048, FUZZ_MOST_INPUTS = 4 };

/* An expression: numbers of 64 bits, the last node is its root. Of a leaf, `number` says which. */
typedef enum fuzz_node_kind {
    INPUT,
    POSITION,
    TOTAL,
    NUMBER,
    PLUS,
    MINUS,
    TIMES,
    XOR,
    LEAST,
    CHOICE,
    SHIFT,
    MODULO,
    CALL
} fuzz_node_kind;

typedef struct fuzz_node {
    fuzz_node_kind is;
    uint32_t a, b, c; /* operands */
    uint64_t number;
} fuzz_node;

typedef struct fuzz_expression {
    fuzz_node nodes[FUZZ_MOST_NODES];
    uint32_t count;
    char text[FUZZ_TEXT_BYTES];
} fuzz_expression;

/* A random map, its inputs, and what it gives. */
typedef struct fuzz_mapped {
    dmm_map map;
    dmm_type type; /* of the result */
    fuzz_expression key, out;
    char declares[FUZZ_TEXT_BYTES];
    uint64_t n;
    unsigned char *in[FUZZ_MOST_INPUTS], *made;
    uint32_t bytes[FUZZ_MOST_INPUTS], made_bytes;
} fuzz_mapped;

/* Returns a map to integers of the type, to be freed; modulo: they are below it; 0: any. */
fuzz_mapped *fuzz_map_make(dmm_type type, uint64_t modulo);
/* Adds an expression over the total of a scan, whose results are integers of any type. */
void fuzz_map_emit(fuzz_mapped *m);
/* Returns what that gives at a position. */
uint64_t fuzz_map_out(const fuzz_mapped *m, uint64_t i, uint64_t total);
/* Draws n items of each input, and computes what the map gives. */
void fuzz_map_fill(fuzz_mapped *m, uint64_t n);
/* Frees these. */
void fuzz_map_drain(fuzz_mapped *m);
/* Notes the call, of which `used` items count. */
void fuzz_map_note(const char *word, const fuzz_mapped *m, uint64_t used);
/* Gives the further inputs to a call. */
void fuzz_map_give(fuzz_call *c, const fuzz_mapped *m, dmm_span further[FUZZ_MOST_INPUTS - 1]);
/* Returns one of the types of integers. */
dmm_type fuzz_map_type(void);

#endif
