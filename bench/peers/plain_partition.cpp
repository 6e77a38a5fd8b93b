/* SPDX-License-Identifier: MIT */
/*
 * The usual stable partition by labels, by as many threads as there are processors.
 */
#include "peers/peers.h"
#include "peers/plain_scatter.hpp"

template <class Label>
static void partition(const Label *labels, const std::uint32_t *items, std::uint32_t *items_out,
    std::uint64_t *offsets, std::size_t n, std::size_t K)
{
    plain::team all(n);
    std::vector<std::vector<std::size_t>> counts(all.size);
    all.run([&](std::size_t t) {
        plain::scatter<std::uint32_t, plain::none>(all, t, items, nullptr, items_out, nullptr, n, K,
            counts, [=](std::size_t i) { return std::size_t{labels[i]}; });
    });
    for (std::size_t k = 0; k < K; k++)
        offsets[k] = counts[0][k];
    offsets[K] = n;
}

void peer_plain_partition_u8(const std::uint8_t *labels, const std::uint32_t *items,
    std::uint32_t *items_out, std::uint64_t *offsets, std::size_t n, std::size_t K)
{
    partition(labels, items, items_out, offsets, n, K);
}

void peer_plain_partition_u32(const std::uint32_t *labels, const std::uint32_t *items,
    std::uint32_t *items_out, std::uint64_t *offsets, std::size_t n, std::size_t K)
{
    partition(labels, items, items_out, offsets, n, K);
}
