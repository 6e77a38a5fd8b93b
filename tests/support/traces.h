/* SPDX-License-Identifier: MIT */
/* Traces of addresses for the translation cache: random ones, and those that do strategies harm. */
#ifndef DMM_TESTS_TRACES_H
#define DMM_TESTS_TRACES_H

#include <stdint.h>

#include "support/random.h"

enum { TRACE_PAGE_BYTES = 64 };

typedef struct trace_case {
    const char *name;
    uint32_t K, d, length;
    uint64_t *addresses;
} trace_case;

/* Makes a trace of any kind, of up to `length` addresses, for caches of up to W nodes. */
void trace_make(trace_case *c, random_source *random, uint32_t W, uint32_t length);
/* Makes random addresses in the whole tree. */
void trace_make_random(
    trace_case *c, random_source *random, uint32_t K, uint32_t d, uint32_t length);
void trace_free(trace_case *c);

#endif
