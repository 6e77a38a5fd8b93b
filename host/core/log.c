/* SPDX-License-Identifier: MIT */
/* Formatting for the caller's log callback. */
#include "core/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 4096 };

void dmm_log_line(const dmm_log *log, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list args;
    if (log->function == NULL)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    log->function(log->user, line);
}

void dmm_log_text(const dmm_log *log, const char *text)
{
    while (*text != '\0') {
        const size_t bytes = strcspn(text, "\n");
        dmm_log_line(log, "%.*s", bytes < LINE_BYTES ? (int)bytes : LINE_BYTES, text);
        text += bytes + (text[bytes] == '\n');
    }
}
