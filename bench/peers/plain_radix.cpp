/* SPDX-License-Identifier: MIT */
/*
 * The usual radix sort, lowest digit first, by as many threads as there are processors.
 */
#include "peers/peers.h"
#include "peers/plain_scatter.hpp"

/* Eleven bits take fewer passes, but more lines than the nearest cache holds; of 6 to 11 bits, 8
 * were the fastest for 2^24 keys. */
static constexpr unsigned digit_bits = 8;

/* Room for n items, whole lines. */
template <class Item> struct lines {
    explicit lines(std::size_t n)
        : room(new plain::line<Item>[n / plain::line<Item>::items + 1]), items(room[0].slots)
    {
    }
    const std::unique_ptr<plain::line<Item>[]> room;
    Item *const items;
};

/* In place: the number of passes is even. */
template <class Key, class Value> static void radix_sort(Key *keys, Value *values, std::size_t n)
{
    constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    constexpr unsigned passes = 8 * sizeof(Key) / digit_bits;
    static_assert(passes % 2 == 0);
    plain::team all(n);
    const lines<Key> spare_keys(n);
    const lines<Value> spare_values(std::is_empty_v<Value> ? 0 : n);
    std::vector<std::vector<std::size_t>> counts(all.size);
    all.run([&](std::size_t t) {
        Key *from = keys, *to = spare_keys.items;
        Value *values_from = values, *values_to = spare_values.items;
        for (unsigned p = 0; p < passes; p++) {
            plain::scatter(all, t, from, values_from, to, values_to, n, buckets, counts,
                [=](std::size_t i) { return from[i] >> (digit_bits * p) & (buckets - 1); });
            all.wait();
            std::swap(from, to);
            std::swap(values_from, values_to);
        }
    });
}

int peer_plain_radix(peer_items kind, void *keys, std::uint32_t *values, std::size_t n)
{
    if (kind == PEER_U64)
        radix_sort<std::uint64_t, plain::none>(static_cast<std::uint64_t *>(keys), nullptr, n);
    else if (kind == PEER_PAIRS)
        radix_sort(static_cast<std::uint32_t *>(keys), values, n);
    else
        radix_sort<std::uint32_t, plain::none>(static_cast<std::uint32_t *>(keys), nullptr, n);
    return 1;
}
