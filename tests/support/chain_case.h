/* SPDX-License-Identifier: MIT */
/*
 * Calls whose passes are chained (cl/chain.clh), on random input, and their judges: for the test
 * radix_chain.
 */
#ifndef DMM_TESTS_CHAIN_CASE_H
#define DMM_TESTS_CHAIN_CASE_H

#include "support/random.h"
#include "support/rig.h"

enum { CHAIN_U = 16, CHAIN_TILE = CHAIN_U * 8, CHAIN_MOST = 12 * CHAIN_TILE };

/* Each makes a call on n <= CHAIN_MOST items, and returns NULL if its result is right. */
typedef const char *chain_case(const rig *r, random_source *random, size_t n, uint32_t kind);

/* Sorts keys up to `most_key`, with their positions. */
const char *chain_sort(const rig *r, random_source *random, size_t n, uint32_t most_key);
/* The same in one pass, for keys below 256. An error in the chain loses items then, but moves none
 * beyond the output: digits are counted before. */
const char *chain_pass(const rig *r, random_source *random, size_t n, uint32_t most_key);
/* Packs runs of `length` keys on average. */
const char *chain_pack(const rig *r, random_source *random, size_t n, uint32_t length);
/* Selects some of n keys up to `most_key`, with their positions, in input order. */
const char *chain_select(const rig *r, random_source *random, size_t n, uint32_t most_key);
/* Combines two lists by a dmm_set_op, with runs of equal keys shorter and longer than a tile. */
const char *chain_set(const rig *r, random_source *random, size_t n, uint32_t op);
/* Scans items of 1, 2, 4 or 8 bytes in place. */
const char *chain_scan(const rig *r, random_source *random, size_t n, uint32_t bytes);
/* Adds up the items of runs of `length` keys on average, and of each item what is before it in its
 * run, in place. */
const char *chain_by_key(const rig *r, random_source *random, size_t n, uint32_t length);

#endif
