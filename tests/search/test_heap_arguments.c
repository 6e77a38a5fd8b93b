/* SPDX-License-Identifier: MIT */
/* Descriptions and operations that dmm_heap refuses; wrong arguments: test_arguments.c. */
#include "support/require.h"

#include <dmm/heap.h>

#include "support/shared.h"

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
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_heap_bytes(&bytes, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_heap_bytes(NULL, &desc));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_note("description %zu", i);
        REQUIRE_REFUSED(wrong[i].status, &heap, dmm_heap_create(&heap, shared.ctx, &wrong[i].desc));
        REQUIRE_STATUS(wrong[i].status, dmm_heap_bytes(&bytes, &wrong[i].desc));
    }
    REQUIRE(bytes == 1);
}

/* The operation decides on the spans of a call. */
static void wrong_operations_are_refused(dmm_heap *heap)
{
    const dmm_heap_args args = {.op = (dmm_heap_op)6};
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_heap_enqueue(heap, shared.queue, &args, 4, 0, NULL, NULL));
}

static void wrong_arguments_are_refused(void **state)
{
    static const dmm_heap_desc desc = {.priority = DMM_U64, .bulk = 4, .capacity = 100};
    dmm_heap *heap = NULL;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments");
    wrong_descriptions_are_refused();
    REQUIRE_OK(dmm_heap_create(&heap, shared.ctx, &desc));
    wrong_operations_are_refused(heap);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_heap_host(shared.ctx, &desc, NULL, 0));
    dmm_heap_free(heap);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("heap_arguments", tests, NULL, NULL);
}
