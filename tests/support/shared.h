/* SPDX-License-Identifier: MIT */
/* One rig for all tests of a program. */
#ifndef DMM_TESTS_SHARED_H
#define DMM_TESTS_SHARED_H

#include "support/require.h"
#include "support/rig.h"

/* Open, with these settings, while RUN_WITH_RIG runs an array of tests; it gives what main returns.
 * */
extern rig shared;
extern const char *shared_settings;

int shared_open(void **state);
int shared_close(void **state);

#define RUN_WITH_RIG(name, settings, tests) \
    (shared_settings = (settings),          \
        cmocka_run_group_tests_name(name, tests, shared_open, shared_close))

#endif
