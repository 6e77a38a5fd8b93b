/* SPDX-License-Identifier: MIT */
/*
 * A dmm_set_stream or dmm_unique_stream whose lists are arrays, and what is to come of them: as the
 * standard library walks through both.
 */
#ifndef DMM_TESTS_SET_STREAM_CASE_H
#define DMM_TESTS_SET_STREAM_CASE_H

#include <dmm/set_stream.h>
#include <dmm/unique_stream.h>

#include "support/kind.h"
#include "support/rig.h"

/* The status of the callback that fails, and the most items of a list. */
enum { SET_STREAM_FAILS = 4711, SET_STREAM_MOST = 3000 };

/* Lists, and what is to come of them; list 1 is empty for dmm_unique_stream. */
typedef struct set_stream_case {
    kind k;
    dmm_set_op op;
    uint32_t value_bytes;
    uint64_t n[2], read[2], most_read;
    char *keys[2], *values[2]; /* each list's */
    char *wanted_keys, *wanted_values, *keys_out, *values_out;
    uint64_t wanted, written;
    uint64_t calls, fails_at; /* callbacks; that one, from 1, fails */
    int drops_b;              /* values of list 1 are not asked for */
} set_stream_case;

/* Callbacks, whose `user` is a case. */
dmm_status set_stream_read(
    void *user, uint32_t list, void *keys, void *values, uint64_t most, uint64_t *count);
dmm_status unique_stream_read(void *user, void *keys, void *values, uint64_t most, uint64_t *count);
dmm_status set_stream_write(void *user, const void *keys, const void *values, uint64_t count);

/* Makes lists of the same `different` values, 0: of those of the shape; sorted, or in its order. */
void set_stream_open(set_stream_case *t, shape input, uint64_t different, int sorts);
void set_stream_close(set_stream_case *t);
/* Find the result. */
void set_stream_want(set_stream_case *t);
void unique_stream_want(set_stream_case *t);
/* Run a call. */
dmm_status set_stream_run(
    set_stream_case *t, const rig *r, dmm_tuning tuning, uint64_t window, uint64_t *items);
dmm_status unique_stream_run(
    set_stream_case *t, const rig *r, dmm_tuning tuning, uint64_t block, uint64_t *items);
/* Judges a call that has succeeded, and its count. */
void set_stream_judge(const set_stream_case *t, uint64_t items);

#endif
