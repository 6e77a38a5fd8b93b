/* SPDX-License-Identifier: MIT */
/*
 * Partitions, a shuffle and a gather of CUB's and of Thrust's.
 */
#include "peers/cuda.cuh"

#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>

enum { SEED = 5 };

using Item = std::uint32_t;

struct is_even {
    __host__ __device__ bool operator()(Item item) const
    {
        return item % 2 == 0;
    }
};

static int bits_of(std::uint32_t bound)
{
    int bits = 1;
    while ((bound - 1) >> bits != 0)
        bits++;
    return bits;
}

/* The sorted labels go where values would, and are not used. */
static cudaError_t sort_labels(peer_cuda *c, std::size_t n, std::uint32_t bound)
{
    if (!c->values_out.grow(n * sizeof(Item)))
        return cudaErrorMemoryAllocation;
    return cuda_with_temp(c, [=](void *temp, std::size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(temp, bytes, c->by.as<Item>(),
            c->values_out.as<Item>(), c->keys_in.as<Item>(), c->keys_out.as<Item>(), n, 0,
            bits_of(bound));
    });
}

static cudaError_t partition(peer_cuda *c, std::size_t n)
{
    const auto items = static_cast<std::int64_t>(n);
    return cuda_with_temp(c, [=](void *temp, std::size_t &bytes) {
        return cub::DevicePartition::If(temp, bytes, c->keys_in.as<Item>(), c->keys_out.as<Item>(),
            c->count.as<std::uint64_t>(), items, is_even());
    });
}

cudaError_t cuda_move(
    peer_cuda *c, peer_cuda_algorithm algorithm, std::size_t n, std::uint32_t bound)
{
    Item *const out = c->keys_out.as<Item>();
    switch (algorithm) {
    case PEER_CUB_PARTITION:
        return partition(c, n);
    case PEER_CUB_SORT_LABELS:
        return sort_labels(c, n, bound);
    case PEER_THRUST_STABLE_PARTITION:
        thrust::stable_partition(thrust::device, out, out + n, is_even());
        break;
    case PEER_THRUST_SHUFFLE:
        thrust::shuffle(thrust::device, out, out + n, thrust::default_random_engine(SEED));
        break;
    case PEER_THRUST_GATHER:
        thrust::gather(thrust::device, c->by.as<Item>(), c->by.as<Item>() + n,
            c->keys_in.as<Item>(), out);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}
