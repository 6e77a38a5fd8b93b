/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * 2^32 keys of one byte, with full sizes and where the device and this machine have the memory:
 * 32-bit numbers can neither count them nor, as indices of pairs of halves, be summed. Each call is
 * out of place and judged in whole or, where places are far apart, at a sample.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/dmm.h>

#include "support/memory.h"
#include "support/random.h"
#include "support/rig.h"

enum { BINS = 256, SAMPLE = 1 << 20, SIDE = 1 << 16, ROWS_KNOWN = 3 };

static const uint64_t N = (uint64_t)1 << 32;
static const uint64_t needed_kib = ((uint64_t)14 << 30) / 1024;

static struct {
    rig r;
    cl_mem in, out;
    unsigned char *keys, *found; /* the buffers, mapped */
    uint64_t counts[BINS];       /* counts of the keys */
} b;

static uint64_t available_kib(void)
{
    return memory_kib("/proc/meminfo", "MemAvailable:");
}

static unsigned char *map(cl_mem buffer)
{
    cl_int failed = CL_SUCCESS;
    unsigned char *const mapped = clEnqueueMapBuffer(
        b.r.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, N, 0, NULL, NULL, &failed);
    REQUIRE_OK(failed);
    return mapped;
}

static void unmap(void)
{
    REQUIRE_OK(clEnqueueUnmapMemObject(b.r.queue, b.in, b.keys, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueUnmapMemObject(b.r.queue, b.out, b.found, 0, NULL, NULL));
    REQUIRE_OK(clFinish(b.r.queue));
}

static unsigned char key_at(uint64_t i)
{
    return (unsigned char)(i * 0x9e3779b97f4a7c15u >> 56);
}

/* Unsorted keys and their counts; or, sorted, as many of each. */
static void fill(int sorted)
{
    b.keys = map(b.in);
    b.found = map(b.out);
    memset(b.counts, 0, sizeof b.counts);
    for (uint64_t i = 0; i < N; i++) {
        const unsigned key = sorted ? (unsigned)(i / (N / BINS)) : key_at(i);
        b.keys[i] = (unsigned char)key;
        b.counts[key]++;
    }
    memset(b.found, 0xee, N);
    unmap();
}

static int open_device(void **state)
{
    cl_int failed = CL_SUCCESS;
    (void)state;
    if (sizes_wanted() != SIZES_FULL || available_kib() < needed_kib)
        return 0;
    rig_optimise();
    rig_open(&b.r, NULL);
    if (dmm_context_device(b.r.ctx)->max_buffer.value < N) {
        rig_close(&b.r);
        return 0;
    }
    b.in = clCreateBuffer(b.r.cl, CL_MEM_READ_WRITE, N, NULL, &failed);
    REQUIRE_OK(failed);
    b.out = clCreateBuffer(b.r.cl, CL_MEM_READ_WRITE, N, NULL, &failed);
    REQUIRE_OK(failed);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    if (b.r.ctx == NULL)
        return 0;
    clReleaseMemObject(b.in);
    clReleaseMemObject(b.out);
    rig_close(&b.r);
    return 0;
}

static void begin(const char *what, int sorted)
{
    if (b.in == NULL)
        skip();
    test_note("%s of 2^32 keys of u8", what);
    fill(sorted);
}

/* Waits for a call, and maps the buffers. Skips if its temp is larger than the device's buffers. */
static void wait_for(dmm_status status, cl_event *done)
{
    if (status == CL_INVALID_BUFFER_SIZE)
        skip();
    REQUIRE_OK(status);
    REQUIRE_OK(clWaitForEvents(1, done));
    clReleaseEvent(*done);
    b.keys = map(b.in);
    b.found = map(b.out);
}

#define IN      \
    {           \
        b.in, 0 \
    }
#define OUT      \
    {            \
        b.out, 0 \
    }

/* The keys are sorted from `found` on. */
static void require_sorted(void)
{
    const unsigned char *at = b.found;
    for (int key = 0; key < BINS; key++)
        for (uint64_t i = 0; i < b.counts[key]; i++)
            REQUIRE(*at++ == key);
}

static void keys_are_sorted(void **state)
{
    dmm_sort *sort = NULL;
    cl_event done = NULL;
    (void)state;
    begin("sort", 0);
    REQUIRE_OK(dmm_sort_create(&sort, b.r.ctx, &(dmm_sort_desc){.order = {.type = DMM_U8}}));
    const dmm_sort_args args = {.keys_in = IN, .keys_out = OUT};
    wait_for(dmm_sort_enqueue(sort, b.r.queue, &args, N, 0, NULL, &done), &done);
    require_sorted();
    unmap();
    dmm_sort_free(sort);
}

static void keys_are_scanned(void **state)
{
    dmm_scan *scan = NULL;
    cl_event done = NULL;
    unsigned char sum = 0;
    (void)state;
    begin("scan", 0);
    REQUIRE_OK(dmm_scan_create(&scan, b.r.ctx, &(dmm_scan_desc){.type = DMM_U8}));
    const dmm_scan_args args = {.in = IN, .out = OUT};
    wait_for(dmm_scan_enqueue(scan, b.r.queue, &args, N, 0, NULL, &done), &done);
    for (uint64_t i = 0; i < N; i++) {
        sum = (unsigned char)(sum + b.keys[i]);
        REQUIRE(b.found[i] == sum);
    }
    unmap();
    dmm_scan_free(scan);
}

static void keys_are_reduced(void **state)
{
    dmm_reduce *reduce = NULL;
    cl_event done = NULL;
    uint64_t sum = 0;
    (void)state;
    begin("reduce", 0);
    REQUIRE_OK(dmm_reduce_create(&reduce, b.r.ctx, &(dmm_reduce_desc){.type = DMM_U8}));
    const dmm_reduce_args args = {.in = IN, .out = OUT};
    wait_for(dmm_reduce_enqueue(reduce, b.r.queue, &args, N, 0, NULL, &done), &done);
    for (uint64_t key = 0; key < BINS; key++)
        sum += key * b.counts[key];
    REQUIRE(b.found[0] == (unsigned char)sum && b.found[1] == 0xee);
    unmap();
    dmm_reduce_free(reduce);
}

static void keys_are_counted(void **state)
{
    dmm_histogram *histogram = NULL;
    cl_event done = NULL;
    (void)state;
    begin("histogram", 0);
    REQUIRE_OK(dmm_histogram_create(&histogram, b.r.ctx, &(dmm_histogram_desc){.type = DMM_U8}));
    const dmm_histogram_args args = {.labels = IN, .counts_out = OUT};
    wait_for(dmm_histogram_enqueue(histogram, b.r.queue, &args, N, 0, NULL, &done), &done);
    REQUIRE(memcmp(b.found, b.counts, sizeof b.counts) == 0);
    unmap();
    dmm_histogram_free(histogram);
}

static void keys_are_partitioned(void **state)
{
    dmm_partition *partition = NULL;
    cl_event done = NULL;
    cl_int failed = CL_SUCCESS;
    uint64_t offsets[ROWS_KNOWN] = {0}, next[2] = {0}, low = 0;
    (void)state;
    begin("partition", 0);
    const dmm_partition_desc desc = {
        .by = DMM_PARTITION_BY_BITS, .order = {.type = DMM_U8}, .bits = {7, 8}};
    REQUIRE_OK(dmm_partition_create(&partition, b.r.ctx, &desc));
    const cl_mem ends = clCreateBuffer(b.r.cl, CL_MEM_READ_WRITE, sizeof offsets, NULL, &failed);
    REQUIRE_OK(failed);
    const dmm_partition_args args = {.items_in = IN, .items_out = OUT, .offsets_out = {ends, 0}};
    wait_for(dmm_partition_enqueue(partition, b.r.queue, &args, N, 0, NULL, &done), &done);
    REQUIRE_OK(
        clEnqueueReadBuffer(b.r.queue, ends, CL_TRUE, 0, sizeof offsets, offsets, 0, NULL, NULL));
    for (int key = 0; key < BINS / 2; key++)
        low += b.counts[key];
    REQUIRE(offsets[0] == 0 && offsets[1] == low && offsets[2] == N);
    next[1] = low;
    for (uint64_t i = 0; i < N; i++)
        REQUIRE(b.found[next[b.keys[i] >> 7]++] == b.keys[i]); /* stable */
    unmap();
    clReleaseMemObject(ends);
    dmm_partition_free(partition);
}

static void runs_are_found(void **state)
{
    dmm_unique *unique = NULL;
    cl_event done = NULL;
    cl_int failed = CL_SUCCESS;
    uint64_t runs = 0;
    (void)state;
    begin("unique", 1);
    REQUIRE_OK(dmm_unique_create(&unique, b.r.ctx, &(dmm_unique_desc){.key_bytes = 1}));
    const cl_mem count = clCreateBuffer(b.r.cl, CL_MEM_READ_WRITE, sizeof runs, NULL, &failed);
    REQUIRE_OK(failed);
    const dmm_unique_args args = {.keys_in = IN, .keys_out = OUT, .runs_out = {count, 0}};
    wait_for(dmm_unique_enqueue(unique, b.r.queue, &args, N, 0, NULL, &done), &done);
    REQUIRE_OK(
        clEnqueueReadBuffer(b.r.queue, count, CL_TRUE, 0, sizeof runs, &runs, 0, NULL, NULL));
    REQUIRE(runs == BINS);
    for (int key = 0; key < BINS; key++)
        REQUIRE(b.found[key] == key);
    unmap();
    clReleaseMemObject(count);
    dmm_unique_free(unique);
}

/* The least keys stand at the end, and their indices beyond 2^31. */
static void the_least_keys_are_selected(void **state)
{
    enum { K = 5 };
    dmm_topk *topk = NULL;
    cl_event done = NULL;
    cl_int failed = CL_SUCCESS;
    uint64_t indices[K] = {0};
    (void)state;
    begin("topk", 0);
    b.keys = map(b.in);
    b.found = map(b.out);
    for (uint64_t i = 0; i < N; i++)
        b.keys[i] |= 128;
    for (uint64_t i = 0; i < K; i++)
        b.keys[N - 1 - i * i] = (unsigned char)i;
    unmap();
    const dmm_topk_desc desc = {.order = {.type = DMM_U8}, .value_bytes = 8, .argsort = 1};
    REQUIRE_OK(dmm_topk_create(&topk, b.r.ctx, &desc));
    const cl_mem from = clCreateBuffer(b.r.cl, CL_MEM_READ_WRITE, sizeof indices, NULL, &failed);
    REQUIRE_OK(failed);
    const dmm_topk_args args = {.keys_in = IN, .keys_out = OUT, .values_out = {from, 0}};
    wait_for(dmm_topk_enqueue(topk, b.r.queue, &args, N, K, 0, NULL, &done), &done);
    REQUIRE_OK(
        clEnqueueReadBuffer(b.r.queue, from, CL_TRUE, 0, sizeof indices, indices, 0, NULL, NULL));
    for (uint64_t i = 0; i < K; i++)
        REQUIRE(b.found[i] == i && indices[i] == N - 1 - i * i);
    unmap();
    clReleaseMemObject(from);
    dmm_topk_free(topk);
}

static void ranks_are_found(void **state)
{
    dmm_search *search = NULL;
    cl_event done = NULL;
    cl_int failed = CL_SUCCESS;
    unsigned char queries[BINS];
    uint64_t ranks[BINS] = {0};
    (void)state;
    begin("search", 1);
    for (int key = 0; key < BINS; key++)
        queries[key] = (unsigned char)key;
    const dmm_search_desc desc = {
        .order = {.type = DMM_U8}, .result = DMM_RANK_UPPER, .rank_bytes = 8};
    REQUIRE_OK(dmm_search_create(&search, b.r.ctx, &desc));
    const cl_mem asked = clCreateBuffer(
        b.r.cl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof queries, queries, &failed);
    REQUIRE_OK(failed);
    const dmm_search_args args = {.keys = IN, .queries = {asked, 0}, .out = OUT};
    wait_for(dmm_search_enqueue(search, b.r.queue, &args, N, BINS, 0, NULL, &done), &done);
    memcpy(ranks, b.found, sizeof ranks);
    for (uint64_t key = 0; key < BINS; key++)
        REQUIRE(ranks[key] == (key + 1) * (N / BINS));
    unmap();
    clReleaseMemObject(asked);
    dmm_search_free(search);
}

static void a_matrix_is_transposed(void **state)
{
    dmm_transpose *transpose = NULL;
    cl_event done = NULL;
    random_source random = {1};
    (void)state;
    begin("transpose", 0);
    REQUIRE_OK(dmm_transpose_create(&transpose, b.r.ctx, &(dmm_transpose_desc){.item_bytes = 1}));
    const dmm_transpose_args args = {.in = IN, .out = OUT};
    const dmm_matrices shape = {.rows = SIDE / 2, .cols = 2 * SIDE};
    wait_for(dmm_transpose_enqueue(transpose, b.r.queue, &args, shape, 0, NULL, &done), &done);
    for (int i = 0; i < SAMPLE; i++) {
        const uint64_t row = random_below(&random, shape.rows);
        const uint64_t col = random_below(&random, shape.cols);
        REQUIRE(b.found[col * shape.rows + row] == b.keys[row * shape.cols + col]);
    }
    REQUIRE(b.found[N - 1] == b.keys[N - 1]);
    unmap();
    dmm_transpose_free(transpose);
}

static void keys_are_shuffled(void **state)
{
    dmm_shuffle *shuffle = NULL;
    cl_event done = NULL;
    random_source random = {1};
    uint64_t counts[BINS] = {0};
    (void)state;
    begin("shuffle", 0);
    REQUIRE_OK(dmm_shuffle_create(&shuffle, b.r.ctx, &(dmm_shuffle_desc){.item_bytes = 1}));
    const dmm_shuffle_args args = {.seed = 7, .in = IN, .out = OUT};
    wait_for(dmm_shuffle_enqueue(shuffle, b.r.queue, &args, N, 0, NULL, &done), &done);
    for (uint64_t i = 0; i < N; i++)
        counts[b.found[i]]++;
    REQUIRE(memcmp(counts, b.counts, sizeof counts) == 0);
    for (int i = 0; i < SAMPLE; i++) {
        const uint64_t at = random_below(&random, N);
        REQUIRE(b.found[at] == b.keys[dmm_shuffle_index(args.seed, N, at)]);
    }
    unmap();
    dmm_shuffle_free(shuffle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_sorted),
        cmocka_unit_test(keys_are_scanned),
        cmocka_unit_test(keys_are_reduced),
        cmocka_unit_test(keys_are_counted),
        cmocka_unit_test(keys_are_partitioned),
        cmocka_unit_test(runs_are_found),
        cmocka_unit_test(the_least_keys_are_selected),
        cmocka_unit_test(ranks_are_found),
        cmocka_unit_test(a_matrix_is_transposed),
        cmocka_unit_test(keys_are_shuffled),
    };
    return cmocka_run_group_tests_name("beyond", tests, open_device, close_device);
}
