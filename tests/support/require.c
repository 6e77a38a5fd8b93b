/* SPDX-License-Identifier: MIT */
/* The note that describes the running case; which test functions run. */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

static char text[512] = "(no note)";
static size_t prefix_bytes;

void test_prefix(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text / 2, format, args);
    va_end(args);
    prefix_bytes = strlen(text);
}

void test_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text + prefix_bytes, sizeof text - prefix_bytes, format, args);
    va_end(args);
}

const char *test_note_text(void)
{
    return text;
}

/* DMM_TEST_ONLY: the name of the one test function to run, or a pattern. */
__attribute__((constructor)) static void filter_tests(void)
{
    const char *const pattern = getenv("DMM_TEST_ONLY");
    if (pattern != NULL && *pattern != '\0')
        cmocka_set_test_filter(pattern);
}
