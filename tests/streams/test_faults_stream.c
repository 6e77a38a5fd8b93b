/* SPDX-License-Identifier: MIT */
/* ctest: wrap=all */
/*
 * Every OpenCL call and allocation of the library fails once, while more items are sorted,
 * partitioned, combined or filtered than are held at once, and while a device sorts and merges
 * parts: the failure's own status comes back, and a second call works, that of a sort by going on
 * with the runs that are stored. See support/faults.h for what else must hold.
 */
#include "support/require.h"

#include <dmm/set_stream.h>
#include <dmm/sort_devices.h>
#include <dmm/unique_stream.h>

#include <string.h>

#include "support/faults.h"
#include "support/partition_stream_case.h"
#include "support/stream_case.h"

typedef struct stream_try {
    rig r;
    stream_case c;
} stream_try;

static dmm_status attempt(void *user)
{
    stream_try *const t = user;
    return stream_run(&t->c, &t->r, 0);
}

static void finish(void *user, dmm_status status)
{
    stream_try *const t = user;
    if (status != DMM_OK)
        REQUIRE_OK(stream_run(&t->c, &t->r, 1));
    stream_check(&t->c);
}

static void sorting_a_stream_fails_cleanly(void **state)
{
    static const operation op = {"stream", NULL, attempt, finish, DMM_OK};
    static stream_try t = {.c = {.k = {0}, .value_bytes = 4, .n = 44}};
    rig_open(&t.r, *state);
    t.c.k = kind_named("u32");
    t.c.desc = (dmm_sort_stream_desc){.run_items = 16, .window_items = 14, .block_items = 2};
    stream_open(&t.c, &t.r, SHAPE_RANDOM, 1);
    REQUIRE_OK(stream_run(&t.c, &t.r, 0)); /* builds what the attempts use */
    REQUIRE(t.c.plan.runs == 3 && t.c.result.windows > 3);
    REQUIRE(fail_every_call(&op, &t) > 100);
    stream_close(&t.c);
    rig_close(&t.r);
}

typedef struct partition_try {
    rig r;
    partition_stream_case c;
} partition_try;

static dmm_status attempt_partition(void *user)
{
    partition_try *const t = user;
    return partition_stream_run(&t->c, &t->r);
}

static void finish_partition(void *user, dmm_status status)
{
    partition_try *const t = user;
    if (status != DMM_OK)
        REQUIRE_OK(partition_stream_run(&t->c, &t->r));
    partition_stream_check(&t->c);
}

static void partitioning_a_stream_fails_cleanly(void **state)
{
    static const operation op = {
        "partition_stream", NULL, attempt_partition, finish_partition, DMM_OK};
    static partition_try t = {.c = {.value_bytes = 4, .n = 44}};
    rig_open(&t.r, *state);
    t.c.k = kind_named("u32");
    t.c.desc =
        (dmm_partition_stream_desc){.partition = {.ways = 7}, .run_items = 16, .window_items = 14};
    partition_stream_open(&t.c, &t.r, SHAPE_RANDOM, 1);
    REQUIRE_OK(partition_stream_run(&t.c, &t.r)); /* builds what the attempts use */
    REQUIRE(t.c.plan.runs == 3 && t.c.result.windows > 3);
    REQUIRE(fail_every_call(&op, &t) > 100);
    partition_stream_close(&t.c);
    rig_close(&t.r);
}

enum { LIST = 50, AT_ONCE = 16 };

/* A list of 0 0 1 2 2 3 4 4 ..., and one of the even numbers. */
typedef struct lists_try {
    rig r;
    uint32_t lists[2][LIST], out[2 * LIST];
    uint64_t read[2], written;
} lists_try;

static dmm_status read_list(
    void *user, uint32_t list, void *keys, void *values, uint64_t most, uint64_t *count)
{
    lists_try *const t = user;
    (void)values;
    *count = most < LIST - t->read[list] ? most : LIST - t->read[list];
    memcpy(keys, t->lists[list] + t->read[list], *count * sizeof t->lists[0][0]);
    t->read[list] += *count;
    return DMM_OK;
}

static dmm_status read_first(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    return read_list(user, 0, keys, values, most, count);
}

static dmm_status write_list(void *user, const void *keys, const void *values, uint64_t count)
{
    lists_try *const t = user;
    (void)values;
    memcpy(t->out + t->written, keys, count * sizeof t->out[0]);
    t->written += count;
    return DMM_OK;
}

static dmm_status attempt_set(void *user)
{
    lists_try *const t = user;
    const dmm_set_stream_desc desc = {
        .order = {.type = DMM_U32}, .op = DMM_SET_DIFFERENCE, .window_items = AT_ONCE};
    const dmm_set_stream_args args = {.user = t, .read = read_list, .write = write_list};
    t->read[0] = t->read[1] = t->written = 0;
    return dmm_set_stream_host(t->r.ctx, &desc, &args);
}

/* Left over: each number of the first list once, because it has the even ones twice. */
static void finish_set(void *user, dmm_status status)
{
    lists_try *const t = user;
    if (status != DMM_OK)
        REQUIRE_OK(attempt_set(t));
    REQUIRE(t->written > LIST / 2);
    for (uint32_t i = 0; i < t->written; i++)
        REQUIRE(t->out[i] == i);
}

static dmm_status attempt_unique(void *user)
{
    lists_try *const t = user;
    const dmm_unique_stream_desc desc = {.block_items = AT_ONCE};
    const dmm_unique_stream_args args = {.user = t, .read = read_first, .write = write_list};
    t->read[0] = t->written = 0;
    return dmm_unique_stream_host(t->r.ctx, &desc, &args);
}

static void finish_unique(void *user, dmm_status status)
{
    lists_try *const t = user;
    if (status != DMM_OK)
        REQUIRE_OK(attempt_unique(t));
    REQUIRE(t->written > LIST / 2);
    for (uint32_t i = 0; i < t->written; i++)
        REQUIRE(t->out[i] == i);
}

static void lists_of_a_stream_fail_cleanly(void **state)
{
    static const operation set = {"set_stream", NULL, attempt_set, finish_set, DMM_OK};
    static const operation unique = {"unique_stream", NULL, attempt_unique, finish_unique, DMM_OK};
    static lists_try t;
    for (uint32_t i = 0; i < LIST; i++) {
        t.lists[0][i] = i / 3 * 2 + (i % 3 == 2);
        t.lists[1][i] = 2 * i;
    }
    rig_open(&t.r, *state);
    REQUIRE_OK(attempt_set(&t)); /* builds what the attempts use */
    REQUIRE(fail_every_call(&set, &t) > 100);
    REQUIRE_OK(attempt_unique(&t));
    REQUIRE(fail_every_call(&unique, &t) > 100);
    rig_close(&t.r);
}

enum { N = 90, PART = 32 };

typedef struct devices_try {
    rig r;
    uint32_t keys[N], values[N];
} devices_try;

/* One device: its thread is the caller's, so every attempt makes the same calls. */
static dmm_status attempt_devices(void *user)
{
    devices_try *const t = user;
    const dmm_sort_devices_desc desc = {
        .order = {.type = DMM_U32}, .value_bytes = 4, .part_items = PART};
    for (uint32_t i = 0; i < N; i++) {
        t->keys[i] = i * 7 % N / 2;
        t->values[i] = i;
    }
    return dmm_sort_devices_host(&t->r.ctx, 1, &desc, t->keys, t->values, N, NULL);
}

static void finish_devices(void *user, dmm_status status)
{
    devices_try *const t = user;
    if (status != DMM_OK)
        REQUIRE_OK(attempt_devices(t));
    for (uint32_t i = 0; i < N; i++)
        REQUIRE(t->keys[i] == i / 2 && t->values[i] * 7 % N / 2 == i / 2);
}

static void sorting_on_devices_fails_cleanly(void **state)
{
    static const operation op = {"devices", NULL, attempt_devices, finish_devices, DMM_OK};
    static devices_try t;
    (void)state;
    rig_open(&t.r, "banks=8");
    REQUIRE_OK(attempt_devices(&t)); /* builds what the attempts use */
    REQUIRE(fail_every_call(&op, &t) > 100);
    rig_close(&t.r);
}

int main(void)
{
    /* One queue and set of buffers, and two. No ballots: if they do not build, others do, and what
     * fails meanwhile is passed over. */
    char cpu[] = "banks=8", gpu[] = "form=gpu,u=32,E=4,sync_width=1";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(sorting_a_stream_fails_cleanly, cpu),
        cmocka_unit_test_prestate(sorting_a_stream_fails_cleanly, gpu),
        cmocka_unit_test_prestate(partitioning_a_stream_fails_cleanly, cpu),
        cmocka_unit_test_prestate(partitioning_a_stream_fails_cleanly, gpu),
        cmocka_unit_test_prestate(lists_of_a_stream_fail_cleanly, cpu),
        cmocka_unit_test_prestate(lists_of_a_stream_fail_cleanly, gpu),
        cmocka_unit_test(sorting_on_devices_fails_cleanly),
        cmocka_unit_test(faults_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("faults_stream", tests, NULL, NULL);
}
