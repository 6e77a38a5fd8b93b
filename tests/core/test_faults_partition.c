/* SPDX-License-Identifier: MIT */
/* ctest: wrap=all */
/*
 * Every OpenCL call and allocation of dmm_partition fails once, while it is created, enqueued, or
 * blocks: see support/faults.h for what must hold.
 */
#include "support/require.h"

#include "support/faults.h"
#include "support/forms.h"
#include "support/partition_case.h"

static const dmm_tuning gpu = GPU(8, 15);

typedef struct partition_try {
    rig r;
    partition_setup setup;
    partition_case c;
    dmm_partition *partition;
    partition_run run;
    cl_event event;
} partition_try;

static void open_try(void *user)
{
    rig_open(&((partition_try *)user)->r, "banks=8");
}

static dmm_status create_partition(void *user)
{
    partition_try *const t = user;
    const dmm_partition_desc desc = partition_desc_of(&t->setup);
    t->partition = (dmm_partition *)user;
    return dmm_partition_create(&t->partition, t->r.ctx, &desc);
}

static void close_try(void *user, dmm_status status)
{
    partition_try *const t = user;
    REQUIRE((t->partition != NULL) == (status == DMM_OK));
    dmm_partition_free(t->partition);
    t->partition = NULL;
    rig_close(&t->r);
}

static void creating_a_partition_fails_cleanly(void **state)
{
    static const operation op = {"partition create", open_try, create_partition, close_try, DMM_OK};
    static partition_try t;
    (void)state;
    t.setup = (partition_setup){.k = kind_named("u32"),
        .ways = 5,
        .by = DMM_PARTITION_BY_EXPRESSION,
        .expression = "key % 5",
        .tuning = gpu};
    REQUIRE(fail_every_call(&op, &t) > 20);
}

static void prepare_partition(void *user)
{
    partition_try *const t = user;
    t->run = partition_prepare(&t->r, t->partition, &t->setup, &t->c);
}

static dmm_status enqueue_partition(void *user)
{
    partition_try *const t = user;
    const cl_command_queue queue = t->r.out_of_order != NULL ? t->r.out_of_order : t->r.queue;
    t->event = (cl_event)user;
    return dmm_partition_enqueue(t->partition, queue, &t->run.args, t->c.n, 0, NULL, &t->event);
}

static void finish_partition(void *user, dmm_status status)
{
    partition_try *const t = user;
    partition_case judged = t->c;
    judged.any_result = status != DMM_OK;
    t->run.c = &judged;
    REQUIRE((t->event != NULL) == (status == DMM_OK));
    if (status == DMM_OK) {
        REQUIRE_OK(clWaitForEvents(1, &t->event));
        clReleaseEvent(t->event);
    }
    partition_finish(&t->run);
    partition_check(&t->r, t->partition, &t->setup, &t->c);
}

static void executing_a_partition_fails_cleanly(void **state)
{
    static const operation op = {
        "partition", prepare_partition, enqueue_partition, finish_partition, DMM_OK};
    static const partition_case cases[] = {{.n = 300, .seed = 1},
        {.n = 250, .seed = 2, .in_place = 1, .temp_given = 1}, {.n = 0, .seed = 3}};
    static partition_try t;
    (void)state;
    rig_open(&t.r, "banks=8");
    t.setup = (partition_setup){.k = kind_named("u32"), .ways = 5, .value_bytes = 3, .tuning = gpu};
    t.partition = partition_build(&t.r, &t.setup);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        t.c = cases[i];
        REQUIRE(fail_every_call(&op, &t) > (t.c.n != 0 ? 30 : 6));
    }
    dmm_partition_free(t.partition);
    rig_close(&t.r);
}

static void with_temp_given_a_partition_allocates_nothing(void **state)
{
    static partition_try t;
    (void)state;
    rig_open(&t.r, "banks=8");
    t.setup = (partition_setup){.k = kind_named("u32"), .ways = 5, .value_bytes = 3, .tuning = gpu};
    t.c = (partition_case){.n = 500, .in_place = 1, .temp_given = 1};
    t.partition = partition_build(&t.r, &t.setup);
    prepare_partition(&t);
    faults_arm(0);
    REQUIRE_OK(enqueue_partition(&t));
    REQUIRE(faults_disarm().allocations == 0);
    finish_partition(&t, DMM_OK);
    dmm_partition_free(t.partition);
    rig_close(&t.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_a_partition_fails_cleanly),
        cmocka_unit_test(executing_a_partition_fails_cleanly),
        cmocka_unit_test(with_temp_given_a_partition_allocates_nothing),
        cmocka_unit_test(faults_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("faults_partition", tests, NULL, NULL);
}
