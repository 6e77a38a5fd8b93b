/* SPDX-License-Identifier: MIT */
/*
 * Bytes by the model.
 */
#include "model.h"

#include <math.h>

enum { DIGIT_BITS = 8 };                            /* digits of the radix sort's GPU form */
enum { CPU_QUICK_WAYS = 64, GPU_QUICK_WAYS = 256 }; /* ways of method quick without max_n */

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

double bench_quick_sort_bytes(const bench_job *job, const bench_parameters *with)
{
    const double key = dmm_type_bytes(job->options.type), value = moved_value_bytes(job);
    const uint64_t bucket = job->n / (with->u == 1 ? CPU_QUICK_WAYS : GPU_QUICK_WAYS);
    /* keys, and the number of a bucket twice or, with values, three times; then keys and values */
    const double divide = key + 2 + (value > 0) + 2 * (key + value);
    unsigned levels = with->tile != 0; /* a bucket begins anywhere in a tile */
    for (uint64_t run = with->tile; levels != 0 && run < bucket; run *= 2)
        levels++;
    return divide + bench_pass_bytes(job, 1 + levels);
}

double bench_network_sort_bytes(const bench_job *job, const bench_parameters *with)
{
    (void)with;
    unsigned passes = 0;
    for (unsigned stage = 1; UINT64_C(1) << (stage - 1) < job->n; stage++)
        passes += (stage + 2) / 3;
    return bench_pass_bytes(job, passes);
}

/* Returns the logarithm of the binomial coefficient. */
static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

bench_floors bench_floors_of(const bench_job *job, double item_bytes, double ways)
{
    const double n = (double)job->n, block = job->origin.block_bytes;
    const double S = block > item_bytes ? floor(block / item_bytes) : 1;
    const double in_memory = fmax(job->origin.memory_bytes / item_bytes, 2 * S);
    const double list = fmax(n / ways, S);
    const double orders = lgamma(n + 1) - n / list * lgamma(list + 1);
    const double choices = log_choose(in_memory, S);
    const double any = orders / (choices + log(2 * n / S)), compares = orders / choices;
    const double bytes_an_exchange = 2 * S * item_bytes / n;
    return (bench_floors){
        bytes_an_exchange * fmax(any, n / S), bytes_an_exchange * fmax(compares, n / S)};
}
