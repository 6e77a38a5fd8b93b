/* SPDX-License-Identifier: MIT */
/*
 * Bytes by the model.
 */
#include "model.h"

enum { DIGIT_BITS = 8 }; /* of the radix sort's GPU form */

/* Values of other sizes than 1, 2, 4 and 8 stay where they are, while positions of 4 bytes move. */
static double moved_value_bytes(const bench_job *job)
{
    const uint32_t value = job->options.value_bytes;
    return value > 8 || (value & (value - 1)) != 0 ? 4 : value;
}

double bench_pass_bytes(const bench_job *job, unsigned passes)
{
    return 2.0 * passes * (dmm_type_bytes(job->options.type) + moved_value_bytes(job));
}

unsigned bench_merge_passes(const bench_parameters *with, size_t n)
{
    unsigned passes = with->tile != 0;
    for (uint64_t run = with->tile; passes != 0 && run < n; run *= 2)
        passes++;
    return passes;
}

double bench_merge_sort_bytes(const bench_job *job, const bench_parameters *with)
{
    return bench_pass_bytes(job, bench_merge_passes(with, job->n));
}

double bench_radix_sort_bytes(const bench_job *job, const bench_parameters *with)
{
    const double key = dmm_type_bytes(job->options.type), value = moved_value_bytes(job);
    const double pass = 2 * (key + value);
    if (job->n <= with->tile)
        return bench_pass_bytes(job, 1);
    if (with->u > 1) /* keys are counted once, for all passes */
        return key + 8 * key / DIGIT_BITS * pass;
    return key + pass + bench_pass_bytes(job, 1); /* by the top bits, then in the cache */
}

double bench_network_sort_bytes(const bench_job *job)
{
    unsigned passes = 0;
    for (unsigned stage = 1; UINT64_C(1) << (stage - 1) < job->n; stage++)
        passes += (stage + 2) / 3;
    return bench_pass_bytes(job, passes);
}
