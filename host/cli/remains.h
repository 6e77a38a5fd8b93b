/* SPDX-License-Identifier: MIT */
/* Files that calls of dmm have left in a folder because they were killed. */
#ifndef DMM_CLI_REMAINS_H
#define DMM_CLI_REMAINS_H

#include "error.h"

/*
 * Prints a line for each: its kind, bytes and path.
 *   output  .NAME.dmm-N        of an output that was not finished
 *   job     .dmm-sort-HASH...  of a sort that --resume goes on with
 *   whole   .NAME.whole-PID    of an output that may be the only one
 * Left out are those that a living process has locked, and those of other users.
 */
bool cli_list_remains(const char *folder, cli_error *error);
/* Removes them, but those of kind `whole`. */
bool cli_remove_remains(const char *folder, cli_error *error);

#endif
