/* SPDX-License-Identifier: MIT */
/* Reads a whole file, a pipe or standard input into memory. */
#ifndef DMM_CLI_INPUT_H
#define DMM_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* `*out` (free it) holds *bytes bytes and a NUL behind them. `path` "-" is standard input. */
bool cli_read_file(char **out, size_t *bytes, const char *path, cli_error *error);

#endif
