/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort as an entrant of a contest, out of place and in the job's temp.
 */
#ifndef DMM_BENCH_SORT_ENTRANTS_H
#define DMM_BENCH_SORT_ENTRANTS_H

#include <dmm/sort.h>

#include "contest.h"

/* A method: its name, and how a sort by it is created. */
typedef struct bench_sort_method {
    const char *name;
    dmm_status (*create)(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc);
    dmm_sort_method method; /* the description's */
    double (*item_bytes)(const bench_job *job, const bench_parameters *with); /* by the model */
} bench_sort_method;

extern const bench_sort_method bench_sort_merge, bench_sort_radix, bench_sort_network;

/* Makes e a sort of the job's items, the entrant `at` of dmm's; e->object is to be freed. Returns
 * its temp. */
uint64_t bench_sort_create(
    bench_entrant *e, size_t at, bench_job *job, const bench_sort_method *by, dmm_form form);

/* Enqueues such an entrant. */
dmm_status bench_sort_enqueue(bench_job *job, dmm_sort *sort, cl_event *event);

#endif
