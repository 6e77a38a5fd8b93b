/* SPDX-License-Identifier: MIT */
/*
 * bench_transpose [options]: a matrix of u32, of --n items and as square as a power of two rows
 * makes it: out of place, in place, and in place as a matrix of twice the columns, each beside a
 * copy of as many items; rounds of all, so that what disturbs the machine disturbs each.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dmm/transpose.h>

#include "measure.h"

enum { COPY, APART, IN_PLACE, OBLONG, ENTRIES };

static const char *const names[ENTRIES] = {
    "copy", "transpose", "transpose_in_place", "transpose_in_place_oblong"};

typedef struct contest {
    dmm_context *ctx;
    dmm_transpose *transpose;
    cl_mem in, out, temp;
    dmm_matrices square, oblong;
    size_t n;
} contest;

static double run_one(const contest *c, int which)
{
    const cl_command_queue queue = dmm_context_queue(c->ctx);
    const dmm_transpose_args args = {
        {c->in, 0}, {which == APART ? c->out : c->in, 0}, {c->temp, 0}};
    if (which == COPY)
        return bench_copy_ms(c->ctx, c->in, c->out, c->n * sizeof(uint32_t));
    const double start = bench_now_ms();
    bench_require(dmm_transpose_enqueue(c->transpose, queue, &args,
                      which == OBLONG ? c->oblong : c->square, 0, NULL, NULL),
        names[which]);
    bench_require(clFinish(queue), names[which]);
    return bench_now_ms() - start;
}

/* A first transposition out of place, and its result. */
static void judge(const contest *c)
{
    uint32_t *items = bench_allocate(c->n * sizeof *items);
    const char *fault = NULL;
    for (size_t i = 0; i < c->n; i++)
        items[i] = (uint32_t)i;
    bench_write(c->ctx, c->in, items, c->n * sizeof *items);
    run_one(c, APART);
    bench_read(c->ctx, c->out, items, c->n * sizeof *items);
    for (size_t i = 0; i < c->n; i++)
        if (items[i] != i % c->square.rows * c->square.cols + i / c->square.rows)
            fault = "an item is not where it belongs";
    bench_require_right(fault, "transpose");
    free(items);
}

static void run(const contest *c, size_t runs)
{
    double *ms[ENTRIES], *room = bench_allocate(runs * sizeof *room);
    for (int e = 0; e < ENTRIES; e++)
        ms[e] = bench_allocate(runs * sizeof **ms);
    for (size_t i = 0; i < runs; i++)
        for (int e = 0; e < ENTRIES; e++)
            ms[e][i] = run_one(c, e);
    printf("# name rows cols median_ms min_ms GB/s share-of-copy\n");
    for (int e = 0; e < ENTRIES; e++) {
        const dmm_matrices shape = e == OBLONG ? c->oblong : c->square;
        for (size_t i = 0; i < runs; i++)
            room[i] = ms[COPY][i] / ms[e][i];
        const bench_times share = bench_summary(room, runs);
        if (e > COPY) {
            const bench_times own = bench_summary(ms[e], runs);
            printf("%s %llu %llu %.3f %.3f %.2f %.2f\n", names[e], (unsigned long long)shape.rows,
                (unsigned long long)shape.cols, own.median, own.least,
                8e-6 * (double)c->n / own.median, share.median);
        }
    }
    for (int e = 0; e < ENTRIES; e++)
        free(ms[e]);
    free(room);
}

int main(int argc, char **argv)
{
    const bench_options o = bench_parse(argc, argv);
    const dmm_context_desc context = {.set = o.set};
    const dmm_transpose_desc desc = DMM_TRANSPOSE_DESC_INIT;
    contest c = {.ctx = NULL};
    uint64_t rows = 1, bytes = 0, most = 0;
    while (4 * rows * rows <= o.n)
        rows *= 2;
    c.square = (dmm_matrices){rows, o.n / rows, 1};
    c.n = (size_t)(rows * c.square.cols);
    c.oblong = (dmm_matrices){c.n % (2 * rows) != 0 ? 1 : c.n / (2 * rows), 2 * rows, 1};
    bench_require(dmm_context_create(&c.ctx, &context), "context");
    bench_require(dmm_transpose_create(&c.transpose, c.ctx, &desc), "create");
    bench_require(dmm_transpose_temp_bytes(&bytes, c.transpose, c.square), "temp");
    bench_require(dmm_transpose_temp_bytes(&most, c.transpose, c.oblong), "temp");
    c.in = bench_buffer(c.ctx, c.n * sizeof(uint32_t));
    c.out = bench_buffer(c.ctx, c.n * sizeof(uint32_t));
    c.temp = bench_buffer(c.ctx, bytes > most ? bytes : most);
    bench_print_origin(argc, argv, c.ctx);
    judge(&c);
    run(&c, o.runs);
    clReleaseMemObject(c.in);
    clReleaseMemObject(c.out);
    clReleaseMemObject(c.temp);
    dmm_transpose_free(c.transpose);
    dmm_context_free(c.ctx);
    return 0;
}
