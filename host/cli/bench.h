/* SPDX-License-Identifier: MIT */
/*
 * The parts of `dmm bench`: cmd_bench.c is the command, bench_run.c finds and runs the programs,
 * bench_rows.c reads what they print, bench_table.c and bench_plot.c display it.
 */
#ifndef DMM_CLI_BENCH_H
#define DMM_CLI_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "error.h"

/* As settings: without any tuning file. */
#define BENCH_UNTUNED "untuned"

/* One line of a program of bench/. Texts are borrowed from the rows. */
typedef struct bench_row {
    const char *word, *title, *type, *values, *input; /* title "-": the only case */
    double n;
    const char *who, *method, *form;
    double median_ms, share, rate; /* rate: millions of items a second */
    double item_bytes;             /* moved for an item; 0: unknown */
    double floor, floor_compares;  /* that every algorithm, or one that compares, moves; 0: none */
    const char *beside;            /* dmm's method that the ratio refers to; "-": none */
    double ratio, ratio_min, ratio_max;
    bool again; /* a row of a second run, with other settings */
} bench_row;

typedef struct bench_rows {
    bench_row *rows;
    size_t count, space;
    char **lines; /* lines that the rows borrow from */
    char origin[512], device[512], floors[128];
    const char *again; /* settings of a second run; NULL: none */
} bench_rows;

/* Parses a line that a program has printed: a row, a machine line, or neither. False: out of
 * memory. */
bool bench_take(bench_rows *rows, const char *line, bool again);
void bench_rows_free(bench_rows *rows);
/* True if the word, case, type and input are the same; n may differ. */
bool bench_same_case(const bench_row *a, const bench_row *b);
/* Prints a size: "2^24", "10^6" or digits. */
void bench_print_size(char *out, size_t bytes, double n);

/* The benchmark programs found, sorted by name; at most `most`. */
typedef struct bench_programs {
    char folder[4096];
    char words[64][32];
    size_t count;
} bench_programs;
bool bench_find(bench_programs *out, const char *word, cli_error *error);

/* Runs the word's program and appends its rows to `rows`. arguments: ends with NULL. */
bool bench_run(bench_rows *rows, const bench_programs *programs, const char *word,
    const char *const *arguments, bool again, cli_error *error);

/* Prints the rows from `first` on: of each case those with most items. */
void bench_print_table(const bench_rows *rows, size_t first);
void bench_print_origin(const bench_rows *rows);

/* True if gnuplot can be run. */
bool bench_can_plot(cli_error *error);
/* Writes a gnuplot script for each picture to the folder, and runs gnuplot. */
bool bench_plot(const bench_rows *rows, const char *folder, cli_error *error);

#endif
