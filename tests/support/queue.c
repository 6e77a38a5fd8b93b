/* SPDX-License-Identifier: MIT */
/* Wait lists, events and queues, for any primitive. */
#include "support/queue.h"

#include <pthread.h>

static cl_int execution_status(cl_event event)
{
    cl_int now = CL_COMPLETE;
    REQUIRE_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, NULL));
    return now;
}

static void require_waits(const queue_subject *s, cl_command_queue queue, uint64_t n, int in_place)
{
    const cl_event gates[2] = {user_event(&shared), user_event(&shared)};
    cl_event done = NULL;
    void *const object = s->build(), *const call = s->prepare(object, n, in_place, 0);
    test_note("%s behind two events, n about %llu%s", s->name, (unsigned long long)n,
        in_place ? ", in place" : "");
    REQUIRE_OK(s->enqueue(object, call, queue, 2, gates, &done));
    if (!s->held)
        s->release(object);
    REQUIRE_OK(clFlush(queue));
    REQUIRE_OK(clSetUserEventStatus(gates[1], CL_COMPLETE));
    REQUIRE(execution_status(done) != CL_COMPLETE);
    if (!in_place && queue != shared.queue) /* else the reading would wait as well */
        REQUIRE(s->output(call)->bytes == 0 || zone_untouched(&shared, s->output(call)));
    REQUIRE_OK(clSetUserEventStatus(gates[0], CL_COMPLETE));
    REQUIRE_OK(clWaitForEvents(1, &done));
    REQUIRE(execution_status(done) == CL_COMPLETE);
    s->finish(call);
    if (s->held)
        s->release(object);
    clReleaseEvent(done);
    clReleaseEvent(gates[0]);
    clReleaseEvent(gates[1]);
}

void queue_check_waiting(const queue_subject *s)
{
    if (sizes_wanted() == SIZES_SMALL)
        return;
    for (uint64_t n = 0; n < 3000; n = 10 * n + 7) {
        require_waits(s, shared.queue, n, n % 2);
        if (shared.out_of_order != NULL)
            require_waits(s, shared.out_of_order, n, n % 2 == 0);
    }
}

enum { CALLS = 6 };

static void *prepare_one_of(const queue_subject *s, void *object, unsigned i)
{
    return s->prepare(object, by_size(100, 5000, 50000) + 91u * i, i % 2, i % 3 != 0);
}

/* So that kernels are loaded before they run side by side: PoCL 3.1 miscounts the users of one that
 * two threads load at once, and aborts. */
static void run_one_by_one(const queue_subject *s, void *object)
{
    for (unsigned i = 0; i < CALLS; i++) {
        void *const call = prepare_one_of(s, object, i);
        REQUIRE_OK(s->enqueue(object, call, shared.queue, 0, NULL, NULL));
        REQUIRE_OK(clFinish(shared.queue));
        s->finish(call);
    }
}

void queue_check_overlap(const queue_subject *s)
{
    const cl_command_queue queue = shared.out_of_order != NULL ? shared.out_of_order : shared.queue;
    void *const object = s->build();
    void *calls[CALLS];
    cl_event done[CALLS];
    test_note("%s, %d calls in flight", s->name, CALLS);
    run_one_by_one(s, object);
    for (unsigned i = 0; i < CALLS; i++)
        calls[i] = prepare_one_of(s, object, i);
    for (int i = 0; i < CALLS; i++)
        REQUIRE_OK(s->enqueue(object, calls[i], queue, 0, NULL, &done[i]));
    if (!s->held)
        s->release(object);
    REQUIRE_OK(clWaitForEvents(CALLS, done));
    for (int i = 0; i < CALLS; i++) {
        clReleaseEvent(done[i]);
        s->finish(calls[i]);
    }
    if (s->held)
        s->release(object);
}

typedef struct worker {
    pthread_t thread;
    void (*work)(queue_share *mine);
    queue_share share;
} worker;

static void *run_worker(void *user)
{
    worker *const w = user;
    w->work(&w->share);
    return NULL;
}

void queue_check_threads(void (*work)(queue_share *mine))
{
    enum { THREADS = 4 };
    worker workers[THREADS];
    if (sizes_wanted() == SIZES_SMALL)
        return;
    test_note("%d threads", THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (worker){.work = work, .share.seed = 77 * i};
        REQUIRE(pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        REQUIRE_OK(workers[i].share.status);
        REQUIRE(workers[i].share.wrong == 0);
    }
}
