/* SPDX-License-Identifier: MIT */
/*
 * A chain of kernel launches on the caller's queue: each step waits for the one before by its
 * event, so that out-of-order queues are right; the first waits for the caller's list, and the last
 * event is the caller's.
 */
#ifndef DMM_CORE_LAUNCH_H
#define DMM_CORE_LAUNCH_H

#include <stddef.h>

#include <dmm/context.h>

#include "core/check.h"

/* One kernel argument; tables of them are in the kernel's declaration order. */
typedef struct dmm_arg {
    size_t bytes;
    const void *value;
} dmm_arg;

#define DMM_ARG(variable)             \
    {                                 \
        sizeof(variable), &(variable) \
    }

typedef struct dmm_chain {
    cl_command_queue queue;
    cl_uint num_wait;
    const cl_event *wait;
    cl_event last;           /* event of the newest step; NULL before the first */
    struct dmm_trace *trace; /* where progress is reported (core/trace.h); NULL: nowhere */
} dmm_chain;

/* A launch of groups first_group .. first_group + groups - 1, each of `u` work-items. */
typedef struct dmm_grid {
    uint64_t first_group;
    uint64_t groups;
    uint32_t u;
} dmm_grid;

/* Sets the arguments and enqueues. Nothing is enqueued for zero groups. */
dmm_status dmm_chain_launch(
    dmm_chain *chain, cl_kernel kernel, const dmm_arg *args, cl_uint num_args, dmm_grid grid);

/* Appends a step that was enqueued elsewhere, behind the chain's last event or its wait list. Takes
 * ownership of its event. */
void dmm_chain_advance(dmm_chain *chain, cl_event next);

/* Copies bytes from one span to another. */
dmm_status dmm_chain_copy(dmm_chain *chain, dmm_span from, dmm_span to, uint64_t bytes);

/* Fills bytes of a span, a multiple of 4, with a word. */
dmm_status dmm_chain_fill(dmm_chain *chain, dmm_span to, uint32_t word, uint64_t bytes);

/* Waits for the chain's last step and copies bytes of a span to the host. */
dmm_status dmm_chain_read(const dmm_chain *chain, dmm_span from, void *to, uint64_t bytes);

/*
 * Ends the chain. On success hands the last event to the caller (a marker stands in for a chain
 * without steps); on failure waits for what was enqueued and sets *event to NULL. Returns the final
 * status.
 */
dmm_status dmm_chain_end(dmm_chain *chain, dmm_status status, cl_event *event);

#endif
