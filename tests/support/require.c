/* SPDX-License-Identifier: MIT */
/* The note that describes the running case. */
#include "support/require.h"

static char text[512] = "(no note)";

void test_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
}

const char *test_note_text(void)
{
    return text;
}
