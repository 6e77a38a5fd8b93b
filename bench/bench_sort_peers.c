/* SPDX-License-Identifier: MIT */
/*
 * bench_sort_peers [options]: dmm_sort in both forms and other sorts, in place, on the same u32
 * keys, in one process and in alternation: a round runs each of them once, so that what disturbs
 * the machine disturbs all. Ratios are a sort's time by dmm's, taken within each round: above 1,
 * dmm is faster. Restoring the keys is not timed. dmm has its temp memory beforehand; the others
 * allocate theirs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/sort.h>

#include "measure.h"
#include "peers/peers.h"

typedef struct contest {
    dmm_context *ctx;
    dmm_sort *cpu, *gpu;
    cl_mem device_keys, temp;
    bench_items in, work;
} contest;

static int sort_dmm(const contest *c, dmm_sort *sort)
{
    const cl_command_queue queue = dmm_context_queue(c->ctx);
    const dmm_span keys = {c->device_keys, 0};
    const dmm_sort_args args = {.keys_in = keys, .keys_out = keys, .temp = {c->temp, 0}};
    bench_require(dmm_sort_enqueue(sort, queue, &args, c->in.n, 0, NULL, NULL), "sort");
    bench_require(clFinish(queue), "sort");
    return 1;
}

static int sort_dmm_cpu(const contest *c)
{
    return sort_dmm(c, c->cpu);
}

static int sort_dmm_gpu(const contest *c)
{
    return sort_dmm(c, c->gpu);
}

static int compare_keys(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int sort_qsort(const contest *c)
{
    qsort(c->work.keys, c->in.n, sizeof(uint32_t), compare_keys);
    return 1;
}

#ifdef DMM_PEERS
static int sort_std(const contest *c)
{
    peer_std_sort_u32((uint32_t *)(void *)c->work.keys, c->in.n);
    return 1;
}

static int sort_std_stable(const contest *c)
{
    peer_std_stable_sort_u32((uint32_t *)(void *)c->work.keys, c->in.n);
    return 1;
}

static int sort_std_parallel(const contest *c)
{
    return peer_std_parallel_sort_u32((uint32_t *)(void *)c->work.keys, c->in.n);
}
#endif

#ifdef DMM_PEER_BOOST
static int sort_boost_function(const contest *c)
{
    peer_boost_sort_u32(dmm_context_queue(c->ctx), c->device_keys, c->in.n, 1);
    return 1;
}

static int sort_boost(const contest *c)
{
    peer_boost_sort_u32(dmm_context_queue(c->ctx), c->device_keys, c->in.n, 0);
    return 1;
}
#endif

/* Sorts the keys where it takes them from; 0 where it is not there. */
typedef struct entrant {
    const char *name;
    int on_device;
    int (*sort)(const contest *);
} entrant;

enum { DMM_CPU = 0, DMM_GPU = 1 };
static const entrant entrants[] = {
    [DMM_CPU] = {"dmm_merge_cpu", 1, sort_dmm_cpu},
    [DMM_GPU] = {"dmm_merge_gpu", 1, sort_dmm_gpu},
#ifdef DMM_PEER_BOOST
    {"boost_sort_function", 1, sort_boost_function},
    {"boost_sort", 1, sort_boost},
#endif
#ifdef DMM_PEERS
    {"std_sort", 0, sort_std},
    {"std_stable_sort", 0, sort_std_stable},
    {"std_sort_par", 0, sort_std_parallel},
#endif
    {"qsort", 0, sort_qsort},
};
enum { NUM_ENTRANTS = sizeof entrants / sizeof entrants[0] };

static void open_contest(contest *c, const bench_options *o)
{
    const dmm_context_desc context = {.set = o->set};
    dmm_sort_desc desc = DMM_SORT_DESC_INIT;
    uint64_t cpu_temp = 0, gpu_temp = 0;
    *c = (contest){
        .in = bench_items_new(DMM_U32, 0, o->n), .work = bench_items_new(DMM_U32, 0, o->n)};
    bench_require(dmm_context_create(&c->ctx, &context), "context");
    const uint32_t banks = (uint32_t)dmm_context_device(c->ctx)->banks.value;
    const dmm_merge_shape shape = {banks, banks < 256 ? 256 : banks, 16};
    bench_require(bench_items_fill(&c->in, o->input, &shape), "input");
    desc.tuning.form = DMM_FORM_CPU;
    bench_require(dmm_sort_create(&c->cpu, c->ctx, &desc), "create");
    desc.tuning.form = DMM_FORM_GPU;
    bench_require(dmm_sort_create(&c->gpu, c->ctx, &desc), "create");
    bench_require(dmm_sort_temp_bytes(&cpu_temp, c->cpu, o->n), "temp");
    bench_require(dmm_sort_temp_bytes(&gpu_temp, c->gpu, o->n), "temp");
    c->temp = bench_buffer(c->ctx, cpu_temp > gpu_temp ? cpu_temp : gpu_temp);
    c->device_keys = bench_buffer(c->ctx, bench_key_bytes(&c->in));
}

static void close_contest(contest *c)
{
    clReleaseMemObject(c->device_keys);
    clReleaseMemObject(c->temp);
    dmm_sort_free(c->gpu);
    dmm_sort_free(c->cpu);
    dmm_context_free(c->ctx);
    bench_items_free(&c->work);
    bench_items_free(&c->in);
}

/* Milliseconds; 0 where the entrant is not there. Every output is judged. */
static double run_one(contest *c, const entrant *e)
{
    const size_t bytes = bench_key_bytes(&c->in);
    if (e->on_device)
        bench_write(c->ctx, c->device_keys, c->in.keys, bytes);
    else
        memcpy(c->work.keys, c->in.keys, bytes);
    const double start = bench_now_ms();
    const int ran = e->sort(c);
    const double ms = bench_now_ms() - start;
    if (!ran)
        return 0;
    if (e->on_device)
        bench_read(c->ctx, c->device_keys, c->work.keys, bytes);
    bench_require_right(bench_fault(&c->in, &c->work), e->name);
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
    printf(
        "# sort input n runs median_ms min_ms Mitems/s  by cpu form: median min max  by gpu form: "
        "median min max\n");
    for (size_t e = 0; e < NUM_ENTRANTS; e++) {
        const double *own = ms + e * o->runs;
        if (own[0] <= 0)
            continue;
        memcpy(room, own, o->runs * sizeof *room);
        const bench_times times = bench_summary(room, o->runs);
        printf("%s %s %zu %zu %.2f %.2f %.2f ", entrants[e].name, bench_input_name(o->input), o->n,
            o->runs, times.median, times.least, 1e-3 * (double)o->n / times.median);
        print_ratio(own, ms + DMM_CPU * o->runs, o->runs, room);
        printf(" ");
        print_ratio(own, ms + DMM_GPU * o->runs, o->runs, room);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const bench_options o = bench_parse(argc, argv);
    contest c;
    if (o.type != DMM_U32 || o.value_bytes != 0) {
        fprintf(stderr, "%s: u32 keys alone\n", argv[0]);
        return 1;
    }
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
