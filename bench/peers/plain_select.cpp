/* SPDX-License-Identifier: MIT */
/*
 * The usual selection, by as many threads as there are processors: each counts what its range
 * selects, then copies it behind what earlier ranges select, without a branch that depends on an
 * item.
 */
#include "peers/peers.h"
#include "peers/plain_scatter.hpp"

template <class Item> static void select_even(const Item *items, Item *out, std::size_t n)
{
    plain::team all(n);
    std::vector<std::size_t> counts(all.size);
    all.run([&](std::size_t t) {
        const std::size_t begin = n / all.size * t;
        const std::size_t end = t + 1 == all.size ? n : begin + n / all.size;
        std::size_t own = 0, place = 0;
        for (std::size_t i = begin; i < end; i++)
            own += items[i] % 2 == 0;
        counts[t] = own;
        all.wait();
        for (std::size_t earlier = 0; earlier < t; earlier++)
            place += counts[earlier];
        /* The next item overwrites one that is not selected, up to the last place. */
        const std::size_t places_end = place + own;
        for (std::size_t i = begin; place < places_end; i++) {
            out[place] = items[i];
            place += items[i] % 2 == 0;
        }
    });
}

int peer_plain_select(peer_items kind, const void *items, void *out, std::size_t n)
{
    if (kind == PEER_U64)
        select_even(
            static_cast<const std::uint64_t *>(items), static_cast<std::uint64_t *>(out), n);
    else
        select_even(
            static_cast<const std::uint32_t *>(items), static_cast<std::uint32_t *>(out), n);
    return 1;
}
