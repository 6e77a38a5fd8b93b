/* SPDX-License-Identifier: MIT */
/*
 * A call of any primitive, whose arguments are wrong: what holds for all of them. Each says how its
 * arguments are handed on; calls run in the shared rig (support/shared.h).
 */
#ifndef DMM_TESTS_ANY_CALL_H
#define DMM_TESTS_ANY_CALL_H

#include "support/shared.h"
#include "support/zone.h"

/* How many items; the second is for those that take two counts. */
typedef struct call_counts {
    uint64_t first, second;
} call_counts;

typedef struct any_call {
    /* Hands on what stands below. There is no wait list, whatever its length. */
    dmm_status (*enqueue)(const struct any_call *call, cl_event *event);
    void *object;
    const void *args;
    call_counts n;
    cl_command_queue queue;
    cl_uint num_wait;
    cl_event event; /* what the last call left */
} any_call;

/* The any_call named `call` is refused with this status, and leaves no event. */
#define WRONG(expected) REQUIRE_REFUSED(expected, &call.event, call.enqueue(&call, &call.event))

/* A call in which everything is wrong is put right step by step, until only the spans of its
 * arguments are. `right` is what it becomes; its queue is the rig's. */
void any_call_before_spans(const any_call *right, const call_counts *too_large, size_t count);

/* A span of the call's arguments, the first that is wrong: there is none; it is misaligned; behind
 * its buffer's end. Then it is put right: it is the zone's. */
#define WRONG_SPAN(span, z, align_bytes)      \
    do {                                      \
        test_note("no %s", #span);            \
        WRONG(DMM_NULL_ARGUMENT);             \
        WRONG_OPTIONAL(span, z, align_bytes); \
    } while (0)
/* A span that may be left out. */
#define WRONG_OPTIONAL(span, z, align_bytes) \
    any_call_wrong_places(&call, &(span), #span, z, align_bytes, DMM_SPAN_TOO_SMALL)
#define WRONG_TEMP(span, z) any_call_wrong_places(&call, &(span), #span, z, 256, DMM_TEMP_TOO_SMALL)

void any_call_wrong_places(any_call *call, dmm_span *span, const char *name, const zone *z,
    uint64_t align_bytes, dmm_status too_small);

/* No items: such a call completes, with an event and without. */
void any_call_of_nothing(const any_call *right);

/* What refused calls had at hand is untouched; and is freed. */
#define FREE_UNTOUCHED(...) zones_free_untouched((zone *const[]){__VA_ARGS__, NULL})
void zones_free_untouched(zone *const *zones);

#endif
