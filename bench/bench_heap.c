/* SPDX-License-Identifier: MIT */
/*
 * bench_heap [options]: dmm_heap as it inserts n items, lowers all their priorities and takes them
 * in order, in bulks of n/64 items, and of 1,024, 256 and 64 where those are fewer. Priorities are
 * the keys of the job, of u32 or u64. Peer: a std::priority_queue, which keeps the entries that a
 * lowered priority has made stale and drops them when they come first.
 */
#include <string.h>

#include <dmm/heap.h>

#include "peer_entrants.h"

enum { BULKS = 64 };

/* A heap, and the spans of its calls. */
typedef struct queue_try {
    dmm_heap *heap;
    uint64_t bulk;
    cl_mem memory, keys_out, count;
} queue_try;

/* Returns the first priorities of the items, none of which is less than the second: the
 * highest bit is set. */
static unsigned char *first_priorities(const bench_job *job, uint32_t bytes)
{
    unsigned char *const first = bench_allocate(job->n * bytes);
    memcpy(first, job->in.keys, job->n * bytes);
    for (size_t i = 0; i < job->n; i++)
        first[(i + 1) * bytes - 1] |= 0x80;
    return first;
}

/* Enqueues one operation on all items, in bulks; *event is the last one's. */
static dmm_status enqueue_all(
    bench_job *job, const queue_try *q, dmm_heap_args args, cl_event *event)
{
    const uint32_t bytes = dmm_type_bytes(job->options.type);
    const cl_mem from = args.priorities_in.buffer;
    dmm_status status = DMM_OK;
    for (uint64_t first = 0; first < job->n && status == DMM_OK; first += q->bulk, args.turn++) {
        const uint64_t left = job->n - first, n = left < q->bulk ? left : q->bulk;
        const int is_last = left <= q->bulk;
        args.keys_in = (dmm_span){job->by_in, first * sizeof(uint32_t)};
        args.priorities_in = (dmm_span){from, first * bytes};
        args.priorities_out = (dmm_span){job->keys_out, first * bytes};
        status = dmm_heap_enqueue(q->heap, job->queue, &args, n, 0, NULL, is_last ? event : NULL);
    }
    return status;
}

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const queue_try *const q = self->object;
    const uint64_t calls = (job->n + q->bulk - 1) / q->bulk;
    dmm_heap_args args = {.op = DMM_HEAP_CLEAR,
        .heap = {q->memory, 0},
        .keys_out = {q->keys_out, 0},
        .count_out = {q->count, 0},
        .temp = {job->temp, 0}};
    dmm_status status = dmm_heap_enqueue(q->heap, job->queue, &args, 0, 0, NULL, NULL);
    args.op = DMM_HEAP_UPDATE;
    args.priorities_in.buffer = job->values_in;
    if (status == DMM_OK)
        status = enqueue_all(job, q, args, NULL);
    args.turn += calls;
    args.priorities_in.buffer = job->keys_in;
    if (status == DMM_OK)
        status = enqueue_all(job, q, args, NULL);
    args.turn += calls;
    args.op = DMM_HEAP_EXTRACT;
    return status != DMM_OK ? status : enqueue_all(job, q, args, event);
}

static int heap_std(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_std_heap(bench_kind(job), job->expected, job->in.keys, job->out.keys, job->n);
}

/* Measures calls of at most `bulk` items. */
static void run_bulk(bench_job *job, const char *title, uint64_t bulk)
{
    const dmm_type type = job->options.type;
    const uint32_t bytes = dmm_type_bytes(type);
    queue_try q = {.bulk = bulk};
    const dmm_heap_desc desc = {.priority = type, .bulk = q.bulk, .capacity = job->n};
    uint64_t temp_bytes = 0, heap_bytes = 0;
    bench_require(dmm_heap_create(&q.heap, job->ctx, &desc), "create");
    bench_require(dmm_heap_temp_bytes(&temp_bytes, q.heap, q.bulk), "temp");
    bench_require(dmm_heap_bytes(&heap_bytes, &desc), "bytes");
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "heap",
            .with = bench_heard(job),
            .object = &q,
            .enqueue = enqueue,
            .fault = bench_device_order_fault},
        {.who = "std",
            .method = "priority_queue",
            .call = heap_std,
            .fault = bench_host_order_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    job->expected = first_priorities(job, bytes); /* not compared: expected_bytes is 0 */
    job->values_in = bench_buffer(job->ctx, job->n * bytes);
    bench_write(job->ctx, job->values_in, job->expected, job->n * bytes);
    uint32_t *const keys = bench_allocate(job->n * sizeof *keys);
    for (size_t i = 0; i < job->n; i++)
        keys[i] = (uint32_t)i;
    bench_job_upload_by(job, keys, job->n * sizeof *keys);
    q.memory = bench_buffer(job->ctx, heap_bytes);
    q.keys_out = bench_buffer(job->ctx, q.bulk * sizeof *keys);
    q.count = bench_buffer(job->ctx, sizeof(uint64_t));
    bench_contest(job, title, entrants, job->options.peers ? 2 : 1);
    clReleaseMemObject(q.memory);
    clReleaseMemObject(q.keys_out);
    clReleaseMemObject(q.count);
    dmm_heap_free(q.heap);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    static const struct {
        const char *title;
        uint64_t bulk;
    } fewer[] = {{"bulk=1024", 1024}, {"bulk=256", 256}, {"bulk=64", 64}};
    const dmm_type type = job->options.type;
    if ((type != DMM_U32 && type != DMM_U64) || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "keys of u32 and u64 alone");
    const uint64_t usual = job->n / BULKS + 1;
    run_bulk(job, "", usual);
    for (size_t i = 0; i < sizeof fewer / sizeof *fewer; i++)
        if (fewer[i].bulk < usual)
            run_bulk(job, fewer[i].title, fewer[i].bulk);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"heap", "random", "2^20", run};
    return bench_main(&word, argc, argv);
}
