/* SPDX-License-Identifier: MIT */
/*
 * Every OpenCL call and allocation of the library fails once, while more items are sorted than are
 * held at once, and while a device sorts and merges parts: the failure's own status comes back, and
 * a second call works, the first one by going on with the runs that are stored. See
 * support/faults.h for what else must hold.
 */
#include "support/require.h"

#include <dmm/sort_devices.h>

#include "support/faults.h"
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
    (void)state;
    rig_open(&t.r, "banks=8");
    t.c.k = kind_named("u32");
    t.c.desc = (dmm_sort_stream_desc){.run_items = 16, .window_items = 14, .block_items = 2};
    stream_open(&t.c, &t.r, SHAPE_RANDOM, 1);
    REQUIRE_OK(stream_run(&t.c, &t.r, 0)); /* builds what the attempts use */
    REQUIRE(t.c.plan.runs == 3 && t.c.result.windows > 3);
    REQUIRE(fail_every_call(&op, &t) > 100);
    stream_close(&t.c);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_a_stream_fails_cleanly),
        cmocka_unit_test(sorting_on_devices_fails_cleanly),
        cmocka_unit_test(faults_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("faults_stream", tests, NULL, NULL);
}
