/* SPDX-License-Identifier: MIT */
/*
 * What the files about CUB and Thrust share.
 */
#ifndef DMM_PEERS_CUDA_CUH
#define DMM_PEERS_CUDA_CUH

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "peers/peers.h"

/* Device memory; released at the end. */
struct cuda_room {
    ~cuda_room()
    {
        cudaFree(bytes);
    }
    bool grow(std::size_t wanted)
    {
        if (wanted <= size)
            return true;
        cudaFree(bytes);
        size = cudaMalloc(&bytes, wanted) == cudaSuccess ? wanted : 0;
        bytes = size != 0 ? bytes : nullptr;
        return size != 0;
    }
    template <class Item> Item *as() const
    {
        return static_cast<Item *>(bytes);
    }
    void *bytes = nullptr;
    std::size_t size = 0;
};

struct peer_cuda {
    cuda_room keys_in, values_in, by, keys_out, values_out, temp, count;
    std::size_t key_bytes, value_bytes;
};

/* Runs what CUB calls in two steps: call(temp, bytes) first says how many bytes it takes. */
template <class Call> cudaError_t cuda_with_temp(peer_cuda *c, Call call)
{
    std::size_t bytes = 0;
    const cudaError_t error = call(nullptr, bytes);
    if (error != cudaSuccess)
        return error;
    return c->temp.grow(bytes + 1) ? call(c->temp.bytes, bytes) : cudaErrorMemoryAllocation;
}

cudaError_t cuda_sort(peer_cuda *c, peer_cuda_algorithm algorithm, peer_items kind, std::size_t n);
cudaError_t cuda_scan(peer_cuda *c, peer_cuda_algorithm algorithm, peer_items kind, std::size_t n);
cudaError_t cuda_move(
    peer_cuda *c, peer_cuda_algorithm algorithm, std::size_t n, std::uint32_t bound);
cudaError_t cuda_set(peer_cuda *c, peer_cuda_algorithm algorithm, std::size_t n);

#endif
