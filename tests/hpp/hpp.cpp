// SPDX-License-Identifier: MIT
// The classes and functions of <dmm/dmm.hpp>, against the standard library.
#include <dmm/dmm.hpp>
#include <dmm/dmm.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#if __cplusplus >= 202002L
#include <span>
#endif

static int failures;

#define CHECK(condition)                                                                \
    do {                                                                                \
        if (!(condition))                                                               \
            failures += std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition) > 0; \
    } while (0)

// Every primitive has the functions that an object calls.
#define HAS_FUNCTIONS(word)                                                \
    static_assert(std::is_move_constructible_v<dmm::object<dmm_##word>> && \
                  !std::is_copy_constructible_v<dmm::object<dmm_##word>>);
DMM_HPP_PRIMITIVES(HAS_FUNCTIONS)

static_assert(dmm::type_of<float> == DMM_F32 && dmm::type_of<double> == DMM_F64);
static_assert(dmm::type_of<const std::int8_t> == DMM_I8 && dmm::type_of<unsigned char> == DMM_U8);
static_assert(dmm::type_of<short> == DMM_I16 && dmm::type_of<std::uint16_t> == DMM_U16);
static_assert(dmm::type_of<int> == DMM_I32 && dmm::type_of<std::uint32_t> == DMM_U32);
static_assert(dmm::type_of<long long> == DMM_I64 && dmm::type_of<std::uint64_t> == DMM_U64);

template <class T> static std::vector<T> items(std::size_t n)
{
    std::vector<T> result(n);
    for (std::size_t i = 0; i < n; i++)
        result[i] = static_cast<T>(i * 2654435761u % 1009) - static_cast<T>(20);
    return result;
}

template <class T> static void host_arrays(const dmm::context &ctx)
{
    const std::vector<T> given = items<T>(1000);
    std::vector<T> expected = given, found = given;
    std::sort(expected.begin(), expected.end());
    dmm::sort(ctx, found);
    CHECK(found == expected);
    found = given;
    dmm::sort(ctx, found.begin(), found.end());
    CHECK(found == expected);
    dmm::sort(ctx, found.end(), found.end());
    const std::vector<T> least(expected.begin(), expected.begin() + 5);
    const std::vector<T> most(expected.rbegin(), expected.rbegin() + 5);
    CHECK(dmm::topk(ctx, given, 5, false) == least);
    CHECK(dmm::topk(ctx, given, 5, true) == most);
    CHECK(dmm::reduce(ctx, given, DMM_SCAN_MAX) == expected.back());
}

static void other_arrays(const dmm::context &ctx)
{
    struct point {
        float x, y, z;
    };
    std::array<int, 4> keys = {3, -1, 2, 0};
    point points[4] = {{3, 0, 0}, {-1, 0, 0}, {2, 0, 0}, {0, 0, 0}};
    dmm::sort_pairs(ctx, keys, points);
    for (std::size_t i = 0; i < 4; i++)
        CHECK(points[i].x == static_cast<float>(keys[i]) && (i == 0 || keys[i - 1] < keys[i]));
    unsigned sums[3] = {1, 2, 3};
    CHECK(dmm::reduce(ctx, sums) == 6);
    dmm::scan(ctx, sums);
    CHECK(sums[0] == 1 && sums[1] == 3 && sums[2] == 6);
    dmm::scan(ctx, sums, true);
    CHECK(sums[0] == 0 && sums[1] == 1 && sums[2] == 4);
#if __cplusplus >= 202002L
    dmm::sort(ctx, std::span<int>(keys).first(2));
    CHECK(keys[0] == -1 && keys[1] == 0);
#endif
}

static void queues(const dmm::context &ctx)
{
    const std::size_t n = 5000;
    const std::vector<double> given = items<double>(n);
    std::vector<double> expected = given, found(n);
    const cl_command_queue queue = dmm_context_queue(ctx);
    const dmm::context second(queue);
    CHECK(dmm_context_cl(second) == dmm_context_cl(ctx));
    cl_int failed = 0;
    cl_mem buffer = clCreateBuffer(
        dmm_context_cl(ctx), CL_MEM_READ_WRITE, n * sizeof(double), nullptr, &failed);
    cl_event filled = nullptr;
    dmm::require(clEnqueueWriteBuffer(
        queue, buffer, CL_FALSE, 0, n * sizeof(double), given.data(), 0, nullptr, &filled));
    const dmm::event written(filled);
    const dmm::event sorted = dmm::enqueue_sort<double>(ctx, queue, buffer, n, {written});

    dmm::sort_desc<double, int> pairs;
    CHECK(pairs.value_bytes == sizeof(int) && pairs.order.type == DMM_F64);
    dmm::sort_desc<double> falling;
    falling.order.descending = 1;
    dmm::object<dmm_sort> made(ctx, falling);
    const dmm::object<dmm_sort> sort = std::move(made);
    CHECK(sort.temp_bytes(n) > 0);
    dmm_sort_args args = {};
    args.keys_in = args.keys_out = dmm::span(buffer);
    dmm::event again = sort.enqueue(queue, args, {sorted, filled}, n);
    again.wait();
    cl_event taken = again.release();
    CHECK(again() == nullptr);
    dmm::require(clEnqueueReadBuffer(
        queue, buffer, CL_TRUE, 0, n * sizeof(double), found.data(), 1, &taken, nullptr));
    clReleaseEvent(taken);
    std::sort(expected.begin(), expected.end(), std::greater<double>());
    CHECK(found == expected);

    try {
        args.keys_out.offset_bytes = 8;
        sort.enqueue(queue, args, {}, n);
        CHECK(false);
    } catch (const dmm::error &e) {
        CHECK(e.status() == DMM_SPAN_TOO_SMALL);
        CHECK(std::strncmp(e.what(), "dmm_sort: keys_out: ", 20) == 0);
    }
    clReleaseMemObject(buffer);
}

int main()
{
    try {
        const dmm::context ctx;
        host_arrays<float>(ctx);
        host_arrays<std::int16_t>(ctx);
        host_arrays<std::uint64_t>(ctx);
        other_arrays(ctx);
        queues(ctx);
    } catch (const std::exception &e) {
        std::printf("%s\n", e.what());
        return 1;
    }
    return failures != 0;
}
