/* SPDX-License-Identifier: MIT */
/*
 * bench_sort_peers [options]: dmm_sort by both methods in both forms, and other sorts, in place, on
 * the same items: u32 or u64 keys, or u32 keys with values of 4 bytes. All in one process and in
 * alternation: a round runs each of them once, so that what disturbs the machine disturbs all.
 * Ratios are a sort's time by dmm's, taken within each round: above 1, dmm is faster. Restoring the
 * items is not timed. dmm has its temp memory beforehand; the others allocate theirs. Pairs are two
 * arrays for dmm, Boost.Compute and the plain radix sort, and an array of structs for the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/sort.h>

#include "measure.h"
#include "peers/peers.h"

/* dmm's own come first among the entrants. */
enum { RADIX_CPU, MERGE_CPU, RADIX_GPU, MERGE_GPU, NUM_OWN };

typedef struct contest {
    dmm_context *ctx;
    dmm_sort *own[NUM_OWN];
    cl_mem device_keys, device_values, temp;
    bench_items in, work;
    peer_items kind;
    uint64_t *pairs; /* those of `work`, for who takes them so */
} contest;

static int sort_own(const contest *c, int which)
{
    const cl_command_queue queue = dmm_context_queue(c->ctx);
    const dmm_span keys = {c->device_keys, 0}, values = {c->device_values, 0};
    const dmm_sort_args args = {.keys_in = keys,
        .values_in = values,
        .keys_out = keys,
        .values_out = values,
        .temp = {c->temp, 0}};
    bench_require(dmm_sort_enqueue(c->own[which], queue, &args, c->in.n, 0, NULL, NULL), "sort");
    bench_require(clFinish(queue), "sort");
    return 1;
}

#ifdef DMM_PEERS
static int sort_plain_radix(const contest *c, int unused)
{
    (void)unused;
    return peer_plain_radix(c->kind, c->work.keys, (uint32_t *)(void *)c->work.values, c->in.n);
}
#endif

#ifdef DMM_PEER_BOOST
static int sort_boost(const contest *c, int algorithm)
{
    return peer_boost_sort(dmm_context_queue(c->ctx), c->kind, c->device_keys, c->device_values,
        c->in.n, (peer_boost_algorithm)algorithm);
}
#endif

/* Where it sorts: items, as keys in `work` or as `pairs`, where `sort_items` is given; else by `sort`,
 * in the device's memory or in `work`. */
typedef struct entrant {
    const char *name;
    int stable;
    int on_device;
    int (*sort)(const contest *, int);
    int which;
    int (*sort_items)(peer_items, void *, size_t);
} entrant;

static const entrant entrants[] = {
    [RADIX_CPU] = {"dmm_radix_cpu", 1, 1, sort_own, RADIX_CPU, NULL},
    [MERGE_CPU] = {"dmm_merge_cpu", 1, 1, sort_own, MERGE_CPU, NULL},
    [RADIX_GPU] = {"dmm_radix_gpu", 1, 1, sort_own, RADIX_GPU, NULL},
    [MERGE_GPU] = {"dmm_merge_gpu", 1, 1, sort_own, MERGE_GPU, NULL},
#ifdef DMM_PEER_BOOST
    {"boost_sort", 0, 1, sort_boost, PEER_BOOST_SORT, NULL},
    {"boost_sort_function", 0, 1, sort_boost, PEER_BOOST_SORT_FUNCTION, NULL},
    {"boost_stable_sort", 1, 1, sort_boost, PEER_BOOST_STABLE_SORT, NULL},
#endif
#ifdef DMM_PEERS
    {"plain_radix", 1, 0, sort_plain_radix, 0, NULL},
    {"std_sort", 0, 0, NULL, 0, peer_std_sort},
    {"std_stable_sort", 1, 0, NULL, 0, peer_std_stable_sort},
    {"std_sort_par", 0, 0, NULL, 0, peer_std_sort_par},
    {"qsort", 0, 0, NULL, 0, peer_qsort},
    {"vqsort", 0, 0, NULL, 0, peer_vqsort},
#endif
};
enum { NUM_ENTRANTS = sizeof entrants / sizeof entrants[0] };

/* Which it is of what the peers know. */
static peer_items kind_of(const bench_options *o)
{
    if ((o->type != DMM_U32 && o->type != DMM_U64) ||
        (o->value_bytes != 0 && (o->type != DMM_U32 || o->value_bytes != 4))) {
        fprintf(stderr, "bench_sort_peers: u32 or u64 keys, or u32 keys with values of 4 bytes\n");
        exit(1);
    }
    return o->value_bytes != 0 ? PEER_PAIRS : o->type == DMM_U64 ? PEER_U64 : PEER_U32;
}

static void create_own(contest *c, const bench_options *o)
{
    uint64_t most = 0;
    for (int i = 0; i < NUM_OWN; i++) {
        uint64_t bytes = 0;
        dmm_sort_desc desc = DMM_SORT_DESC_INIT;
        desc.order.type = o->type;
        desc.value_bytes = o->value_bytes;
        desc.method = i == RADIX_CPU || i == RADIX_GPU ? DMM_SORT_RADIX : DMM_SORT_MERGE;
        desc.tuning.form = i == RADIX_CPU || i == MERGE_CPU ? DMM_FORM_CPU : DMM_FORM_GPU;
        bench_require(dmm_sort_create(&c->own[i], c->ctx, &desc), "create");
        bench_require(dmm_sort_temp_bytes(&bytes, c->own[i], o->n), "temp");
        most = bytes > most ? bytes : most;
    }
    c->temp = bench_buffer(c->ctx, most);
}

static void open_contest(contest *c, const bench_options *o)
{
    const dmm_context_desc context = {.set = o->set};
    *c = (contest){.kind = kind_of(o),
        .in = bench_items_new(o->type, o->value_bytes, o->n),
        .work = bench_items_new(o->type, o->value_bytes, o->n),
        .pairs = bench_allocate(o->n * sizeof *c->pairs)};
    bench_require(dmm_context_create(&c->ctx, &context), "context");
    const uint32_t banks = (uint32_t)dmm_context_device(c->ctx)->banks.value;
    const dmm_merge_shape shape = {banks, banks < 256 ? 256 : banks, 16};
    bench_require(bench_items_fill(&c->in, o->input, &shape), "input");
    create_own(c, o);
    c->device_keys = bench_buffer(c->ctx, bench_key_bytes(&c->in));
    c->device_values = bench_buffer(c->ctx, bench_value_bytes(&c->in));
}

static void close_contest(contest *c)
{
    clReleaseMemObject(c->device_values);
    clReleaseMemObject(c->device_keys);
    clReleaseMemObject(c->temp);
    for (int i = 0; i < NUM_OWN; i++)
        dmm_sort_free(c->own[i]);
    dmm_context_free(c->ctx);
    free(c->pairs);
    bench_items_free(&c->work);
    bench_items_free(&c->in);
}

/* Between the two arrays of pairs and the one. */
static void join(uint64_t *pairs, const bench_items *items)
{
    const uint32_t *keys = (const void *)items->keys, *values = (const void *)items->values;
    for (size_t i = 0; i < items->n; i++)
        pairs[i] = (uint64_t)keys[i] << 32 | values[i];
}

static void part(const uint64_t *pairs, bench_items *items)
{
    uint32_t *keys = (void *)items->keys, *values = (void *)items->values;
    for (size_t i = 0; i < items->n; i++) {
        keys[i] = (uint32_t)(pairs[i] >> 32);
        values[i] = (uint32_t)pairs[i];
    }
}

static void restore(contest *c, const entrant *e)
{
    const size_t keys = bench_key_bytes(&c->in), values = bench_value_bytes(&c->in);
    if (e->on_device) {
        bench_write(c->ctx, c->device_keys, c->in.keys, keys);
        bench_write(c->ctx, c->device_values, c->in.values, values);
        return;
    }
    memcpy(c->work.keys, c->in.keys, keys);
    if (values != 0)
        memcpy(c->work.values, c->in.values, values);
    if (e->sort_items != NULL && c->kind == PEER_PAIRS)
        join(c->pairs, &c->in);
}

static void fetch(contest *c, const entrant *e)
{
    if (e->on_device) {
        bench_read(c->ctx, c->device_keys, c->work.keys, bench_key_bytes(&c->in));
        bench_read(c->ctx, c->device_values, c->work.values, bench_value_bytes(&c->in));
    } else if (e->sort_items != NULL && c->kind == PEER_PAIRS)
        part(c->pairs, &c->work);
}

/* Milliseconds; 0 where the entrant is not there. Every output is judged; of unstable sorts, pairs
 * with equal keys may have changed places. */
static double run_one(contest *c, const entrant *e)
{
    restore(c, e);
    const double start = bench_now_ms();
    const int ran = e->sort_items == NULL
                        ? e->sort(c, e->which)
                        : e->sort_items(c->kind,
                              c->kind == PEER_PAIRS ? (void *)c->pairs : c->work.keys, c->in.n);
    const double ms = bench_now_ms() - start;
    if (!ran)
        return 0;
    fetch(c, e);
    bench_require_right(bench_fault(&c->in, &c->work, e->stable), e->name);
    return ms;
}

/* Of a peer's times by dmm's, round by round. */
static void print_ratio(const double *ms, const double *dmm_ms, size_t runs, double *room)
{
    for (size_t i = 0; i < runs; i++)
        room[i] = ms[i] / dmm_ms[i];
    const bench_times ratio = bench_summary(room, runs);
    printf(" %.2f %.2f %.2f", ratio.median, ratio.least, ratio.most);
}

/* Entrant e's time in round i is ms[e * runs + i]. */
static void print_table(const double *ms, const bench_options *o, double *room)
{
    printf("# sort input n runs median_ms min_ms Mitems/s  by dmm_radix_cpu: median min max  by "
           "dmm_merge_cpu: median min max\n");
    for (size_t e = 0; e < NUM_ENTRANTS; e++) {
        const double *own = ms + e * o->runs;
        if (own[0] <= 0)
            continue;
        memcpy(room, own, o->runs * sizeof *room);
        const bench_times times = bench_summary(room, o->runs);
        printf("%s %s %zu %zu %.2f %.2f %.2f ", entrants[e].name, bench_input_name(o->input), o->n,
            o->runs, times.median, times.least, 1e-3 * (double)o->n / times.median);
        print_ratio(own, ms + RADIX_CPU * o->runs, o->runs, room);
        printf(" ");
        print_ratio(own, ms + MERGE_CPU * o->runs, o->runs, room);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const bench_options o = bench_parse(argc, argv);
    contest c;
    double *ms = bench_allocate(NUM_ENTRANTS * o.runs * sizeof *ms);
    double *room = bench_allocate(o.runs * sizeof *room);
    open_contest(&c, &o);
    bench_print_origin(argc, argv, c.ctx);
    for (size_t e = 0; e < NUM_ENTRANTS; e++)
        run_one(&c, &entrants[e]);
    for (size_t i = 0; i < o.runs; i++)
        for (size_t e = 0; e < NUM_ENTRANTS; e++)
            ms[e * o.runs + i] = run_one(&c, &entrants[e]);
    print_table(ms, &o, room);
    close_contest(&c);
    free(room);
    free(ms);
    return 0;
}
