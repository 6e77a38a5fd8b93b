/* SPDX-License-Identifier: MIT */
/*
 * Output files. Output goes to a temporary file beside the target and replaces it at the end: a
 * failure, or a signal, leaves the old file unchanged and removes the temporary one; SIGKILL leaves
 * that, and the next call with this target removes it (beside.h). The new file is on the disk
 * before it replaces an old one. Symbolic links stay. An old file with several names (hard links)
 * is overwritten with the complete output at the end, so that all names have it. If that last step
 * fails, or the process ends in it or between the moves of several outputs, the temporary file
 * stays, as .NAME.whole-PROCESS.
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
    int lock;     /* descriptor of the temporary file's lock; -1: none */
    int through;  /* where a spooled file is copied to when it is complete; -1: fd is none */
    int slot;     /* in the list that signals clear; -1: written directly to its name */
    char *target; /* file to replace, links followed */
    char *beside; /* temporary file; NULL: written directly */
    char *buffer; /* buffer for small writes */
    size_t buffered_bytes;
    bool syncs;     /* before it is moved: it replaces an old file, or a resumable job ends */
    bool is_shared; /* the file to replace has other names */
    bool is_kept;   /* the temporary file has a name that no process removes */
} cli_output;

#define CLI_OUTPUT_INIT                                                      \
    {                                                                        \
        NULL, NULL, -1, -1, -1, -1, NULL, NULL, NULL, 0, false, false, false \
    }

/* Opens an output. `path` "-": standard output; this, devices and pipes are written directly. */
bool cli_open_output(cli_output *out, const char *path, cli_error *error);
bool cli_write(cli_output *out, const void *data, size_t bytes, cli_error *error);

/* Lets the output go to a scratch file first, which it owns, and which cli_rewind can rewind.
 * Called before anything is written. */
void cli_spool(cli_output *out, int scratch);
/* True if cli_rewind can. */
bool cli_rewinds(const cli_output *out);
/* Goes to the beginning, to write it anew. */
bool cli_rewind(cli_output *out, cli_error *error);

/* Returns space for at least `bytes` (at most 64 KiB) more; cli_written says how many were used. */
char *cli_write_room(cli_output *out, size_t bytes, cli_error *error);
void cli_written(cli_output *out, size_t bytes);
/* Writes a line, of fewer than 512 characters, as printf does. */
bool cli_print(cli_output *out, cli_error *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Completes all outputs, and then moves all of them to their names. */
bool cli_commit_outputs(cli_output *const *outputs, int count, cli_error *error);
/* True if both are one file, whatever path names it and whether it exists yet or not. Both are
 * open; a device counts as one file only where both are standard output. */
bool cli_same_output(const cli_output *a, const cli_output *b);
/* Fails if two of the paths, which may be NULL, name one file, before anything is written. options:
 * their names, for the message. */
bool cli_check_outputs(
    const char *const options[], const char *const paths[], int count, cli_error *error);
/* Removes what was not committed. CLI_OUTPUT_INIT is fine. */
void cli_close_output(cli_output *out);

#endif
