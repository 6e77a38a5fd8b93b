/* SPDX-License-Identifier: MIT */
/*
 * bench_partition [options]: dmm_partition of 32-bit items by 32-bit labels, over K and how labels
 * are spread, beside a copy of as many items and beside plain C on two threads with write-combining
 * (count, then collect a line of each bucket before it is written); rounds of all three, so that
 * what disturbs the machine disturbs each. ratio-to-C: its median time over the partition's;
 * ratio-to-random: the partition's median on random labels over that on these.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/partition.h>

#include "job.h"

enum { THREADS = 2, LINE = 16, MAX_WAYS = 1024 }; /* a line: 64 bytes of items */

typedef struct line {
    uint32_t items[LINE];
} line;

/* One thread's share of the plain partition: items first .. end - 1. */
typedef struct share {
    pthread_t thread;
    const uint32_t *items, *labels;
    uint32_t *out;
    size_t first, end;
    size_t next[MAX_WAYS]; /* counts, then where the bucket's next item goes */
    line *lines;
} share;

static void *count_share(void *user)
{
    share *s = user;
    memset(s->next, 0, sizeof s->next);
    for (size_t i = s->first; i < s->end; i++)
        s->next[s->labels[i]]++;
    return NULL;
}

/* The items of a line lie in it as in memory: item p of the output in slot p mod LINE. */
static void *move_share(void *user)
{
    share *s = user;
    size_t begin[MAX_WAYS];
    memcpy(begin, s->next, sizeof begin);
    for (size_t i = s->first; i < s->end; i++) {
        const uint32_t b = s->labels[i];
        const size_t place = s->next[b]++, slot = place % LINE;
        s->lines[b].items[slot] = s->items[i];
        if (slot < LINE - 1)
            continue;
        if (place + 1 >= begin[b] + LINE)
            memcpy(s->out + place + 1 - LINE, &s->lines[b], sizeof(line));
        else
            for (size_t p = begin[b]; p <= place; p++)
                s->out[p] = s->lines[b].items[p % LINE];
    }
    for (uint32_t b = 0; b < MAX_WAYS; b++) {
        const size_t line_begin = s->next[b] - s->next[b] % LINE;
        for (size_t p = line_begin > begin[b] ? line_begin : begin[b]; p < s->next[b]; p++)
            s->out[p] = s->lines[b].items[p % LINE];
    }
    return NULL;
}

static void run_shares(share shares[THREADS], void *(*step)(void *))
{
    for (int t = 0; t < THREADS; t++)
        if (pthread_create(&shares[t].thread, NULL, step, &shares[t]) != 0)
            bench_require(DMM_OUT_OF_MEMORY, "threads");
    for (int t = 0; t < THREADS; t++)
        pthread_join(shares[t].thread, NULL);
}

/* What is measured: the job, its labels on both sides, and shares for the plain loop. */
typedef struct partition_job {
    bench_job job;
    uint32_t ways;
    const char *spread;
    uint32_t *labels;
    cl_mem labels_in, offsets, temp;
    dmm_partition *partition;
    share shares[THREADS];
} partition_job;

static double plain_ms(partition_job *p)
{
    const double start = bench_now_ms();
    size_t before = 0;
    run_shares(p->shares, count_share);
    for (uint32_t b = 0; b < p->ways; b++)
        for (int t = 0; t < THREADS; t++) {
            const size_t count = p->shares[t].next[b];
            p->shares[t].next[b] = before;
            before += count;
        }
    run_shares(p->shares, move_share);
    return bench_now_ms() - start;
}

static double call_ms(const partition_job *p)
{
    const cl_command_queue queue = dmm_context_queue(p->job.ctx);
    const dmm_partition_args args = {.items_in = {p->job.keys_in, 0},
        .by = {p->labels_in, 0},
        .items_out = {p->job.keys_out, 0},
        .offsets = {p->offsets, 0},
        .temp = {p->temp, 0}};
    const double start = bench_now_ms();
    bench_require(
        dmm_partition_enqueue(p->partition, queue, &args, p->job.options.n, 0, NULL, NULL), "call");
    bench_require(clFinish(queue), "call");
    return bench_now_ms() - start;
}

/* The device's output against the plain loop's. */
static void judge(const partition_job *p)
{
    const size_t bytes = bench_key_bytes(&p->job.in);
    void *result = bench_allocate(bytes);
    bench_read(p->job.ctx, p->job.keys_out, result, bytes);
    bench_require_right(
        memcmp(result, p->job.out.keys, bytes) != 0 ? "not the plain loop's" : NULL, "output");
    free(result);
}

/* Random, sorted, equal, or bucket b about as often as 1 / (b + 1) says. */
static void fill_labels(partition_job *p)
{
    const size_t n = p->job.options.n;
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const uint32_t random = (uint32_t)((state >> 32) * p->ways >> 32);
        uint32_t label = random;
        if (strcmp(p->spread, "sorted") == 0)
            label = (uint32_t)((uint64_t)i * p->ways / n);
        else if (strcmp(p->spread, "equal") == 0)
            label = p->ways / 3;
        else if (strcmp(p->spread, "zipf") == 0)
            label = (uint32_t)pow(p->ways, (double)(state >> 32) / 4294967296.0) - 1;
        p->labels[i] = label;
    }
}

static void open_partition(partition_job *p)
{
    const size_t n = p->job.options.n;
    const dmm_partition_desc desc = {.ways = p->ways, .max_n = n};
    uint64_t temp_bytes = 0;
    bench_require(dmm_partition_create(&p->partition, p->job.ctx, &desc), "create");
    bench_require(dmm_partition_temp_bytes(&temp_bytes, p->partition, n), "temp");
    p->temp = bench_buffer(p->job.ctx, temp_bytes);
    p->offsets = bench_buffer(p->job.ctx, (p->ways + (uint64_t)1) * sizeof(uint64_t));
    for (size_t t = 0; t < THREADS; t++) {
        share *s = &p->shares[t];
        s->items = (const uint32_t *)(void *)p->job.in.keys;
        s->out = (uint32_t *)(void *)p->job.out.keys;
        s->labels = p->labels;
        s->first = n * t / THREADS;
        s->end = n * (t + 1) / THREADS;
    }
}

static void close_partition(partition_job *p)
{
    dmm_partition_free(p->partition);
    clReleaseMemObject(p->temp);
    clReleaseMemObject(p->offsets);
}

/* Returns the median time. */
static double run(partition_job *p, double random_ms)
{
    const size_t runs = p->job.options.runs, bytes = bench_key_bytes(&p->job.in);
    double *calls = bench_allocate(runs * sizeof *calls),
           *copies = bench_allocate(runs * sizeof *calls);
    double *plains = bench_allocate(runs * sizeof *calls);
    fill_labels(p);
    bench_write(p->job.ctx, p->labels_in, p->labels, bytes);
    plain_ms(p);
    call_ms(p);
    judge(p);
    for (size_t i = 0; i < runs; i++) {
        copies[i] = bench_copy_ms(p->job.ctx, p->job.keys_in, p->job.keys_out, bytes);
        plains[i] = plain_ms(p);
        calls[i] = call_ms(p);
    }
    judge(p);
    const bench_times call = bench_summary(calls, runs), copy = bench_summary(copies, runs);
    const bench_times plain = bench_summary(plains, runs);
    printf("partition %u %s %zu %s %u %u %.3f %.3f %.1f %.2f %.2f %.2f\n", p->ways, p->spread,
        p->job.options.n, p->job.chosen.form, p->job.chosen.u, p->job.chosen.E, call.median,
        call.least, 1e-3 * (double)p->job.options.n / call.median, copy.median / call.median,
        plain.median / call.median, random_ms == 0 ? 1 : random_ms / call.median);
    fflush(stdout);
    free(calls);
    free(copies);
    free(plains);
    return call.median;
}

int main(int argc, char **argv)
{
    static const char *const spreads[] = {"random", "sorted", "equal", "zipf"};
    static const uint32_t all_ways[] = {32, 256, 1000};
    partition_job p = {.ways = 0};
    bench_job_open(&p.job, argc, argv);
    if (p.job.options.value_bytes != 0 || p.job.options.type != DMM_U32)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    bench_job_fill(&p.job);
    bench_job_upload(&p.job, 1);
    p.labels = bench_allocate(bench_key_bytes(&p.job.in));
    p.labels_in = bench_buffer(p.job.ctx, bench_key_bytes(&p.job.in));
    for (int t = 0; t < THREADS; t++)
        p.shares[t].lines = bench_allocate(MAX_WAYS * sizeof(line));
    bench_print_origin(argc, argv, p.job.ctx);
    printf("# word K labels n form u E median_ms min_ms Mitems/s copy-time/time ratio-to-C "
           "ratio-to-random\n");
    for (size_t k = 0; k < sizeof all_ways / sizeof *all_ways; k++) {
        double random_ms = 0;
        p.ways = all_ways[k];
        open_partition(&p);
        for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
            p.spread = spreads[s];
            const double ms = run(&p, random_ms);
            random_ms = s == 0 ? ms : random_ms;
        }
        close_partition(&p);
    }
    for (int t = 0; t < THREADS; t++)
        free(p.shares[t].lines);
    clReleaseMemObject(p.labels_in);
    free(p.labels);
    bench_job_close(&p.job);
    return 0;
}
