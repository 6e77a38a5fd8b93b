/* SPDX-License-Identifier: MIT */
/*
 * The usual stable partition by labels, by as many threads as there are processors.
 */
#include "peers/peers.h"
#include "peers/plain_scatter.hpp"

int peer_plain_partition(const std::uint32_t *labels, const std::uint32_t *items,
    std::uint32_t *items_out, std::size_t n, std::size_t K)
{
    plain::team all(n);
    std::vector<std::vector<std::size_t>> counts(all.size);
    all.run([&](std::size_t t) {
        plain::scatter<std::uint32_t, plain::none>(all, t, items, nullptr, items_out, nullptr, n, K,
            counts, [=](std::size_t i) { return std::size_t{labels[i]}; });
    });
    return 1;
}
