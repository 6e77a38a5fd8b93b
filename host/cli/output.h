/* SPDX-License-Identifier: MIT */
/*
 * Output files. What is written goes to a new file beside the target, which takes the target's
 * place only when all is well: a failure, or a signal, leaves the old file as it was and no other
 * behind. Symbolic links stay; other hard links to the old file keep its old contents.
 */
#ifndef DMM_CLI_OUTPUT_H
#define DMM_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

typedef struct cli_output {
    const char *name;  /* as the user gave it; borrowed */
    const char *shown; /* the same for messages */
    int fd;
    int slot;     /* in the list that signals clear; -1: written straight to its place */
    char *target; /* the file that is replaced, links followed */
    char *beside; /* the new file until then; NULL: written straight */
    char *buffer; /* small writes are gathered here */
    size_t buffered_bytes;
} cli_output;

#define CLI_OUTPUT_INIT                         \
    {                                           \
        NULL, NULL, -1, -1, NULL, NULL, NULL, 0 \
    }

/* `path` "-" is standard output; that, devices and pipes are written straight. */
bool cli_open_output(cli_output *out, const char *path, cli_error *error);
bool cli_write(cli_output *out, const void *data, size_t bytes, cli_error *error);

/* Room for at least `bytes` (at most 64 KiB) more; cli_written says how many were used. */
char *cli_write_room(cli_output *out, size_t bytes, cli_error *error);
void cli_written(cli_output *out, size_t bytes);

/* Completes all of them, and only then puts the new files into their places. */
bool cli_commit_outputs(cli_output *const *outputs, int count, cli_error *error);
/* True if both are one file, whatever path names it and whether it exists yet or not. Both are
 * open; a device counts as one file only where both are standard output. */
bool cli_same_output(const cli_output *a, const cli_output *b);
/* Removes what was not committed. CLI_OUTPUT_INIT is fine. */
void cli_close_output(cli_output *out);

#endif
