/* SPDX-License-Identifier: MIT */
/*
 * bench_partition_matrix [options]: the ways in which a partition in the GPU form moves its tiles
 * by bucket: by rank and by split, which are dmm_partition's, as a matrix and by rank in whole
 * blocks, which are the lab's.
 */
#include <stdio.h>

#include <dmm-lab/partition.h>

#include "ways.h"

static const struct {
    const char *name;
    int guarantee;
    dmm_lab_partition_method method; /* 0: dmm_partition */
} moves[] = {{"rank", 0, 0}, {"split", 1, 0}, {"matrix", 0, DMM_LAB_PARTITION_MATRIX},
    {"blocks", 0, DMM_LAB_PARTITION_BLOCKS}};

enum { NUM_MOVES = sizeof moves / sizeof moves[0] };

/* More items take a CPU minutes in this form, and add no information. */
enum { MOST_ON_CPU = 1 << 18 };

static void run_one(bench_job *job, const char *title, uint32_t K)
{
    bench_ways ways[NUM_MOVES];
    bench_entrant entrants[NUM_MOVES];
    uint64_t temp_bytes = 0;
    for (size_t at = 0; at < NUM_MOVES; at++) {
        const dmm_partition_desc desc = {.ways = K,
            .guarantee = moves[at].guarantee,
            .max_n = job->n,
            .tuning = {.form = DMM_FORM_GPU}};
        bench_heard(job);
        dmm_partition *partition = NULL;
        bench_require(moves[at].method != 0
                          ? dmm_lab_partition_create(&partition, job->ctx, &desc, moves[at].method)
                          : dmm_partition_create(&partition, job->ctx, &desc),
            "create");
        const uint64_t bytes = bench_ways_take(&ways[at], job, partition, K);
        const bench_parameters with = bench_heard(job);
        temp_bytes = bytes > temp_bytes ? bytes : temp_bytes;
        entrants[at] = (bench_entrant){.who = "dmm",
            .method = moves[at].name,
            .beside = at,
            .with = with,
            .item_bytes = bench_ways_bytes(K, &with),
            .object = &ways[at],
            .enqueue = bench_ways_enqueue,
            .fault = bench_device_fault};
        job->heard = with;
    }
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    bench_ways_label(job, K);
    bench_contest(job, title, entrants, NUM_MOVES);
    for (size_t at = 0; at < NUM_MOVES; at++)
        bench_ways_free(&ways[at]);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    if (dmm_context_device(job->ctx)->kind == DMM_KIND_CPU && job->n > MOST_ON_CPU) {
        printf("# left out on a CPU: n = %zu\n", job->n);
        return;
    }
    if (job->options.value_bytes != 0 || job->options.type != DMM_U32)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    run_one(job, "K=32", 32);
    run_one(job, "K=256", 256);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"partition_matrix", "random", "2^16", run};
    return bench_main(&word, argc, argv);
}
