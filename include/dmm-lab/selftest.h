/* SPDX-License-Identifier: MIT */
/*
 * A check of a device or driver by the methods of the lab, as <dmm/selftest.h> checks the rest.
 */
#ifndef DMM_LAB_SELFTEST_H
#define DMM_LAB_SELFTEST_H

#include <dmm/selftest.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the checks of the lab. Lines, results and errors are those of dmm_context_selftest. */
DMM_API dmm_status dmm_lab_selftest(dmm_context *ctx, dmm_selftest_function line, void *user);

#ifdef __cplusplus
}
#endif

#endif
