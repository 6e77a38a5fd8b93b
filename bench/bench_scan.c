/* SPDX-License-Identifier: MIT */
/*
 * bench_scan [options]: dmm_scan, each operation beside a copy of as many items and beside a plain
 * C loop of two passes (total, then scan) on one thread; rounds of all three, so that what disturbs
 * the machine disturbs each. GB/s counts what is moved: a scan reads items twice and writes them
 * once, a copy reads and writes once. ratio-to-C: the loop's median time over the scan's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/scan.h>

#include "job.h"

/* The plain loop. What its first pass finds is returned, so that no compiler leaves it out. */
typedef double (*plain_loop)(const void *in, void *out, size_t n, int exclusive);

#define ADD(a, b)  ((a) + (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define DEFINE_PLAIN(name, type, first, combine)                                       \
    static double name(const void *in_bytes, void *out_bytes, size_t n, int exclusive) \
    {                                                                                  \
        const type *in = in_bytes;                                                     \
        type *out = out_bytes, total = first, running = first;                         \
        for (size_t i = 0; i < n; i++)                                                 \
            total = (type)combine(total, in[i]);                                       \
        for (size_t i = 0; i < n; i++) {                                               \
            const type before = running;                                               \
            running = (type)combine(running, in[i]);                                   \
            out[i] = exclusive ? before : running;                                     \
        }                                                                              \
        return (double)total;                                                          \
    }
#define DEFINE_PLAINS(name, type, unsigned_type, least) \
    DEFINE_PLAIN(add_##name, unsigned_type, 0, ADD)     \
    DEFINE_PLAIN(most_##name, type, least, MOST)
DEFINE_PLAINS(u8, uint8_t, uint8_t, 0)
DEFINE_PLAINS(i8, int8_t, uint8_t, INT8_MIN)
DEFINE_PLAINS(u16, uint16_t, uint16_t, 0)
DEFINE_PLAINS(i16, int16_t, uint16_t, INT16_MIN)
DEFINE_PLAINS(u32, uint32_t, uint32_t, 0)
DEFINE_PLAINS(i32, int32_t, uint32_t, INT32_MIN)
DEFINE_PLAINS(u64, uint64_t, uint64_t, 0)
DEFINE_PLAINS(i64, int64_t, uint64_t, INT64_MIN)
DEFINE_PLAINS(f32, float, float, 0)
DEFINE_PLAINS(f64, double, double, 0)

static const plain_loop plain_loops[][2] = {
    [DMM_U8] = {add_u8, most_u8},
    [DMM_I8] = {add_i8, most_i8},
    [DMM_U16] = {add_u16, most_u16},
    [DMM_I16] = {add_i16, most_i16},
    [DMM_U32] = {add_u32, most_u32},
    [DMM_I32] = {add_i32, most_i32},
    [DMM_U64] = {add_u64, most_u64},
    [DMM_I64] = {add_i64, most_i64},
    [DMM_F32] = {add_f32, most_f32},
    [DMM_F64] = {add_f64, most_f64},
};

static volatile double sink;

static double plain_ms(bench_job *job, const dmm_scan_desc *desc)
{
    const double start = bench_now_ms();
    const plain_loop loop = plain_loops[desc->type][desc->op];
    sink = loop(job->in.keys, job->out.keys, job->options.n, desc->exclusive);
    return bench_now_ms() - start;
}

static double scan_ms(const bench_job *job, dmm_scan *scan)
{
    const cl_command_queue queue = dmm_context_queue(job->ctx);
    const dmm_scan_args args = {
        .in = {job->keys_in, 0}, .out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    const double start = bench_now_ms();
    bench_require(dmm_scan_enqueue(scan, queue, &args, job->options.n, 0, NULL, NULL), "scan");
    bench_require(clFinish(queue), "scan");
    return bench_now_ms() - start;
}

/* The device's output against the plain loop's. */
static void judge(const bench_job *job)
{
    const size_t bytes = bench_key_bytes(&job->in);
    void *result = bench_allocate(bytes);
    bench_read(job->ctx, job->keys_out, result, bytes);
    bench_require_right(
        memcmp(result, job->out.keys, bytes) != 0 ? "not the plain loop's" : NULL, "output");
    free(result);
}

static double *samples(const bench_job *job)
{
    return bench_allocate(job->options.runs * sizeof(double));
}

static void print_row(const bench_job *job, const dmm_scan_desc *desc, bench_times scan,
    bench_times copy, bench_times plain)
{
    const double n = (double)job->options.n, bytes = (double)bench_key_bytes(&job->in);
    const double rate = 3e-6 * bytes / scan.median, copy_rate = 2e-6 * bytes / copy.median;
    printf("scan %s %s %zu %s %u %u %.3f %.3f %.1f %.2f %.2f %.2f\n", dmm_type_name(desc->type),
        desc->op == DMM_SCAN_MAX ? "max"
        : desc->exclusive        ? "sum-exclusive"
                                 : "sum",
        job->options.n, job->chosen.form, job->chosen.u, job->chosen.E, scan.median, scan.least,
        1e-3 * n / scan.median, rate, rate / copy_rate, plain.median / scan.median);
    fflush(stdout);
}

static void run(bench_job *job, dmm_scan *scan, const dmm_scan_desc *desc)
{
    double *scans = samples(job), *copies = samples(job), *plains = samples(job);
    plain_ms(job, desc);
    scan_ms(job, scan);
    judge(job);
    for (size_t i = 0; i < job->options.runs; i++) {
        copies[i] = bench_copy_ms(job->ctx, job->keys_in, job->keys_out, bench_key_bytes(&job->in));
        plains[i] = plain_ms(job, desc);
        scans[i] = scan_ms(job, scan);
    }
    judge(job);
    print_row(job, desc, bench_summary(scans, job->options.runs),
        bench_summary(copies, job->options.runs), bench_summary(plains, job->options.runs));
    free(scans);
    free(copies);
    free(plains);
}

/* Zeros and ones: sums of floats up to 2^24 are exact in whatever order, and compare bit by bit. */
static void make_sums_exact(bench_job *job)
{
    const bench_options *o = &job->options;
    for (size_t i = 0; i < o->n && (o->type == DMM_F32 || o->type == DMM_F64); i++) {
        const float narrow = (float)(i * 2654435761u >> 7 & 1);
        const double wide = narrow;
        const void *item = o->type == DMM_F32 ? (const void *)&narrow : &wide;
        memcpy(job->in.keys + i * dmm_type_bytes(o->type), item, dmm_type_bytes(o->type));
    }
}

int main(int argc, char **argv)
{
    static const dmm_scan_desc kinds[] = {
        {.op = DMM_SCAN_SUM}, {.op = DMM_SCAN_SUM, .exclusive = 1}, {.op = DMM_SCAN_MAX}};
    bench_job job;
    dmm_scan *scans[3] = {NULL};
    uint64_t temp_bytes = 0;
    bench_job_open(&job, argc, argv);
    if (job.options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "a scan has no values");
    for (size_t i = 0; i < 3; i++) {
        dmm_scan_desc desc = kinds[i];
        desc.type = job.options.type;
        bench_require(dmm_scan_create(&scans[i], job.ctx, &desc), "create");
    }
    bench_require(dmm_scan_temp_bytes(&temp_bytes, scans[0], job.options.n), "temp");
    bench_job_fill(&job);
    make_sums_exact(&job);
    bench_job_upload(&job, temp_bytes);
    bench_print_origin(argc, argv, job.ctx);
    printf("# word type op n form u E median_ms min_ms Mitems/s GB/s share-of-copy ratio-to-C\n");
    for (size_t i = 0; i < 3; i++) {
        dmm_scan_desc desc = kinds[i];
        desc.type = job.options.type;
        run(&job, scans[i], &desc);
        dmm_scan_free(scans[i]);
    }
    bench_job_close(&job);
    return 0;
}
