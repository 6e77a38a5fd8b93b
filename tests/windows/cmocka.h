/* SPDX-License-Identifier: MIT */
/*
 * The part of cmocka's interface that the tests use, for builds for Windows: no system packages
 * cmocka for mingw-w64. A failing check prints where it is and ends its test; the program's exit
 * status is the number of failed tests. Included after <setjmp.h> and <stddef.h>.
 */
#ifndef DMM_TESTS_WINDOWS_CMOCKA_H
#define DMM_TESTS_WINDOWS_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CMOCKA_STATIC static __attribute__((unused))

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
    void *initial_state;
};

#define cmocka_unit_test(f)     \
    {                           \
#f, f, NULL, NULL, NULL \
    }
#define cmocka_unit_test_prestate(f, state) \
    {                                       \
#f, f, NULL, NULL, state            \
    }

enum { CMOCKA_FAILED = 1, CMOCKA_SKIPPED = 2 };

/* A test may call checks in several files, so their jump goes through one pointer: weak, the linker
 * keeps one. */
__attribute__((weak)) jmp_buf *cmocka_end;

#define print_error(...)   fprintf(stderr, __VA_ARGS__)
#define print_message(...) printf(__VA_ARGS__)
#define skip()             longjmp(*cmocka_end, CMOCKA_SKIPPED)
#define fail_msg(...)                                          \
    do {                                                       \
        fprintf(stderr, "%s:%d: error: ", __FILE__, __LINE__); \
        fprintf(stderr, __VA_ARGS__);                          \
        fputc('\n', stderr);                                   \
        longjmp(*cmocka_end, CMOCKA_FAILED);                   \
    } while (0)
#define CMOCKA_CHECK(condition, text) \
    do {                              \
        if (!(condition))             \
            fail_msg("%s", text);     \
    } while (0)

#define assert_true(a)     CMOCKA_CHECK((a), #a)
#define assert_false(a)    CMOCKA_CHECK(!(a), "not: " #a)
#define assert_null(a)     CMOCKA_CHECK((a) == NULL, #a " is not NULL")
#define assert_non_null(a) CMOCKA_CHECK((a) != NULL, #a " is NULL")
#define assert_int_equal(a, b) \
    CMOCKA_CHECK((unsigned long long)(a) == (unsigned long long)(b), #a " is not " #b)
#define assert_string_equal(a, b)     CMOCKA_CHECK(strcmp(a, b) == 0, #a " is not " #b)
#define assert_string_not_equal(a, b) CMOCKA_CHECK(strcmp(a, b) != 0, #a " is " #b)
#define assert_memory_equal(a, b, n)  CMOCKA_CHECK(memcmp(a, b, n) == 0, #a " is not " #b)

/* Runs a test; returns 0, CMOCKA_FAILED or CMOCKA_SKIPPED. */
CMOCKA_STATIC int cmocka_run(const struct CMUnitTest *test, void *group_state)
{
    jmp_buf end;
    void *state = test->initial_state != NULL ? test->initial_state : group_state;
    cmocka_end = &end;
    if (test->setup != NULL && test->setup(&state) != 0)
        return CMOCKA_FAILED;
    const int result = setjmp(end);
    if (result == 0)
        test->test(&state);
    if (test->teardown != NULL && test->teardown(&state) != 0)
        return CMOCKA_FAILED;
    return result;
}

CMOCKA_STATIC int cmocka_run_all(const char *group, const struct CMUnitTest *tests, size_t count,
    int (*setup)(void **state), int (*teardown)(void **state))
{
    static const char *const words[] = {"OK", "FAILED", "SKIPPED"};
    void *state = NULL;
    int failed = setup != NULL && setup(&state) != 0;
    const int is_set_up = !failed;
    for (size_t i = 0; i < count && is_set_up; i++) {
        const int result = cmocka_run(&tests[i], state);
        failed += result == CMOCKA_FAILED;
        printf("[ %s ] %s: %s\n", words[result], group, tests[i].name);
        fflush(stdout);
    }
    if (teardown != NULL && teardown(&state) != 0)
        failed++;
    return failed;
}

#define cmocka_run_group_tests_name(group, tests, setup, teardown) \
    cmocka_run_all(group, tests, sizeof tests / sizeof tests[0], setup, teardown)
#define cmocka_run_group_tests(tests, setup, teardown) \
    cmocka_run_group_tests_name(__FILE__, tests, setup, teardown)
#define cmocka_set_test_filter(pattern) ((void)(pattern))

#endif
