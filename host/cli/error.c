/* SPDX-License-Identifier: MIT */
/* Error texts of the command. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "option.h"
#include "progress.h"

bool cli_fail(cli_error *error, int exit_code, const char *subject, const char *format, ...)
{
    size_t used = 0;
    error->exit_code = exit_code;
    error->text[0] = '\0';
    if (subject) {
        /* At most the longest path, which leaves space for the reason. */
        const char *shown = strcmp(subject, "-") == 0 ? "standard input" : subject;
        int n = snprintf(error->text, sizeof error->text, "%.4096s: ", shown);
        used = n < 0 ? 0 : (size_t)n;
    }
    va_list list;
    va_start(list, format);
    vsnprintf(error->text + used, sizeof error->text - used, format, list);
    va_end(list);
    return false;
}

bool cli_fail_errno(cli_error *error, const char *subject, const char *what)
{
    const char *reason = strerror(errno);
    return cli_fail(error, CLI_MISTAKE, subject, "%s: %s", what, reason);
}

bool cli_fail_memory(cli_error *error, const char *subject, unsigned long long bytes)
{
    return cli_fail(error, CLI_DEVICE, subject, "no memory for %llu bytes on this machine", bytes);
}

int cli_finish(const cli_error *error)
{
    cli_progress_end();
    if (error->text[0] && !cli_global.is_silent)
        fprintf(stderr, "%s: %s%s%s\n", cli_global.program,
            cli_global.command ? cli_global.command : "", cli_global.command ? ": " : "",
            error->text);
    return error->exit_code;
}
