/* SPDX-License-Identifier: MIT */
/*
 * calls PRIMITIVE FILE [FILE]: one call of a primitive on u32 (or labels of a byte) from files, to
 * be recorded by record.so. primitives.cu has the counterparts of CUB and Thrust on the same files.
 * Results are written nowhere: the replay compares what the call reads back. DMM_SET: settings.
 */
#include <dmm/dmm.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 256, SEGMENT = 700 };

typedef struct input {
    unsigned char *bytes;
    size_t size;
} input;

/* What all calls get: two files, as numbers of 4 bytes, and arrays for n + m of them and counts. */
typedef struct call {
    dmm_context *ctx;
    input first;
    uint32_t *a, *b, *out;
    uint64_t *counts;
    size_t n, m;
} call;

static input load(const char *path)
{
    input in = {NULL, 0};
    FILE *const file = path != NULL ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return in;
    fseek(file, 0, SEEK_END);
    in.size = (size_t)ftell(file);
    rewind(file);
    in.bytes = malloc(in.size + 1);
    if (in.bytes == NULL || fread(in.bytes, 1, in.size, file) != in.size)
        exit(2);
    fclose(file);
    return in;
}

static dmm_status histogram_u8(const call *c)
{
    const dmm_histogram_desc desc = {.type = DMM_U8, .bins = BINS, .max_n = c->first.size};
    return dmm_histogram_host(c->ctx, &desc, c->a, c->first.size, c->counts);
}

static dmm_status histogram_u32(const call *c)
{
    const dmm_histogram_desc desc = {.type = DMM_U32, .bins = BINS, .max_n = c->n};
    return dmm_histogram_host(c->ctx, &desc, c->a, c->n, c->counts);
}

static dmm_status scan(const call *c)
{
    return dmm_scan_host(c->ctx, &(dmm_scan_desc){.type = DMM_U32, .max_n = c->n}, c->a, c->n);
}

static dmm_status reduce(const call *c)
{
    return dmm_reduce_host(
        c->ctx, &(dmm_reduce_desc){.type = DMM_U32, .max_n = c->n}, c->a, c->n, c->out);
}

/* Maps x -> x*b + c, one after another. */
static dmm_status scan_affine(const call *c)
{
    const dmm_operator after = {.item_bytes = 8,
        .item = "typedef struct { uint slope, shift; } dmm_item;",
        .combine = "(dmm_item){a.slope * b.slope, a.shift * b.slope + b.shift}",
        .identity = "(dmm_item){1, 0}",
        .exact = 1};
    const dmm_scan_desc desc = {.type = DMM_ITEM, .own = &after, .max_n = c->n / 2};
    return dmm_scan_host(c->ctx, &desc, c->a, c->n / 2);
}

/* The least and the greatest number. */
static dmm_status reduce_minmax(const call *c)
{
    const dmm_map_type number = {.type = DMM_U32};
    const dmm_map both = {.item = number, .expression = "(dmm_item){item, item}"};
    const dmm_operator join = {.item_bytes = 8,
        .item = "typedef struct { uint least, greatest; } dmm_item;",
        .combine = "(dmm_item){min(a.least, b.least), max(a.greatest, b.greatest)}",
        .identity = "(dmm_item){0xffffffff, 0}",
        .commutes = 1,
        .exact = 1};
    const dmm_reduce_desc desc = {.type = DMM_ITEM, .own = &join, .map = &both, .max_n = c->n};
    return dmm_reduce_host(c->ctx, &desc, c->a, c->n, c->counts);
}

static dmm_status unique(const call *c)
{
    size_t runs = 0;
    return dmm_unique_host(c->ctx, &(dmm_unique_desc){.max_n = c->n}, c->a, NULL, c->n, &runs);
}

static dmm_status run_length(const call *c)
{
    size_t runs = 0;
    return dmm_run_length_host(
        c->ctx, &(dmm_run_length_desc){.max_n = c->n}, c->a, c->n, c->counts, &runs);
}

static dmm_status reduce_by_key(const call *c)
{
    size_t runs = 0;
    return dmm_reduce_by_key_host(
        c->ctx, &(dmm_reduce_by_key_desc){.max_n = c->n}, c->a, c->b, c->n, &runs);
}

static dmm_status select_odd(const call *c)
{
    const dmm_select_desc desc = {.type = DMM_U32, .where = "x & 1", .max_n = c->n};
    const dmm_select_host_args args = {.items = c->a, .items_out = c->out};
    size_t selected = 0;
    return dmm_select_host(c->ctx, &desc, &args, c->n, &selected);
}

/* The odd numbers, and behind them the even ones, the last one first. */
static dmm_status select_rest_behind(const call *c)
{
    const dmm_select_desc desc = {
        .type = DMM_U32, .where = "x & 1", .rest_behind = 1, .max_n = c->n};
    const dmm_select_host_args args = {.items = c->a, .items_out = c->out};
    size_t selected = 0;
    return dmm_select_host(c->ctx, &desc, &args, c->n, &selected);
}

static dmm_status partition_odd(const call *c)
{
    const dmm_partition_desc desc = {
        .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "key & 1", .max_n = c->n};
    const dmm_partition_host_args args = {.items = c->a, .offsets_out = c->counts};
    return dmm_partition_host(c->ctx, &desc, &args, c->n);
}

/* Buffers of a call that is not in place; the first one has the first file. */
static void make_buffers(const call *c, size_t num, const size_t bytes[], cl_mem buffers[])
{
    const cl_command_queue queue = dmm_context_queue(c->ctx);
    for (size_t i = 0; i < num; i++)
        buffers[i] =
            clCreateBuffer(dmm_context_cl(c->ctx), CL_MEM_READ_WRITE, bytes[i], NULL, NULL);
    clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, bytes[0], c->a, 0, NULL, NULL);
}

static void free_buffers(size_t num, const cl_mem buffers[])
{
    for (size_t i = 0; i < num; i++)
        clReleaseMemObject(buffers[i]);
}

/* The same, not in place. */
static dmm_status partition_apart(const call *c)
{
    enum { IN, OUT, OFFSETS, BUFFERS };
    const dmm_partition_desc desc = {
        .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "key & 1", .max_n = c->n};
    const cl_command_queue queue = dmm_context_queue(c->ctx);
    const size_t bytes[] = {c->n * 4, c->n * 4, 3 * 8};
    cl_mem buffers[BUFFERS];
    dmm_partition *partition = NULL;
    make_buffers(c, BUFFERS, bytes, buffers);
    const dmm_partition_args args = {.items_in = {buffers[IN], 0},
        .items_out = {buffers[OUT], 0},
        .offsets_out = {buffers[OFFSETS], 0}};
    dmm_status status = dmm_partition_create(&partition, c->ctx, &desc);
    if (status == DMM_OK)
        status = dmm_partition_enqueue(partition, queue, &args, c->n, 0, NULL, NULL);
    if (status == DMM_OK) {
        clEnqueueReadBuffer(queue, buffers[OUT], CL_TRUE, 0, bytes[OUT], c->out, 0, NULL, NULL);
        clEnqueueReadBuffer(
            queue, buffers[OFFSETS], CL_TRUE, 0, bytes[OFFSETS], c->counts, 0, NULL, NULL);
    }
    dmm_partition_free(partition);
    free_buffers(BUFFERS, buffers);
    return status;
}

/* By the five lowest bits. */
static dmm_status partition_32(const call *c)
{
    const dmm_partition_desc desc = {
        .ways = 32, .by = DMM_PARTITION_BY_BITS, .bits = {0, 5}, .max_n = c->n};
    const dmm_partition_host_args args = {.items = c->a, .offsets_out = c->counts};
    return dmm_partition_host(c->ctx, &desc, &args, c->n);
}

static dmm_status scan_by_key(const call *c)
{
    const dmm_scan_by_key_desc desc = {.type = DMM_U32, .max_n = c->n};
    return dmm_scan_by_key_host(c->ctx, &desc, c->a, c->b, c->n);
}

/* Segments of 700 keys. */
static dmm_status sort_segments(const call *c)
{
    const dmm_sort_segmented_desc desc = {.offset_type = DMM_U32, .max_n = c->n};
    const size_t segments = (c->n + SEGMENT - 1) / SEGMENT;
    for (size_t i = 0; i <= segments; i++)
        c->out[i] = (uint32_t)(i < segments ? i * SEGMENT : c->n);
    return dmm_sort_segmented_host(c->ctx, &desc, c->a, NULL, c->n, c->out, segments);
}

/* A matrix, square or of twice as many columns as rows. */
static dmm_status transpose(const call *c)
{
    const cl_command_queue queue = dmm_context_queue(c->ctx);
    const size_t bytes[] = {c->n * 4, c->n * 4};
    cl_mem buffers[2];
    dmm_transpose *made = NULL;
    dmm_matrices shape = {.rows = 1};
    while (4 * shape.rows * shape.rows <= c->n)
        shape.rows *= 2;
    shape.cols = c->n / shape.rows;
    make_buffers(c, 2, bytes, buffers);
    const dmm_transpose_args args = {.in = {buffers[0], 0}, .out = {buffers[1], 0}};
    dmm_status status = dmm_transpose_create(&made, c->ctx, &(dmm_transpose_desc){.max_n = c->n});
    if (status == DMM_OK)
        status = dmm_transpose_enqueue(made, queue, &args, shape, 0, NULL, NULL);
    if (status == DMM_OK)
        clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, bytes[1], c->out, 0, NULL, NULL);
    dmm_transpose_free(made);
    free_buffers(2, buffers);
    return status;
}

static dmm_status shuffle(const call *c)
{
    return dmm_shuffle_host(c->ctx, &(dmm_shuffle_desc){.max_n = c->n}, 5, c->a, NULL, c->n);
}

/* By the method that `auto` takes. */
static dmm_status sort(const call *c)
{
    return dmm_sort_host(c->ctx, &(dmm_sort_desc){.max_n = c->n}, c->a, NULL, c->n);
}

static dmm_status merge(const call *c)
{
    const dmm_merge_host_args args = {
        .a_keys = c->a, .na = c->n, .b_keys = c->b, .nb = c->m, .keys_out = c->out};
    return dmm_merge_host(c->ctx, &(dmm_merge_desc){.max_n = c->n + c->m}, &args);
}

static dmm_status set_union(const call *c)
{
    size_t count = 0;
    const dmm_set_desc desc = {.op = DMM_SET_UNION, .max_n = c->n + c->m};
    const dmm_set_host_args args = {.a_keys = c->a,
        .na = c->n,
        .b_keys = c->b,
        .nb = c->m,
        .keys_out = c->out,
        .count_out = &count};
    return dmm_set_host(c->ctx, &desc, &args);
}

static dmm_status search(const call *c)
{
    return dmm_search_host(
        c->ctx, &(dmm_search_desc){.result = DMM_RANK_LOWER}, c->a, c->n, c->b, c->m, c->out, NULL);
}

/* The k smallest, in order, or in the input's. */
static dmm_status topk(const call *c, size_t k, int unsorted)
{
    const dmm_topk_desc desc = {.unsorted = unsorted, .max_k = k, .max_n = c->n};
    return dmm_topk_host(c->ctx, &desc, c->a, NULL, c->n, k, c->out, NULL);
}

static dmm_status topk_third(const call *c)
{
    return topk(c, c->n / 3, 1);
}

static dmm_status topk_few(const call *c)
{
    return topk(c, c->n / 32, 0);
}

static dmm_status nth(const call *c)
{
    return dmm_nth_host(
        c->ctx, &(dmm_nth_desc){.max_n = c->n}, c->a, NULL, c->n, c->n / 2, c->out, NULL);
}

static const struct {
    const char *name;
    dmm_status (*run)(const call *c);
} primitives[] = {
    {"histogram-u8", histogram_u8},
    {"histogram-u32", histogram_u32},
    {"scan", scan},
    {"reduce", reduce},
    {"scan-affine", scan_affine},
    {"reduce-minmax", reduce_minmax},
    {"unique", unique},
    {"run-length", run_length},
    {"reduce-by-key", reduce_by_key},
    {"select", select_odd},
    {"select-rest-behind", select_rest_behind},
    {"partition", partition_odd},
    {"partition-apart", partition_apart},
    {"partition-32", partition_32},
    {"scan-by-key", scan_by_key},
    {"segments-700", sort_segments},
    {"transpose", transpose},
    {"shuffle", shuffle},
    {"sort", sort},
    {"merge", merge},
    {"union", set_union},
    {"search", search},
    {"topk-third", topk_third},
    {"topk-few", topk_few},
    {"nth", nth},
};

int main(int argc, char **argv)
{
    const input first = load(argc > 2 ? argv[2] : NULL), second = load(argc > 3 ? argv[3] : NULL);
    call c = {.first = first, .n = first.size / 4, .m = second.size / 4};
    dmm_status status = DMM_BAD_VALUE;
    c.a = (uint32_t *)(void *)first.bytes;
    c.b = (uint32_t *)(void *)second.bytes;
    c.out = calloc(c.n + c.m + 1, sizeof *c.out);
    c.counts = calloc(c.n + c.m + BINS, sizeof *c.counts);
    if (c.out == NULL || c.counts == NULL || c.a == NULL)
        return 2;
    const dmm_context_desc desc = {.tuning = "", .set = getenv("DMM_SET")};
    if (dmm_context_create(&c.ctx, &desc) != DMM_OK)
        return 2;
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++)
        if (strcmp(primitives[i].name, argv[1]) == 0)
            status = primitives[i].run(&c);
    if (status != DMM_OK)
        fprintf(stderr, "calls: %s: %s\n", argv[1], dmm_status_string(status));
    dmm_context_free(c.ctx);
    free(c.out);
    free(c.counts);
    free(first.bytes);
    free(second.bytes);
    return status != DMM_OK;
}
