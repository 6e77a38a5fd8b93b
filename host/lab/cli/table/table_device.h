/* SPDX-License-Identifier: MIT */
/* Buffers and times of calls on the device of `dmm-lab table`. */
#ifndef DMM_LAB_TABLE_DEVICE_H
#define DMM_LAB_TABLE_DEVICE_H

#include "table.h"

enum { TABLE_BUFFERS = 12 };

/* Buffers of one point. Starts as zeros. */
typedef struct table_buffers {
    cl_mem buffers[TABLE_BUFFERS];
    size_t count;
    uint64_t bytes; /* of all */
} table_buffers;

/* Adds a buffer of at least one byte with a copy of `data` (NULL: undefined content). */
bool table_add_buffer(dmm_span *out, table_buffers *buffers, table_run *run, uint64_t bytes,
    const void *data, cli_error *error);
void table_free_buffers(table_buffers *buffers);

/* Enqueues a call on the queue. */
typedef dmm_status table_enqueue(void *user, cl_command_queue queue, cl_event *event);

/* Runs a call `repeats` times, after once that does not count, and returns the shortest time. */
bool table_time_call(double *seconds, table_run *run, table_enqueue *enqueue, void *user,
    int repeats, cli_error *error);

/* True for DMM_OK. */
bool table_check(table_run *run, dmm_status status, cli_error *error);

#endif
