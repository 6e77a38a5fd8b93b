/* SPDX-License-Identifier: MIT */
/*
 * bench_sort_quick [options]: libdmm-lab's quicksort by many pivots, beside method merge of
 * dmm_sort, out of place.
 */
#include <dmm-lab/sort.h>

#include "model.h"
#include "sort_entrants.h"

static dmm_status create_quick(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc)
{
    return dmm_lab_sort_create(out, ctx, desc, DMM_LAB_SORT_QUICK);
}

enum { MERGE, QUICK, NUM_METHODS };

static void run(bench_job *job)
{
    static const bench_sort_method by_quick = {
        "quick", create_quick, DMM_SORT_AUTO, bench_quick_sort_bytes};
    bench_entrant entrants[NUM_METHODS];
    const uint64_t merge_temp =
        bench_sort_create(&entrants[MERGE], MERGE, job, &bench_sort_merge, DMM_FORM_DEFAULT);
    const uint64_t quick_temp =
        bench_sort_create(&entrants[QUICK], QUICK, job, &by_quick, DMM_FORM_DEFAULT);
    job->heard = entrants[MERGE].with; /* parameters for which the input may be the worst */
    bench_job_fill(job);
    bench_job_upload(job, merge_temp > quick_temp ? merge_temp : quick_temp);
    job->floors = bench_floors_of(
        job, dmm_type_bytes(job->options.type) + job->options.value_bytes, (double)job->n);
    bench_contest(job, "", entrants, NUM_METHODS);
    dmm_sort_free(entrants[MERGE].object);
    dmm_sort_free(entrants[QUICK].object);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"sort_quick", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
