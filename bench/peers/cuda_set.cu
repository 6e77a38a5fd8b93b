/* SPDX-License-Identifier: MIT */
/*
 * Thrust's set operations and sums by key, of u32.
 */
#include "peers/cuda.cuh"

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/set_operations.h>

using Item = std::uint32_t;

static cudaError_t set(const Item *a, const Item *b, const Item *end, Item *out, int op)
{
    switch (op) {
    case PEER_UNION:
        thrust::set_union(thrust::device, a, b, b, end, out);
        break;
    case PEER_INTERSECTION:
        thrust::set_intersection(thrust::device, a, b, b, end, out);
        break;
    case PEER_DIFFERENCE:
        thrust::set_difference(thrust::device, a, b, b, end, out);
        break;
    default:
        thrust::set_symmetric_difference(thrust::device, a, b, b, end, out);
        break;
    }
    return cudaGetLastError();
}

cudaError_t cuda_set(peer_cuda *c, peer_cuda_algorithm algorithm, std::size_t n)
{
    const Item *const in = c->keys_in.as<Item>(), *const by = c->by.as<Item>();
    Item *const out = c->keys_out.as<Item>();
    if (algorithm != PEER_THRUST_REDUCE_BY_KEY)
        return set(in, in + n / 2, in + n, out, algorithm - PEER_THRUST_SET);
    if (!c->values_out.grow(n * sizeof(Item)))
        return cudaErrorMemoryAllocation;
    thrust::reduce_by_key(thrust::device, by, by + n, in, c->values_out.as<Item>(), out);
    return cudaGetLastError();
}
