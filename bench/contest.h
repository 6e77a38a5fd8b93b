/* SPDX-License-Identifier: MIT */
/*
 * A contest: dmm, a copy and others on the same items, in one process and in alternation. A round
 * runs each entrant once, so that what disturbs the machine disturbs all; ratios are taken within
 * the rounds. Each entrant's first output, which is that of a run to warm up, and its last one are
 * judged, and lie where something else lay before.
 */
#ifndef DMM_BENCH_CONTEST_H
#define DMM_BENCH_CONTEST_H

#include "job.h"

typedef struct bench_entrant {
    const char *who;    /* "dmm", or whose it is */
    const char *method; /* which of several, without blanks */
    size_t beside;      /* the entrant of dmm's that it is compared with; of dmm's own: itself */
    bench_parameters with;
    double item_bytes; /* moved for an item, by the model; 0: there is no model */
    void *object;      /* for the functions */
    int which;         /* for the functions */
    /* Enqueues on the job's queue; *event is wanted where `event` is not NULL. */
    dmm_status (*enqueue)(bench_job *job, const struct bench_entrant *self, cl_event *event);
    /* Or: does it, and returns when it is done; 0: is not there. */
    int (*call)(bench_job *job, const struct bench_entrant *self);
    /* Or: the same, and says itself how many milliseconds it took. */
    double (*own_ms)(bench_job *job, const struct bench_entrant *self);
    /* What must be done before a run, and is not timed; NULL: nothing. */
    void (*restore)(bench_job *job, const struct bench_entrant *self);
    /* What is wrong with the output; NULL: nothing. */
    const char *(*fault)(bench_job *job, const struct bench_entrant *self);
} bench_entrant;

/* Some of the functions above. What is in `in`, as keys and values, in `out`: on the host, on the
 * device, for those who work in place. */
void bench_restore_host(bench_job *job, const bench_entrant *self);
void bench_restore_device(bench_job *job, const bench_entrant *self);
/* Unless the output is what the job expects: on the host, on the device. */
const char *bench_host_fault(bench_job *job, const bench_entrant *self);
const char *bench_device_fault(bench_job *job, const bench_entrant *self);
/* Unless it is `in`, stably sorted: on the host, on the device. */
const char *bench_host_order_fault(bench_job *job, const bench_entrant *self);
const char *bench_device_order_fault(bench_job *job, const bench_entrant *self);

/* Runs and prints them, behind a row of the copy of the keys. title: see bench_row. An entrant that
 * takes long runs in some of the rounds only, unless it is dmm's. */
void bench_contest(bench_job *job, const char *title, const bench_entrant *entrants, size_t count);

#endif
