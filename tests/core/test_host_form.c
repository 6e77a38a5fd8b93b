/* SPDX-License-Identifier: MIT */
/* ctest: wrap=clEnqueueWriteBuffer */
/*
 * Arrays of _host calls on devices that have the host's memory: no input is uploaded, at any
 * address of an item, from memory that may not be written, and by several threads. Arrays that
 * overlap or are not aligned are copied.
 */
#include "support/require.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <dmm/dmm.h>

#include "core/context.h"
#include "support/random.h"
#include "support/shared.h"

enum { N = 3000, THREADS = 4, CALLS = 20 };

static uint64_t uploaded; /* bytes since it was last set to 0; one thread */
static int several;       /* calls come from several threads */

cl_int __real_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem to, cl_bool blocking,
    size_t offset, size_t bytes, const void *from, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem to, cl_bool blocking,
    size_t offset, size_t bytes, const void *from, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem to, cl_bool blocking,
    size_t offset, size_t bytes, const void *from, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    uploaded += several ? 0 : bytes;
    return __real_clEnqueueWriteBuffer(
        queue, to, blocking, offset, bytes, from, num_wait, wait, event);
}

/* Requires that calls since the last one uploaded so many bytes, on a CPU. */
static void require_uploaded(uint64_t bytes)
{
    REQUIRE(shared.ctx->device.kind != DMM_KIND_CPU || uploaded == bytes);
    uploaded = 0;
}

static void fill(uint32_t *items, uint64_t seed)
{
    random_source random = {seed};
    for (size_t i = 0; i < N; i++)
        items[i] = (uint32_t)random_below(&random, 1000);
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static uint32_t sum_of(const uint32_t *items, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += items[i];
    return sum;
}

/* Items at each byte from a cache line on: at a multiple of the item's size they stay there. */
static void arrays_may_begin_anywhere(void **state)
{
    static unsigned char memory[4 * N + 128] __attribute__((aligned(64)));
    static uint32_t items[N], expected[N], got[N];
    (void)state;
    fill(items, 1);
    memcpy(expected, items, sizeof items);
    qsort(expected, N, sizeof *expected, compare);
    uploaded = 0;
    for (size_t at = 0; at <= 64; at += at < 8 ? 1 : 4) {
        const uint64_t copied = at % 4 == 0 ? 0 : sizeof items;
        uint32_t sum = 0, running = 0;
        test_note("%zu bytes behind a line", at);
        memset(memory, 0xa5, sizeof memory);
        memcpy(memory + at, items, sizeof items);
        REQUIRE_OK(
            dmm_reduce_host(shared.ctx, &(dmm_reduce_desc){.type = DMM_U32}, memory + at, N, &sum));
        require_uploaded(copied);
        REQUIRE(sum == sum_of(items, N));
        REQUIRE_OK(dmm_scan_host(shared.ctx, &(dmm_scan_desc){.type = DMM_U32}, memory + at, N));
        require_uploaded(copied);
        memcpy(got, memory + at, sizeof got);
        for (size_t i = 0; i < N; i++)
            REQUIRE(got[i] == (running += items[i]));
        memcpy(memory + at, items, sizeof items);
        REQUIRE_OK(dmm_sort_host(
            shared.ctx, &(dmm_sort_desc){.order.type = DMM_U32}, memory + at, NULL, N));
        require_uploaded(copied);
        REQUIRE(memcmp(memory + at, expected, sizeof expected) == 0);
        for (size_t i = 0; i < sizeof memory; i++)
            REQUIRE((i >= at && i < at + sizeof items) || memory[i] == 0xa5);
    }
}

static void inputs_may_be_read_only(void **state)
{
    const size_t bytes = 16384; /* whole pages */
    uint32_t *items = NULL;
    uint32_t most[10], merged[2 * N], sorted[N];
    uint64_t values[10];
    (void)state;
    test_note("read-only inputs");
    REQUIRE(posix_memalign((void **)&items, bytes, bytes) == 0);
    fill(items, 2);
    qsort(items, N, sizeof *items, compare);
    REQUIRE(mprotect(items, bytes, PROT_READ) == 0);
    uploaded = 0;
    REQUIRE_OK(dmm_topk_host(shared.ctx,
        &(dmm_topk_desc){
            .order = {.type = DMM_U32, .descending = 1}, .value_bytes = 8, .argsort = 1},
        items, NULL, N, 10, most, values));
    REQUIRE(most[0] == items[N - 1] && most[9] == items[N - 10]);
    require_uploaded(0);
    memcpy(sorted, items, sizeof sorted);
    REQUIRE_OK(dmm_merge_host(shared.ctx, &(dmm_merge_desc){.order.type = DMM_U32},
        &(dmm_merge_host_args){
            .a_keys = items, .na = N, .b_keys = sorted, .nb = N, .keys_out = merged}));
    require_uploaded(0);
    for (size_t i = 0; i < N; i++)
        REQUIRE(merged[2 * i] == items[i] && merged[2 * i + 1] == items[i]);
    REQUIRE(mprotect(items, bytes, PROT_READ | PROT_WRITE) == 0);
    free(items);
}

/* The second of two arrays in one place is copied. */
static void arrays_may_overlap(void **state)
{
    static uint32_t items[N], copy[N], merged[2 * N];
    uint32_t sum = 0;
    (void)state;
    fill(items, 3);
    qsort(items, N, sizeof *items, compare);
    memcpy(copy, items, sizeof copy);
    test_note("a list merged with itself");
    uploaded = 0;
    REQUIRE_OK(dmm_merge_host(shared.ctx, &(dmm_merge_desc){.order.type = DMM_U32},
        &(dmm_merge_host_args){
            .a_keys = items, .na = N, .b_keys = items, .nb = N, .keys_out = merged}));
    require_uploaded(sizeof items);
    for (size_t i = 0; i < 2 * N; i++)
        REQUIRE(merged[i] == items[i / 2]);
    test_note("a sum among its items");
    REQUIRE_OK(
        dmm_reduce_host(shared.ctx, &(dmm_reduce_desc){.type = DMM_U32}, items, N, &items[7]));
    require_uploaded(0);
    REQUIRE(
        items[7] == sum_of(copy, N) && memcmp(items + 8, copy + 8, (N - 8) * sizeof *copy) == 0);
    test_note("keys that are the items");
    memcpy(items, copy, sizeof copy);
    REQUIRE_OK(dmm_scan_by_key_host(
        shared.ctx, &(dmm_scan_by_key_desc){.key_bytes = 4, .type = DMM_U32}, items, items, N));
    require_uploaded(sizeof items);
    for (size_t i = 0; i < N; i++) {
        sum = (i != 0 && copy[i] == copy[i - 1] ? sum : 0) + copy[i];
        REQUIRE(items[i] == sum);
    }
}

static void *add(void *items)
{
    for (int i = 0; i < CALLS; i++) {
        uint32_t sum = 0;
        if (dmm_reduce_host(shared.ctx, &(dmm_reduce_desc){.type = DMM_U32}, items, N, &sum) !=
                DMM_OK ||
            sum != sum_of(items, N))
            return items;
    }
    return NULL;
}

static void threads_may_read_one_array(void **state)
{
    static uint32_t items[N];
    pthread_t threads[THREADS];
    (void)state;
    test_note("%d threads", THREADS);
    fill(items, 4);
    several = 1;
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, add, items) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        REQUIRE(pthread_join(threads[i], &wrong) == 0);
        REQUIRE(wrong == NULL);
    }
    several = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_may_begin_anywhere),
        cmocka_unit_test(inputs_may_be_read_only),
        cmocka_unit_test(arrays_may_overlap),
        cmocka_unit_test(threads_may_read_one_array),
    };
    return RUN_WITH_RIG("host_form", NULL, tests);
}
