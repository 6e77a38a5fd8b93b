/* SPDX-License-Identifier: MIT */
/*
 * Without Boost.Compute and Boost.Graph.
 */
#include "peers/peers.h"

int peer_boost_sort(cl_command_queue, peer_items, cl_mem, cl_mem, size_t, peer_boost_algorithm)
{
    return 0;
}

int peer_boost_lower_bound(cl_command_queue, peer_items, cl_mem, const peer_lookup *)
{
    return 0;
}

int peer_boost_merge(cl_command_queue, peer_items, cl_mem, size_t, size_t, cl_mem)
{
    return 0;
}

int peer_boost_set(cl_command_queue, peer_set, cl_mem, size_t, size_t, cl_mem)
{
    return 0;
}

int peer_boost_scan(cl_command_queue, peer_items, cl_mem, cl_mem, size_t, int)
{
    return 0;
}

int peer_boost_reduce_by_key(cl_command_queue, cl_mem, cl_mem, size_t, cl_mem, cl_mem, int)
{
    return 0;
}

int peer_boost_reduce(cl_command_queue, peer_items, cl_mem, size_t, cl_mem)
{
    return 0;
}

int peer_boost_fused(cl_command_queue, peer_fused, cl_mem, cl_mem, cl_mem, size_t)
{
    return 0;
}

int peer_boost_unique(cl_command_queue, peer_items, cl_mem, cl_mem, size_t)
{
    return 0;
}

int peer_boost_select(cl_command_queue, peer_items, cl_mem, cl_mem, size_t)
{
    return 0;
}

int peer_boost_stable_partition(cl_command_queue, cl_mem, size_t)
{
    return 0;
}

int peer_boost_shuffle(cl_command_queue, cl_mem, size_t)
{
    return 0;
}

peer_boost_graph *peer_boost_graph_make(const peer_graph *)
{
    return nullptr;
}

int peer_boost_dijkstra(const peer_boost_graph *, uint32_t *)
{
    return 0;
}

void peer_boost_graph_free(peer_boost_graph *)
{
}
