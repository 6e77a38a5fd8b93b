/* SPDX-License-Identifier: MIT */
/*
 * Sorts of CUB's and of Thrust's.
 */
#include "peers/cuda.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

struct less_than {
    template <class Key> __host__ __device__ bool operator()(const Key &a, const Key &b) const
    {
        return a < b;
    }
};

template <class Key>
static cudaError_t sort_keys(peer_cuda *c, peer_cuda_algorithm algorithm, std::size_t n)
{
    Key *const in = c->keys_in.as<Key>(), *const out = c->keys_out.as<Key>();
    if (algorithm == PEER_THRUST_STABLE_SORT) {
        thrust::stable_sort(thrust::device, out, out + n, less_than());
        return cudaGetLastError();
    }
    return cuda_with_temp(c, [=](void *temp, std::size_t &bytes) {
        return algorithm == PEER_CUB_RADIX_SORT
                   ? cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, n)
                   : cub::DeviceMergeSort::SortKeysCopy(temp, bytes, in, out, n, less_than());
    });
}

/* CUB's merge sort of pairs out of place copies the items first, as dmm does not. */
static cudaError_t sort_pairs(peer_cuda *c, peer_cuda_algorithm algorithm, std::size_t n)
{
    using Item = std::uint32_t;
    Item *const in = c->keys_in.as<Item>(), *const out = c->keys_out.as<Item>();
    Item *const values_in = c->values_in.as<Item>(), *const values_out = c->values_out.as<Item>();
    if (algorithm == PEER_THRUST_STABLE_SORT) {
        thrust::stable_sort_by_key(thrust::device, out, out + n, values_out, less_than());
        return cudaGetLastError();
    }
    return cuda_with_temp(c, [=](void *temp, std::size_t &bytes) {
        return algorithm == PEER_CUB_RADIX_SORT
                   ? cub::DeviceRadixSort::SortPairs(
                         temp, bytes, in, out, values_in, values_out, n)
                   : cub::DeviceMergeSort::SortPairsCopy(
                         temp, bytes, in, values_in, out, values_out, n, less_than());
    });
}

cudaError_t cuda_sort(peer_cuda *c, peer_cuda_algorithm algorithm, peer_items kind, std::size_t n)
{
    return kind == PEER_PAIRS ? sort_pairs(c, algorithm, n)
           : kind == PEER_U64 ? sort_keys<std::uint64_t>(c, algorithm, n)
                              : sort_keys<std::uint32_t>(c, algorithm, n);
}
