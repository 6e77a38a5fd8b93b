/* SPDX-License-Identifier: MIT */
/* What is left of unfinished files: the list of those of this process, which a signal that ends it
 * removes, and those of processes that are gone. */
#ifndef DMM_CLI_LEFTOVER_H
#define DMM_CLI_LEFTOVER_H

#include <stdbool.h>

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

/* Opens and locks a regular file of a process that is gone, which no other has locked. Returns its
 * descriptor, or -1. For signal handlers. */
int cli_lock_left(const char *path);
/* Removes such a file. For signal handlers. */
void cli_remove_left(const char *path);
/* True if that is the name of the open file. For signal handlers. */
bool cli_is_file_of(const char *path, int fd);

#endif
