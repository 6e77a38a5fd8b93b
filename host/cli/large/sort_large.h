/* SPDX-License-Identifier: MIT */
/* dmm sort of files that memory does not hold. */
#ifndef DMM_CLI_SORT_LARGE_H
#define DMM_CLI_SORT_LARGE_H

#include "table.h"

/* The command line of dmm sort. */
typedef struct cli_sort_request {
    dmm_type type; /* DMM_ITEM: not given */
    bool descending;
    bool argsort;
    bool check;
    bool guarantee;
    const char *input, *output;
    const char *values, *values_out;
    uint64_t value_bytes;
    unsigned method; /* index in cli_sort_methods; 0: the default */
    const char *less;
    uint64_t memory_bytes; /* 0: the whole input in memory */
    const char *scratch;   /* folder; NULL: that of the output */
    bool resume;
    const char *devices;       /* names, or "all"; NULL: one device */
    cli_columns columns;       /* columns of rows */
    const char *segments, *by; /* files; NULL: not given */
    bool rows;
} cli_sort_request;

/* Sorts from file to file, within o->memory_bytes. */
bool cli_sort_large(const cli_sort_request *o, cli_error *error);

#endif
