/* SPDX-License-Identifier: MIT */
/*
 * Temporary files beside a target, in its folder: .NAME.dmm-TRY. A process locks its own as long as
 * it lives. One that is killed leaves its file, and the next that writes the target removes all of
 * these.
 */
#ifndef DMM_CLI_BESIDE_H
#define DMM_CLI_BESIDE_H

#include <stdbool.h>

/* Creates a file, opened for writing, and removes what killed processes have left. Returns its name
 * (free it); NULL, with errno. *lock: a second descriptor, which holds the lock until it is closed,
 * too. *slot: in the list that signals clear (leftover.h). */
char *cli_create_beside(const char *target, int *fd, int *lock, int *slot);
/* Renames the file so that no process removes it, because it alone may be whole. Returns its name;
 * NULL, with errno. */
char *cli_keep_beside(const char *target, const char *path);

#endif
