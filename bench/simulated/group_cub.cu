// SPDX-License-Identifier: MIT
// CUB's block primitives in the kernels that group_sass.py compares: groups of 256, 8 keys of 32
// bits a work-item.
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

constexpr int U = 256, E = 8;

struct less_of {
    __device__ bool operator()(unsigned a, unsigned b) const
    {
        return a < b;
    }
};

// A kernel that reads stripes, calls, and writes stripes.
#define KERNEL(name, primitive, call)                                     \
    extern "C" __global__ void __launch_bounds__(U)                       \
        name(const unsigned *__restrict__ in, unsigned *__restrict__ out) \
    {                                                                     \
        using block = primitive;                                          \
        __shared__ typename block::TempStorage room;                      \
        unsigned r[E];                                                    \
        for (int i = 0; i < E; i++)                                       \
            r[i] = in[threadIdx.x + i * U];                               \
        call;                                                             \
        for (int i = 0; i < E; i++)                                       \
            out[threadIdx.x + i * U] = r[i];                              \
    }

using exchange_of = cub::BlockExchange<unsigned, U, E>;
using scan_of = cub::BlockScan<unsigned, U>;
using reduce_of = cub::BlockReduce<unsigned, U>;
using sort_of = cub::BlockRadixSort<unsigned, U, E>;
using merge_of = cub::BlockMergeSort<unsigned, U, E>;

KERNEL(base, exchange_of, (void)room)
KERNEL(exchange, exchange_of, block(room).StripedToBlocked(r, r))
KERNEL(scan, scan_of, block(room).InclusiveSum(r, r))
KERNEL(reduce, reduce_of, r[0] = block(room).Sum(r))
KERNEL(sort_bits_4, sort_of, block(room).Sort(r, 0, 4))
KERNEL(sort_bits_32, sort_of, block(room).Sort(r))
KERNEL(sort, merge_of, block(room).Sort(r, less_of()))
