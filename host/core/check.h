/* SPDX-License-Identifier: MIT */
/*
 * The two macros of error handling. A function that uses them has a `dmm_status status = DMM_OK`
 * and one label `out:` that releases what it holds and returns status.
 */
#ifndef DMM_CORE_CHECK_H
#define DMM_CORE_CHECK_H

#include <dmm/status.h>

/* Leaves through `out` with the expression's status unless that is DMM_OK. */
#define TRY(expr)                        \
    do {                                 \
        if ((status = (expr)) != DMM_OK) \
            goto out;                    \
    } while (0)

/* Leaves through `out` with `code` if the condition holds. */
#define FAIL_IF(condition, code) \
    do {                         \
        if (condition) {         \
            status = (code);     \
            goto out;            \
        }                        \
    } while (0)

#endif
