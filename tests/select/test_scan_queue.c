/* SPDX-License-Identifier: MIT */
/*
 * dmm_scan behind dmm_scan on an out-of-order queue, joined by an event; threads that share a
 * context (simulators run none of those). What holds for all primitives is in test_queue.c.
 */
#include "support/require.h"

#include "support/forms.h"
#include "support/queue.h"
#include "support/scan_case.h"

static const scan_setup setup = {{DMM_U32, DMM_SCAN_SUM, 0}, GPU(32, 4), 0};

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

static void scan_some(queue_share *mine)
{
    enum { ITEMS = 3000, ROUNDS = 5 };
    for (uint32_t round = 0; round < ROUNDS && mine->status == DMM_OK; round++) {
        uint32_t items[ITEMS], sum = 0;
        dmm_scan_desc desc = {0};
        desc.tuning.E = round % 2 ? 4 : 2; /* two programs: the threads race to build them */
        for (uint32_t i = 0; i < ITEMS; i++)
            items[i] = i ^ mine->seed;
        mine->status = dmm_scan_host(shared.ctx, &desc, items, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++)
            mine->wrong += items[i] != (sum += i ^ mine->seed);
    }
}

static void threads_share_a_context(void **state)
{
    (void)state;
    queue_check_threads(scan_some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_chain_by_events_on_an_out_of_order_queue),
        cmocka_unit_test(threads_share_a_context),
    };
    return RUN_WITH_RIG("scan_queue", "banks=32", tests);
}
