/* SPDX-License-Identifier: MIT */
/*
 * Searches with their results, and two judges: an oracle that counts keys one by one, and the
 * property that a rank's neighbours lie on either side of the query.
 */
#ifndef DMM_TESTS_LOOKUP_H
#define DMM_TESTS_LOOKUP_H

#include <dmm/search.h>

#include "support/kind.h"

/* Keys, queries, and what came out. */
typedef struct lookup {
    kind k;
    dmm_rank result;
    uint32_t rank_bytes;
    dmm_layout_kind layout;
    uint32_t B;
    dmm_search_method method;
    uint32_t team;
    uint64_t n, m;
    unsigned char *keys, *queries, *out, *ends;
} lookup;

/* Returns sorted keys of a shape, the rest as in `setup`; half of the queries are keys, the others
 * random; sorted for a merge. */
lookup lookup_create(const lookup *setup, shape s, uint64_t n, uint64_t m, uint64_t seed);
void lookup_free(lookup *l);
const void *lookup_key(const lookup *l, uint64_t i);
/* Returns the bytes of a result. */
uint32_t lookup_out_bytes(const lookup *l);

/* Return what is wrong, or NULL. */
const char *lookup_judge_by_counting(const lookup *l);
const char *lookup_judge_by_neighbours(const lookup *l);

#endif
