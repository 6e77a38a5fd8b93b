/* SPDX-License-Identifier: MIT */
/* What dmm_search refuses: descriptions and arguments. */
#include "support/require.h"

#include <dmm/search.h>

#include "support/any_call.h"
#include "support/forms.h"

static dmm_status enqueue(const any_call *c, cl_event *event)
{
    return dmm_search_enqueue(
        c->object, c->queue, c->args, c->n.first, c->n.second, c->num_wait, NULL, event);
}

static void wrong_descriptions_are_refused(void)
{
    static const dmm_search_desc wrong[] = {{.rank_bytes = 3}, {.result = (dmm_rank)4},
        {.max_n = (uint64_t)1 << 32}, {.layout = (dmm_layout_kind)5}, {.B = 65536},
        {.method = (dmm_search_method)4}, {.team = 1}, {.team = 24},
        {.method = DMM_SEARCH_TEAMS, .layout = DMM_LAYOUT_BST},
        {.method = DMM_SEARCH_MERGE, .layout = DMM_LAYOUT_BTREE}, {.order = {.type = DMM_ITEM}}};
    static const dmm_search_desc unsupported[] = {{.method = DMM_SEARCH_TEAMS, .tuning = CPU(64)},
        {.method = DMM_SEARCH_TEAMS, .guarantee = 1, .tuning = GPU(64, 1)},
        {.method = DMM_SEARCH_MERGE, .guarantee = 1, .tuning = GPU(64, 1)}};
    dmm_search_desc desc = {0};
    dmm_search *search = NULL;
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_search_create(NULL, shared.ctx, &desc));
    REQUIRE_REFUSED(DMM_NULL_ARGUMENT, &search, dmm_search_create(&search, NULL, &desc));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REQUIRE_REFUSED(DMM_BAD_VALUE, &search, dmm_search_create(&search, shared.ctx, &wrong[i]));
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        REQUIRE_REFUSED(
            DMM_UNSUPPORTED, &search, dmm_search_create(&search, shared.ctx, &unsupported[i]));
    REQUIRE_REFUSED(DMM_BAD_PARAMETERS, &search,
        dmm_search_create(&search, shared.ctx,
            &(dmm_search_desc){.method = DMM_SEARCH_TEAMS, .team = 128, .tuning = GPU(64, 1)}));
    desc.reserved[1] = 1;
    REQUIRE_REFUSED(DMM_UNSUPPORTED, &search, dmm_search_create(&search, shared.ctx, &desc));
}

static void wrong_arguments_are_refused_in_order(void **state)
{
    enum { N = 3, M = 2 };
    static const dmm_search_desc desc = {.result = DMM_RANK_RANGE, .max_n = N};
    uint64_t bytes = 1;
    dmm_search *search = NULL;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments");
    wrong_descriptions_are_refused();
    REQUIRE_OK(dmm_search_create(&search, shared.ctx, &desc));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_search_temp_bytes(&bytes, search, N + 1, M));
    REQUIRE_OK(dmm_search_temp_bytes(&bytes, search, N, M));
    REQUIRE(bytes == 0);
    zone keys = zone_create(&shared, NULL, 4 * N, 0),
         queries = zone_create(&shared, NULL, 4 * M, 0);
    zone out = zone_create(&shared, NULL, 4 * M, 0), ends = zone_create(&shared, NULL, 4 * M, 0);
    zone number = zone_create(&shared, NULL, 8, 0);
    dmm_search_args args = {.temp = DMM_NONE};
    any_call call = {enqueue, search, &args, {N, M}, shared.queue, 0, NULL};

    any_call_before_spans(&call, &(call_counts){N + 1, M}, 1);
    WRONG_SPAN(args.keys, &keys, 4);
    WRONG_SPAN(args.queries, &queries, 4);
    WRONG_SPAN(args.out, &out, 4);
    WRONG_SPAN(args.ends_out, &ends, 4);
    args.count.offset_bytes = 4;
    args.count.buffer = number.buffer;
    WRONG(DMM_MISALIGNED);
    args.count = DMM_NONE;
    args.out = args.keys;
    WRONG(DMM_OVERLAP);
    args.out = args.ends_out;
    WRONG(DMM_OVERLAP);
    args.out = zone_span(&out);
    args.reserved[3] = 1;
    WRONG(DMM_UNSUPPORTED);
    FREE_UNTOUCHED(&keys, &queries, &out, &ends, &number);
    dmm_search_free(search);
    dmm_search_free(NULL);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_are_refused_in_order),
    };
    return cmocka_run_group_tests_name("search_arguments", tests, NULL, NULL);
}
