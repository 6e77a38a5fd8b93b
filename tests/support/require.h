/* SPDX-License-Identifier: MIT */
/*
 * Assertions that say which case failed. A test describes its case with test_note (seed, sizes,
 * what is special about it) before it runs it; a failing REQUIRE prints that note, which is enough
 * to run it again.
 */
#ifndef DMM_TESTS_REQUIRE_H
#define DMM_TESTS_REQUIRE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <dmm/status.h>

__attribute__((format(printf, 1, 2))) void test_note(const char *format, ...);
const char *test_note_text(void);
/* Stands before every note from now on. */
__attribute__((format(printf, 1, 2))) void test_prefix(const char *format, ...);

#define REQUIRE(condition)                                          \
    do {                                                            \
        if (!(condition))                                           \
            fail_msg("%s\n  in: %s", #condition, test_note_text()); \
    } while (0)

/* The expression's status is the expected one. */
#define REQUIRE_STATUS(expected, expr)                                                           \
    do {                                                                                         \
        const dmm_status got_ = (expr), wanted_ = (expected);                                    \
        if (got_ != wanted_)                                                                     \
            fail_msg("%s\n  is %d (%s), not %d\n  in: %s", #expr, got_, dmm_status_string(got_), \
                wanted_, test_note_text());                                                      \
    } while (0)

#define REQUIRE_OK(expr) REQUIRE_STATUS(DMM_OK, expr)

/* The expression is refused with the expected status, and leaves NULL in *out, whatever was there.
 * */
#define REQUIRE_REFUSED(expected, out, expr)  \
    do {                                      \
        *(out) = (void *)(uintptr_t)0xdead00; \
        REQUIRE_STATUS(expected, expr);       \
        REQUIRE(*(out) == NULL);              \
    } while (0)

/* A judge's verdict: NULL, or what is wrong. */
#define REQUIRE_VERDICT(expr)                                                      \
    do {                                                                           \
        const char *const fault_ = (expr);                                         \
        if (fault_ != NULL)                                                        \
            fail_msg("%s\n  says: %s\n  in: %s", #expr, fault_, test_note_text()); \
    } while (0)

#endif
