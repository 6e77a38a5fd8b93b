/* SPDX-License-Identifier: MIT */
/* A dmm_merge_stream whose lists are arrays. Its callbacks check that each list is
 * loaded in order. */
#ifndef DMM_TESTS_MERGE_STREAM_CASE_H
#define DMM_TESTS_MERGE_STREAM_CASE_H

#include <dmm/merge_stream.h>

#include "support/kind.h"
#include "support/rig.h"

/* The status of the callback that fails, and the most lists. */
enum { MERGE_STREAM_LISTS = 200, MERGE_STREAM_FAILS = 4711 };

typedef struct merge_stream_case {
    kind k;
    uint32_t value_bytes;
    dmm_sort_stream_desc desc;
    uint64_t lists, items[MERGE_STREAM_LISTS], first[MERGE_STREAM_LISTS + 1]; /* first: in keys */
    uint64_t next[MERGE_STREAM_LISTS]; /* item to be loaded */
    char *keys, *values, *keys_out, *values_out;
    uint64_t written;
    uint64_t calls, fails_at; /* callbacks on both threads; that one, from 1, fails */
    dmm_sort_stream_result result;
} merge_stream_case;

/* Callbacks, whose `user` is a case. */
dmm_status merge_stream_key(void *user, uint64_t list, uint64_t at, void *key);
dmm_status merge_stream_load(
    void *user, uint64_t list, uint64_t first, uint64_t count, void *keys, void *values);
dmm_status merge_stream_write(void *user, const void *keys, const void *values, uint64_t count);

/* Makes lists of different lengths: every fourth is empty, the sixth is long. */
void merge_stream_open(
    merge_stream_case *c, uint64_t lists, shape input, uint64_t seed, int sorted);
void merge_stream_close(merge_stream_case *c);
dmm_status merge_stream_run(merge_stream_case *c, const rig *r);
/* True if a window has places for two blocks of each list that has items. */
int merge_stream_fits(const merge_stream_case *c);
/* Judges the output of a call that has succeeded. */
void merge_stream_check(const merge_stream_case *c);

#endif
