/* SPDX-License-Identifier: MIT */
/* The table of the lab's checks, for tests that run it on other devices. */
#ifndef DMM_LAB_LAB_SELFTEST_H
#define DMM_LAB_LAB_SELFTEST_H

#include "primitives/selftest/selftest.h"

extern const dmm_check dmm_lab_checks[];

#endif
