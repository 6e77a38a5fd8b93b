/* SPDX-License-Identifier: MIT */
/*
 * Highway's vectorised quicksort.
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
    return parallel           ? 0
           : kind == PEER_U32 ? sort_as<uint32_t>(items, n)
           : kind == PEER_U64 ? sort_as<uint64_t>(items, n)
                              : sort_as<hwy::K32V32>(items, n);
}
