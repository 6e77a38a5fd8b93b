/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort as an entrant of a contest, out of place and in the job's temp.
 */
#ifndef DMM_BENCH_SORT_ENTRANTS_H
#define DMM_BENCH_SORT_ENTRANTS_H

#include <dmm/sort.h>

#include "contest.h"

/* Makes e a sort of the job's items, the entrant `at` of dmm's; e->object is to be freed. Returns
 * its temp. */
uint64_t bench_sort_create(
    bench_entrant *e, size_t at, bench_job *job, dmm_sort_method method, dmm_form form);

/* Enqueues such an entrant. */
dmm_status bench_sort_enqueue(bench_job *job, dmm_sort *sort, cl_event *event);

#endif
