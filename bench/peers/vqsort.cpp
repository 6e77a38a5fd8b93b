/* SPDX-License-Identifier: MIT */
/*
 * Highway's vectorised quicksort. Pairs are sorted as 64-bit numbers, by key and then by value:
 * Highway 1.0.3 sorts its own pairs (K32V32) by their keys, but loses values of equal keys and
 * writes others twice.
 */
#include "peers/peers.h"

#include <hwy/contrib/sort/vqsort.h>

template <class Item> static int sort_as(void *items, size_t n)
{
    hwy::Sorter()(static_cast<Item *>(items), n, hwy::SortAscending());
    return 1;
}

int peer_vqsort(peer_items kind, void *items, size_t n, int parallel)
{
    if (parallel)
        return 0;
    return kind == PEER_U32 ? sort_as<uint32_t>(items, n) : sort_as<uint64_t>(items, n);
}
