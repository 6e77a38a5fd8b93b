/* SPDX-License-Identifier: MIT */
/*
 * The standard library's shuffle.
 */
#include "peers/peers.h"

#include <algorithm>
#include <random>

void peer_std_shuffle(uint32_t *items, size_t n, uint64_t seed)
{
    std::mt19937_64 generator(seed);
    std::shuffle(items, items + n, generator);
}
