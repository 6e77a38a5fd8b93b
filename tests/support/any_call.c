/* SPDX-License-Identifier: MIT */
/* Calls with wrong arguments, for any primitive. */
#include "support/any_call.h"

#include "support/require.h"

void any_call_before_spans(const any_call *right, const call_counts *too_large, size_t count)
{
    static rig other;
    any_call call = {.enqueue = right->enqueue, .num_wait = 1};
    rig_open(&other, NULL);
    test_note("a call put right step by step");
    if (count != 0)
        call.n = too_large[0];
    WRONG(DMM_NULL_ARGUMENT);
    call.object = right->object;
    WRONG(DMM_NULL_ARGUMENT);
    call.queue = other.queue;
    WRONG(DMM_WRONG_QUEUE);
    call.queue = shared.queue;
    WRONG(DMM_NULL_ARGUMENT);
    call.args = right->args;
    for (size_t i = 0; i < count; i++) {
        call.n = too_large[i];
        WRONG(DMM_TOO_LARGE);
    }
    call.n = right->n;
    WRONG(CL_INVALID_EVENT_WAIT_LIST);
    rig_close(&other);
}

void any_call_wrong_places(any_call *call, dmm_span *span, const char *name, const zone *z,
    uint64_t align_bytes, dmm_status too_small)
{
    const uint64_t last = (z->total_bytes - z->bytes) / align_bytes * align_bytes;
    const struct {
        uint64_t offset_bytes;
        dmm_status expected;
    } places[] = {{align_bytes / 2, DMM_MISALIGNED}, {last + align_bytes, too_small},
        {UINT64_MAX - align_bytes + 1, too_small}};
    for (size_t i = align_bytes > 1 ? 0 : 1; i < sizeof places / sizeof places[0]; i++) {
        *span = (dmm_span){z->buffer, places[i].offset_bytes};
        test_note("%s at %llu", name, (unsigned long long)span->offset_bytes);
        REQUIRE_REFUSED(places[i].expected, &call->event, call->enqueue(call, &call->event));
    }
    *span = zone_span(z);
}

void any_call_of_nothing(const any_call *right)
{
    any_call call = *right;
    call.n = (call_counts){0, call.n.second};
    test_note("no items");
    REQUIRE_OK(call.enqueue(&call, &call.event));
    REQUIRE(call.event != NULL);
    REQUIRE_OK(clWaitForEvents(1, &call.event));
    clReleaseEvent(call.event);
    REQUIRE_OK(call.enqueue(&call, NULL));
    REQUIRE_OK(clFinish(shared.queue));
}

void zones_free_untouched(zone *const *zones)
{
    for (; *zones != NULL; zones++) {
        REQUIRE(zone_untouched(&shared, *zones));
        zone_free(*zones);
    }
}
