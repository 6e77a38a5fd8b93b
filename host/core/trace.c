/* SPDX-License-Identifier: MIT */
/*
 * Progress.
 */
#include "core/trace.h"

#include <stdlib.h>

#include "core/opencl.h"
#include "core/size.h"

/* Parts of a step whose progress is reported, their least groups for each compute unit of a GPU (a
 * group of the CPU form is a large part of the items), and the work of a step. */
enum { TRACED_PARTS = 32, TRACED_GROUPS = 16, TRACED_WORK = 1 << 10 };

dmm_trace dmm_trace_begin(dmm_progress_function progress, void *user, const dmm_device *device)
{
    const uint64_t groups = device->kind == DMM_KIND_CPU ? 1 : TRACED_GROUPS;
    return (dmm_trace){
        .progress = progress, .user = user, .least_groups = device->units.value * groups};
}

/* A step is launched in at most TRACED_PARTS parts, as long as each fills the device. */
uint64_t dmm_trace_groups(const dmm_trace *trace, uint64_t groups, uint64_t each)
{
    uint64_t traced = dmm_size_div_up(groups, TRACED_PARTS);
    if (trace == NULL)
        return each;
    traced = traced > trace->least_groups ? traced : trace->least_groups;
    return each < traced ? each : traced;
}

/* Returns the work of the groups up to `end` of a step: all steps that fill the device are alike,
 * since the time of a group is not known. */
static uint64_t work_until(const dmm_trace *trace, uint64_t end, uint64_t groups)
{
    return groups < trace->least_groups ? end == groups : end * TRACED_WORK / groups;
}

void dmm_trace_add(dmm_trace *trace, uint64_t end, uint64_t groups)
{
    if (trace == NULL)
        return;
    trace->work = trace->before + work_until(trace, end, groups);
    if (end == groups)
        trace->before = trace->work;
}

/* Returns false without memory for one more launch. */
static int has_place(dmm_trace *trace)
{
    if (trace->count < trace->capacity)
        return 1;
    const size_t capacity = 2 * trace->capacity + 64;
    struct dmm_traced *const more = realloc(trace->launches, capacity * sizeof *trace->launches);
    if (more == NULL)
        return 0;
    trace->launches = more;
    trace->capacity = capacity;
    return 1;
}

void dmm_trace_keep(dmm_trace *trace, cl_event event)
{
    if (trace != NULL && has_place(trace))
        trace->launches[trace->count++] = (struct dmm_traced){event, trace->work};
    else
        clReleaseEvent(event);
}

void dmm_trace_wait(dmm_trace *trace)
{
    if (trace == NULL)
        return;
    const uint64_t total = trace->is_open ? 0 : trace->work;
    if (!trace->is_open)
        trace->progress(trace->user, 0, total);
    for (size_t i = 0; i < trace->count; i++) {
        clWaitForEvents(1, &trace->launches[i].event); /* a failure is the last event's, too */
        trace->progress(trace->user, trace->launches[i].work, total);
    }
}

void dmm_trace_wait_within(dmm_trace *trace)
{
    if (trace == NULL)
        return;
    trace->is_open = 1;
    dmm_trace_wait(trace);
    dmm_trace_free(trace);
}

void dmm_trace_end(const dmm_trace *trace)
{
    if (trace != NULL && !trace->is_open)
        trace->progress(trace->user, trace->work, trace->work);
}

void dmm_trace_free(dmm_trace *trace)
{
    if (trace == NULL)
        return;
    for (size_t i = 0; i < trace->count; i++)
        clReleaseEvent(trace->launches[i].event);
    free(trace->launches);
    trace->launches = NULL;
    trace->count = trace->capacity = 0;
}
