// SPDX-License-Identifier: MIT
// CUB's block primitives in the kernels that group_sass.py and group_cycles.py compare: groups of
// 256, 8 keys of 32 bits a work-item; its warp primitives, 4 keys a lane.
// group_cub KERNEL IN WANTED: runs a kernel on the numbers of IN and compares its output with WANTED's.
// Prints `end good` or `end BAD`.
#if defined(__clang__) // CUDA's headers define a word of those of the C++ library
#pragma push_macro("__noinline__")
#undef __noinline__
#include <functional>
#include <memory>
#pragma pop_macro("__noinline__")
#endif
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

constexpr int U = 256, E = 8;

struct less_of {
    __device__ bool operator()(unsigned a, unsigned b) const
    {
        return a < b;
    }
};

// How often short calls run, so that they take longer than the loads and stores.
#ifndef TIMES
#define TIMES 1
#endif

// A kernel that reads stripes, calls `times` times, and writes stripes.
#define KERNEL(name, primitive, times, call)                              \
    extern "C" __global__ void __launch_bounds__(U)                       \
        name(const unsigned *__restrict__ in, unsigned *__restrict__ out) \
    {                                                                     \
        using block = primitive;                                          \
        __shared__ typename block::TempStorage room;                      \
        unsigned r[E];                                                    \
        for (int i = 0; i < E; i++)                                       \
            r[i] = in[threadIdx.x + i * U + blockIdx.x * U * E];          \
        for (int k = 0; k < times; k++) {                                 \
            call;                                                         \
            if (times > 1)                                                \
                __syncthreads();                                          \
        }                                                                 \
        for (int i = 0; i < E; i++)                                       \
            out[threadIdx.x + i * U + blockIdx.x * U * E] = r[i];         \
    }

// The same by warps; `call` finds the warp's part of the room.
constexpr int LANES = 32, E_LANES = 4;
#define WARPS(name, primitive, times, call)                                             \
    extern "C" __global__ void __launch_bounds__(U)                                     \
        name(const unsigned *__restrict__ in, unsigned *__restrict__ out)               \
    {                                                                                   \
        using warp = primitive;                                                         \
        __shared__ typename warp::TempStorage rooms[U / LANES];                         \
        typename warp::TempStorage &room = rooms[threadIdx.x / LANES];                  \
        const int first = threadIdx.x / LANES * LANES * E_LANES + threadIdx.x % LANES + \
                          blockIdx.x * U * E_LANES;                                     \
        unsigned r[E_LANES];                                                            \
        for (int i = 0; i < E_LANES; i++)                                               \
            r[i] = in[first + i * LANES];                                               \
        for (int k = 0; k < times; k++) {                                               \
            call;                                                                       \
            if (times > 1)                                                              \
                __syncwarp();                                                           \
        }                                                                               \
        for (int i = 0; i < E_LANES; i++)                                               \
            out[first + i * LANES] = r[i];                                              \
    }

using exchange_of = cub::BlockExchange<unsigned, U, E>;
using scan_of = cub::BlockScan<unsigned, U>;
using reduce_of = cub::BlockReduce<unsigned, U>;
using sort_of = cub::BlockRadixSort<unsigned, U, E>;
using merge_of = cub::BlockMergeSort<unsigned, U, E>;

KERNEL(base, exchange_of, 1, (void)room)
KERNEL(exchange, exchange_of, TIMES, block(room).StripedToBlocked(r, r))
KERNEL(scan, scan_of, TIMES, block(room).InclusiveSum(r, r))
KERNEL(reduce, reduce_of, TIMES, const unsigned sum = block(room).Sum(r);
       r[0] = threadIdx.x == 0 ? sum : r[0])
KERNEL(sort_bits_4, sort_of, 1, block(room).Sort(r, 0, 4))
KERNEL(sort_bits_32, sort_of, 1, block(room).Sort(r))
KERNEL(sort, merge_of, 1, block(room).Sort(r, less_of()))

__device__ unsigned scan_after(unsigned r[E_LANES], unsigned before)
{
    for (int i = 0; i < E_LANES; i++)
        r[i] = before += r[i];
    return before;
}

__device__ unsigned sum_of(const unsigned r[E_LANES])
{
    unsigned sum = 0;
    for (int i = 0; i < E_LANES; i++)
        sum += r[i];
    return sum;
}

using warp_scan_of = cub::WarpScan<unsigned>;
using warp_reduce_of = cub::WarpReduce<unsigned>;
using warp_merge_of = cub::WarpMergeSort<unsigned, E_LANES>;

WARPS(lanes_base, warp_scan_of, 1, (void)room)
WARPS(lanes_scan, warp_scan_of, TIMES, unsigned before; warp(room).ExclusiveSum(sum_of(r), before);
      scan_after(r, before))
WARPS(lanes_reduce, warp_reduce_of, TIMES, const unsigned sum = warp(room).Sum(sum_of(r));
      r[0] = threadIdx.x % LANES == 0 ? sum : r[0])
WARPS(lanes_sort, warp_merge_of, 1, warp(room).Sort(r, less_of()))

using numbers = std::vector<unsigned>;

static numbers load(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes(
        (std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    numbers all(bytes.size() / sizeof(unsigned));
    std::memcpy(all.data(), bytes.data(), all.size() * sizeof(unsigned));
    return all;
}

int main(int argc, char **argv)
{
    using kernel = void (*)(const unsigned *, unsigned *);
    const struct {
        const char *name;
        kernel run;
        int tile; // numbers of a group
    } kernels[] = {{"base", base, U * E}, {"exchange", exchange, U * E}, {"scan", scan, U * E},
        {"reduce", reduce, U * E}, {"sort_bits_4", sort_bits_4, U * E},
        {"sort_bits_32", sort_bits_32, U * E}, {"sort", sort, U * E},
        {"lanes_base", lanes_base, U * E_LANES}, {"lanes_scan", lanes_scan, U * E_LANES},
        {"lanes_reduce", lanes_reduce, U * E_LANES}, {"lanes_sort", lanes_sort, U * E_LANES}};
    bool good = false;
    for (const auto &row : kernels)
        if (argc == 4 && std::strcmp(row.name, argv[1]) == 0) {
            const numbers in = load(argv[2]), expected = load(argv[3]);
            numbers got(in.size());
            const size_t bytes = in.size() * sizeof(unsigned);
            unsigned *from = nullptr, *to = nullptr;
            good = cudaMalloc(&from, bytes) == cudaSuccess &&
                   cudaMalloc(&to, bytes) == cudaSuccess &&
                   cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess;
            row.run<<<in.size() / row.tile, U>>>(from, to);
            good = good && cudaDeviceSynchronize() == cudaSuccess &&
                   cudaMemcpy(got.data(), to, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
            good = good && got == expected;
        }
    std::printf("end %s\n", good ? "good" : "BAD");
    return good ? 0 : 1;
}
