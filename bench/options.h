/* SPDX-License-Identifier: MIT */
/*
 * The options of every benchmark.
 */
#ifndef DMM_BENCH_OPTIONS_H
#define DMM_BENCH_OPTIONS_H

#include <dmm/types.h>

enum { BENCH_LIST_ITEMS = 32, BENCH_NAME_BYTES = 16 };

typedef struct bench_options {
    dmm_type type;
    uint32_t value_bytes; /* 0: keys alone */
    char inputs[BENCH_LIST_ITEMS][BENCH_NAME_BYTES];
    size_t num_inputs;
    size_t sizes[BENCH_LIST_ITEMS];
    size_t num_sizes;
    size_t runs;
    const char *set;  /* settings of the context; NULL: none */
    const char *json; /* a file that gets the rows too; NULL: none */
    int peers;        /* others than dmm run too */
    char skipped[BENCH_LIST_ITEMS][BENCH_NAME_BYTES]; /* but for those */
    size_t num_skipped;
} bench_options;

/* Reads the command line; what is not given is as `inputs` and `sizes` say, u32 and 11 runs.
 * Says what is known and exits with status 1 where an argument is not. */
bench_options bench_parse(int argc, char **argv, const char *inputs, const char *sizes);

#endif
