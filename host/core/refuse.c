/* SPDX-License-Identifier: MIT */
/*
 * The text of the last argument that was refused in this thread.
 */
#include "core/refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 384 };

static _Thread_local struct {
    dmm_status code; /* DMM_OK: no text */
    char text[TEXT_BYTES];
} last;

dmm_status dmm_refuse(dmm_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last.text, sizeof last.text, format, arguments);
    va_end(arguments);
    last.code = code;
    return code;
}

dmm_status dmm_refuse_child(void)
{
    return dmm_refuse(DMM_UNSUPPORTED, "the dmm_context is of the parent process: create one here");
}

void dmm_refuse_begin(void)
{
    last.code = DMM_OK;
}

dmm_status dmm_refuse_end(dmm_status status, const dmm_log *log, const char *name)
{
    char text[TEXT_BYTES];
    if (status == DMM_OK || last.code != status)
        return status;
    memcpy(text, last.text, sizeof text);
    dmm_refuse(status, "%s: %s", name, text);
    dmm_log_line(log, "%s", last.text);
    return status;
}

const char *dmm_error_text(dmm_status status)
{
    return status != DMM_OK && last.code == status ? last.text : dmm_status_string(status);
}
