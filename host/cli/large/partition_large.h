/* SPDX-License-Identifier: MIT */
/* dmm partition of files that memory does not hold. */
#ifndef DMM_CLI_PARTITION_LARGE_H
#define DMM_CLI_PARTITION_LARGE_H

#include <dmm/partition.h>

#include "array.h"

enum { CLI_PART_ITEMS, CLI_PART_VALUES, CLI_PART_OFFSETS, CLI_PART_FILES };

/* The command line of dmm partition. */
typedef struct cli_partition_request {
    dmm_type type; /* DMM_ITEM: not given */
    uint64_t ways, value_bytes;
    unsigned method; /* index in cli_partition_methods; 0: the default */
    bool descending, guarantee;
    const char *labels, *splitters, *bits, *expression;
    const char *input, *values;
    const char *out[CLI_PART_FILES]; /* NULL: not wanted */
    uint64_t memory_bytes;           /* 0: the whole input in memory */
    const char *scratch;             /* folder; NULL: that of the output */
} cli_partition_request;

/* True if labels have one of their types; sets desc->label_bytes. */
bool cli_choose_labels(
    dmm_partition_desc *desc, const cli_array *labels, const char *path, cli_error *error);
/* Reads the K - 1 splitters of items of such a type. */
bool cli_read_splitters(
    cli_array *out, const cli_partition_request *o, dmm_type type, cli_error *error);

/* Partitions from file to file, within o->memory_bytes. `desc`: what the options say. */
bool cli_partition_large(
    const cli_partition_request *o, const dmm_partition_desc *desc, cli_error *error);

#endif
