/* SPDX-License-Identifier: MIT */
/*
 * Memory of the peers of CUDA's, and which of them runs.
 */
#include "peers/cuda.cuh"

#include <new>

enum { SPOILED = 0xa5 };

static bool upload(cuda_room &room, const void *from, std::size_t bytes)
{
    return from == nullptr ||
           (room.grow(bytes) &&
               cudaMemcpy(room.bytes, from, bytes, cudaMemcpyHostToDevice) == cudaSuccess);
}

peer_cuda *peer_cuda_make(const void *keys, std::size_t key_bytes, const void *values,
    std::size_t value_bytes, const void *by, std::size_t by_bytes)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return nullptr;
    peer_cuda *c = new (std::nothrow) peer_cuda;
    if (c == nullptr)
        return nullptr;
    c->key_bytes = key_bytes;
    c->value_bytes = values != nullptr ? value_bytes : 0;
    if (upload(c->keys_in, keys, key_bytes) && upload(c->values_in, values, value_bytes) &&
        upload(c->by, by, by_bytes) && c->keys_out.grow(key_bytes) &&
        c->values_out.grow(c->value_bytes + 1) && c->count.grow(sizeof(std::uint64_t)))
        return c;
    delete c;
    return nullptr;
}

void peer_cuda_free(peer_cuda *c)
{
    delete c;
}

static bool is_in_place(peer_cuda_algorithm algorithm)
{
    return algorithm == PEER_THRUST_STABLE_SORT || algorithm == PEER_THRUST_STABLE_PARTITION ||
           algorithm == PEER_THRUST_SHUFFLE;
}

void peer_cuda_prepare(peer_cuda *c, peer_cuda_algorithm algorithm)
{
    if (is_in_place(algorithm)) {
        cudaMemcpy(c->keys_out.bytes, c->keys_in.bytes, c->key_bytes, cudaMemcpyDeviceToDevice);
        cudaMemcpy(
            c->values_out.bytes, c->values_in.bytes, c->value_bytes, cudaMemcpyDeviceToDevice);
    } else {
        cudaMemset(c->keys_out.bytes, SPOILED, c->key_bytes);
        cudaMemset(c->values_out.bytes, SPOILED, c->value_bytes);
    }
    cudaDeviceSynchronize();
}

static cudaError_t run(peer_cuda *c, peer_cuda_algorithm algorithm, peer_items kind, std::size_t n,
    std::uint32_t bound)
{
    switch (algorithm) {
    case PEER_CUDA_COPY:
        return cudaMemcpyAsync(
            c->keys_out.bytes, c->keys_in.bytes, c->key_bytes, cudaMemcpyDeviceToDevice);
    case PEER_CUB_RADIX_SORT:
    case PEER_CUB_MERGE_SORT:
    case PEER_THRUST_STABLE_SORT:
        return cuda_sort(c, algorithm, kind, n);
    case PEER_CUB_MERGE:
    case PEER_CUB_SCAN:
    case PEER_CUB_SCAN_EXCLUSIVE:
    case PEER_CUB_REDUCE:
    case PEER_CUB_UNIQUE:
        return cuda_scan(c, algorithm, kind, n);
    default:
        return algorithm >= PEER_THRUST_SET ? cuda_set(c, algorithm, n)
                                            : cuda_move(c, algorithm, n, bound);
    }
}

int peer_cuda_run(peer_cuda *c, peer_cuda_algorithm algorithm, peer_items kind, std::size_t n,
    std::uint32_t bound)
{
    if (run(c, algorithm, kind, n, bound) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess)
        return 1;
    cudaGetLastError(); /* forget it */
    return 0;
}

void peer_cuda_read(const peer_cuda *c, void *keys, std::size_t key_bytes, void *values)
{
    cudaMemcpy(keys, c->keys_out.bytes, key_bytes, cudaMemcpyDeviceToHost);
    if (c->value_bytes != 0)
        cudaMemcpy(values, c->values_out.bytes, c->value_bytes, cudaMemcpyDeviceToHost);
}
