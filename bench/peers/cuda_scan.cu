/* SPDX-License-Identifier: MIT */
/*
 * Merges, scans, sums and runs of CUB's.
 */
#include "peers/cuda.cuh"

#include <cub/device/device_merge.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

template <class Key>
static cudaError_t run(peer_cuda *c, peer_cuda_algorithm algorithm, std::size_t n)
{
    Key *const in = c->keys_in.as<Key>(), *const out = c->keys_out.as<Key>();
    std::uint64_t *const count = c->count.as<std::uint64_t>();
    const auto items = static_cast<std::int64_t>(n);
    const std::int64_t na = items / 2, nb = items - na;
    return cuda_with_temp(c, [=](void *temp, std::size_t &bytes) {
        switch (algorithm) {
        case PEER_CUB_MERGE:
            return cub::DeviceMerge::MergeKeys(temp, bytes, in, na, in + na, nb, out);
        case PEER_CUB_SCAN:
            return cub::DeviceScan::InclusiveSum(temp, bytes, in, out, items);
        case PEER_CUB_SCAN_EXCLUSIVE:
            return cub::DeviceScan::ExclusiveSum(temp, bytes, in, out, items);
        case PEER_CUB_REDUCE:
            return cub::DeviceReduce::Sum(temp, bytes, in, out, items);
        default:
            return cub::DeviceSelect::Unique(temp, bytes, in, out, count, items);
        }
    });
}

cudaError_t cuda_scan(peer_cuda *c, peer_cuda_algorithm algorithm, peer_items kind, std::size_t n)
{
    return kind == PEER_U64   ? run<std::uint64_t>(c, algorithm, n)
           : kind == PEER_U32 ? run<std::uint32_t>(c, algorithm, n)
                              : cudaErrorInvalidValue;
}
