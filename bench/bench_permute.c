/* SPDX-License-Identifier: MIT */
/*
 * bench_permute [options]: u32 items by stored positions, out of place: dmm_permute by scatter, by
 * its own choice of method, plain and randomized, and by gather; in a random order and in that of
 * bit reversal (of the greatest power of two up to --n items). For the latter a
 * dmm_permutation_plan, too. Each position is read once, each item read and written once; a plan of
 * many items takes five passes.
 */
#include <stdio.h>

#include <dmm/permutation_plan.h>
#include <dmm/permute.h>
#include <dmm/shuffle.h>

#include "contest.h"
#include "model.h"

enum { SEED = 5, MOVERS = 4, PLAN_PASSES = 5 };

static const struct {
    const char *method;
    dmm_direction direction;
    dmm_permute_method by;
} movers[MOVERS] = {{"scatter", DMM_DIRECTION_SCATTER, DMM_PERMUTE_AUTO},
    {"scatter_plain", DMM_DIRECTION_SCATTER, DMM_PERMUTE_PLAIN},
    {"gather", DMM_DIRECTION_GATHER, DMM_PERMUTE_AUTO},
    {"gather_plain", DMM_DIRECTION_GATHER, DMM_PERMUTE_PLAIN}};

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    /* Scatters use the inverse order, which is stored after the order. */
    const int scatters = movers[self->which].direction == DMM_DIRECTION_SCATTER;
    const dmm_permute_args args = {.index = {job->by_in, scatters ? job->n * sizeof(uint32_t) : 0},
        .in = {job->keys_in, 0},
        .out = {job->keys_out, 0},
        .temp = {job->temp, 0}};
    return dmm_permute_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static dmm_status enqueue_plan(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_permutation_plan_args args = {
        .in = {job->keys_in, 0}, .out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_permutation_plan_enqueue(self->object, job->queue, &args, 0, NULL, event);
}

static uint64_t reversal(uint64_t i, uint64_t n)
{
    uint64_t other = 0;
    for (; n > 1; n /= 2, i /= 2)
        other = 2 * other + i % 2;
    return other;
}

static void expect_order(bench_job *job, int reverses)
{
    const size_t n = job->n, bytes = n * sizeof(uint32_t);
    const uint32_t *const in = (const void *)job->in.keys;
    uint32_t *const order = bench_allocate(2 * bytes), *const expected = bench_allocate(bytes);
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)(reverses ? reversal(i, n) : dmm_shuffle_index(SEED, n, i));
        order[n + order[i]] = (uint32_t)i;
        expected[i] = in[order[i]];
    }
    bench_job_upload_by(job, order, 2 * bytes);
    job->expected = expected;
    job->expected_bytes = bytes;
}

static uint64_t create(bench_entrant *e, bench_job *job, int which)
{
    dmm_permute_desc desc = {0};
    dmm_permute *permute = NULL;
    uint64_t bytes = 0;
    desc.direction = movers[which].direction;
    desc.method = movers[which].by;
    bench_heard(job);
    bench_require(dmm_permute_create(&permute, job->ctx, &desc), "create");
    bench_require(dmm_permute_temp_bytes(&bytes, permute, job->n), "temp");
    *e = (bench_entrant){.who = "dmm",
        .method = movers[which].method,
        .with = bench_heard(job),
        .item_bytes = 3.0 * sizeof(uint32_t),
        .object = permute,
        .which = which,
        .enqueue = enqueue,
        .fault = bench_device_fault};
    return bytes;
}

static uint64_t create_plan(bench_entrant *e, bench_job *job)
{
    const dmm_permutation_plan_desc desc = {
        .item_bytes = sizeof(uint32_t), .kind = DMM_PLAN_BIT_REVERSAL, .n = job->n};
    dmm_permutation_plan *plan = NULL;
    uint64_t bytes = 0;
    const double start = bench_now_ms();
    bench_require(dmm_permutation_plan_create(&plan, job->ctx, &desc), "plan");
    printf("# the plan of %zu items was made in %.0f ms\n", job->n, bench_now_ms() - start);
    bench_require(dmm_permutation_plan_temp_bytes(&bytes, plan), "temp");
    *e = (bench_entrant){.who = "dmm",
        .method = "plan",
        .with = bench_heard(job),
        .item_bytes = PLAN_PASSES * 2.0 * sizeof(uint32_t),
        .object = plan,
        .enqueue = enqueue_plan,
        .fault = bench_device_fault};
    return bytes;
}

static void run_one(bench_job *job, const char *title, int reverses)
{
    bench_entrant entrants[MOVERS + 1];
    uint64_t most = 0;
    for (int i = 0; i < MOVERS + reverses; i++) {
        const uint64_t bytes =
            i < MOVERS ? create(&entrants[i], job, i) : create_plan(&entrants[i], job);
        most = bytes > most ? bytes : most;
    }
    bench_job_fill(job);
    bench_job_upload(job, most);
    expect_order(job, reverses);
    if (!reverses) /* one fixed order may take less */
        job->floors.any = bench_floors_of(job, sizeof(uint32_t), (double)job->n).any;
    bench_contest(job, title, entrants, (size_t)(MOVERS + reverses));
    for (int i = 0; i < MOVERS; i++)
        dmm_permute_free(entrants[i].object);
    if (reverses)
        dmm_permutation_plan_free(entrants[MOVERS].object);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    const size_t n = job->n;
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    run_one(job, "random-order", 0);
    for (job->n = 1; 2 * job->n <= n;)
        job->n *= 2;
    run_one(job, "bit-reversal", 1);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"permute", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
