/* SPDX-License-Identifier: MIT */
/*
 * bench_select [options]: dmm_select of the even ones of random numbers, about half. Items are read
 * twice (GPU form: once), selected ones written. Peers for items of u32 or u64.
 */
#include <string.h>

#include <dmm/select.h>

#include "peer_entrants.h"

enum { PEERS = 4 };

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_select_args args = {.items_in = {job->keys_in, 0},
        .items_out = {job->keys_out, 0},
        .selected_out = {job->by_in, 0},
        .temp = {job->temp, 0}};
    return dmm_select_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static int select_std(bench_job *job, const bench_entrant *self)
{
    return peer_std_select(bench_kind(job), job->in.keys, job->out.keys, job->n, self->which);
}

static int select_plain(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_plain_select(bench_kind(job), job->in.keys, job->out.keys, job->n);
}

static int select_boost(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_boost_select(job->queue, bench_kind(job), job->keys_in, job->keys_out, job->n);
}

/* Expects the even items. */
static void expect_even(bench_job *job)
{
    const uint32_t bytes = dmm_type_bytes(job->options.type);
    size_t found = 0;
    job->expected = bench_allocate(bench_key_bytes(&job->in));
    for (size_t i = 0; i < job->n; i++)
        if (job->in.keys[i * bytes] % 2 == 0)
            memcpy(
                (unsigned char *)job->expected + bytes * found++, job->in.keys + i * bytes, bytes);
    job->expected_bytes = found * bytes;
}

static void run(bench_job *job)
{
    const dmm_type type = job->options.type;
    const double bytes = dmm_type_bytes(type);
    const dmm_select_desc desc = {.type = type, .where = "x % 2 == 0", .max_n = job->n};
    dmm_select *select = NULL;
    uint64_t temp_bytes = 0;
    if ((type != DMM_U32 && type != DMM_U64) || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of u32 and u64 alone");
    bench_require(dmm_select_create(&select, job->ctx, &desc), "create");
    bench_require(dmm_select_temp_bytes(&temp_bytes, select, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    bench_job_fill(job);
    expect_even(job);
    const double selected = (double)job->expected_bytes / (double)job->n;
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "select",
            .with = with,
            .item_bytes = (with.u == 1 ? 2 : 1) * bytes + selected,
            .object = select,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "std", .method = "copy_if", .call = select_std, .fault = bench_host_fault},
        {.who = "std",
            .method = "copy_if_par",
            .which = 1,
            .call = select_std,
            .fault = bench_host_fault},
        {.who = "plain", .method = "loop", .call = select_plain, .fault = bench_host_fault},
        {.who = "boost", .method = "copy_if", .call = select_boost, .fault = bench_device_fault},
    };
    bench_job_upload(job, temp_bytes);
    job->by_in = bench_buffer(job->ctx, sizeof(uint64_t));
    bench_contest(job, "", entrants, job->options.peers ? 1 + PEERS : 1);
    dmm_select_free(select);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"select", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
