/* SPDX-License-Identifier: MIT */
/*
 * bench_nth [options]: dmm_nth at the median, beside, for u32 or u64 keys, the standard library's,
 * which is in place. The model is two reads of the keys, which random ones need.
 */
#include <string.h>

#include <dmm/nth.h>
#include <dmm/sort.h>

#include "peer_entrants.h"

static size_t middle(const bench_job *job)
{
    return job->n / 2;
}

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_nth_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .key_out = {job->keys_out, 0},
        .value_out = {job->values_out, 0},
        .temp = {job->temp, 0}};
    return dmm_nth_enqueue(self->object, job->queue, &args, job->n, middle(job), 0, NULL, event);
}

/* Moves the item to the front, where the others leave theirs. */
static int select_std(bench_job *job, const bench_entrant *self)
{
    const uint32_t bytes = dmm_type_bytes(job->options.type);
    const int ran = peer_std_nth(bench_kind(job), job->out.keys, job->n, middle(job), self->which);
    memmove(job->out.keys, job->out.keys + middle(job) * bytes, bytes);
    return ran;
}

static void expect_middle(bench_job *job)
{
    const size_t bytes = bench_key_bytes(&job->in);
    const uint32_t key_bytes = dmm_type_bytes(job->options.type);
    dmm_sort_desc desc = {0};
    desc.order.type = job->options.type;
    unsigned char *const sorted = bench_allocate(bytes);
    memcpy(sorted, job->in.keys, bytes);
    bench_require(dmm_sort_host(job->ctx, &desc, sorted, NULL, job->n), "sort");
    memmove(sorted, sorted + middle(job) * key_bytes, key_bytes);
    job->expected = sorted;
    job->expected_bytes = key_bytes;
}

static void run(bench_job *job)
{
    const bench_options *o = &job->options;
    const int known = bench_peers_know(job) && o->value_bytes == 0;
    dmm_nth_desc desc = {0};
    dmm_nth *nth = NULL;
    uint64_t temp_bytes = 0;
    desc.order.type = o->type;
    desc.value_bytes = o->value_bytes;
    bench_require(dmm_nth_create(&nth, job->ctx, &desc), "create");
    bench_require(dmm_nth_temp_bytes(&temp_bytes, nth, job->n), "temp");
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "nth",
            .with = bench_heard(job),
            .item_bytes = 2.0 * dmm_type_bytes(o->type),
            .object = nth,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "std",
            .method = "nth_element",
            .call = select_std,
            .restore = bench_restore_host,
            .fault = bench_host_fault},
        {.who = "std",
            .method = "nth_element_par",
            .which = 1,
            .call = select_std,
            .restore = bench_restore_host,
            .fault = bench_host_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    expect_middle(job);
    bench_contest(
        job, "median", entrants, o->peers && known ? sizeof entrants / sizeof entrants[0] : 1);
    dmm_nth_free(nth);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"nth", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
