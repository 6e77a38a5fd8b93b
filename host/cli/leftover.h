/* SPDX-License-Identifier: MIT */
/* Unfinished files that a signal which ends the process must not leave behind. */
#ifndef DMM_CLI_LEFTOVER_H
#define DMM_CLI_LEFTOVER_H

/* From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove what is on the list, and then end us. */
void cli_leftover_watch(void);

/* Puts `path` (borrowed) on the list; returns its slot for cli_leftover_drop. A full list is our
 * bug. */
int cli_leftover_add(const char *path);
/* -1 is fine. */
void cli_leftover_drop(int slot);

#endif
