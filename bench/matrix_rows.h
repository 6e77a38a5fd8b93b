/* SPDX-License-Identifier: MIT */
/*
 * Contests over the rows of a matrix of f32, of 128 and of 4096 columns: dmm beside a loop on one
 * core. Items are whole numbers less than 1000, so sums are exact.
 */
#ifndef DMM_BENCH_MATRIX_ROWS_H
#define DMM_BENCH_MATRIX_ROWS_H

#include "contest.h"

/* A primitive that handles rows. An entrant's `which` is the number of columns. */
typedef struct bench_matrix_rows {
    /* Creates an object for the job; returns the bytes of temp that so many rows need. */
    uint64_t (*create)(void **out, bench_job *job, size_t rows);
    void (*free)(void *object);
    dmm_status (*enqueue)(bench_job *job, const bench_entrant *self, cl_event *event);
    int (*loop)(bench_job *job, const bench_entrant *self);
    size_t results; /* items of a row's result, which are compared; 0: as many as columns */
    size_t lists;   /* lists of n items that keys_out has room for */
} bench_matrix_rows;

/* Fills the job, and replaces its keys by whole numbers less than 1000 of type f32. */
void bench_fill_floats(bench_job *job);

void bench_run_matrix_rows(bench_job *job, const bench_matrix_rows *primitive);

#endif
