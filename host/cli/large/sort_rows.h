/* SPDX-License-Identifier: MIT */
/* dmm sort --key --memory: rows of a text that memory does not hold. */
#ifndef DMM_CLI_SORT_ROWS_H
#define DMM_CLI_SORT_ROWS_H

#include "sort_large.h"

/* Sorts the rows of a file, within o->memory_bytes. */
bool cli_sort_rows(const cli_sort_request *o, cli_error *error);

#endif
