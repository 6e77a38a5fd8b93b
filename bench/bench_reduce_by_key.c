/* SPDX-License-Identifier: MIT */
/*
 * bench_reduce_by_key [options]: dmm_reduce_by_key, of u32 in segments of four items on average,
 * beside Boost.Compute's, Thrust's and a plain loop: sums, and totals by an own operator, a ^ b.
 */
#include <dmm/reduce_by_key.h>

#include "peer_entrants.h"
#include "segments.h"

/* An object, and the buffer that gets the keys of the runs. */
typedef struct reducing {
    dmm_reduce_by_key *reduce;
    cl_mem keys_out, runs_out;
} reducing;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const reducing *const r = self->object;
    const dmm_reduce_by_key_args args = {.keys_in = {job->by_in, 0},
        .in = {job->keys_in, 0},
        .keys_out = {r->keys_out, 0},
        .out = {job->keys_out, 0},
        .runs_out = {r->runs_out, 0},
        .temp = {job->temp, 0}};
    return dmm_reduce_by_key_enqueue(r->reduce, job->queue, &args, job->n, 0, NULL, event);
}

static int reduce_boost(bench_job *job, const bench_entrant *self)
{
    const reducing *const r = self->object;
    return peer_boost_reduce_by_key(
        job->queue, job->by_in, job->keys_in, job->n, r->keys_out, job->keys_out, self->which);
}

/* Returns the number of runs. */
static size_t reduce_plainly(const bench_job *job, uint32_t *out, int own)
{
    const uint32_t *const keys = job->by;
    const uint32_t *const items = (const uint32_t *)(const void *)job->in.keys;
    size_t runs = 0;
    for (size_t i = 0; i < job->n; i++) {
        if (i == 0 || keys[i] != keys[i - 1])
            out[runs++] = 0;
        out[runs - 1] = own ? out[runs - 1] ^ items[i] : out[runs - 1] + items[i];
    }
    return runs;
}

static int reduce_by_loop(bench_job *job, const bench_entrant *self)
{
    (void)reduce_plainly(job, (uint32_t *)(void *)job->out.keys, self->which);
    return 1;
}

/* CPU form: keys twice, items once; of each run, key and sum. GPU form: keys twice, items once;
 * scanned items; of each run, key, start written and read, scanned item, sum. */
static double item_bytes(const bench_parameters *with)
{
    return with->u == 1 ? 3 * 4 + 2 * 4.0 / BENCH_REPEATS
                        : 4 * 4 + (2 * 8 + 3 * 4.0) / BENCH_REPEATS;
}

static const bench_cuda_peer cuda_peer = {
    "thrust", "reduce_by_key", PEER_THRUST_REDUCE_BY_KEY, 0, 0, bench_cuda_fault};

static void run_by(bench_job *job, const dmm_operator *own)
{
    const dmm_reduce_by_key_desc desc = {
        .type = DMM_U32, .key_bytes = 4, .max_n = job->n, .own = own};
    reducing r = {.reduce = NULL};
    uint64_t temp_bytes = 0;
    bench_require(dmm_reduce_by_key_create(&r.reduce, job->ctx, &desc), "create");
    bench_require(dmm_reduce_by_key_temp_bytes(&temp_bytes, r.reduce, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    bench_entrant entrants[4] = {
        {.who = "dmm",
            .method = "reduce_by_key",
            .with = with,
            .item_bytes = item_bytes(&with),
            .object = &r,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "plain",
            .method = "loop",
            .which = own != NULL,
            .call = reduce_by_loop,
            .fault = bench_host_fault},
        {.who = "boost",
            .method = "reduce_by_key",
            .which = own != NULL,
            .object = &r,
            .call = reduce_boost,
            .fault = bench_device_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    bench_job_upload_by(job, bench_segments(job->n), job->n * sizeof(uint32_t));
    r.keys_out = bench_buffer(job->ctx, job->n * sizeof(uint32_t));
    r.runs_out = bench_buffer(job->ctx, sizeof(uint64_t));
    job->expected = bench_allocate(job->n * sizeof(uint32_t));
    job->expected_bytes = reduce_plainly(job, job->expected, own != NULL) * sizeof(uint32_t);
    const size_t cuda = own == NULL ? 1 : 0;
    const size_t count =
        job->options.peers ? 3 + bench_add_cuda(entrants + 3, job, &cuda_peer, cuda) : 1;
    bench_contest(job, own != NULL ? "own" : "sum", entrants, count);
    clReleaseMemObject(r.keys_out);
    clReleaseMemObject(r.runs_out);
    dmm_reduce_by_key_free(r.reduce);
}

static void run(bench_job *job)
{
    static const dmm_operator own = {.combine = "a ^ b", .identity = "0"};
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    run_by(job, NULL);
    bench_job_clear(job);
    run_by(job, &own);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"reduce_by_key", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
