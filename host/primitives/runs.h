/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of dmm_reduce_by_key and dmm_run_length (cl/runs_cpu.cl): keys of runs and a total
 * of each, in two passes.
 */
#ifndef DMM_PRIMITIVES_RUNS_H
#define DMM_PRIMITIVES_RUNS_H

#include "primitives/classes.h"
#include "primitives/mapping.h"
#include "primitives/words.h"

typedef struct dmm_runs {
    cl_kernel count, write;
    dmm_word_layout keys;
    dmm_mapping mapping;  /* of items */
    uint32_t total_bytes; /* bytes of a total, and without a map of an item */
    dmm_parameters p;
} dmm_runs;

/* The spans of a call; `in` is DMM_NONE for lengths. */
typedef struct dmm_runs_spans {
    dmm_span keys_in, in, keys_out, out, runs_out, count;
    const dmm_span *further; /* of the call's args */
} dmm_runs_spans;

/* For the init of a class: builds the kernels into *runs, of which keys, mapping, total_bytes and p
 * are set. Options and prelude describe the items and their operator, except for lengths. */
dmm_status dmm_runs_build(
    void *object, dmm_runs *runs, dmm_options *options, const char *prelude, int lengths);
/* `region`: the first of two regions of temp. */
void dmm_runs_lay_out(const dmm_runs *runs, dmm_call *call, size_t region);
dmm_status dmm_runs_steps(
    const dmm_runs *runs, const dmm_call *call, const dmm_runs_spans *spans, size_t region);

/* Returns the work-items per group of a kernel that takes the runs one by one: whole warps. */
static inline uint32_t dmm_runs_group(const dmm_device *device)
{
    enum { LEAST_GROUP = 64 };
    const uint32_t banks = (uint32_t)device->banks.value;
    return banks > LEAST_GROUP ? banks : LEAST_GROUP;
}

#endif
