/* SPDX-License-Identifier: MIT */
/*
 * Which rows of a table run. A row is described by its levels: one number for each factor, such as
 * the form, the bytes of a key, or the method. A row runs if it has a level that no earlier row of
 * the run had: each level of each factor runs at least once. Full sizes, and DMM_TEST_ROWS=all with
 * any sizes, run every row.
 */
#ifndef DMM_TESTS_COVER_H
#define DMM_TESTS_COVER_H

#include <stddef.h>
#include <stdint.h>

#include "support/kind.h"

enum { COVER_MOST = 128 };

/* The levels seen; begins as {0}. */
typedef struct cover {
    struct {
        size_t factor;
        uint64_t level;
    } seen[COVER_MOST];
    size_t num_seen;
} cover;

/* True if the row with these levels runs. Simulators look at the first `few` of the factors. */
int cover_takes(cover *c, const uint64_t *levels, size_t count, size_t few);

/* The same for a list of levels. */
#define COVER_TAKES(c, few, ...)                      \
    cover_takes((c), (const uint64_t[]){__VA_ARGS__}, \
        sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (few))

/* One of two counts: for simulators that take rows by their form alone, and for all other runs. */
uint64_t by_rows(uint64_t few, uint64_t all);

/* A level of a kind of keys, by how they are compared: unsigned, signed, float, item, `less`. */
uint64_t cover_order(const kind *k);
/* A level of a text, such as the settings of a rig. */
uint64_t cover_text(const char *text);
/* A level of a count of bytes: none, 1, 2, 4, 8, another multiple of 4, any other. */
uint64_t cover_bytes(uint32_t bytes);

#endif
