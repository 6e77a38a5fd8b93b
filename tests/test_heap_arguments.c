/* SPDX-License-Identifier: MIT */
/* What dmm_heap refuses: descriptions and arguments. */
#include "support/require.h"

#include <dmm/heap.h>

#include "support/any_call.h"

static dmm_status enqueue(const any_call *c, cl_event *event)
{
    return dmm_heap_enqueue(c->object, c->queue, c->args, c->n.first, c->num_wait, NULL, event);
}

static void wrong_descriptions_are_refused(void)
{
    static const struct {
        dmm_heap_desc desc;
        dmm_status status;
    } wrong[] = {{{.key_bytes = 3}, DMM_BAD_VALUE}, {{.key_bytes = 16}, DMM_BAD_VALUE},
        {{.priority = DMM_U16}, DMM_BAD_VALUE}, {{.priority = DMM_ITEM}, DMM_BAD_VALUE},
        {{.bulk = (uint64_t)1 << 32}, DMM_TOO_LARGE}, {{.bulk = UINT64_MAX}, DMM_TOO_LARGE},
        {{.capacity = (uint64_t)1 << 31}, DMM_TOO_LARGE}, {{.capacity = UINT64_MAX}, DMM_TOO_LARGE},
        {{.bulk = 1, .capacity = (uint64_t)1 << 31}, DMM_TOO_LARGE},
        {{.reserved = {0, 0, 1}}, DMM_UNSUPPORTED}};
    uint64_t bytes = 1;
    dmm_heap_desc desc = {0};
    dmm_heap *heap = NULL;
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_heap_create(NULL, shared.ctx, &desc));
    REQUIRE_REFUSED(DMM_NULL_ARGUMENT, &heap, dmm_heap_create(&heap, NULL, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_heap_bytes(&bytes, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_heap_bytes(NULL, &desc));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_note("description %zu", i);
        REQUIRE_REFUSED(wrong[i].status, &heap, dmm_heap_create(&heap, shared.ctx, &wrong[i].desc));
        REQUIRE_STATUS(wrong[i].status, dmm_heap_bytes(&bytes, &wrong[i].desc));
    }
    REQUIRE(bytes == 1);
}

enum { BULK = 4 };

static void wrong_spans_are_refused_in_order(dmm_heap *heap, uint64_t heap_bytes)
{
    uint64_t temp_bytes = 0;
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_heap_temp_bytes(&temp_bytes, heap, BULK + 1));
    REQUIRE_OK(dmm_heap_temp_bytes(&temp_bytes, heap, BULK));
    zone memory = zone_create(&shared, NULL, heap_bytes, 0);
    zone keys = zone_create(&shared, NULL, 4 * BULK, 0);
    zone priorities = zone_create(&shared, NULL, 8 * BULK, 0);
    zone count = zone_create(&shared, NULL, 8, 0), report = zone_create(&shared, NULL, 16, 0);
    zone given = zone_create(&shared, NULL, 8, 0);
    zone temp = zone_create(&shared, NULL, temp_bytes, 0);
    dmm_heap_args args = {.op = (dmm_heap_op)6};
    any_call call = {enqueue, heap, &args, {BULK, 0}, shared.queue, 0, NULL};
    WRONG(DMM_BAD_VALUE);
    args.op = DMM_HEAP_UPDATE;
    any_call_before_spans(&call, &(call_counts){BULK + 1, 0}, 1);
    WRONG_SPAN(args.heap, &memory, 8);
    WRONG_SPAN(args.keys_in, &keys, 4);
    WRONG_SPAN(args.priorities_in, &priorities, 8);
    WRONG_OPTIONAL(args.report, &report, 8);
    WRONG_OPTIONAL(args.count, &given, 8);
    args.turn = 7; /* resolves every level */
    WRONG_TEMP(args.temp, &temp);
    args.keys_in = args.heap;
    WRONG(DMM_OVERLAP);
    args.op = DMM_HEAP_SIZE;
    WRONG(DMM_NULL_ARGUMENT);
    args.count_out = args.heap;
    WRONG(DMM_OVERLAP);
    args.op = DMM_HEAP_PEEK;
    WRONG(DMM_NULL_ARGUMENT);
    args.keys_out = zone_span(&keys);
    args.priorities_out = args.keys_out;
    WRONG(DMM_OVERLAP);
    args.priorities_out = zone_span(&priorities);
    args.count_out = args.priorities_out;
    WRONG(DMM_OVERLAP);
    args.count_out = zone_span(&count);
    args.reserved[0] = 1;
    WRONG(DMM_UNSUPPORTED);
    FREE_UNTOUCHED(&memory, &keys, &priorities, &count, &report, &given, &temp);
}

static void wrong_arguments_are_refused_in_order(void **state)
{
    static const dmm_heap_desc desc = {.priority = DMM_U64, .bulk = BULK, .capacity = 100};
    dmm_heap *heap = NULL;
    uint64_t bytes = 0;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments");
    wrong_descriptions_are_refused();
    REQUIRE_OK(dmm_heap_bytes(&bytes, &desc));
    REQUIRE_OK(dmm_heap_create(&heap, shared.ctx, &desc));
    wrong_spans_are_refused_in_order(heap, bytes);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_heap_host(shared.ctx, &desc, NULL, 0));
    dmm_heap_free(heap);
    dmm_heap_free(NULL);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_are_refused_in_order),
    };
    return cmocka_run_group_tests_name("heap_arguments", tests, NULL, NULL);
}
