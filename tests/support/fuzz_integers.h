/* SPDX-License-Identifier: MIT */
/* Integers of 32 and 64 bits for the fuzzer, and how scans combine them. */
#ifndef DMM_TESTS_FUZZ_INTEGERS_H
#define DMM_TESTS_FUZZ_INTEGERS_H

#include <string.h>

#include <dmm/scan.h>

#include "support/fuzz.h"
#include "support/require.h"

/* Fails with the log if an object cannot be created. */
#define REQUIRE_BUILT(call)                                                           \
    do {                                                                              \
        const dmm_status built = (call);                                              \
        if (built != DMM_OK)                                                          \
            fail_msg("status %d, %s\n  in: %s", built, fuzz.r.log, test_note_text()); \
    } while (0)

static inline dmm_type integer_type(void)
{
    static const dmm_type types[] = {DMM_U32, DMM_I32, DMM_U64, DMM_I64};
    return FUZZ_ONE_OF(types);
}

static inline uint32_t integer_bytes(dmm_type type)
{
    return type == DMM_U32 || type == DMM_I32 ? 4 : 8;
}

static inline uint64_t integer_get(const void *items, uint64_t i, uint32_t bytes)
{
    uint64_t number = 0;
    memcpy(&number, (const unsigned char *)items + i * bytes, bytes);
    return number;
}

static inline void integer_put(void *items, uint64_t i, uint32_t bytes, uint64_t number)
{
    memcpy((unsigned char *)items + i * bytes, &number, bytes);
}

/* Returns a number in the order of the type. */
static inline uint64_t integer_order(dmm_type type, uint64_t number)
{
    return type == DMM_I32   ? (uint32_t)number ^ (uint32_t)1 << 31
           : type == DMM_I64 ? number ^ (uint64_t)1 << 63
                             : number;
}

static inline uint64_t integer_combine(dmm_scan_op op, dmm_type type, uint64_t a, uint64_t b)
{
    const uint64_t mask = integer_bytes(type) == 4 ? UINT32_MAX : UINT64_MAX;
    if (op == DMM_SCAN_SUM)
        return (a + b) & mask;
    const int a_is_less = integer_order(type, a) < integer_order(type, b);
    return (op == DMM_SCAN_MAX) == a_is_less ? b : a;
}

static inline uint64_t integer_identity(dmm_scan_op op, dmm_type type)
{
    const uint64_t mask = integer_bytes(type) == 4 ? UINT32_MAX : UINT64_MAX;
    if (op == DMM_SCAN_SUM)
        return 0;
    return integer_order(type, op == DMM_SCAN_MAX ? 0 : mask) & mask;
}

#endif
