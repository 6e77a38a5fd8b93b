/* SPDX-License-Identifier: MIT */
/*
 * bench_sort_matrix [options]: the tile sorts of libdmm-lab in the GPU form, beside that of method
 * merge: matrix and shear, on tiles of the same u and E. The passes that merge tiles are the same;
 * n of one tile (u * E items) has none.
 */
#include <stdio.h>

#include <dmm-lab/sort.h>

#include "model.h"
#include "sort_entrants.h"

static dmm_status create_matrix(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc)
{
    return dmm_lab_sort_create(out, ctx, desc, DMM_LAB_SORT_MATRIX);
}

static dmm_status create_shear(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc)
{
    return dmm_lab_sort_create(out, ctx, desc, DMM_LAB_SORT_SHEAR);
}

static const bench_sort_method by_matrix = {"matrix", create_matrix, DMM_SORT_AUTO,
                                   bench_merge_sort_bytes},
                               by_shear = {
                                   "shear", create_shear, DMM_SORT_AUTO, bench_merge_sort_bytes};
static const bench_sort_method *const methods[] = {&bench_sort_merge, &by_matrix, &by_shear};

enum { NUM_METHODS = sizeof methods / sizeof methods[0] };

/* More items take a CPU minutes in this form, and add no information. */
enum { MOST_ON_CPU = 1 << 18 };

static void run(bench_job *job)
{
    bench_entrant entrants[NUM_METHODS];
    uint64_t temp_bytes = 0;
    if (dmm_context_device(job->ctx)->kind == DMM_KIND_CPU && job->n > MOST_ON_CPU) {
        printf("# left out on a CPU: n = %zu\n", job->n);
        return;
    }
    for (size_t at = 0; at < NUM_METHODS; at++) {
        const uint64_t bytes = bench_sort_create(&entrants[at], at, job, methods[at], DMM_FORM_GPU);
        temp_bytes = bytes > temp_bytes ? bytes : temp_bytes;
        job->heard = entrants[at].with;
    }
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    bench_contest(job, "", entrants, NUM_METHODS);
    for (size_t at = 0; at < NUM_METHODS; at++)
        dmm_sort_free(entrants[at].object);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"sort_matrix", "random", "2^16", run};
    return bench_main(&word, argc, argv);
}
