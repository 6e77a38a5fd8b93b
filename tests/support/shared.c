/* SPDX-License-Identifier: MIT */
/* The rig of a group of tests. */
#include "support/shared.h"

rig shared;
const char *shared_settings;

int shared_open(void **state)
{
    (void)state;
    rig_open(&shared, shared_settings);
    return 0;
}

int shared_close(void **state)
{
    (void)state;
    rig_close(&shared);
    return 0;
}
