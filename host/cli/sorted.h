/* SPDX-License-Identifier: MIT */
/*
 * Sorted files, for commands that combine several.
 */
#ifndef DMM_CLI_SORTED_H
#define DMM_CLI_SORTED_H

#include "table.h"

/* Reads keys, as cli_read_keys, and fails unless they are sorted. */
bool cli_read_sorted(
    cli_array *keys, const char *name, dmm_type type, bool descending, cli_error *error);
/* Reads the rows of a table that are sorted by one key, and takes its numbers. Sets *descending if
 * the key says so. */
bool cli_read_sorted_rows(cli_array *keys, cli_table *table, const char *name, dmm_type type,
    const cli_columns *columns, bool *descending, cli_error *error);
/* Fails unless rows of both can stand in one table. */
bool cli_check_alike(const cli_table *a, const cli_table *b, cli_error *error);
/* Fails unless b, the file `name`, has the type of a, the `other` file. */
bool cli_check_type(
    const cli_array *a, const cli_array *b, const char *name, const char *other, cli_error *error);

#endif
