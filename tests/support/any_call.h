/* SPDX-License-Identifier: MIT */
/*
 * A call of any primitive, with wrong arguments: checks common to all primitives. Each primitive
 * passes its arguments on; calls run in the shared rig (support/shared.h).
 */
#ifndef DMM_TESTS_ANY_CALL_H
#define DMM_TESTS_ANY_CALL_H

#include "support/shared.h"
#include "support/zone.h"

/* Numbers of items; the second for calls with two counts. */
typedef struct call_counts {
    uint64_t first, second;
} call_counts;

typedef struct any_call {
    /* Passes the fields below on. There is no wait list, whatever its length. */
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

/* Corrects a call in which everything is wrong step by step, until only the spans of its arguments
 * are wrong. `right`: the corrected call; its queue is the rig's. */
void any_call_before_spans(const any_call *right, const call_counts *too_large, size_t count);

/* Checks a span of the call's arguments, the first wrong one: missing; misaligned; past its
 * buffer's end. Then corrects it: it is the zone's. */
#define WRONG_SPAN(span, z, align_bytes)      \
    do {                                      \
        test_note("no %s", #span);            \
        WRONG(DMM_NULL_ARGUMENT);             \
        WRONG_OPTIONAL(span, z, align_bytes); \
    } while (0)
/* As above, for an optional span. */
#define WRONG_OPTIONAL(span, z, align_bytes) \
    any_call_wrong_places(&call, &(span), #span, z, align_bytes, DMM_SPAN_TOO_SMALL)
#define WRONG_TEMP(span, z) any_call_wrong_places(&call, &(span), #span, z, 256, DMM_TEMP_TOO_SMALL)

void any_call_wrong_places(any_call *call, dmm_span *span, const char *name, const zone *z,
    uint64_t align_bytes, dmm_status too_small);

/* A call without items completes, with an event and without. */
void any_call_of_nothing(const any_call *right);

/* Checks that refused calls have touched nothing, and frees the zones. */
#define FREE_UNTOUCHED(...) zones_free_untouched((zone *const[]){__VA_ARGS__, NULL})
void zones_free_untouched(zone *const *zones);

#endif
