/* SPDX-License-Identifier: MIT */
/*
 * Peers as entrants.
 */
#include "peer_entrants.h"

int bench_peers_know(const bench_job *job)
{
    const bench_options *o = &job->options;
    return (o->type == DMM_U32 && (o->value_bytes == 0 || o->value_bytes == 4)) ||
           (o->type == DMM_U64 && o->value_bytes == 0);
}

peer_items bench_kind(const bench_job *job)
{
    return job->options.value_bytes != 0  ? PEER_PAIRS
           : job->options.type == DMM_U64 ? PEER_U64
                                          : PEER_U32;
}

static void prepare(bench_job *job, const bench_entrant *self)
{
    peer_cuda_prepare(job->cuda, (peer_cuda_algorithm)self->which);
}

static int call(bench_job *job, const bench_entrant *self)
{
    return peer_cuda_run(
        job->cuda, (peer_cuda_algorithm)self->which, bench_kind(job), job->n, job->bound);
}

void bench_cuda_fetch(bench_job *job)
{
    peer_cuda_read(job->cuda, job->out.keys, bench_key_bytes(&job->in), job->out.values);
}

const char *bench_cuda_fault(bench_job *job, const bench_entrant *self)
{
    bench_cuda_fetch(job);
    return bench_host_fault(job, self);
}

const char *bench_cuda_order_fault(bench_job *job, const bench_entrant *self)
{
    bench_cuda_fetch(job);
    return bench_fault(&job->in, &job->out, self->which != PEER_CUB_MERGE_SORT);
}

size_t bench_add_cuda(bench_entrant *to, bench_job *job, const bench_cuda_peer *peers, size_t count)
{
    if (job->cuda == NULL)
        job->cuda = peer_cuda_make(job->in.keys, bench_key_bytes(&job->in), job->in.values,
            bench_value_bytes(&job->in), job->by, job->by != NULL ? job->n * sizeof(uint32_t) : 0);
    if (job->cuda == NULL)
        return 0;
    for (size_t i = 0; i < count; i++)
        to[i] = (bench_entrant){.who = peers[i].who,
            .method = peers[i].method,
            .beside = peers[i].beside,
            .item_bytes = peers[i].item_bytes,
            .which = (int)peers[i].algorithm,
            .call = call,
            .restore = prepare,
            .fault = peers[i].fault};
    return count;
}
