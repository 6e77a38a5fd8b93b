/* SPDX-License-Identifier: MIT */
/* ctest: default optimised */
/*
 * dmm_sort behind dmm_sort on an out-of-order queue, joined by an event; threads that share a
 * context (simulators run none of those). What holds for all primitives is in test_queue.c.
 */
#include "support/require.h"

#include "support/forms.h"
#include "support/queue.h"
#include "support/sort_case.h"

/* Values of 3 bytes: every kind of step takes part, from the tile sort to the fetching of values.
 */
static sort_setup the_setup(void)
{
    return (sort_setup){kind_named("u32"), 3, 0, GPU(32, 4)};
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

static int is_sorted(const uint32_t *keys, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (keys[i - 1] > keys[i])
            return 0;
    return 1;
}

static void sort_some(queue_share *mine)
{
    enum { ITEMS = 3000, ROUNDS = 5 };
    random_source random = {mine->seed};
    for (int i = 0; i < ROUNDS && mine->status == DMM_OK; i++) {
        uint32_t keys[ITEMS];
        dmm_sort_desc desc = {0};
        desc.tuning.E = i % 2 ? 4 : 2; /* two programs: the threads race to build them */
        random_bytes(&random, keys, sizeof keys);
        mine->status = dmm_sort_host(shared.ctx, &desc, keys, NULL, ITEMS);
        mine->wrong += !is_sorted(keys, ITEMS);
    }
}

static void threads_share_a_context(void **state)
{
    (void)state;
    queue_check_threads(sort_some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_chain_by_events_on_an_out_of_order_queue),
        cmocka_unit_test(threads_share_a_context),
    };
    return RUN_WITH_RIG("sort_queue", "banks=32", tests);
}
