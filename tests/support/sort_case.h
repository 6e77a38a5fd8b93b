/* SPDX-License-Identifier: MIT */
/*
 * One sort of a test, from its description to the verdict: sort_build makes the object, sort_check
 * runs a case with it. The steps in between (prepare, start, finish) are for tests that do
 * something meanwhile.
 */
#ifndef DMM_TESTS_SORT_CASE_H
#define DMM_TESTS_SORT_CASE_H

#include <dmm/sort.h>

#include "support/kind.h"
#include "support/rig.h"
#include "support/zone.h"

/* Description of a sort. */
typedef struct sort_setup {
    kind k;
    uint32_t value_bytes;
    int argsort;
    dmm_tuning tuning;
} sort_setup;

/* By method merge. */
dmm_sort_desc sort_desc_of(const sort_setup *setup);
/* Fails the test, with the log, if the sort cannot be built. */
dmm_sort *sort_build(rig *r, const sort_setup *setup);
dmm_sort *sort_build_by(rig *r, const sort_setup *setup, dmm_sort_method method, uint64_t max_n);
dmm_sort *sort_build_desc(rig *r, const dmm_sort_desc *desc);
/* The same by a function like dmm_sort_create, such as any_sort_create (support/methods.h). */
typedef dmm_status sort_creator(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc);
dmm_sort *sort_build_as(rig *r, const dmm_sort_desc *desc, sort_creator *create);

/* n values to go in, to be freed: random bytes, or what an argsort makes of its own, each item's
 * index. */
void *sort_values(const sort_setup *setup, uint64_t n, random_source *random);

/* Outputs that are their inputs. */
enum { APART = 0, IN_PLACE = 1, KEYS_IN_PLACE = 2, VALUES_IN_PLACE = 3, NUM_PLACES = 4 };

/* One call. */
typedef struct sort_case {
    uint64_t n;
    shape input;
    uint64_t seed;
    int in_place;
    uint64_t offset_items; /* offset of every span but temp */
    int temp_given;        /* temp of exactly the bytes asked for */
    int any_order;         /* the judges are not asked: for orders that are none */
} sort_case;

typedef struct sort_run {
    const rig *r;
    const sort_setup *setup;
    const sort_case *c;
    int keys_in_place, values_in_place;
    void *keys, *values; /* the input, for the judges */
    zone keys_in, values_in, keys_out, values_out, temp;
    dmm_sort_args args;
} sort_run;

sort_run sort_prepare(
    const rig *r, const dmm_sort *sort, const sort_setup *setup, const sort_case *c);
/* The same for a sort of another kind, which needs temp_bytes of temp. */
sort_run sort_prepare_with(
    const rig *r, uint64_t temp_bytes, const sort_setup *setup, const sort_case *c);
/* After the sort's completion: red zones, untouched inputs and the judges; then releases
 * everything. */
void sort_finish(sort_run *run);

/* Prepares, runs and checks a case on the rig's queue. */
void sort_check(const rig *r, dmm_sort *sort, const sort_setup *setup, const sort_case *c);

#endif
