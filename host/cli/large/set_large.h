/* SPDX-License-Identifier: MIT */
/* dmm set of files that memory does not hold. */
#ifndef DMM_CLI_SET_LARGE_H
#define DMM_CLI_SET_LARGE_H

#include <dmm/set.h>

#include "array.h"

typedef struct cli_set_request {
    dmm_set_op op;
    dmm_type type; /* DMM_ITEM: not given */
    bool descending;
    const char *inputs[2], *output;
    uint64_t memory_bytes;
} cli_set_request;

/* Combines from files to a file, within o->memory_bytes. */
bool cli_set_large(const cli_set_request *o, cli_error *error);

#endif
