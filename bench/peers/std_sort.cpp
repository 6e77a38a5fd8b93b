/* SPDX-License-Identifier: MIT */
/*
 * The standard libraries' sorts.
 */
#include "peers/peers.h"

#include <algorithm>
#include <cstdlib>
#ifdef DMM_PEER_TBB
#include <execution>
#endif

/* Calls sort(first, last, less) for items of that kind. */
template <class Sort> static int sort_as(peer_items kind, void *items, std::size_t n, Sort sort)
{
    auto *narrow = static_cast<std::uint32_t *>(items);
    auto *wide = static_cast<std::uint64_t *>(items);
    if (kind == PEER_U32)
        sort(narrow, narrow + n, [](std::uint32_t a, std::uint32_t b) { return a < b; });
    else if (kind == PEER_U64)
        sort(wide, wide + n, [](std::uint64_t a, std::uint64_t b) { return a < b; });
    else
        sort(wide, wide + n, [](std::uint64_t a, std::uint64_t b) { return a >> 32 < b >> 32; });
    return 1;
}

int peer_std_sort(peer_items kind, void *items, std::size_t n)
{
    return sort_as(
        kind, items, n, [](auto first, auto last, auto less) { std::sort(first, last, less); });
}

int peer_std_stable_sort(peer_items kind, void *items, std::size_t n)
{
    return sort_as(kind, items, n,
        [](auto first, auto last, auto less) { std::stable_sort(first, last, less); });
}

int peer_std_sort_par(peer_items kind, void *items, std::size_t n)
{
#ifdef DMM_PEER_TBB
    return sort_as(kind, items, n, [](auto first, auto last, auto less) {
        std::sort(std::execution::par, first, last, less);
    });
#else
    return (void)kind, (void)items, (void)n, 0;
#endif
}

template <class Item> static int compare(const void *a, const void *b)
{
    const Item x = *static_cast<const Item *>(a), y = *static_cast<const Item *>(b);
    return (x > y) - (x < y);
}

int peer_qsort(peer_items kind, void *items, std::size_t n)
{
    if (kind == PEER_U32)
        std::qsort(items, n, sizeof(std::uint32_t), compare<std::uint32_t>);
    else
        std::qsort(items, n, sizeof(std::uint64_t), compare<std::uint64_t>);
    return 1;
}
