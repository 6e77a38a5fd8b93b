/* SPDX-License-Identifier: MIT */
/* dmm sort --key: sorts the rows of a table by numbers of its columns. */
#ifndef DMM_CLI_SORT_TABLE_H
#define DMM_CLI_SORT_TABLE_H

#include "large/sort_large.h"

/* Sorts a text of rows, or the rows of a two-dimensional .npy. */
bool cli_sort_table(const cli_sort_request *o, cli_error *error);

#endif
