// SPDX-License-Identifier: MIT
// primitives FILE...: one primitive of CUB or Thrust on u32 (or labels of a byte) from files, compared with a
// loop on the host. Built with one of -DSCAN -DREDUCE -DAFFINE -DMINMAX -DUNIQUE -DRUNS -DREDUCE_BY_KEY -DSELECT
// -DPARTITION -DHISTOGRAM=uint8_t -DHISTOGRAM=uint32_t -DMERGE -DUNION -DSEARCH -DSCAN_BY_KEY -DSORT=BITS
// -DSEGMENTS=LENGTH -DSHUFFLE -DTRANSPOSE, so that the simulator loads few kernels. Prints `end good` or `end BAD`.
#if defined(__clang__) // CUDA's headers define a word of those of the C++ library
#pragma push_macro("__noinline__")
#undef __noinline__
#include <functional>
#include <memory>
#pragma pop_macro("__noinline__")
#endif
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#if defined(MERGE) || defined(UNION) || defined(SEARCH)
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>
#include <thrust/system/cuda/execution_policy.h>
#endif
#if defined(SHUFFLE)
#include <thrust/execution_policy.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>
#include <thrust/system/cuda/execution_policy.h>
#endif

typedef std::vector<uint32_t> numbers;

// Not in an unnamed namespace, where the two compilers would name the kernels differently.
struct is_odd {
    __host__ __device__ bool operator()(const uint32_t &x) const
    {
        return x & 1;
    }
};

// A map x -> x*slope + shift, and one after another.
struct affine {
    uint32_t slope, shift;
};
struct affine_after {
    __host__ __device__ affine operator()(const affine &a, const affine &b) const
    {
        return {a.slope * b.slope, a.shift * b.slope + b.shift};
    }
};

// The least and the greatest of some numbers.
struct bounds {
    uint32_t least, greatest;
};
struct bounds_of {
    __host__ __device__ bounds operator()(const uint32_t &x) const
    {
        return {x, x};
    }
};
struct bounds_join {
    __host__ __device__ bounds operator()(const bounds &a, const bounds &b) const
    {
        return {a.least < b.least ? a.least : b.least,
            a.greatest > b.greatest ? a.greatest : b.greatest};
    }
};

// A tile of 32 by 32 numbers in lines of 33, for groups of 256.
__global__ void transpose_padded(uint32_t *out, const uint32_t *in, unsigned rows, unsigned cols)
{
    __shared__ uint32_t tile[32][33];
    const unsigned x = threadIdx.x % 32, y = threadIdx.x / 32;
    const unsigned row = blockIdx.x / (cols / 32) * 32, col = blockIdx.x % (cols / 32) * 32;
    for (unsigned j = y; j < 32; j += 8)
        tile[j][x] = in[(row + j) * cols + col + x];
    __syncthreads();
    for (unsigned j = y; j < 32; j += 8)
        out[(col + j) * rows + row + x] = tile[x][j];
}

namespace
{
void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "primitives: %s: error %d\n", what, static_cast<int>(error));
        std::exit(2);
    }
}

template <class T> std::vector<T> load(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes(
        (std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<T> items(bytes.size() / sizeof(T));
    std::memcpy(items.data(), bytes.data(), items.size() * sizeof(T));
    return items;
}

template <class T> T *on_device(const std::vector<T> &host)
{
    T *memory = nullptr;
    check(cudaMalloc(&memory, (host.size() + 1) * sizeof(T)), "cudaMalloc");
    check(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy");
    return memory;
}

uint32_t *room_for(size_t n)
{
    return on_device(numbers(n));
}

bool holds(const uint32_t *memory, const numbers &expected)
{
    numbers host(expected.size());
    check(cudaMemcpy(host.data(), memory, host.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    return host == expected;
}

// Calls CUB twice: for the bytes of temp, then to do it.
template <class Call> void run(const Call &call)
{
    void *temp = nullptr;
    size_t temp_bytes = 0;
    check(call(nullptr, temp_bytes), "the size of temp");
    check(cudaMalloc(&temp, temp_bytes + 8), "cudaMalloc");
    check(call(temp, temp_bytes), "the call");
    check(cudaDeviceSynchronize(), "the kernels");
}

#define RUN(call) run([&](void *temp, size_t &temp_bytes) { return call; })

// Runs of equal neighbours: their items, lengths, and sums of `values`.
struct runs_of {
    numbers items, lengths, sums;
    runs_of(const numbers &keys, const numbers &values)
    {
        for (size_t i = 0; i < keys.size(); i++) {
            if (i == 0 || keys[i] != keys[i - 1]) {
                items.push_back(keys[i]);
                lengths.push_back(0);
                sums.push_back(0);
            }
            lengths.back()++;
            sums.back() += values[i];
        }
    }
};

bool primitive(char **paths)
{
#if defined(HISTOGRAM)
    const std::vector<HISTOGRAM> a = load<HISTOGRAM>(paths[0]);
#else
    const numbers a = load<uint32_t>(paths[0]);
    const numbers b = paths[1] != nullptr ? load<uint32_t>(paths[1]) : numbers(a.size());
    uint32_t *const out = room_for(a.size() + b.size()), *const count = room_for(1);
#endif
    auto *const in = on_device(a);
    const int n = static_cast<int>(a.size());
#if defined(HISTOGRAM)
    uint32_t *const bins = room_for(256);
    numbers expected(256);
    for (const auto label : a)
        expected[label]++;
    typedef std::conditional<sizeof(HISTOGRAM) == 1, int, HISTOGRAM>::type level;
    RUN(cub::DeviceHistogram::HistogramEven(
        temp, temp_bytes, in, bins, 257, level(0), level(256), n));
    return holds(bins, expected);
#elif defined(SCAN)
    numbers sums = a;
    for (int i = 1; i < n; i++)
        sums[i] += sums[i - 1];
    RUN(cub::DeviceScan::InclusiveSum(temp, temp_bytes, in, out, n));
    return holds(out, sums);
#elif defined(REDUCE)
    uint32_t sum = 0;
    for (const uint32_t x : a)
        sum += x;
    RUN(cub::DeviceReduce::Sum(temp, temp_bytes, in, out, n));
    return holds(out, {sum});
#elif defined(AFFINE)
    const auto *const maps = reinterpret_cast<const affine *>(in);
    numbers chained = a;
    for (int i = 2; i < n; i += 2) {
        chained[i] = chained[i - 2] * a[i];
        chained[i + 1] = chained[i - 1] * a[i] + a[i + 1];
    }
    RUN(cub::DeviceScan::InclusiveScan(
        temp, temp_bytes, maps, reinterpret_cast<affine *>(out), affine_after(), n / 2));
    return holds(out, chained);
#elif defined(MINMAX)
    const cub::TransformInputIterator<bounds, bounds_of, const uint32_t *> both(in, bounds_of());
    RUN(cub::DeviceReduce::Reduce(temp, temp_bytes, both, reinterpret_cast<bounds *>(out), n,
        bounds_join(), bounds{0xffffffff, 0}));
    return holds(out, {*std::min_element(a.begin(), a.end()), *std::max_element(a.begin(), a.end())});
#elif defined(UNIQUE) || defined(RUNS) || defined(REDUCE_BY_KEY)
    const runs_of runs(a, b);
    const numbers expected_count = {static_cast<uint32_t>(runs.items.size())};
    uint32_t *const values = on_device(b), *const totals = room_for(a.size());
    (void)values, (void)totals;
#if defined(UNIQUE)
    RUN(cub::DeviceSelect::Unique(temp, temp_bytes, in, out, count, n));
    return holds(out, runs.items) && holds(count, expected_count);
#elif defined(RUNS)
    RUN(cub::DeviceRunLengthEncode::Encode(temp, temp_bytes, in, out, totals, count, n));
    return holds(out, runs.items) && holds(count, expected_count) && holds(totals, runs.lengths);
#else
    RUN(cub::DeviceReduce::ReduceByKey(
        temp, temp_bytes, in, out, values, totals, count, cub::Sum(), n));
    return holds(out, runs.items) && holds(count, expected_count) && holds(totals, runs.sums);
#endif
#elif defined(SELECT) || defined(PARTITION)
    numbers odd, rest;
    for (const uint32_t x : a)
        (x & 1 ? odd : rest).push_back(x);
    const numbers expected_count = {static_cast<uint32_t>(odd.size())};
#if defined(SELECT)
    RUN(cub::DeviceSelect::If(temp, temp_bytes, in, out, count, n, is_odd()));
#else // the rest are reversed
    RUN(cub::DevicePartition::If(temp, temp_bytes, in, out, count, n, is_odd()));
    odd.insert(odd.end(), rest.rbegin(), rest.rend());
#endif
    return holds(out, odd) && holds(count, expected_count);
#elif defined(SCAN_BY_KEY)
    uint32_t *const values = on_device(b);
    numbers sums = b;
    for (int i = 1; i < n; i++)
        sums[i] += a[i] == a[i - 1] ? sums[i - 1] : 0;
    (void)count;
    RUN(cub::DeviceScan::InclusiveSumByKey(temp, temp_bytes, in, values, out, n));
    return holds(out, sums);
#elif defined(SORT) // by the lowest bits, in order
    numbers sorted = a;
    std::stable_sort(sorted.begin(), sorted.end(), [](uint32_t x, uint32_t y) {
        return (x & (0xffffffffu >> (32 - SORT))) < (y & (0xffffffffu >> (32 - SORT)));
    });
    (void)count;
    RUN(cub::DeviceRadixSort::SortKeys(temp, temp_bytes, in, out, n, 0, SORT));
    return holds(out, sorted);
#elif defined(SEGMENTS)
    numbers sorted = a, offsets(1);
    for (size_t first = 0; first < a.size(); first = offsets.back()) {
        offsets.push_back(static_cast<uint32_t>(std::min<size_t>(first + SEGMENTS, a.size())));
        std::sort(sorted.begin() + offsets[offsets.size() - 2], sorted.begin() + offsets.back());
    }
    const int *const firsts = reinterpret_cast<int *>(on_device(offsets));
    (void)count;
    RUN(cub::DeviceSegmentedSort::SortKeys(temp, temp_bytes, in, out, n,
        static_cast<int>(offsets.size()) - 1, firsts, firsts + 1));
    return holds(out, sorted);
#elif defined(SHUFFLE)
    numbers shuffled(a.size()), given = a;
    (void)count;
    thrust::shuffle_copy(
        thrust::cuda::par.on(0), in, in + n, out, thrust::default_random_engine(5));
    check(cudaDeviceSynchronize(), "the kernels");
    check(cudaMemcpy(shuffled.data(), out, a.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    const bool moved = shuffled != given;
    std::sort(given.begin(), given.end());
    std::sort(shuffled.begin(), shuffled.end());
    return moved && shuffled == given;
#elif defined(TRANSPOSE)
    size_t rows = 1;
    while (4 * rows * rows <= a.size())
        rows *= 2;
    const size_t cols = a.size() / rows;
    numbers expected(a.size());
    for (size_t i = 0; i < a.size(); i++)
        expected[i % cols * rows + i / cols] = a[i];
    (void)count;
    transpose_padded<<<static_cast<unsigned>(a.size() / 1024), 256>>>(
        out, in, static_cast<unsigned>(rows), static_cast<unsigned>(cols));
    check(cudaDeviceSynchronize(), "the kernel");
    return holds(out, expected);
#elif defined(MERGE) || defined(UNION) || defined(SEARCH)
    // On stream 0: the simulator has no other.
    const auto stream = thrust::cuda::par.on(0);
    uint32_t *const other = on_device(b);
    numbers expected(a.size() + b.size());
    (void)count;
#if defined(MERGE)
    thrust::merge(stream, in, in + n, other, other + b.size(), out);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
#elif defined(UNION)
    uint32_t *const end = thrust::set_union(stream, in, in + n, other, other + b.size(), out);
    expected.resize(static_cast<size_t>(
        std::set_union(a.begin(), a.end(), b.begin(), b.end(), expected.begin()) -
        expected.begin()));
    if (end != out + expected.size())
        return false;
#else
    expected.resize(b.size());
    thrust::lower_bound(stream, in, in + n, other, other + b.size(), out);
    for (size_t i = 0; i < b.size(); i++)
        expected[i] = static_cast<uint32_t>(std::lower_bound(a.begin(), a.end(), b[i]) - a.begin());
#endif
    check(cudaDeviceSynchronize(), "the kernels");
    return holds(out, expected);
#endif
}
} // namespace

int main(int argc, char **argv)
{
    const bool good = argc > 1 && primitive(argv + 1);
    std::printf("end %s\n", good ? "good" : "BAD");
    return good ? 0 : 1;
}
