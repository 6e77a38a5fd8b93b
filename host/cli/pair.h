/* SPDX-License-Identifier: MIT */
/* The outputs of sort, merge and others: keys, and values if there are any. */
#ifndef DMM_CLI_PAIR_H
#define DMM_CLI_PAIR_H

#include "array.h"

typedef struct cli_pair {
    cli_output keys;
    cli_output values; /* closed where there are none */
} cli_pair;

#define CLI_PAIR_INIT                    \
    {                                    \
        CLI_OUTPUT_INIT, CLI_OUTPUT_INIT \
    }

/* `values` NULL: none. They are two files, however named. */
bool cli_open_pair(cli_pair *out, const char *keys, const char *values, cli_error *error);
/* Writes both and puts them into their places. */
bool cli_write_pair(
    cli_pair *pair, const cli_array *keys, const cli_array *values, cli_error *error);
/* Removes what was not written to its end. CLI_PAIR_INIT is fine. */
void cli_close_pair(cli_pair *pair);

#endif
