/* SPDX-License-Identifier: MIT */
/* Work of the host on all processors. */
#ifndef DMM_CLI_PARALLEL_H
#define DMM_CLI_PARALLEL_H

#include <stddef.h>

enum { CLI_MOST_PARTS = 64 };

/* Least bytes of a part but the last; a MiB. Tests of what becomes of borders make it small. */
extern size_t cli_part_bytes;

/* Returns the number of parts for work on so many bytes: at most one a processor. */
size_t cli_parts_of(size_t bytes);

/* Calls run(user, part) for each part, at the same time. */
void cli_run_parts(size_t parts, void (*run)(void *user, size_t part), void *user);

#endif
