/* SPDX-License-Identifier: MIT */
/*
 * The standard library's sorts.
 */
#include "peers/peers.h"

#include <algorithm>
#ifdef DMM_PEER_TBB
#include <execution>
#endif

void peer_std_sort_u32(uint32_t *keys, size_t n)
{
    std::sort(keys, keys + n);
}

void peer_std_stable_sort_u32(uint32_t *keys, size_t n)
{
    std::stable_sort(keys, keys + n);
}

int peer_std_parallel_sort_u32(uint32_t *keys, size_t n)
{
#ifdef DMM_PEER_TBB
    std::sort(std::execution::par, keys, keys + n);
    return 1;
#else
    (void)keys;
    (void)n;
    return 0;
#endif
}
