/* SPDX-License-Identifier: MIT */
/*
 * Reads JSON (RFC 8259) value by value: what a function does not ask for is checked and skipped.
 * Numbers are whole and from 0 on. A text is decoded in its place, control characters to spaces.
 */
#ifndef DMM_CLI_JSON_H
#define DMM_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>

typedef struct json_reader {
    char *at;       /* the next character; where reading failed */
    uint32_t depth; /* objects and arrays around it */
} json_reader;

/* Each reads a value and moves past it. False: the value is of another kind, or no JSON. */
bool json_text(json_reader *in, const char **out);
bool json_number(json_reader *in, uint64_t *out);
bool json_skip(json_reader *in);

/* Calls `member` with each key, or `item`, which reads the value; `user` is theirs. */
bool json_object(
    json_reader *in, bool (*member)(json_reader *, const char *key, void *), void *user);
bool json_array(json_reader *in, bool (*item)(json_reader *, void *), void *user);

#endif
