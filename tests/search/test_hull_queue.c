/* SPDX-License-Identifier: MIT */
/*
 * dmm_hull among other work: wait lists, the event it returns, either queue, calls of one object in
 * flight.
 */
#include "support/require.h"

#include <stdlib.h>

#include "support/forms.h"
#include "support/hull_case.h"
#include "support/queue.h"

typedef struct hull_call {
    hull_case c;
    hull_run run;
} hull_call;

static const hull_setup setup = {.type = DMM_F32, .tuning = CPU(64)};

static void *build(void)
{
    return hull_build(&shared, &setup);
}

static void release(void *object)
{
    dmm_hull_free(object);
}

/* Never in place. */
static void *prepare(void *object, uint64_t n, int in_place, int temp_given)
{
    hull_call *const call = calloc(1, sizeof *call);
    (void)in_place;
    REQUIRE(call != NULL);
    call->c = (hull_case){
        .n = n, .points = (cloud)(n % CLOUD_GAUSSIAN), .seed = n, .temp_given = temp_given};
    call->run = hull_prepare(&shared, object, &setup, &call->c, NULL);
    return call;
}

static dmm_status enqueue(void *object, void *call, cl_command_queue queue, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const hull_call *const h = call;
    return dmm_hull_enqueue(object, queue, &h->run.args, h->c.n, num_wait, wait, event);
}

static const zone *output(const void *call)
{
    return &((const hull_call *)call)->run.hull;
}

static void finish(void *call)
{
    hull_finish(&((hull_call *)call)->run);
    free(call);
}

static const queue_subject subjects[] = {
    {"hull", build, release, 0, prepare, enqueue, output, finish}};

QUEUE_TESTS(subjects)

int main(void)
{
    return RUN_WITH_RIG("hull_queue", "banks=16,units=2", queue_tests);
}
