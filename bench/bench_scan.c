/* SPDX-License-Identifier: MIT */
/*
 * bench_scan [options]: dmm_scan by three operations, of any type but f16; peers for sums of u32 or
 * u64. dmm moves three times the items: it reads them twice and writes them once.
 */
#include <string.h>

#include "peer_entrants.h"
#include "plain_scan.h"

enum { OTHERS = 5 }; /* dmm and the entrants before CUDA's */

static const bench_cuda_peer cuda_peers[] = {
    {"cub", "scan", PEER_CUB_SCAN, 0, 0, bench_cuda_fault},
    {"cub", "scan_exclusive", PEER_CUB_SCAN_EXCLUSIVE, 0, 0, bench_cuda_fault},
};

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_scan_args args = {
        .in = {job->keys_in, 0}, .out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_scan_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static int scan_plain(bench_job *job, const bench_entrant *self)
{
    bench_plain_scan(self->object, job->in.keys, job->out.keys, job->n);
    return 1;
}

static int scan_std(bench_job *job, const bench_entrant *self)
{
    const dmm_scan_desc *const desc = self->object;
    return peer_std_scan(
        bench_kind(job), job->in.keys, job->out.keys, job->n, desc->exclusive, self->which);
}

static int scan_boost(bench_job *job, const bench_entrant *self)
{
    const dmm_scan_desc *const desc = self->object;
    return peer_boost_scan(
        job->queue, bench_kind(job), job->keys_in, job->keys_out, job->n, desc->exclusive);
}

/* Zeros and ones: sums of floats up to 2^24 are exact in any order, and compare bit by bit. */
static void make_sums_exact(bench_job *job)
{
    const dmm_type type = job->options.type;
    for (size_t i = 0; i < job->n && (type == DMM_F32 || type == DMM_F64); i++) {
        const float narrow = (float)(i * 2654435761u >> 7 & 1);
        const double wide = narrow;
        const void *item = type == DMM_F32 ? (const void *)&narrow : &wide;
        memcpy(job->in.keys + i * dmm_type_bytes(type), item, dmm_type_bytes(type));
    }
}

/* Returns the bytes moved for an item: chained scans read it once. */
static double moved_bytes(const bench_parameters *with, const dmm_scan_desc *desc)
{
    const int floats = desc->type == DMM_F32 || desc->type == DMM_F64;
    const int chained = strcmp(with->form, "gpu") == 0 && !(floats && desc->op == DMM_SCAN_SUM);
    return (chained ? 2.0 : 3.0) * dmm_type_bytes(desc->type);
}

static void run_one(bench_job *job, const char *title, dmm_scan_desc desc)
{
    const bench_options *o = &job->options;
    const int known = desc.op == DMM_SCAN_SUM && (o->type == DMM_U32 || o->type == DMM_U64);
    dmm_scan *scan = NULL;
    uint64_t temp_bytes = 0;
    desc.type = o->type;
    bench_require(dmm_scan_create(&scan, job->ctx, &desc), "create");
    bench_require(dmm_scan_temp_bytes(&temp_bytes, scan, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    bench_entrant entrants[8] = {
        {.who = "dmm",
            .method = "scan",
            .with = with,
            .item_bytes = moved_bytes(&with, &desc),
            .object = scan,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "c",
            .method = "loop",
            .object = &desc,
            .call = scan_plain,
            .fault = bench_host_fault},
        {.who = "std",
            .method = desc.exclusive ? "exclusive_scan" : "inclusive_scan",
            .object = &desc,
            .call = scan_std,
            .fault = bench_host_fault},
        {.who = "std",
            .method = desc.exclusive ? "exclusive_scan_par" : "inclusive_scan_par",
            .object = &desc,
            .which = 1,
            .call = scan_std,
            .fault = bench_host_fault},
        {.who = "boost",
            .method = desc.exclusive ? "exclusive_scan" : "inclusive_scan",
            .object = &desc,
            .call = scan_boost,
            .fault = bench_device_fault},
    };
    bench_job_fill(job);
    make_sums_exact(job);
    bench_job_upload(job, temp_bytes);
    job->expected_bytes = bench_key_bytes(&job->in);
    job->expected = bench_allocate(job->expected_bytes);
    bench_plain_scan(&desc, job->in.keys, job->expected, job->n);
    size_t count = o->peers ? 2 : 1;
    if (o->peers && known)
        count = OTHERS + bench_add_cuda(entrants + OTHERS, job, &cuda_peers[desc.exclusive], 1);
    bench_contest(job, title, entrants, count);
    dmm_scan_free(scan);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    if (job->options.value_bytes != 0 || job->options.type == DMM_F16)
        bench_require(DMM_UNSUPPORTED, "a scan in C of f16 or of values");
    run_one(job, "sum", (dmm_scan_desc){.op = DMM_SCAN_SUM});
    run_one(job, "sum-exclusive", (dmm_scan_desc){.op = DMM_SCAN_SUM, .exclusive = 1});
    run_one(job, "max", (dmm_scan_desc){.op = DMM_SCAN_MAX});
}

int main(int argc, char **argv)
{
    static const bench_word word = {"scan", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
