/* SPDX-License-Identifier: MIT */
/*
 * A contest: dmm, a copy and others on the same items, in one process and in alternation. A round
 * runs each entrant once, so that disturbances affect all; ratios are taken within rounds. Each
 * entrant's first output, from a warm-up run, and its last one are checked; the memory held
 * something else before.
 */
#ifndef DMM_BENCH_CONTEST_H
#define DMM_BENCH_CONTEST_H

#include "job.h"

typedef struct bench_entrant {
    const char *who;    /* "dmm", or whose it is */
    const char *method; /* name of the method, without blanks */
    size_t beside;      /* dmm's entrant that it is compared with; for dmm's own: itself */
    bench_parameters with;
    double item_bytes; /* bytes moved per item, by the model; 0: no model */
    void *object;      /* for the functions */
    int which;         /* for the functions */
    /* Enqueues on the job's queue; sets *event unless `event` is NULL. */
    dmm_status (*enqueue)(bench_job *job, const struct bench_entrant *self, cl_event *event);
    /* Or: executes it, and returns when it is done; 0: not available. */
    int (*call)(bench_job *job, const struct bench_entrant *self);
    /* Or: the same, and returns its own time in milliseconds. */
    double (*own_ms)(bench_job *job, const struct bench_entrant *self);
    /* Prepares a run, untimed; NULL: nothing to do. */
    void (*restore)(bench_job *job, const struct bench_entrant *self);
    /* Returns the fault of the output; NULL: none. */
    const char *(*fault)(bench_job *job, const struct bench_entrant *self);
} bench_entrant;

/* Some of the functions above. What is in `in`, as keys and values, in `out`: on the host, on the
 * device, for those who work in place. */
void bench_restore_host(bench_job *job, const bench_entrant *self);
void bench_restore_device(bench_job *job, const bench_entrant *self);
/* Return NULL if the output is as the job expects: on the host, on the device. */
const char *bench_host_fault(bench_job *job, const bench_entrant *self);
const char *bench_device_fault(bench_job *job, const bench_entrant *self);
/* Return NULL if the output is `in`, stably sorted: on the host, on the device. */
const char *bench_host_order_fault(bench_job *job, const bench_entrant *self);
const char *bench_device_order_fault(bench_job *job, const bench_entrant *self);

/* Runs and prints the entrants, after a row of the copy of the keys. title: see bench_row. A slow
 * entrant that is not dmm's runs in some of the rounds only. */
void bench_contest(bench_job *job, const char *title, const bench_entrant *entrants, size_t count);

#endif
