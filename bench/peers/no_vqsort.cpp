/* SPDX-License-Identifier: MIT */
/*
 * Without Highway.
 */
#include "peers/peers.h"

int peer_vqsort(peer_items, void *, size_t, int)
{
    return 0;
}
