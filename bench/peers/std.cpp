/* SPDX-License-Identifier: MIT */
/*
 * The standard library's algorithms, on this thread or by all processors.
 */
#include "peers/peers.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef DMM_PEER_TBB
#include <execution>
/* 1 when std::name(...) was run. */
#define RUN(parallel, name, ...) \
    ((parallel) ? (std::name(std::execution::par, __VA_ARGS__), 1) : (std::name(__VA_ARGS__), 1))
#else
#define RUN(parallel, name, ...) ((parallel) ? 0 : (std::name(__VA_ARGS__), 1))
#endif

/* Calls run with the first item of that type, and with "is less" for items of that kind. */
template <class Run> static int as_items(peer_items kind, const void *items, Run run)
{
    const auto *narrow = static_cast<const std::uint32_t *>(items);
    const auto *wide = static_cast<const std::uint64_t *>(items);
    if (kind == PEER_U32)
        return run(narrow, [](std::uint32_t a, std::uint32_t b) { return a < b; });
    if (kind == PEER_U64)
        return run(wide, [](std::uint64_t a, std::uint64_t b) { return a < b; });
    return run(wide, [](std::uint64_t a, std::uint64_t b) { return a >> 32 < b >> 32; });
}

/* The same, of an array that may be written. */
template <class Run> static int as_own_items(peer_items kind, void *items, Run run)
{
    return as_items(kind, items, [&](auto first, auto less) {
        using item = std::remove_const_t<std::remove_pointer_t<decltype(first)>>;
        return run(static_cast<item *>(items), less);
    });
}

int peer_std_sort(peer_items kind, void *items, std::size_t n, int parallel)
{
    return as_own_items(kind, items,
        [=](auto first, auto less) { return RUN(parallel, sort, first, first + n, less); });
}

int peer_std_stable_sort(peer_items kind, void *items, std::size_t n, int parallel)
{
    return as_own_items(kind, items,
        [=](auto first, auto less) { return RUN(parallel, stable_sort, first, first + n, less); });
}

int peer_std_nth(peer_items kind, void *items, std::size_t n, std::size_t rank, int parallel)
{
    return as_own_items(kind, items, [=](auto first, auto less) {
        return RUN(parallel, nth_element, first, first + rank, first + n, less);
    });
}

int peer_std_lower_bound(peer_items kind, const peer_lookup *lookup, int parallel)
{
    return as_own_items(kind, lookup->out, [=](auto to, auto less) {
        using item = std::remove_reference_t<decltype(*to)>;
        const auto *sorted = static_cast<const item *>(lookup->keys);
        const auto *first = static_cast<const item *>(lookup->queries);
        const auto n = lookup->n;
        const auto rank = [=](const item &query) {
            return static_cast<item>(std::lower_bound(sorted, sorted + n, query, less) - sorted);
        };
        return RUN(parallel, transform, first, first + lookup->m, to, rank);
    });
}

int peer_std_partial_sort(peer_items kind, void *items, std::size_t n, std::size_t k, int parallel)
{
    return as_own_items(kind, items, [=](auto first, auto less) {
        return RUN(parallel, partial_sort, first, first + k, first + n, less);
    });
}

int peer_std_merge(
    peer_items kind, const void *items, std::size_t na, std::size_t n, void *out, int parallel)
{
    return as_own_items(kind, out, [=](auto to, auto less) {
        const auto *first = static_cast<decltype(to)>(const_cast<void *>(items));
        return RUN(parallel, merge, first, first + na, first + na, first + n, to, less);
    });
}

/* Calls run(first, middle, middle, last, to) of std::set_*, and stores where it ends. */
#define SET(name)                                                      \
    end = parallel ? std::name(POLICY first, middle, middle, last, to) \
                   : std::name(first, middle, middle, last, to)
#ifdef DMM_PEER_TBB
#define POLICY std::execution::par,
#else
#define POLICY
#endif

int peer_std_set(peer_set op, const void *u32s, std::size_t na, std::size_t n, void *out,
    std::size_t *kept, int parallel)
{
    const auto *first = static_cast<const std::uint32_t *>(u32s), *middle = first + na;
    const auto *last = first + n;
    auto *to = static_cast<std::uint32_t *>(out), *end = to;
#ifndef DMM_PEER_TBB
    if (parallel)
        return 0;
#endif
    if (op == PEER_UNION)
        SET(set_union);
    else if (op == PEER_INTERSECTION)
        SET(set_intersection);
    else if (op == PEER_DIFFERENCE)
        SET(set_difference);
    else
        SET(set_symmetric_difference);
    *kept = static_cast<std::size_t>(end - to);
    return 1;
}

int peer_std_scan(
    peer_items kind, const void *items, void *out, std::size_t n, int exclusive, int parallel)
{
    return as_own_items(kind, out, [=](auto to, auto) {
        const auto *first = static_cast<decltype(to)>(const_cast<void *>(items));
        if (!exclusive)
            return RUN(parallel, inclusive_scan, first, first + n, to);
        return RUN(parallel, exclusive_scan, first, first + n, to, decltype(*first + 0){0});
    });
}

template <class Item> static int reduce(const Item *items, std::size_t n, void *out, int parallel)
{
    auto *to = static_cast<Item *>(out);
#ifdef DMM_PEER_TBB
    if (parallel)
        return *to = std::reduce(std::execution::par, items, items + n, Item{0}), 1;
#endif
    return parallel ? 0 : (*to = std::reduce(items, items + n, Item{0}), 1);
}

int peer_std_reduce(peer_items kind, const void *items, std::size_t n, void *out, int parallel)
{
    return as_items(kind, items, [=](auto first, auto) { return reduce(first, n, out, parallel); });
}

/* The last number that is no multiple of 4. */
static std::uint32_t last_of(std::uint32_t a, std::uint32_t b)
{
    return b % 4 ? b : a;
}

/* With an execution policy, or none. */
template <class... Policy>
static int fused(peer_fused what, const std::uint32_t *items, const std::uint32_t *others,
    std::uint32_t *out, std::size_t n, Policy &&...policy)
{
    if (what == PEER_DOT)
        *out = std::transform_reduce(policy..., items, items + n, others, std::uint32_t{0});
    else if (what == PEER_ARGMIN)
        *out = static_cast<std::uint32_t>(std::min_element(policy..., items, items + n) - items);
    else if (what == PEER_LAST)
        std::inclusive_scan(policy..., items, items + n, out, last_of, std::uint32_t{0});
    else
        std::adjacent_difference(policy..., items, items + n, out);
    return 1;
}

int peer_std_fused(peer_fused what, const std::uint32_t *items, const std::uint32_t *others,
    std::uint32_t *out, std::size_t n, int parallel)
{
#ifdef DMM_PEER_TBB
    if (parallel)
        return fused(what, items, others, out, n, std::execution::par);
#endif
    return parallel ? 0 : fused(what, items, others, out, n);
}

int peer_std_heap(peer_items kind, const void *first, const void *second, void *out, std::size_t n)
{
    return as_items(kind, first, [=](auto before, auto) {
        using item = std::remove_const_t<std::remove_pointer_t<decltype(before)>>;
        using entry = std::pair<item, std::uint32_t>;
        const auto *after = static_cast<const item *>(second);
        auto *to = static_cast<item *>(out);
        std::priority_queue<entry, std::vector<entry>, std::greater<entry>> queue;
        std::vector<unsigned char> taken(n);
        for (std::size_t i = 0; i < n; i++)
            queue.emplace(before[i], static_cast<std::uint32_t>(i));
        for (std::size_t i = 0; i < n; i++)
            queue.emplace(after[i], static_cast<std::uint32_t>(i));
        for (; !queue.empty(); queue.pop())
            if (!taken[queue.top().second]) {
                taken[queue.top().second] = 1;
                *to++ = queue.top().first;
            }
        return 1;
    });
}

int peer_std_unique(peer_items kind, const void *items, void *out, std::size_t n, int parallel)
{
    return as_own_items(kind, out, [=](auto to, auto) {
        const auto *first = static_cast<decltype(to)>(const_cast<void *>(items));
        return RUN(parallel, unique_copy, first, first + n, to);
    });
}

int peer_std_select(peer_items kind, const void *items, void *out, std::size_t n, int parallel)
{
    return as_own_items(kind, out, [=](auto to, auto) {
        const auto *first = static_cast<decltype(to)>(const_cast<void *>(items));
        return RUN(parallel, copy_if, first, first + n, to, [](auto x) { return x % 2 == 0; });
    });
}

int peer_std_stable_partition(std::uint32_t *items, std::size_t n, int parallel)
{
    return RUN(parallel, stable_partition, items, items + n,
        [](std::uint32_t item) { return item % 2 == 0; });
}

void peer_std_shuffle(std::uint32_t *items, std::size_t n, std::uint64_t seed)
{
    std::mt19937_64 generator(seed);
    std::shuffle(items, items + n, generator);
}
