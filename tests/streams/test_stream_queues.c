/* SPDX-License-Identifier: MIT */
/* ctest: wrap=clEnqueueNDRangeKernel,clEnqueueReadBuffer,clEnqueueWriteBuffer,clWaitForEvents */
/*
 * On a GPU, a stream copies on a second queue while the device works. Here the work on each block
 * waits for an event that is set when the next block has been uploaded: a stream that uploads it
 * only after that work would never end. The second queue is in order, so what was enqueued on it
 * before that upload, the download of the block before, has also ended before the work begins.
 */
#include "support/require.h"

#include <dmm/set_stream.h>
#include <dmm/unique_stream.h>

#include <pthread.h>
#include <string.h>

#include "core/context.h"
#include "support/partition_stream_case.h"
#include "support/stream_case.h"
#include "support/wrap_launch.h"

enum { MOST_PHASES = 2 };

/* What the library has enqueued. */
static struct {
    pthread_mutex_t lock;
    const rig *r;
    uint64_t writes;               /* blocks written */
    uint64_t written, downloads;   /* writes and reads on another queue than the context's */
    uint64_t last[MOST_PHASES];    /* last blocks: no upload follows; all 0: no block waits */
    int is_uploaded;               /* no work on the last block uploaded has been enqueued */
    cl_event gate, work;           /* NULL: no work waits; its newest command */
    uint64_t waits, early, beside; /* works that waited; waited for; reads meanwhile */
} seen = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void open_gate(void)
{
    if (seen.gate == NULL)
        return;
    REQUIRE_OK(clSetUserEventStatus(seen.gate, CL_COMPLETE));
    clReleaseEvent(seen.gate);
    seen.gate = NULL;
}

/* Retained: no other event has its address. */
static void keep_work(cl_event event)
{
    if (seen.work != NULL)
        clReleaseEvent(seen.work);
    seen.work = event;
    if (event != NULL)
        clRetainEvent(event);
}

/* True if work on the last block that was uploaded is to wait. */
static int waits(cl_kernel kernel)
{
    char name[64] = "";
    const uint64_t block = seen.written / seen.writes;
    REQUIRE_OK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    if (!seen.is_uploaded || strncmp(name, "dmm_search", 10) == 0)
        return 0; /* the host waits for searches before it can load the next block */
    seen.is_uploaded = 0;
    return seen.last[0] != 0 && block != seen.last[0] && block != seen.last[1];
}

cl_int __wrap_clEnqueueNDRangeKernel(LAUNCH_PARAMETERS)
{
    pthread_mutex_lock(&seen.lock);
    cl_event all[] = {num_wait != 0 ? *wait : NULL, NULL};
    REQUIRE(num_wait <= 1 && event != NULL);
    if (waits(kernel)) {
        seen.gate = user_event(seen.r);
        seen.waits++;
        all[num_wait++] = seen.gate;
    }
    const cl_int status = __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
        local, num_wait, num_wait != 0 ? all : NULL, event);
    keep_work(status == CL_SUCCESS ? *event : NULL);
    pthread_mutex_unlock(&seen.lock);
    return status;
}

#define WRITE_PARAMETERS                                                                         \
    cl_command_queue queue, cl_mem to, cl_bool block, size_t at, size_t bytes, const void *from, \
        cl_uint num_wait, const cl_event *wait, cl_event *event
#define READ_PARAMETERS                                                                    \
    cl_command_queue queue, cl_mem from, cl_bool block, size_t at, size_t bytes, void *to, \
        cl_uint num_wait, const cl_event *wait, cl_event *event

cl_int __real_clEnqueueWriteBuffer(WRITE_PARAMETERS);
cl_int __wrap_clEnqueueWriteBuffer(WRITE_PARAMETERS);
cl_int __wrap_clEnqueueWriteBuffer(WRITE_PARAMETERS)
{
    const cl_int status =
        __real_clEnqueueWriteBuffer(queue, to, block, at, bytes, from, num_wait, wait, event);
    pthread_mutex_lock(&seen.lock);
    if (seen.r != NULL && queue != seen.r->ctx->queue && ++seen.written % seen.writes == 0) {
        seen.is_uploaded = 1;
        open_gate();
    }
    pthread_mutex_unlock(&seen.lock);
    return status;
}

cl_int __real_clEnqueueReadBuffer(READ_PARAMETERS);
cl_int __wrap_clEnqueueReadBuffer(READ_PARAMETERS);
cl_int __wrap_clEnqueueReadBuffer(READ_PARAMETERS)
{
    pthread_mutex_lock(&seen.lock);
    const uint64_t is_download = seen.r != NULL && queue != seen.r->ctx->queue && !block;
    seen.downloads += is_download;
    seen.beside += seen.gate != NULL ? is_download : 0;
    pthread_mutex_unlock(&seen.lock);
    return __real_clEnqueueReadBuffer(queue, from, block, at, bytes, to, num_wait, wait, event);
}

cl_int __real_clWaitForEvents(cl_uint n, const cl_event *events);
cl_int __wrap_clWaitForEvents(cl_uint n, const cl_event *events);
cl_int __wrap_clWaitForEvents(cl_uint n, const cl_event *events)
{
    pthread_mutex_lock(&seen.lock);
    if (seen.gate != NULL && *events == seen.work) {
        seen.early++;
        open_gate();
    }
    pthread_mutex_unlock(&seen.lock);
    return __real_clWaitForEvents(n, events);
}

/* A call of several blocks, in one phase or two; returns the blocks of the first phase, 0: of one
 * phase only. Judges its result. */
typedef uint64_t subject(const rig *r);

static void forget(const rig *r, uint64_t writes)
{
    pthread_mutex_lock(&seen.lock);
    seen.r = r;
    seen.writes = writes;
    seen.written = seen.downloads = seen.waits = seen.early = seen.beside = 0;
    seen.is_uploaded = 0;
    keep_work(NULL);
    pthread_mutex_unlock(&seen.lock);
}

static void check(subject *run, uint64_t writes, const char *set, int is_gpu)
{
    static rig r;
    test_note("%s", set);
    rig_open(&r, set);
    memset(seen.last, 0, sizeof seen.last);
    forget(&r, writes);
    const uint64_t first = run(&r), blocks = seen.written / writes;
    REQUIRE(seen.downloads == blocks);
    REQUIRE(is_gpu ? blocks > first + 4 : blocks == 0);
    seen.last[0] = blocks;
    seen.last[1] = first;
    forget(&r, writes);
    REQUIRE(run(&r) == first && seen.written / writes == blocks);
    const uint64_t phases = first != 0 ? 2 : 1;
    REQUIRE(seen.early == 0);
    if (is_gpu)
        REQUIRE(seen.waits == blocks - phases && seen.beside == blocks - 2 * phases);
    forget(NULL, writes);
    rig_close(&r);
}

static const char gpu[] = "form=gpu,u=32,E=4", cpu[] = "form=cpu";

static void check_both(subject *run, uint64_t writes)
{
    check(run, writes, gpu, 1);
    check(run, writes, cpu, 0);
}

static uint64_t sort(const rig *r)
{
    static stream_case c;
    c = (stream_case){.k = kind_named("u32"), .n = 700};
    c.desc = (dmm_sort_stream_desc){.run_items = 100, .window_items = 80, .block_items = 4};
    stream_open(&c, r, SHAPE_RANDOM, 1);
    REQUIRE_OK(stream_run(&c, r, 0));
    stream_check(&c);
    REQUIRE(c.result.runs == 7 && c.result.merges == 1);
    stream_close(&c);
    return c.result.runs;
}

static uint64_t partition(const rig *r)
{
    static partition_stream_case c;
    c = (partition_stream_case){.k = kind_named("u32"), .n = 700};
    c.desc = (dmm_partition_stream_desc){.partition = {.ways = 7}, .run_items = 100};
    partition_stream_open(&c, r, SHAPE_RANDOM, 1);
    REQUIRE_OK(partition_stream_run(&c, r));
    partition_stream_check(&c);
    partition_stream_close(&c);
    return 0;
}

enum { NUMBERS = 600, TIMES = 3 };

/* List 0 has each number below NUMBERS / TIMES so many times, list 1 once. */
typedef struct lists {
    uint32_t read[2], written;
    int is_wrong;
} lists;

static dmm_status read_list(
    void *user, uint32_t list, void *keys, void *values, uint64_t most, uint64_t *count)
{
    lists *const l = user;
    uint32_t *const to = keys;
    const uint32_t times = list == 0 ? TIMES : 1;
    (void)values;
    for (*count = 0; *count < most && l->read[list] < NUMBERS / TIMES * times; ++*count)
        to[*count] = l->read[list]++ / times;
    return DMM_OK;
}

static dmm_status read_first(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    return read_list(user, 0, keys, values, most, count);
}

static dmm_status write_union(void *user, const void *keys, const void *values, uint64_t count)
{
    lists *const l = user;
    (void)values;
    for (uint64_t i = 0; i < count; i++)
        l->is_wrong |= ((const uint32_t *)keys)[i] != l->written++ / TIMES;
    return DMM_OK;
}

static dmm_status write_unique(void *user, const void *keys, const void *values, uint64_t count)
{
    lists *const l = user;
    (void)values;
    for (uint64_t i = 0; i < count; i++)
        l->is_wrong |= ((const uint32_t *)keys)[i] != l->written++;
    return DMM_OK;
}

static uint64_t unite(const rig *r)
{
    lists l = {{0, 0}, 0, 0};
    const dmm_set_stream_desc desc = {
        .order = {.type = DMM_U32}, .op = DMM_SET_UNION, .window_items = 64};
    const dmm_set_stream_args args = {.user = &l, .read = read_list, .write = write_union};
    REQUIRE_OK(dmm_set_stream_host(r->ctx, &desc, &args));
    REQUIRE(l.written == NUMBERS && !l.is_wrong);
    return 0;
}

static uint64_t unique(const rig *r)
{
    lists l = {{0, 0}, 0, 0};
    const dmm_unique_stream_desc desc = {.block_items = 64};
    const dmm_unique_stream_args args = {.user = &l, .read = read_first, .write = write_unique};
    REQUIRE_OK(dmm_unique_stream_host(r->ctx, &desc, &args));
    REQUIRE(l.written == NUMBERS / TIMES && !l.is_wrong);
    return 0;
}

static void sorting_copies_beside_work(void **state)
{
    (void)state;
    check_both(sort, 1);
}

static void partitioning_copies_beside_work(void **state)
{
    (void)state;
    check_both(partition, 2); /* items and labels */
}

static void sets_copy_beside_work(void **state)
{
    (void)state;
    check_both(unite, 2);
}

static void unique_copies_beside_work(void **state)
{
    (void)state;
    check_both(unique, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_copies_beside_work),
        cmocka_unit_test(partitioning_copies_beside_work),
        cmocka_unit_test(sets_copy_beside_work),
        cmocka_unit_test(unique_copies_beside_work),
    };
    return cmocka_run_group_tests_name("stream_queues", tests, NULL, NULL);
}
