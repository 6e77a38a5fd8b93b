/* SPDX-License-Identifier: MIT */
/* dmm merge of files that memory does not hold. */
#ifndef DMM_CLI_MERGE_LARGE_H
#define DMM_CLI_MERGE_LARGE_H

#include "table.h"

/* The command line of dmm merge. */
typedef struct cli_merge_request {
    dmm_type type; /* DMM_ITEM: not given */
    bool descending;
    bool check;
    const char *keys[3]; /* key files A, B and OUT */
    const char *values[3];
    uint64_t value_bytes;
    char **names; /* names of all inputs */
    size_t num_names;
    uint64_t memory_bytes; /* 0: all inputs in memory */
    cli_columns columns;   /* with --key: rows */
} cli_merge_request;

/* Merges from files to files, within o->memory_bytes. */
bool cli_merge_large(const cli_merge_request *o, cli_error *error);

#endif
