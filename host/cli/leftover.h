/* SPDX-License-Identifier: MIT */
/* The list of unfinished files, which a signal that ends the process removes. */
#ifndef DMM_CLI_LEFTOVER_H
#define DMM_CLI_LEFTOVER_H

/* Makes signals that end the process remove the files on the list first. Signals that the caller
 * ignores (nohup) stay ignored. Before other threads are started. */
void cli_leftover_watch(void);

/* Puts `path` (borrowed) on the list; returns its slot for cli_leftover_drop. A full list is our
 * bug. */
int cli_leftover_add(const char *path);
/* The same for a file that other processes may have under this name: until cli_leftover_own, a
 * signal removes it only if no process has its lock, then only if it is the file of `fd`. */
int cli_leftover_add_shared(const char *path);
void cli_leftover_own(int slot, int fd);
/* -1 is fine. */
void cli_leftover_drop(int slot);

#endif
