/* SPDX-License-Identifier: MIT */
/*
 * dmm_scan among other work: wait lists, the event it returns, out-of-order queues, several
 * executions of one object in flight, threads that share a context. Simulators run none of those
 * with user events or threads: they hang on the first and are unsafe under the second.
 */
#include "support/require.h"

#include <pthread.h>

#include "support/scan_case.h"

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

static const scan_setup setup = {
    {DMM_U32, DMM_SCAN_SUM, 0}, {DMM_FORM_GPU, 32, 4, 0, DMM_SEARCH_DEFAULT}, 0};

static cl_int execution_status(cl_event event)
{
    cl_int now = CL_COMPLETE;
    REQUIRE_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, NULL));
    return now;
}

/* The object is freed while its work still waits: what was enqueued keeps what it needs. */
static void require_waits(cl_command_queue queue, uint64_t n, int in_place)
{
    const scan_case c = {.n = n, .input = SHAPE_BITS, .seed = n, .in_place = in_place};
    const cl_event gates[2] = {user_event(&shared), user_event(&shared)};
    cl_event done = NULL;
    dmm_scan *scan = scan_build(&shared, &setup);
    scan_run run = scan_prepare(&shared, scan, &setup, &c);
    REQUIRE_OK(dmm_scan_enqueue(scan, queue, &run.args, n, 2, gates, &done));
    dmm_scan_free(scan);
    REQUIRE_OK(clFlush(queue));
    REQUIRE_OK(clSetUserEventStatus(gates[1], CL_COMPLETE));
    REQUIRE(execution_status(done) != CL_COMPLETE);
    if (!in_place && n != 0)
        REQUIRE(zone_untouched(&shared, &run.out));
    REQUIRE_OK(clSetUserEventStatus(gates[0], CL_COMPLETE));
    REQUIRE_OK(clWaitForEvents(1, &done));
    REQUIRE(execution_status(done) == CL_COMPLETE);
    scan_finish(&run);
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
        require_waits(shared.out_of_order != NULL ? shared.out_of_order : shared.queue, n, n % 2);
        /* An in-order queue would hold back the reads that look at the output. */
        require_waits(shared.queue, n, 1);
    }
}

static void executions_of_one_object_overlap_in_flight(void **state)
{
    enum { RUNS = 6 };
    const cl_command_queue queue = shared.out_of_order != NULL ? shared.out_of_order : shared.queue;
    scan_case cases[RUNS];
    scan_run runs[RUNS];
    cl_event done[RUNS];
    (void)state;
    dmm_scan *scan = scan_build(&shared, &setup);
    for (int i = 0; i < RUNS; i++) {
        cases[i] = (scan_case){.n = by_size(200, 50000, 50000) + 91u * (unsigned)i,
            .input = SHAPE_BITS,
            .seed = (uint64_t)i,
            .in_place = i % 2,
            .temp_given = i % 3 != 0};
        runs[i] = scan_prepare(&shared, scan, &setup, &cases[i]);
    }
    for (int i = 0; i < RUNS; i++)
        REQUIRE_OK(dmm_scan_enqueue(scan, queue, &runs[i].args, cases[i].n, 0, NULL, &done[i]));
    dmm_scan_free(scan);
    REQUIRE_OK(clWaitForEvents(RUNS, done));
    for (int i = 0; i < RUNS; i++) {
        clReleaseEvent(done[i]);
        scan_finish(&runs[i]);
    }
}

static void without_an_event_the_queue_s_end_is_the_scan_s(void **state)
{
    const scan_case c = {.n = 700, .input = SHAPE_BITS, .seed = 1};
    (void)state;
    dmm_scan *scan = scan_build(&shared, &setup);
    scan_run run = scan_prepare(&shared, scan, &setup, &c);
    REQUIRE_OK(dmm_scan_enqueue(scan, shared.queue, &run.args, c.n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    scan_finish(&run);
    dmm_scan_free(scan);
}

/* The second scan turns the first one's sums of ones into 1, 3, 6, 10, ... */
static void scans_chain_by_events_on_an_out_of_order_queue(void **state)
{
    enum { N = 20000 };
    static uint32_t items[N];
    const size_t n = (size_t)by_size(300, N, N);
    cl_event first = NULL, second = NULL;
    (void)state;
    if (shared.out_of_order == NULL)
        skip();
    test_note("a scan of a scan");
    for (size_t i = 0; i < n; i++)
        items[i] = 1;
    dmm_scan *scan = scan_build(&shared, &setup);
    zone z = zone_create(&shared, items, n * sizeof *items, 0);
    const dmm_scan_args args = {.in = zone_span(&z), .out = zone_span(&z)};
    REQUIRE_OK(dmm_scan_enqueue(scan, shared.out_of_order, &args, n, 0, NULL, &first));
    REQUIRE_OK(dmm_scan_enqueue(scan, shared.out_of_order, &args, n, 1, &first, &second));
    REQUIRE_OK(clWaitForEvents(1, &second));
    clReleaseEvent(first);
    clReleaseEvent(second);
    for (uint32_t i = 0; i < n; i++)
        items[i] = (i + 1) * (i + 2) / 2;
    REQUIRE(zone_holds(&shared, &z, items));
    zone_free(&z);
    dmm_scan_free(scan);
}

/* A thread's share: nothing in it may fail the test, since cmocka's failures belong to the main
 * thread. */
typedef struct share {
    pthread_t thread;
    uint32_t seed;
    dmm_status status;
    int wrong;
} share;

static void *scan_some(void *user)
{
    enum { ITEMS = 3000, ROUNDS = 5 };
    share *const mine = user;
    for (uint32_t round = 0; round < ROUNDS && mine->status == DMM_OK; round++) {
        uint32_t items[ITEMS], sum = 0;
        dmm_scan_desc desc = DMM_SCAN_DESC_INIT;
        desc.tuning.E = round % 2 ? 4 : 2; /* two programs: the threads race to build them */
        for (uint32_t i = 0; i < ITEMS; i++)
            items[i] = i ^ mine->seed;
        mine->status = dmm_scan_host(shared.ctx, &desc, items, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++)
            mine->wrong += items[i] != (sum += i ^ mine->seed);
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
        shares[i] = (share){.seed = 77 * i};
        REQUIRE(pthread_create(&shares[i].thread, NULL, scan_some, &shares[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(shares[i].thread, NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        REQUIRE_OK(shares[i].status);
        REQUIRE(shares[i].wrong == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_runs_before_the_whole_wait_list_is_complete),
        cmocka_unit_test(executions_of_one_object_overlap_in_flight),
        cmocka_unit_test(without_an_event_the_queue_s_end_is_the_scan_s),
        cmocka_unit_test(scans_chain_by_events_on_an_out_of_order_queue),
        cmocka_unit_test(threads_share_a_context),
    };
    return cmocka_run_group_tests_name("scan_queue", tests, open_rig, close_rig);
}
