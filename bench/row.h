/* SPDX-License-Identifier: MIT */
/*
 * Rows: what was measured, as a line of columns that stay as they are, and as JSON.
 */
#ifndef DMM_BENCH_ROW_H
#define DMM_BENCH_ROW_H

#include "measure.h"

/* Parameters that the library chose; u = 1 in the CPU form, whose tile is `tile`; else u*E. tile 0:
 * unknown */
typedef struct bench_parameters {
    char form[8];
    unsigned u, E, tile;
} bench_parameters;

/* Bytes an item that every algorithm moves (model.h); 0: no bound */
typedef struct bench_floors {
    double any, compares; /* compares: algorithms that compare keys */
} bench_floors;

typedef struct bench_row {
    const char *word, *title; /* title: of several cases with one input; "": there is one */
    const char *type, *input;
    uint32_t value_bytes;
    size_t n;
    const char *who, *method;
    bench_parameters with;
    size_t runs;
    bench_times wall;  /* milliseconds from enqueue to finish */
    double event_ms;   /* by the device's clock; 0: not measured */
    double command_ms; /* of the shortest command, in the same rounds: no call takes less */
    double item_bytes; /* moved for an item, by the model; 0: there is none */
    bench_floors floors;
    double gigabytes_a_s; /* by the model */
    double share;         /* share of the rate of a copy of as many items */
    const char *beside;   /* dmm's method that the ratio refers to */
    bench_times ratio;    /* ratios of times, run by run: above 1, dmm is faster */
} bench_row;

/* Place and time of this process's rows. */
typedef struct bench_origin {
    char date[32], load[32]; /* load: runnable tasks, averaged over a minute; "": unknown */
    char command[512];
    const dmm_device *device;
    /* For the floors: a group's local memory, or a CPU's cache for each unit; and its blocks. */
    double memory_bytes, block_bytes;
} bench_origin;

bench_origin bench_origin_of(int argc, char **argv, const dmm_context *ctx);

/* Lines that begin with #. */
void bench_print_origin(const bench_origin *origin);
/* The heading of the columns, then a row. */
void bench_print_header(void);
void bench_print_row(const bench_row *row);

/* Appends the row to a JSON array of objects in that file, which is created if necessary. Exits
 * with status 2 on failure. */
void bench_save_row(const char *file, const bench_row *row, const bench_origin *origin);

#endif
