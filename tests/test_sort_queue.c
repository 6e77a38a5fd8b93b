/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort among other work: wait lists, the event it returns, out-of-order queues, several
 * executions of one object in flight, threads that share a context. Simulators run none of those
 * with user events or threads: they hang on the first and are unsafe under the second.
 */
#include "support/require.h"

#include <pthread.h>

#include "support/sort_case.h"

static rig shared;

static int open_rig(void **state)
{
    (void)state;
    rig_open(&shared, "banks=32");
    return 0;
}

static int close_rig(void **state)
{
    (void)state;
    rig_close(&shared);
    return 0;
}

/* Values of 3 bytes: every kind of step takes part, from the tile sort to the fetching of values.
 */
static sort_setup the_setup(void)
{
    return (sort_setup){kind_named("u32"), 3, 0, {DMM_FORM_GPU, 32, 4, 0, DMM_SEARCH_DEFAULT}};
}

static cl_int execution_status(cl_event event)
{
    cl_int now = CL_COMPLETE;
    REQUIRE_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, NULL));
    return now;
}

static void require_waits(cl_command_queue queue, uint64_t n, int in_place)
{
    const sort_setup setup = the_setup();
    const sort_case c = {.n = n, .input = SHAPE_BITS, .seed = n, .in_place = in_place};
    dmm_sort *sort = sort_build(&shared, &setup);
    const cl_event gates[2] = {user_event(&shared), user_event(&shared)};
    cl_event done = NULL;
    sort_run run = sort_prepare(&shared, sort, &setup, &c);
    REQUIRE_OK(dmm_sort_enqueue(sort, queue, &run.args, n, 2, gates, &done));
    dmm_sort_free(sort);
    REQUIRE_OK(clFlush(queue));
    REQUIRE_OK(clSetUserEventStatus(gates[1], CL_COMPLETE));
    REQUIRE(execution_status(done) != CL_COMPLETE);
    if (!in_place && n != 0 && queue != shared.queue) /* else the reading would wait as well */
        REQUIRE(zone_untouched(&shared, &run.keys_out));
    REQUIRE_OK(clSetUserEventStatus(gates[0], CL_COMPLETE));
    REQUIRE_OK(clWaitForEvents(1, &done));
    REQUIRE(execution_status(done) == CL_COMPLETE);
    sort_finish(&run);
    clReleaseEvent(done);
    clReleaseEvent(gates[0]);
    clReleaseEvent(gates[1]);
}

static void nothing_runs_before_the_whole_wait_list_is_complete(void **state)
{
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    for (uint64_t n = 0; n < 3000; n = 10 * n + 7) {
        require_waits(shared.queue, n, n % 2);
        if (shared.out_of_order != NULL)
            require_waits(shared.out_of_order, n, n % 2 == 0);
    }
}

static void an_out_of_order_queue_sorts(void **state)
{
    const sort_setup setup = the_setup();
    (void)state;
    if (shared.out_of_order == NULL)
        skip();
    dmm_sort *sort = sort_build(&shared, &setup);
    for (uint64_t n = 1; n < by_size(500, 50000, 500000); n = 4 * n + 3) {
        const sort_case c = {.n = n, .input = SHAPE_RANDOM, .seed = n, .in_place = n % 8 == 7};
        cl_event done = NULL;
        sort_run run = sort_prepare(&shared, sort, &setup, &c);
        REQUIRE_OK(dmm_sort_enqueue(sort, shared.out_of_order, &run.args, n, 0, NULL, &done));
        REQUIRE_OK(clWaitForEvents(1, &done));
        clReleaseEvent(done);
        sort_finish(&run);
    }
    dmm_sort_free(sort);
}

static void executions_of_one_object_overlap_in_flight(void **state)
{
    enum { RUNS = 6 };
    const sort_setup setup = the_setup();
    const cl_command_queue queue = shared.out_of_order != NULL ? shared.out_of_order : shared.queue;
    sort_case cases[RUNS];
    sort_run runs[RUNS];
    cl_event done[RUNS];
    (void)state;
    dmm_sort *sort = sort_build(&shared, &setup);
    for (int i = 0; i < RUNS; i++) {
        cases[i] = (sort_case){.n = by_size(100, 5000, 5000) + 91u * (unsigned)i,
            .input = SHAPE_RANDOM,
            .seed = (uint64_t)i,
            .in_place = i % 2,
            .temp_given = i % 3 != 0};
        runs[i] = sort_prepare(&shared, sort, &setup, &cases[i]);
    }
    for (int i = 0; i < RUNS; i++)
        REQUIRE_OK(dmm_sort_enqueue(sort, queue, &runs[i].args, cases[i].n, 0, NULL, &done[i]));
    dmm_sort_free(sort);
    REQUIRE_OK(clWaitForEvents(RUNS, done));
    for (int i = 0; i < RUNS; i++) {
        clReleaseEvent(done[i]);
        sort_finish(&runs[i]);
    }
}

static void without_an_event_the_queue_s_end_is_the_sort_s(void **state)
{
    const sort_setup setup = the_setup();
    const sort_case c = {.n = 700, .input = SHAPE_RANDOM, .seed = 1};
    (void)state;
    dmm_sort *sort = sort_build(&shared, &setup);
    sort_run run = sort_prepare(&shared, sort, &setup, &c);
    REQUIRE_OK(dmm_sort_enqueue(sort, shared.queue, &run.args, c.n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    sort_finish(&run);
    dmm_sort_free(sort);
}

/* The output of one sort is the input of the next, joined by the event alone. */
static void sorts_chain_by_events_on_an_out_of_order_queue(void **state)
{
    sort_setup down = the_setup();
    const sort_setup up = the_setup();
    const sort_case c = {
        .n = by_size(300, 20000, 20000), .input = SHAPE_BITS, .seed = 5, .in_place = 1};
    cl_event first = NULL, second = NULL;
    (void)state;
    if (shared.out_of_order == NULL)
        skip();
    down.k = kind_descending(down.k);
    dmm_sort *descend = sort_build(&shared, &down), *ascend = sort_build(&shared, &up);
    sort_run run = sort_prepare(&shared, ascend, &up, &c);
    REQUIRE_OK(dmm_sort_enqueue(descend, shared.out_of_order, &run.args, c.n, 0, NULL, &first));
    REQUIRE_OK(dmm_sort_enqueue(ascend, shared.out_of_order, &run.args, c.n, 1, &first, &second));
    REQUIRE_OK(clWaitForEvents(1, &second));
    clReleaseEvent(first);
    clReleaseEvent(second);
    sort_finish(&run);
    dmm_sort_free(descend);
    dmm_sort_free(ascend);
}

/* A thread's share: nothing in it may fail the test, since cmocka's failures belong to the main
 * thread. */
typedef struct share {
    pthread_t thread;
    uint64_t seed;
    dmm_status status;
    int unsorted;
} share;

static int is_sorted(const uint32_t *keys, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (keys[i - 1] > keys[i])
            return 0;
    return 1;
}

static void *sort_some(void *user)
{
    enum { ITEMS = 3000, ROUNDS = 5 };
    share *const mine = user;
    random_source random = {mine->seed};
    for (int i = 0; i < ROUNDS && mine->status == DMM_OK; i++) {
        uint32_t keys[ITEMS];
        dmm_sort_desc desc = DMM_SORT_DESC_INIT;
        desc.tuning.E = i % 2 ? 4 : 2; /* two programs: the threads race to build them */
        random_bytes(&random, keys, sizeof keys);
        mine->status = dmm_sort_host(shared.ctx, &desc, keys, NULL, ITEMS);
        mine->unsorted += !is_sorted(keys, ITEMS);
    }
    return NULL;
}

static void threads_share_a_context(void **state)
{
    enum { THREADS = 4 };
    share shares[THREADS];
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    test_note("%d threads", THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        shares[i] = (share){.seed = i};
        REQUIRE(pthread_create(&shares[i].thread, NULL, sort_some, &shares[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(shares[i].thread, NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        REQUIRE_OK(shares[i].status);
        REQUIRE(shares[i].unsorted == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_runs_before_the_whole_wait_list_is_complete),
        cmocka_unit_test(an_out_of_order_queue_sorts),
        cmocka_unit_test(executions_of_one_object_overlap_in_flight),
        cmocka_unit_test(without_an_event_the_queue_s_end_is_the_sort_s),
        cmocka_unit_test(sorts_chain_by_events_on_an_out_of_order_queue),
        cmocka_unit_test(threads_share_a_context),
    };
    return cmocka_run_group_tests_name("sort_queue", tests, open_rig, close_rig);
}
