/* SPDX-License-Identifier: MIT */
/*
 * A primitive among other work on queues: checks common to all. Each primitive prepares, starts and
 * ends a call; calls run in the shared rig (support/shared.h).
 */
#ifndef DMM_TESTS_QUEUE_H
#define DMM_TESTS_QUEUE_H

#include "support/shared.h"
#include "support/zone.h"

typedef struct queue_subject {
    const char *name;
    void *(*build)(void); /* the object */
    void (*release)(void *object);
    int held; /* the object must outlive its calls */
    /* A call of about n items: its buffers, and what is expected of them. */
    void *(*prepare)(void *object, uint64_t n, int in_place, int temp_given);
    dmm_status (*enqueue)(void *object, void *call, cl_command_queue queue, cl_uint num_wait,
        const cl_event *wait, cl_event *event);
    const zone *(*output)(const void *call);
    void (*finish)(void *call); /* judges and releases it */
} queue_subject;

/* Nothing runs before the whole wait list is complete, on either queue; meanwhile the object may
 * go. Simulators wait for ever for a user event: there it does nothing. */
void queue_check_waiting(const queue_subject *s);
/* Calls of one object: one after the other, without events; then in flight side by side, out of
 * order where the device can. */
void queue_check_overlap(const queue_subject *s);

/* A thread's share: nothing in it may fail the test, since cmocka's failures belong to the main
 * thread. */
typedef struct queue_share {
    uint32_t seed;
    dmm_status status;
    int wrong; /* results */
} queue_share;

/* Threads, each with another seed, work in the shared rig's context; simulators run none. */
void queue_check_threads(void (*work)(queue_share *mine));

/* The array queue_tests, of one test for each of these and all subjects of an array. */
#define QUEUE_TESTS(subjects)                                                     \
    static void nothing_runs_before_the_whole_wait_list_is_complete(void **state) \
    {                                                                             \
        (void)state;                                                              \
        for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects)[0]; i++)       \
            queue_check_waiting(&(subjects)[i]);                                  \
    }                                                                             \
    static void calls_of_one_object_overlap_in_flight(void **state)               \
    {                                                                             \
        (void)state;                                                              \
        for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects)[0]; i++)       \
            queue_check_overlap(&(subjects)[i]);                                  \
    }                                                                             \
    static const struct CMUnitTest queue_tests[] = {                              \
        cmocka_unit_test(nothing_runs_before_the_whole_wait_list_is_complete),    \
        cmocka_unit_test(calls_of_one_object_overlap_in_flight)};

#endif
