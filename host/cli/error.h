/* SPDX-License-Identifier: MIT */
/*
 * Errors of the command: a function that can fail takes a cli_error, fills it once and returns
 * false; the command finally prints it as "dmm: COMMAND: SUBJECT: REASON".
 */
#ifndef DMM_CLI_ERROR_H
#define DMM_CLI_ERROR_H

#include <stdbool.h>

/* Exit codes; --help names them. 4 belongs to `meter --fail-on-conflict`. */
enum {
    CLI_OK = 0,
    CLI_MISTAKE = 1,     /* in the call, or in a file */
    CLI_DEVICE = 2,      /* OpenCL or memory failed */
    CLI_CHECK_FAILED = 3 /* --check says no */
};

/* Zeros: no error. */
typedef struct cli_error {
    int exit_code;
    char text[5120];
} cli_error;

/* Fills `error` and returns false. `subject` is the file or option at fault; NULL: none. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool cli_fail(cli_error *error, int exit_code, const char *subject, const char *format, ...);

/* As cli_fail, for a system call that has just failed: the reason is that of errno. */
bool cli_fail_errno(cli_error *error, const char *subject, const char *what);

/* Reports that the host could not allocate `bytes` bytes. */
bool cli_fail_memory(cli_error *error, const char *subject, unsigned long long bytes);

/* Ends the progress bar, prints the error, if there is one, and returns the exit code. */
int cli_finish(const cli_error *error);

#endif
