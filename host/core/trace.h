/* SPDX-License-Identifier: MIT */
/*
 * Progress of a call whose caller waits: the launches of its chain, waited for one by one. Without
 * a trace, which is then NULL, the functions change nothing.
 */
#ifndef DMM_CORE_TRACE_H
#define DMM_CORE_TRACE_H

#include <stddef.h>

#include <dmm/context.h>

#include "core/device.h"

/* The launches of a chain but the last. A launch that memory has no place for is waited for with
 * the next one. */
typedef struct dmm_trace {
    dmm_progress_function progress;
    void *user;
    struct dmm_traced {
        cl_event event; /* owned */
        uint64_t work;  /* work of all launches up to this one */
    } * launches;
    size_t count, capacity;
    uint64_t least_groups; /* least groups of a launch that is reported */
    uint64_t work, before; /* enqueued, the last launch included; before its step */
    int is_open;           /* the chain reads results on its way: its total is not known */
} dmm_trace;

dmm_trace dmm_trace_begin(dmm_progress_function progress, void *user, const dmm_device *device);

/* Returns the groups of a launch of a step: `each`, or fewer so that there is more to report. */
uint64_t dmm_trace_groups(const dmm_trace *trace, uint64_t groups, uint64_t each);
/* Call after each launch: `end` of the `groups` groups of its step are enqueued. */
void dmm_trace_add(dmm_trace *trace, uint64_t end, uint64_t groups);
/* Takes a launch's event. */
void dmm_trace_keep(dmm_trace *trace, cl_event event);

/* Waits for the launches and reports each. */
void dmm_trace_wait(dmm_trace *trace);
/* The same before the host reads a result on the way; frees the launches. */
void dmm_trace_wait_within(dmm_trace *trace);
/* Reports the end. */
void dmm_trace_end(const dmm_trace *trace);
/* Frees what it holds. A zeroed trace is fine. */
void dmm_trace_free(dmm_trace *trace);

#endif
