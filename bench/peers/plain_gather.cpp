/* SPDX-License-Identifier: MIT */
/*
 * The usual gather, by as many threads as there are processors.
 */
#include "peers/peers.h"
#include "peers/plain_scatter.hpp"

int peer_plain_gather(
    const std::uint32_t *from, const std::uint32_t *items, std::uint32_t *items_out, std::size_t n)
{
    plain::team all(n);
    all.run([&](std::size_t t) {
        const std::size_t begin = n / all.size * t;
        const std::size_t end = t + 1 == all.size ? n : begin + n / all.size;
        for (std::size_t i = begin; i < end; i++)
            items_out[i] = items[from[i]];
    });
    return 1;
}
