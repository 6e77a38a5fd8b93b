/* SPDX-License-Identifier: MIT */
/*
 * A stable scatter of items into buckets by a few threads, as one would write it by hand: every
 * thread counts the buckets of its range, a prefix sum makes places of the counts, and every thread
 * moves its range, a line of items at a time, past the cache.
 */
#ifndef DMM_PEERS_PLAIN_SCATTER_HPP
#define DMM_PEERS_PLAIN_SCATTER_HPP

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace plain
{

/* Fewer items than this are one thread's. */
constexpr std::size_t shared_items = 1 << 15;

/* Threads that run the same function and wait for one another at a barrier. */
class team
{
  public:
    explicit team(std::size_t n)
        : size(n < shared_items ? 1 : std::max(1u, std::thread::hardware_concurrency()))
    {
        pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(size));
    }
    ~team()
    {
        pthread_barrier_destroy(&barrier);
    }
    team(const team &) = delete;
    team &operator=(const team &) = delete;

    void wait()
    {
        pthread_barrier_wait(&barrier);
    }

    template <class Work> void run(Work work)
    {
        std::vector<std::thread> others;
        for (std::size_t t = 1; t < size; t++)
            others.emplace_back([&work, t] { work(t); });
        work(0);
        for (std::thread &other : others)
            other.join();
    }

    const std::size_t size;

  private:
    pthread_barrier_t barrier;
};

/* A line of memory of items that go the same way; place p of the target lies in slot p % items. */
template <class Item> struct alignas(64) line {
    static constexpr std::size_t items = 64 / sizeof(Item);
    Item slots[items];

    /* Writes the places first .. end - 1 of a line. */
    void write(Item *to, std::size_t first, std::size_t end) const
    {
        for (std::size_t p = first; p < end; p++)
            to[p] = slots[p % items];
    }

    /* Writes all of it to an address that is a multiple of 64. */
    void stream(Item *to) const
    {
#if defined(__SSE2__)
        for (int i = 0; i < 4; i++)
            _mm_stream_si128(reinterpret_cast<__m128i *>(to) + i,
                _mm_load_si128(reinterpret_cast<const __m128i *>(slots) + i));
#else
        std::memcpy(to, slots, sizeof slots);
#endif
    }
};

/* No values. */
struct none {
};

/* Collects the items of one thread and writes them line by line. Values are as wide as keys. */
template <class Key, class Value> class collector
{
  public:
    static constexpr bool has_values = !std::is_empty_v<Value>;
    static_assert(!has_values || sizeof(Value) == sizeof(Key));

    collector(Key *keys, Value *values, const std::vector<std::size_t> &places)
        : keys_out(keys), values_out(values), lines(new both[places.size()]), next(places),
          first(places)
    {
        auto address = reinterpret_cast<std::uintptr_t>(keys);
        if constexpr (has_values)
            address |= reinterpret_cast<std::uintptr_t>(values);
        aligned = address % 64 == 0;
    }

    void put(std::size_t bucket, Key key, Value value)
    {
        const std::size_t place = next[bucket]++;
        both &own = lines[bucket];
        if (place % all == 0 && place > first[bucket])
            flush(own, first[bucket], place);
        own.keys.slots[place % all] = key;
        if constexpr (has_values)
            own.values.slots[place % all] = value;
    }

    void finish()
    {
        for (std::size_t b = 0; b < next.size(); b++)
            if (next[b] > first[b])
                write(lines[b], std::max(first[b], (next[b] - 1) / all * all), next[b]);
    }

  private:
    static constexpr std::size_t all = line<Key>::items;
    struct no_line {
    };
    struct both {
        line<Key> keys;
        std::conditional_t<has_values, line<Value>, no_line> values;
    };

    void write(const both &own, std::size_t begin, std::size_t end)
    {
        own.keys.write(keys_out, begin, end);
        if constexpr (has_values)
            own.values.write(values_out, begin, end);
    }

    void flush(const both &own, std::size_t begin, std::size_t end)
    {
        if (!aligned || end - begin < all) {
            write(own, std::max(begin + all, end) - all, end);
            return;
        }
        own.keys.stream(keys_out + end - all);
        if constexpr (has_values)
            own.values.stream(values_out + end - all);
    }

    Key *keys_out;
    Value *values_out;
    std::unique_ptr<both[]> lines;
    std::vector<std::size_t> next, first;
    bool aligned;
};

/* Thread t's part of a scatter of n items into buckets; all threads of the team call it. counts has
 * a row for each thread, which ends as the places of its range. */
template <class Key, class Value, class Bucket>
void scatter(team &all, std::size_t t, const Key *keys, const Value *values, Key *keys_out,
    Value *values_out, std::size_t n, std::size_t buckets,
    std::vector<std::vector<std::size_t>> &counts, Bucket bucket_of)
{
    const std::size_t begin = n / all.size * t, end = t + 1 == all.size ? n : begin + n / all.size;
    counts[t].assign(buckets, 0);
    for (std::size_t i = begin; i < end; i++)
        counts[t][bucket_of(i)]++;
    all.wait();
    if (t == 0) {
        std::size_t before = 0;
        for (std::size_t b = 0; b < buckets; b++)
            for (std::vector<std::size_t> &row : counts)
                before += std::exchange(row[b], before);
    }
    all.wait();
    collector<Key, Value> moved(keys_out, values_out, counts[t]);
    for (std::size_t i = begin; i < end; i++)
        if constexpr (std::is_empty_v<Value>)
            moved.put(bucket_of(i), keys[i], Value());
        else
            moved.put(bucket_of(i), keys[i], values[i]);
    moved.finish();
}

} // namespace plain

#endif
