/* SPDX-License-Identifier: MIT */
/*
 * bench_shuffle [options]: dmm_shuffle of u32 items, beside gathers of the same items by the stored
 * order, on the device and in C, which need the order made beforehand, and the shuffles of others,
 * whose order is that of their own generators, in place.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/permute.h>
#include <dmm/shuffle.h>

#include "model.h"
#include "peer_entrants.h"

enum { SEED = 5, ON_DEVICE = 2, OTHERS = 5 }; /* OTHERS: entrants before CUDA's */

typedef struct mover {
    dmm_shuffle *shuffle;
    dmm_permute *gather;
} mover;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const mover *const m = self->object;
    const dmm_shuffle_args args = {
        .seed = SEED, .in = {job->keys_in, 0}, .out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_shuffle_enqueue(m->shuffle, job->queue, &args, job->n, 0, NULL, event);
}

static dmm_status enqueue_gather(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const mover *const m = self->object;
    const dmm_permute_args args = {.index = {job->by_in, 0},
        .in = {job->keys_in, 0},
        .out = {job->keys_out, 0},
        .temp = {job->temp, 0}};
    return dmm_permute_enqueue(m->gather, job->queue, &args, job->n, 0, NULL, event);
}

static int gather_plain(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_plain_gather(job->by, (const void *)job->in.keys, (void *)job->out.keys, job->n);
}

static int shuffle_std(bench_job *job, const bench_entrant *self)
{
    (void)self;
    peer_std_shuffle((void *)job->out.keys, job->n, SEED);
    return 1;
}

static int shuffle_boost(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_boost_shuffle(job->queue, job->keys_out, job->n);
}

/* Checks a shuffle by others: the items are the same, by their sum and the sum of their squares. */
static const char *same_items(const bench_job *job)
{
    const uint32_t *const in = (const void *)job->in.keys, *const out = (const void *)job->out.keys;
    uint64_t balance = 0, squares = 0;
    for (size_t i = 0; i < job->n; i++) {
        balance += (uint64_t)in[i] - out[i];
        squares += (uint64_t)in[i] * in[i] - (uint64_t)out[i] * out[i];
    }
    return balance != 0 || squares != 0 ? "items were lost or changed" : NULL;
}

static const char *host_items_fault(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return same_items(job);
}

static const char *device_items_fault(bench_job *job, const bench_entrant *self)
{
    (void)self;
    bench_job_fetch(job);
    return same_items(job);
}

static const char *cuda_items_fault(bench_job *job, const bench_entrant *self)
{
    (void)self;
    bench_cuda_fetch(job);
    return same_items(job);
}

static const bench_cuda_peer cuda_peers[] = {
    {"thrust", "shuffle", PEER_THRUST_SHUFFLE, 0, 0, cuda_items_fault},
    {"thrust", "gather", PEER_THRUST_GATHER, 0, 3.0 * sizeof(uint32_t), bench_cuda_fault},
};

static uint64_t create(mover *m, bench_job *job)
{
    const dmm_shuffle_desc shuffle = {0};
    dmm_permute_desc gather = {0};
    uint64_t bytes[2] = {0};
    gather.direction = DMM_DIRECTION_GATHER;
    gather.method = DMM_PERMUTE_PLAIN;
    bench_require(dmm_permute_create(&m->gather, job->ctx, &gather), "create");
    bench_heard(job);
    bench_require(dmm_shuffle_create(&m->shuffle, job->ctx, &shuffle), "create");
    bench_require(dmm_shuffle_temp_bytes(&bytes[0], m->shuffle, job->n), "temp");
    bench_require(dmm_permute_temp_bytes(&bytes[1], m->gather, job->n), "temp");
    return bytes[0] > bytes[1] ? bytes[0] : bytes[1];
}

static void expect_order(bench_job *job)
{
    const size_t bytes = job->n * sizeof(uint32_t);
    uint32_t *const order = bench_allocate(bytes);
    for (size_t i = 0; i < job->n; i++)
        order[i] = (uint32_t)dmm_shuffle_index(SEED, job->n, i);
    bench_job_upload_by(job, order, bytes);
    job->expected = bench_allocate(bytes);
    job->expected_bytes = bytes;
    for (size_t i = 0; i < job->n; i++)
        memcpy(
            (uint32_t *)job->expected + i, job->in.keys + order[i] * sizeof *order, sizeof *order);
}

static void run(bench_job *job)
{
    mover m = {.shuffle = NULL};
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    const uint64_t temp_bytes = create(&m, job);
    const bench_parameters with = bench_heard(job);
    bench_entrant entrants[8] = {
        {.who = "dmm",
            .method = "shuffle",
            .with = with,
            .item_bytes = 2.0 * sizeof(uint32_t),
            .object = &m,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "gather",
            .method = "stored_order",
            .item_bytes = 3.0 * sizeof(uint32_t),
            .object = &m,
            .enqueue = enqueue_gather,
            .fault = bench_device_fault},
        {.who = "c", .method = "gather_threads", .call = gather_plain, .fault = bench_host_fault},
        {.who = "std",
            .method = "shuffle",
            .call = shuffle_std,
            .restore = bench_restore_host,
            .fault = host_items_fault},
        {.who = "boost",
            .method = "random_shuffle",
            .call = shuffle_boost,
            .restore = bench_restore_device,
            .fault = device_items_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    expect_order(job);
    job->floors.any = bench_floors_of(job, sizeof(uint32_t), (double)job->n).any;
    size_t count = ON_DEVICE;
    if (job->options.peers)
        count = OTHERS + bench_add_cuda(entrants + OTHERS, job, cuda_peers, 2);
    bench_contest(job, "", entrants, count);
    dmm_shuffle_free(m.shuffle);
    dmm_permute_free(m.gather);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"shuffle", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
