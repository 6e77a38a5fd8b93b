/* SPDX-License-Identifier: MIT */
/*
 * A thread for each job: a job moves megabytes, beside which its start costs nothing.
 */
#include "primitives/stream/aside.h"

#include <assert.h>

#include "core/opencl.h"

static void run(void *user)
{
    dmm_aside *const aside = user;
    aside->status = aside->after != NULL ? clWaitForEvents(1, &aside->after) : DMM_OK;
    if (aside->after != NULL)
        clReleaseEvent(aside->after);
    if (aside->status == DMM_OK)
        aside->status = aside->job(aside->user);
}

void dmm_aside_start(dmm_aside *aside, cl_event after, dmm_status (*job)(void *user), void *user)
{
    assert(!aside->is_running);
    aside->after = after;
    aside->job = job;
    aside->user = user;
    aside->is_running = dmm_thread_start(&aside->thread, run, aside);
    if (!aside->is_running)
        run(aside);
}

dmm_status dmm_aside_wait(dmm_aside *aside)
{
    if (aside->is_running)
        dmm_thread_join(&aside->thread);
    const dmm_status status = aside->status;
    aside->is_running = 0;
    aside->status = DMM_OK;
    return status;
}
