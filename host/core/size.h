/* SPDX-License-Identifier: MIT */
/*
 * Size arithmetic without silent overflow: results saturate at UINT64_MAX, which every later
 * comparison with a real size rejects. And offsets of spans, which fit their buffers.
 */
#ifndef DMM_CORE_SIZE_H
#define DMM_CORE_SIZE_H

#include <stdint.h>

#include <dmm/types.h>

static inline uint64_t dmm_size_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t dmm_size_mul(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Returns a / b rounded up; b > 0. */
static inline uint64_t dmm_size_div_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Returns the greatest common divisor; that of a and 0 is a. */
static inline uint64_t dmm_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static inline int dmm_is_power_of_two(uint64_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* Returns a span's offset in items. It is a multiple: the checks of a call made sure. */
static inline cl_ulong dmm_span_items(dmm_span span, uint32_t item_bytes)
{
    return item_bytes != 0 ? span.offset_bytes / item_bytes : 0;
}

/* Returns the span from `offset` bytes on, rounded up to a multiple of item_bytes. */
static inline dmm_span dmm_span_at(dmm_span span, uint64_t offset, uint32_t item_bytes)
{
    const uint64_t at = span.offset_bytes + offset;
    return (dmm_span){span.buffer, dmm_size_div_up(at, item_bytes) * item_bytes};
}

#endif
