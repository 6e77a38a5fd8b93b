/* SPDX-License-Identifier: MIT */
/*
 * bench_set [options]: dmm_set of two sorted halves, each operation by itself, beside the standard
 * library's std::set_*, Boost.Compute's and Thrust's. Keys are taken mod n/2, so of random ones a
 * value comes about once in each half, often several times or not at all. Each key is read twice;
 * kept ones are written.
 */
#include <dmm/set.h>

#include <stdlib.h>

#include "peer_entrants.h"

enum { NUM_OPS = 4, NUM_HOST_OR_DEVICE = 4 };

static const struct {
    dmm_set_op op;
    peer_set peer;
    const char *name;
} ops[NUM_OPS] = {{DMM_SET_UNION, PEER_UNION, "union"},
    {DMM_SET_INTERSECTION, PEER_INTERSECTION, "intersection"},
    {DMM_SET_DIFFERENCE, PEER_DIFFERENCE, "difference"},
    {DMM_SET_SYMMETRIC, PEER_SYMMETRIC, "symmetric"}};

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const uint64_t na = job->n / 2, nb = job->n - na;
    const dmm_set_args args = {.a_keys = {job->keys_in, 0},
        .b_keys = {job->keys_in, na * sizeof(uint32_t)},
        .keys_out = {job->keys_out, 0},
        .count_out = {job->by_in, 0},
        .temp = {job->temp, 0}};
    return dmm_set_enqueue(self->object, job->queue, &args, na, nb, 0, NULL, event);
}

static int set_std(bench_job *job, const bench_entrant *self)
{
    size_t kept = 0;
    return peer_std_set((peer_set)(self->which / 2), job->in.keys, job->n / 2, job->n,
        job->out.keys, &kept, self->which % 2);
}

static int set_boost(bench_job *job, const bench_entrant *self)
{
    return peer_boost_set(
        job->queue, (peer_set)self->which, job->keys_in, job->n / 2, job->n, job->keys_out);
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void fill_halves(bench_job *job)
{
    uint32_t *const keys = (uint32_t *)(void *)job->in.keys;
    const uint32_t different = (uint32_t)(job->n / 2 + 1);
    const size_t na = job->n / 2;
    for (size_t i = 0; i < job->n; i++)
        keys[i] %= different;
    qsort(keys, na, sizeof *keys, compare);
    qsort(keys + na, job->n - na, sizeof *keys, compare);
}

/* Expects what std::set_* returns. */
static double expect(bench_job *job, peer_set op)
{
    size_t kept = 0;
    free(job->expected);
    job->expected = bench_allocate(bench_key_bytes(&job->in));
    (void)peer_std_set(op, job->in.keys, job->n / 2, job->n, job->expected, &kept, 0);
    job->expected_bytes = kept * sizeof(uint32_t);
    return (double)kept / (double)job->n;
}

static void run_one(bench_job *job, dmm_set *set, size_t i)
{
    const double kept = expect(job, ops[i].peer);
    const bench_cuda_peer thrust = {"thrust", "set",
        (peer_cuda_algorithm)(PEER_THRUST_SET + (int)ops[i].peer), 0, 0, bench_cuda_fault};
    size_t count = 1;
    bench_entrant entrants[NUM_HOST_OR_DEVICE + 1] = {
        {.who = "dmm",
            .method = "set",
            .with = job->heard,
            .item_bytes = 2 * 4 + kept * 4,
            .object = set,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "std",
            .method = "set",
            .which = 2 * (int)ops[i].peer,
            .call = set_std,
            .fault = bench_host_fault},
        {.who = "std",
            .method = "set_par",
            .which = 2 * (int)ops[i].peer + 1,
            .call = set_std,
            .fault = bench_host_fault},
        {.who = "boost",
            .method = "set",
            .which = (int)ops[i].peer,
            .call = set_boost,
            .fault = bench_device_fault},
    };
    if (job->options.peers)
        count = NUM_HOST_OR_DEVICE + bench_add_cuda(entrants + NUM_HOST_OR_DEVICE, job, &thrust, 1);
    bench_contest(job, ops[i].name, entrants, count);
}

static void run(bench_job *job)
{
    dmm_set *sets[NUM_OPS] = {NULL};
    uint64_t temp_bytes = 0;
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "keys of u32 alone");
    for (size_t i = 0; i < NUM_OPS; i++) {
        const dmm_set_desc desc = {.order = {.type = DMM_U32}, .op = ops[i].op, .max_n = job->n};
        uint64_t bytes = 0;
        bench_require(dmm_set_create(&sets[i], job->ctx, &desc), "create");
        bench_require(dmm_set_temp_bytes(&bytes, sets[i], job->n), "temp");
        temp_bytes = bytes > temp_bytes ? bytes : temp_bytes;
    }
    job->heard = bench_heard(job);
    bench_job_fill(job);
    fill_halves(job);
    bench_job_upload(job, temp_bytes);
    job->by_in = bench_buffer(job->ctx, sizeof(uint64_t));
    for (size_t i = 0; i < NUM_OPS; i++) {
        run_one(job, sets[i], i);
        dmm_set_free(sets[i]);
    }
}

int main(int argc, char **argv)
{
    static const bench_word word = {"set", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
