/* SPDX-License-Identifier: MIT */
/*
 * One job at a time on another thread, after a command of a queue.
 */
#ifndef DMM_PRIMITIVES_ASIDE_H
#define DMM_PRIMITIVES_ASIDE_H

#include <dmm/types.h>

#include "core/os.h"

/* Zeros: no job. */
typedef struct dmm_aside {
    dmm_thread thread;
    cl_event after; /* owned; NULL: the job waits for no command */
    dmm_status (*job)(void *user);
    void *user;
    dmm_status status;
    int is_running;
} dmm_aside;

/* Starts a job, which begins when the event is complete and takes it over; the job before has been
 * waited for. Where no thread can be started, runs it here. */
void dmm_aside_start(dmm_aside *aside, cl_event after, dmm_status (*job)(void *user), void *user);
/* Waits for the job and returns its status; without a job, DMM_OK. */
dmm_status dmm_aside_wait(dmm_aside *aside);

#endif
