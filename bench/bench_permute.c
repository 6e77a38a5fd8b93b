/* SPDX-License-Identifier: MIT */
/*
 * bench_permute [options]: u32 items by one random permutation and by bit reversal, out of place.
 * All in one process and in alternation: a round runs each once, so that what disturbs the machine
 * disturbs all. dmm_shuffle beside std::shuffle (its peer: the order is of its own generator) and
 * beside a plain gather by the stored order; dmm_permute beside the plain scatter by the stored
 * order; the plan of the bit reversal beside the plain scatter by its stored positions; and a copy.
 * ratio: the peer's time by dmm's, within each round: above 1, dmm is faster.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/permutation_plan.h>
#include <dmm/permute.h>
#include <dmm/shuffle.h>

#include "measure.h"
#ifdef DMM_PEERS
#include "peers/peers.h"
#endif

enum { SEED = 5 };

typedef enum entry {
    COPY,
    SHUFFLE,
    STD_SHUFFLE,
    PLAIN_GATHER,
    PERMUTE,
    PLAIN_SCATTER,
    PLAN,
    PLAIN_REVERSAL,
    ENTRIES
} entry;

static const struct {
    const char *name;
    entry of; /* the entry of dmm's that it is the peer of; itself: of none */
} entries[ENTRIES] = {
    [COPY] = {"copy", COPY},
    [SHUFFLE] = {"dmm_shuffle", SHUFFLE},
    [STD_SHUFFLE] = {"std_shuffle", SHUFFLE},
    [PLAIN_GATHER] = {"plain_gather", SHUFFLE},
    [PERMUTE] = {"dmm_permute", PERMUTE},
    [PLAIN_SCATTER] = {"plain_scatter", PERMUTE},
    [PLAN] = {"dmm_plan_bit_reversal", PLAN},
    [PLAIN_REVERSAL] = {"plain_bit_reversal", PLAN},
};

typedef struct contest {
    dmm_context *ctx;
    size_t n, reversed_n; /* the greatest power of two up to n */
    dmm_shuffle *shuffle;
    dmm_permute *scatter, *plain_scatter, *plain_gather;
    dmm_permutation_plan *plan;
    cl_mem in, out, from, to, reversed, temp;
    uint32_t *items, *result;
} contest;

static uint64_t reversal(uint64_t i, uint64_t n)
{
    uint64_t other = 0;
    for (; n > 1; n /= 2, i /= 2)
        other = 2 * other + i % 2;
    return other;
}

static dmm_permute *new_permute(
    contest *c, dmm_direction direction, dmm_permute_method method, uint64_t *most)
{
    dmm_permute_desc desc = DMM_PERMUTE_DESC_INIT;
    dmm_permute *permute = NULL;
    uint64_t bytes = 0;
    desc.direction = direction;
    desc.method = method;
    bench_require(dmm_permute_create(&permute, c->ctx, &desc), "create");
    bench_require(dmm_permute_temp_bytes(&bytes, permute, c->n), "temp");
    *most = bytes > *most ? bytes : *most;
    return permute;
}

static void create(contest *c)
{
    const dmm_shuffle_desc shuffle = DMM_SHUFFLE_DESC_INIT;
    const dmm_permutation_plan_desc plan = {
        .item_bytes = 4, .kind = DMM_PLAN_BIT_REVERSAL, .n = c->reversed_n};
    uint64_t bytes = 0, most = 0;
    bench_require(dmm_shuffle_create(&c->shuffle, c->ctx, &shuffle), "create");
    bench_require(dmm_shuffle_temp_bytes(&most, c->shuffle, c->n), "temp");
    c->scatter = new_permute(c, DMM_SCATTER, DMM_PERMUTE_AUTO, &most);
    c->plain_scatter = new_permute(c, DMM_SCATTER, DMM_PERMUTE_PLAIN, &most);
    c->plain_gather = new_permute(c, DMM_GATHER, DMM_PERMUTE_PLAIN, &most);
    const double start = bench_now_ms();
    bench_require(dmm_permutation_plan_create(&c->plan, c->ctx, &plan), "plan");
    printf("# the plan of %zu items was built in %.0f ms\n", c->reversed_n, bench_now_ms() - start);
    bench_require(dmm_permutation_plan_temp_bytes(&bytes, c->plan), "temp");
    c->temp = bench_buffer(c->ctx, bytes > most ? bytes : most);
}

static void upload(contest *c)
{
    const size_t bytes = c->n * sizeof *c->items;
    cl_mem *const buffers[] = {&c->in, &c->out, &c->from, &c->to, &c->reversed};
    uint32_t *order = bench_allocate(bytes), *places = bench_allocate(bytes);
    for (size_t i = 0; i < 5; i++)
        *buffers[i] = bench_buffer(c->ctx, bytes);
    for (uint32_t i = 0; i < c->n; i++) {
        c->items[i] = i;
        order[i] = (uint32_t)dmm_shuffle_index(SEED, c->n, i);
        places[order[i]] = i;
    }
    bench_write(c->ctx, c->in, c->items, bytes);
    bench_write(c->ctx, c->from, order, bytes);
    bench_write(c->ctx, c->to, places, bytes);
    for (uint32_t i = 0; i < c->reversed_n; i++)
        order[i] = (uint32_t)reversal(i, c->reversed_n);
    bench_write(c->ctx, c->reversed, order, c->reversed_n * sizeof *order);
    free(order);
    free(places);
}

static dmm_status permute(const contest *c, dmm_permute *p, cl_mem index, size_t n)
{
    const dmm_permute_args args = {
        .index = {index, 0}, .in = {c->in, 0}, .out = {c->out, 0}, .temp = {c->temp, 0}};
    return dmm_permute_enqueue(p, dmm_context_queue(c->ctx), &args, n, 0, NULL, NULL);
}

static dmm_status enqueue(const contest *c, entry which)
{
    const cl_command_queue queue = dmm_context_queue(c->ctx);
    const dmm_span in = {c->in, 0}, out = {c->out, 0}, temp = {c->temp, 0};
    const dmm_shuffle_args shuffle = {.seed = SEED, .in = in, .out = out, .temp = temp};
    const dmm_permutation_plan_args plan = {in, out, temp};
    switch (which) {
    case SHUFFLE:
        return dmm_shuffle_enqueue(c->shuffle, queue, &shuffle, c->n, 0, NULL, NULL);
    case PLAIN_GATHER:
        return permute(c, c->plain_gather, c->from, c->n);
    case PERMUTE:
        return permute(c, c->scatter, c->to, c->n);
    case PLAIN_SCATTER:
        return permute(c, c->plain_scatter, c->to, c->n);
    case PLAN:
        return dmm_permutation_plan_enqueue(c->plan, queue, &plan, 0, NULL, NULL);
    default:
        return permute(c, c->plain_scatter, c->reversed, c->reversed_n);
    }
}

static const char *judge(contest *c, entry which)
{
    const int reverses = which == PLAN || which == PLAIN_REVERSAL;
    const size_t n = reverses ? c->reversed_n : c->n;
    bench_read(c->ctx, c->out, c->result, n * sizeof *c->result);
    for (size_t i = 0; i < n; i++)
        if (c->result[i] != (reverses ? reversal(i, n) : dmm_shuffle_index(SEED, c->n, i)))
            return "an item is not where it belongs";
    return NULL;
}

/* Milliseconds; below 0 where the entry is not there. */
static double run_one(contest *c, entry which)
{
    if (which == COPY)
        return bench_copy_ms(c->ctx, c->in, c->out, c->n * sizeof *c->items);
    const double start = bench_now_ms();
    if (which == STD_SHUFFLE) {
#ifdef DMM_PEERS
        peer_std_shuffle(c->items, c->n, SEED);
        return bench_now_ms() - start;
#else
        return -1;
#endif
    }
    bench_require(enqueue(c, which), entries[which].name);
    bench_require(clFinish(dmm_context_queue(c->ctx)), entries[which].name);
    return bench_now_ms() - start;
}

static void print_entry(const contest *c, entry which, double *const ms[ENTRIES], size_t runs)
{
    double *room = bench_allocate(runs * sizeof *room), *times = ms[which];
    const entry of = entries[which].of;
    for (size_t i = 0; i < runs; i++)
        room[i] = times[i] / ms[of][i];
    const bench_times ratio = bench_summary(room, runs);
    memcpy(room, times, runs * sizeof *room);
    const bench_times own = bench_summary(room, runs);
    if (own.least >= 0)
        printf("%s %zu %.3f %.3f %.1f %s %.2f\n", entries[which].name, c->n, own.median, own.least,
            1e-3 * (double)c->n / own.median, entries[of].name, ratio.median);
    free(room);
}

static void run(contest *c, size_t runs)
{
    double *ms[ENTRIES];
    for (int e = 0; e < ENTRIES; e++) {
        ms[e] = bench_allocate(runs * sizeof *ms[e]);
        run_one(c, (entry)e);
        if (e != COPY && e != STD_SHUFFLE)
            bench_require_right(judge(c, (entry)e), entries[e].name);
    }
    for (size_t i = 0; i < runs; i++)
        for (int e = 0; e < ENTRIES; e++)
            ms[e][i] = run_one(c, (entry)e);
    printf("# name n median_ms min_ms Mitems/s beside ratio\n");
    for (int e = 0; e < ENTRIES; e++)
        print_entry(c, (entry)e, ms, runs);
    for (int e = 0; e < ENTRIES; e++)
        free(ms[e]);
}

static void destroy(contest *c)
{
    const cl_mem buffers[] = {c->in, c->out, c->from, c->to, c->reversed, c->temp};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        clReleaseMemObject(buffers[i]);
    dmm_shuffle_free(c->shuffle);
    dmm_permute_free(c->scatter);
    dmm_permute_free(c->plain_scatter);
    dmm_permute_free(c->plain_gather);
    dmm_permutation_plan_free(c->plan);
    dmm_context_free(c->ctx);
    free(c->items);
    free(c->result);
}

int main(int argc, char **argv)
{
    const bench_options o = bench_parse(argc, argv);
    const dmm_context_desc context = {.set = o.set};
    contest c = {.n = o.n,
        .reversed_n = 1,
        .items = bench_allocate(o.n * sizeof(uint32_t)),
        .result = bench_allocate(o.n * sizeof(uint32_t))};
    while (2 * c.reversed_n <= c.n)
        c.reversed_n *= 2;
    bench_require(dmm_context_create(&c.ctx, &context), "context");
    bench_print_origin(argc, argv, c.ctx);
    create(&c);
    upload(&c);
    run(&c, o.runs);
    destroy(&c);
    return 0;
}
