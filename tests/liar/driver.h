/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL driver without a device, for tests that link it in place of the loader: kernels compute
 * nothing, buffers are host memory. Commands run at once, but for those behind a user event that
 * is not set: they never run, and end as that does. Those behind an event that ended with an error
 * do not run and end with an error. It can lie, counts the objects that are not released, and
 * records the first misuse: a NULL or released object, an access past a buffer's end, a launch in
 * groups that it does not allow. Several threads may use it: it orders none of their accesses but
 * those to one object's release, so that ThreadSanitizer sees what the library orders. Lies are set
 * while one thread runs.
 */
#ifndef DMM_TESTS_LIAR_DRIVER_H
#define DMM_TESTS_LIAR_DRIVER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

/* All zeros: honest. */
typedef struct driver_lies {
    cl_device_info fact; /* the fact that is wrong; 0: none */
    uint64_t value;
    size_t value_bytes;  /* bytes that the driver says the value has; 0: as asked for */
    int has_limit;       /* kernels have `limit` */
    size_t limit;        /* work-items of a kernel's group */
    size_t fails_at;     /* the call, from 1, that returns `error` */
    size_t lost_at;      /* the call, from 1, from which on all calls but releases return `error` */
    size_t ends_at;      /* the command, from 1, that is enqueued and ends with `error` */
    size_t null_at;      /* the new object or event, from 1, that is NULL, with CL_SUCCESS */
    cl_int error;        /* what fails_at, lost_at and ends_at give; negative for ends_at */
    cl_int build_error;  /* what every build gives */
    long build_ns;       /* time that every build takes, below a second */
    size_t log_bytes;    /* size of every build log; 0: what it has */
    size_t binary_bytes; /* size of every program's binary; 0: what it has */
    cl_uint num_kernels; /* kernels of every program; 0: as many as were created */
    cl_uint num_platforms; /* and devices; 0: one */
    int commands_fail;     /* each command fails after it was enqueued */
    int reads_ones;        /* every byte read is 255 */
    const void *read_data; /* what every read of `read_bytes` bytes gives; NULL: what is there */
    size_t read_bytes;
} driver_lies;

typedef struct driver_state {
    driver_lies lies;
    int is_armed;              /* calls count, and lies are told */
    atomic_size_t calls, news; /* calls and new objects or events while armed */
    atomic_size_t commands;    /* enqueued while armed */
    atomic_size_t
        waits; /* for events that only the caller can complete: a real driver would hang */
    _Atomic(const char *)
        failed; /* the call that failed first by one of the lies `..._at`; NULL: none */
    _Atomic(const char *) misuse; /* the call that was made wrongly first; NULL: none */
    atomic_long live;             /* references to objects that were not released */
} driver_state;

extern driver_state driver;

#endif
