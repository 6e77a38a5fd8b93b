/* SPDX-License-Identifier: MIT */
/*
 * Tests a device and its driver: runs every primitive on inputs of odd sizes, from one item to
 * three million, and a scan of a buffer beyond 2 GiB, and compares the results with those of the
 * host.
 *
 * Cost           some ten seconds on a CPU: building kernels, and the host's share of large inputs;
 *                110 MB of host memory, and a little over 2 GiB of device memory where the device
 *                has four times as much (DMM_UNSUPPORTED for that check where it has not)
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
    int begins;            /* 1: the check begins, status is undefined; 0: it is done */
} dmm_selftest_line;

/* Receives each check twice, in a fixed order: when it begins, so that a check that crashes can be
 * named, and when it is done. Returns 0 when a check begins to leave it out; what it returns when
 * one is done does not matter. */
typedef int (*dmm_selftest_function)(void *user, const dmm_selftest_line *line);

/*
 * Runs all checks, even after failures, and blocks; `line` may be NULL: none is left out. DMM_OK if
 * all passed; otherwise the first failure. DMM_UNSUPPORTED on a check: the device lacks a
 * requirement (doubles, memory), which is no failure. Errors: DMM_NULL_ARGUMENT, DMM_OUT_OF_MEMORY.
 */
DMM_API dmm_status dmm_context_selftest(dmm_context *ctx, dmm_selftest_function line, void *user);

#ifdef __cplusplus
}
#endif

#endif
