/* SPDX-License-Identifier: MIT */
/*
 * Tests a device and its driver: runs every primitive on small inputs of odd sizes and
 * compares what the device gives with the same computed on the host.
 *
 * Cost           some seconds, nearly all of it for building kernels
 * Determinism    the same inputs every time
 */
#ifndef DMM_SELFTEST_H
#define DMM_SELFTEST_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One check: a primitive, a type, a size. */
typedef struct dmm_selftest_line {
    const char *primitive; /* "sort by merge", "scan", ...; static storage, as is type */
    const char *type;      /* "u32", ... */
    uint64_t n;            /* items */
    dmm_status status;     /* DMM_OK, DMM_WRONG_RESULT, or the error of the call that failed */
    uint64_t position;     /* DMM_WRONG_RESULT: of the first wrong item */
} dmm_selftest_line;

/* Receives each check when it is done, in a fixed order. */
typedef void (*dmm_selftest_function)(void *user, const dmm_selftest_line *line);

/*
 * Runs all checks, whatever some of them find, and blocks; `line` may be NULL. DMM_OK if all passed;
 * otherwise the status of the first that did not. DMM_UNSUPPORTED on a check means that the device
 * lacks what it needs (doubles): that is no failure. Errors: DMM_NULL_ARGUMENT, DMM_OUT_OF_MEMORY.
 */
DMM_API dmm_status dmm_context_selftest(dmm_context *ctx, dmm_selftest_function line, void *user);

#ifdef __cplusplus
}
#endif

#endif
