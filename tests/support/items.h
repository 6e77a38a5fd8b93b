/* SPDX-License-Identifier: MIT */
/* Arrays of items on the host. */
#ifndef DMM_TESTS_ITEMS_H
#define DMM_TESTS_ITEMS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/require.h"

/* Returns zeroed memory for so many bytes, also for none. */
static inline void *allocate(uint64_t bytes)
{
    void *const memory = calloc(bytes + 1, 1);
    REQUIRE(memory != NULL);
    return memory;
}

/* True if item i of a has the bytes of item j of b. */
static inline int same_item(
    const unsigned char *a, uint64_t i, const unsigned char *b, uint64_t j, uint32_t bytes)
{
    return bytes == 0 || memcmp(a + i * bytes, b + j * bytes, bytes) == 0;
}

#endif
