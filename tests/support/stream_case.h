/* SPDX-License-Identifier: MIT */
/*
 * A dmm_sort_stream whose items and scratch store are arrays. Its callbacks check each other: what
 * is loaded was stored, nothing is stored twice, and nothing lies beyond the plan.
 */
#ifndef DMM_TESTS_STREAM_CASE_H
#define DMM_TESTS_STREAM_CASE_H

#include <dmm/sort_stream.h>

#include "support/kind.h"
#include "support/rig.h"

/* A block that the call has loaded: the place of its first key. */
typedef struct stream_load {
    uint64_t at_bytes, bytes;
} stream_load;

typedef struct stream_case {
    kind k;
    uint32_t value_bytes;
    uint64_t n;
    dmm_sort_stream_desc desc;
    dmm_sort_stream_plan plan;
    char *keys, *values;              /* input */
    char *keys_out, *values_out;      /* n items, and one more as a red zone */
    unsigned char *store, *is_stored; /* a byte for each byte */
    uint64_t read, written;           /* items */
    uint64_t most_read;               /* items of a `read`; 0: as many as are asked for */
    uint64_t stored_items;            /* as `stored` said */
    uint64_t calls, fails_at;         /* all callbacks; that one, from 1, fails. 0: none */
    stream_load *loads;               /* in their order; NULL: not kept */
    size_t num_loads, most_loads;
    dmm_sort_stream_result result;
} stream_case;

/* The status of the callback that fails. */
enum { STREAM_FAILS = 4711 };

/* Makes the input, by the description's sizes. Fails the test if there is no plan. */
void stream_open(stream_case *c, const rig *r, shape input, uint64_t seed);
void stream_close(stream_case *c);
/* Runs the call: anew, or with the runs that the store holds. */
dmm_status stream_run(stream_case *c, const rig *r, int resumes);
/* Judges the output of a call that has succeeded. */
void stream_check(const stream_case *c);

#endif
