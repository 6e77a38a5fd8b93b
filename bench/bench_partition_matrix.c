/* SPDX-License-Identifier: MIT */
/*
 * bench_partition_matrix [options]: the ways in which dmm_partition in the GPU form moves its tiles
 * by bucket: by rank, by split, as a matrix, by rank in whole blocks.
 */
#include <stdio.h>

#include "ways.h"

static const struct {
    const char *name;
    dmm_partition_method method;
    int guarantee;
} moves[] = {{"rank", DMM_PARTITION_RADIX, 0}, {"split", DMM_PARTITION_RADIX, 1},
    {"matrix", DMM_PARTITION_MATRIX, 0}, {"blocks", DMM_PARTITION_BLOCKS, 0}};

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
            .method = moves[at].method,
            .max_n = job->n,
            .tuning = {.form = DMM_FORM_GPU}};
        bench_heard(job);
        const uint64_t bytes = bench_ways_create(&ways[at], job, &desc);
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
