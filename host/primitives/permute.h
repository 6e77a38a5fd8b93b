/* SPDX-License-Identifier: MIT */
/*
 * What is not public of dmm_permute: the check of positions (permute_check.c), what moves items of
 * one size (permute_move.c), and the object that puts both together (permute.c).
 */
#ifndef DMM_PRIMITIVES_PERMUTE_H
#define DMM_PRIMITIVES_PERMUTE_H

#include <dmm/permute.h>
#include <dmm/sort.h>

#include "primitives/spread.h"

enum { DMM_PERMUTE_PLAIN_U = 64 };

/* Is an array of positions a permutation? */
typedef struct dmm_permute_checker {
    uint32_t index_bytes, owner_bytes;
    uint64_t max_groups;
    cl_kernel clear, mark, own, find; /* NULL without a check */
    cl_kernel tell;
} dmm_permute_checker;

/* A call of it. */
typedef struct dmm_permute_checking {
    dmm_span index, report;
    dmm_span bad;     /* a u32 that is not 0 afterwards where the array is none */
    dmm_span scratch; /* of dmm_permute_check_bytes */
    uint64_t n;
} dmm_permute_checking;

/* Without `check`, only the report is written. */
dmm_status dmm_permute_checker_init(dmm_permute_checker *out, dmm_context *ctx,
    uint32_t index_bytes, uint32_t position_bytes, int check);
void dmm_permute_checker_destroy(dmm_permute_checker *checker);
/* 0 without a check; monotone in n. */
uint64_t dmm_permute_check_bytes(const dmm_permute_checker *checker, uint64_t n);
dmm_status dmm_permute_check(
    const dmm_permute_checker *checker, dmm_chain *chain, const dmm_permute_checking *call);

/* What moves items of one size. */
typedef struct dmm_permute_mover {
    dmm_word_layout words;
    uint32_t index_bytes, u;
    uint64_t tile; /* T, a power of two; 0: not by tiles */
    cl_kernel plain, count;
    cl_kernel tiles;   /* NULL: not by tiles, or by spreading */
    dmm_sort *passes;  /* towards tiles; NULL where one tile holds all */
    dmm_spread spread; /* of the CPU form */
} dmm_permute_mover;

/* A call of it. */
typedef struct dmm_permute_move {
    dmm_span index, in, out, bad, report, scratch;
    uint64_t seed, n;
    int gather; /* plain only */
} dmm_permute_move;

/* method: as desc says, but not auto. */
dmm_status dmm_permute_mover_init(dmm_permute_mover *out, dmm_context *ctx,
    const dmm_permute_desc *desc, uint32_t item_bytes, dmm_permute_method method);
void dmm_permute_mover_destroy(dmm_permute_mover *mover);
/* What a call needs, and what calls of n items or fewer need at most. */
uint64_t dmm_permute_move_bytes(const dmm_permute_mover *mover, const dmm_permute_move *call);
uint64_t dmm_permute_most_bytes(const dmm_permute_mover *mover, uint64_t n);
dmm_status dmm_permute_move_items(
    const dmm_permute_mover *mover, dmm_chain *chain, const dmm_permute_move *call);
/* to[i] = i. */
dmm_status dmm_permute_number(
    const dmm_permute_mover *mover, dmm_chain *chain, dmm_span to, uint64_t n);

struct dmm_permute {
    dmm_context *ctx; /* borrowed */
    dmm_permute_desc desc;
    uint64_t max_n;
    int inverts; /* gather by the inverse, which `positions` finds */
    dmm_permute_checker checker;
    dmm_permute_mover items, positions;
};

#endif
