/* SPDX-License-Identifier: MIT */
/*
 * bench_sort [options]: dmm_sort, out of place, by radix and merge. Its peers sort in place:
 * u32 or u64 keys, or u32 keys with values of 4 bytes; restoring the items is not timed. dmm has
 * its temp memory beforehand; the others allocate theirs. Pairs are two arrays for dmm,
 * Boost.Compute and the plain radix sort, and an array of structs for the rest. Each peer is
 * compared with the method of dmm's that can do what it does: radix, or merge for those that take a
 * comparison.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "peer_entrants.h"
#include "sort_entrants.h"

enum { RADIX, MERGE, NUM_OWN };

static int sort_plain_radix(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_plain_radix(bench_kind(job), job->out.keys, (void *)job->out.values, job->n);
}

/* Sorts of one array, which pairs are joined into. */
static const struct {
    const char *who, *method;
    size_t beside;
    int stable, parallel;
    int (*sort)(peer_items kind, void *items, size_t n, int parallel);
} arrays[] = {
    {"vqsort", "", RADIX, 0, 0, peer_vqsort},
    {"vqsort", "par", RADIX, 0, 1, peer_vqsort},
    {"std", "sort", RADIX, 0, 0, peer_std_sort},
    {"std", "sort_par", RADIX, 0, 1, peer_std_sort},
    {"std", "stable_sort", MERGE, 1, 0, peer_std_stable_sort},
    {"std", "stable_sort_par", MERGE, 1, 1, peer_std_stable_sort},
};
enum { NUM_ARRAYS = sizeof arrays / sizeof arrays[0] };

static void restore_array(bench_job *job, const bench_entrant *self)
{
    (void)self;
    const uint32_t *keys = (const void *)job->in.keys, *values = (const void *)job->in.values;
    uint64_t *const pairs = job->array;
    if (bench_kind(job) != PEER_PAIRS)
        memcpy(job->array, job->in.keys, bench_key_bytes(&job->in));
    for (size_t i = 0; i < job->n && values != NULL; i++)
        pairs[i] = (uint64_t)keys[i] << 32 | values[i];
}

static int sort_array(bench_job *job, const bench_entrant *self)
{
    return arrays[self->which].sort(
        bench_kind(job), job->array, job->n, arrays[self->which].parallel);
}

static const char *array_fault(bench_job *job, const bench_entrant *self)
{
    uint32_t *keys = (void *)job->out.keys, *values = (void *)job->out.values;
    const uint64_t *const pairs = job->array;
    if (bench_kind(job) != PEER_PAIRS)
        memcpy(job->out.keys, job->array, bench_key_bytes(&job->in));
    for (size_t i = 0; i < job->n && values != NULL; i++) {
        keys[i] = (uint32_t)(pairs[i] >> 32);
        values[i] = (uint32_t)pairs[i];
    }
    return bench_fault(&job->in, &job->out, arrays[self->which].stable);
}

static size_t add_host_peers(bench_entrant *to)
{
    size_t count = 0;
    to[count++] = (bench_entrant){.who = "c",
        .method = "radix_threads",
        .beside = RADIX,
        .call = sort_plain_radix,
        .restore = bench_restore_host,
        .fault = bench_host_order_fault};
    for (int i = 0; i < NUM_ARRAYS; i++)
        to[count++] = (bench_entrant){.who = arrays[i].who,
            .method = arrays[i].method,
            .beside = arrays[i].beside,
            .which = i,
            .call = sort_array,
            .restore = restore_array,
            .fault = array_fault};
    return count;
}

static int sort_boost(bench_job *job, const bench_entrant *self)
{
    return peer_boost_sort(job->queue, bench_kind(job), job->keys_out, job->values_out, job->n,
        (peer_boost_algorithm)self->which);
}

static const char *boost_fault(bench_job *job, const bench_entrant *self)
{
    bench_job_fetch(job);
    return bench_fault(&job->in, &job->out, self->which == PEER_BOOST_STABLE_SORT);
}

static size_t add_boost(bench_entrant *to)
{
    static const char *const names[] = {"sort", "sort_function", "stable_sort"};
    for (int i = 0; i < 3; i++)
        to[i] = (bench_entrant){.who = "boost",
            .method = names[i],
            .beside = i == PEER_BOOST_SORT ? RADIX : MERGE,
            .which = i,
            .call = sort_boost,
            .restore = bench_restore_device,
            .fault = boost_fault};
    return 3;
}

static const bench_cuda_peer cuda_peers[] = {
    {"cub", "radix_sort", PEER_CUB_RADIX_SORT, RADIX, 0, bench_cuda_order_fault},
    {"cub", "merge_sort", PEER_CUB_MERGE_SORT, MERGE, 0, bench_cuda_order_fault},
    {"thrust", "stable_sort", PEER_THRUST_STABLE_SORT, MERGE, 0, bench_cuda_order_fault},
};

static void run(bench_job *job)
{
    bench_entrant entrants[16];
    const uint64_t radix_temp =
        bench_sort_create(&entrants[RADIX], RADIX, job, &bench_sort_radix, DMM_FORM_DEFAULT);
    const uint64_t merge_temp =
        bench_sort_create(&entrants[MERGE], MERGE, job, &bench_sort_merge, DMM_FORM_DEFAULT);
    job->heard = entrants[MERGE].with; /* parameters for which the input may be the worst */
    bench_job_fill(job);
    bench_job_upload(job, radix_temp > merge_temp ? radix_temp : merge_temp);
    job->floors = bench_floors_of(
        job, dmm_type_bytes(job->options.type) + job->options.value_bytes, (double)job->n);
    size_t count = NUM_OWN;
    if (job->options.peers && bench_peers_know(job)) {
        job->array = bench_allocate(job->n * sizeof(uint64_t));
        count += add_host_peers(entrants + count);
        count += add_boost(entrants + count);
        count += bench_add_cuda(
            entrants + count, job, cuda_peers, sizeof cuda_peers / sizeof cuda_peers[0]);
    }
    bench_contest(job, "", entrants, count);
    dmm_sort_free(entrants[RADIX].object);
    dmm_sort_free(entrants[MERGE].object);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"sort", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
