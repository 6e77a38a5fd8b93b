/* SPDX-License-Identifier: MIT */
/*
 * Highway's vectorised quicksort, on this thread or by all processors: parts are sorted side by
 * side, then merged by oneTBB. Pairs are sorted as 64-bit numbers, by key and then by value:
 * Highway 1.0.3 sorts its own pairs (K32V32) by their keys, but loses values of equal keys and
 * writes others twice.
 */
#include "peers/peers.h"

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>
#ifdef DMM_PEER_TBB
#include <execution>
#include <thread>
#endif

/* Seconds that the present target takes for random numbers: the least of three. */
static double trial()
{
    std::mt19937 random(1);
    std::vector<std::uint32_t> items(1 << 16);
    double least = 1e9;
    for (int run = 0; run < 3; run++) {
        for (auto &item : items)
            item = random();
        const auto begin = std::chrono::steady_clock::now();
        hwy::Sorter()(items.data(), items.size(), hwy::SortAscending());
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        least = std::min(least, took.count());
    }
    return least;
}

/*
 * Takes AVX2 where it is faster than the target that Highway prefers: on Zen 4 a store of
 * compressed lanes is microcode, and with AVX-512 Highway 1.0.3 makes two of them a vector.
 */
static void choose_target()
{
#ifdef HWY_AVX2
    const auto present = hwy::SupportedTargets();
    if (!(present & HWY_AVX2))
        return;
    const double preferred = trial();
    hwy::SetSupportedTargetsForTest(HWY_AVX2);
    hwy::GetChosenTarget().Update(HWY_AVX2);
    if (trial() < preferred)
        return;
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
#endif
}

template <class Item> static void sort_part(Item *items, std::size_t n)
{
    hwy::Sorter()(items, n, hwy::SortAscending());
}

#ifdef DMM_PEER_TBB
/* Parts are of one width, but for the last; merges two neighbours at a time. */
template <class Item> static int sort_parallel(Item *items, std::size_t n)
{
    const std::size_t parts = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t part = std::max<std::size_t>(1, (n + parts - 1) / parts);
    std::vector<std::thread> threads;
    for (std::size_t begin = 0; begin < n; begin += part)
        threads.emplace_back(sort_part<Item>, items + begin, std::min(part, n - begin));
    for (auto &thread : threads)
        thread.join();
    if (part >= n)
        return 1;
    std::vector<Item> other(n);
    Item *from = items, *to = other.data();
    for (std::size_t width = part; width < n; width *= 2, std::swap(from, to))
        for (std::size_t begin = 0; begin < n; begin += 2 * width) {
            Item *const middle = from + std::min(n, begin + width);
            std::merge(std::execution::par, from + begin, middle, middle,
                from + std::min(n, begin + 2 * width), to + begin);
        }
    if (from != items)
        std::copy(std::execution::par, from, from + n, items);
    return 1;
}
#else
template <class Item> static int sort_parallel(Item *, std::size_t)
{
    return 0;
}
#endif

template <class Item> static int sort_as(void *items, std::size_t n, int parallel)
{
    if (parallel)
        return sort_parallel(static_cast<Item *>(items), n);
    sort_part(static_cast<Item *>(items), n);
    return 1;
}

int peer_vqsort(peer_items kind, void *items, std::size_t n, int parallel)
{
    static const bool chosen = (choose_target(), true);
    (void)chosen;
    return kind == PEER_U32 ? sort_as<std::uint32_t>(items, n, parallel)
                            : sort_as<std::uint64_t>(items, n, parallel);
}
