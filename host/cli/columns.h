/* SPDX-License-Identifier: MIT */
/* Two lists side by side, as text. */
#ifndef DMM_CLI_COLUMNS_H
#define DMM_CLI_COLUMNS_H

#include "array.h"

/* Writes lines `A B` of as many numbers of each. */
bool cli_write_columns(
    cli_output *output, const cli_array *a, const cli_array *b, cli_error *error);

#endif
