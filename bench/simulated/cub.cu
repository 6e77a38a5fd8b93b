// SPDX-License-Identifier: MIT
// cub TYPE VALUES FILE: sorts the keys in FILE, of type u8, u16, u32 or u64, with CUB's
// DeviceMergeSort, or DeviceRadixSort if built with -DRADIX, with VALUES bytes of value each (0 or
// 4: the keys' positions), and compares the result with a sort on the host. Prints `end good` or
// `end BAD`.
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

// Not in an unnamed namespace, where the two compilers would name the kernels differently.
struct less_of {
    template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};

namespace
{
void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "cub: %s: error %d\n", what, static_cast<int>(error));
        std::exit(2);
    }
}

template <class T> T *on_device(const std::vector<T> &host)
{
    T *memory = nullptr;
    check(cudaMalloc(&memory, host.size() * sizeof(T)), "cudaMalloc");
    check(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy");
    return memory;
}

template <class T> std::vector<T> on_host(const T *memory, size_t n)
{
    std::vector<T> host(n);
    check(cudaMemcpy(host.data(), memory, n * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return host;
}

// A list and a spare list of n items each, of which `d_in` and `d_out` are CUB's names.
template <class T> struct lists {
    T *in, *out;
};

// Calls CUB; without temp, it only returns the size of temp. Returns 1 if the result is in `out`,
// 0 if it is in `in`.
template <class Key>
int sort_on_device(
    void *temp, size_t &temp_bytes, lists<Key> keys, lists<uint32_t> values, unsigned n, bool pairs)
{
#ifdef RADIX
    const int count = static_cast<int>(n);
    check(pairs ? cub::DeviceRadixSort::SortPairs(
                      temp, temp_bytes, keys.in, keys.out, values.in, values.out, count)
                : cub::DeviceRadixSort::SortKeys(temp, temp_bytes, keys.in, keys.out, count),
        "DeviceRadixSort");
    return 1;
#else
    check(pairs
              ? cub::DeviceMergeSort::SortPairs(temp, temp_bytes, keys.in, values.in, n, less_of())
              : cub::DeviceMergeSort::SortKeys(temp, temp_bytes, keys.in, n, less_of()),
        "DeviceMergeSort");
    return 0;
#endif
}

template <class Key> bool sorts(const std::vector<char> &bytes, bool pairs)
{
    std::vector<Key> keys(bytes.size() / sizeof(Key));
    const unsigned n = static_cast<unsigned>(keys.size());
    std::memcpy(keys.data(), bytes.data(), n * sizeof(Key));
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    const lists<Key> keys_there = {on_device(keys), on_device(keys)};
    const lists<uint32_t> values_there = {on_device(order), on_device(order)};
    void *temp = nullptr;
    size_t temp_bytes = 0;
    sort_on_device(nullptr, temp_bytes, keys_there, values_there, n, pairs);
    check(cudaMalloc(&temp, temp_bytes), "cudaMalloc");
    const int moved = sort_on_device(temp, temp_bytes, keys_there, values_there, n, pairs);
    check(cudaDeviceSynchronize(), "the sort");
    std::stable_sort(
        order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    std::stable_sort(keys.begin(), keys.end());
    return on_host(moved ? keys_there.out : keys_there.in, n) == keys &&
           (!pairs || on_host(moved ? values_there.out : values_there.in, n) == order);
}
} // namespace

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const std::string type = argv[1];
    const bool pairs = std::atoi(argv[2]) != 0;
    std::ifstream file(argv[3], std::ios::binary);
    const std::vector<char> bytes(
        (std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const bool good = type == "u8"    ? sorts<uint8_t>(bytes, pairs)
                      : type == "u16" ? sorts<uint16_t>(bytes, pairs)
                      : type == "u64" ? sorts<uint64_t>(bytes, pairs)
                                      : sorts<uint32_t>(bytes, pairs);
    std::printf("end %s\n", good ? "good" : "BAD");
    return good ? 0 : 1;
}
