/* SPDX-License-Identifier: MIT */
/*
 * Delta-stepping by as many threads as there are processors: vertices wait in buckets of width
 * delta, a thread's in its own; the least bucket of all is the next list, whose vertices the
 * threads take in chunks. U. Meyer, P. Sanders, J. Algorithms 49 (2003); buckets of threads as in
 * S. Beamer, K. Asanovic, D. Patterson, "The GAP Benchmark Suite", 2015, arXiv 1508.03619.
 */
#include "peers/peers.h"
#include "peers/plain_scatter.hpp"

#include <atomic>
#include <limits>

namespace
{

constexpr std::uint32_t infinity = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t chunk = 64, none = std::numeric_limits<std::size_t>::max();

using buckets = std::vector<std::vector<std::uint32_t>>;

struct search {
    const peer_graph &graph;
    std::uint32_t *distances;
    std::uint64_t delta;
    std::vector<std::uint32_t> list{0};
    std::atomic<std::size_t> taken{0};
    std::size_t bucket = 0;
    std::vector<buckets> own{};
};

void relax(search &s, buckets &own, std::uint32_t u)
{
    const std::uint64_t distance = __atomic_load_n(&s.distances[u], __ATOMIC_RELAXED);
    if (distance < s.delta * s.bucket) /* settled in an earlier bucket */
        return;
    for (std::uint64_t e = s.graph.offsets[u]; e < s.graph.offsets[u + 1]; e++) {
        const std::uint64_t sum = distance + s.graph.weights[e];
        std::uint32_t *const to = &s.distances[s.graph.targets[e]];
        std::uint32_t old = __atomic_load_n(to, __ATOMIC_RELAXED);
        while (sum < old)
            if (__atomic_compare_exchange_n(to, &old, static_cast<std::uint32_t>(sum), true,
                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
                const std::size_t bucket = static_cast<std::size_t>(sum / s.delta);
                if (own.size() <= bucket)
                    own.resize(bucket + 1);
                own[bucket].push_back(s.graph.targets[e]);
                break;
            }
    }
}

/* Makes the least bucket of all threads the list; false if there is none. */
bool next(search &s)
{
    std::size_t least = none;
    for (const buckets &own : s.own)
        for (std::size_t b = s.bucket; b < own.size() && b < least; b++)
            if (!own[b].empty())
                least = b;
    s.list.clear();
    s.taken = 0;
    if (least == none)
        return false;
    for (buckets &own : s.own)
        if (least < own.size()) {
            s.list.insert(s.list.end(), own[least].begin(), own[least].end());
            own[least].clear();
        }
    s.bucket = least;
    return true;
}

} // namespace

int peer_plain_paths(const peer_graph *graph, std::uint32_t *distances, std::uint32_t delta)
{
    plain::team all(plain::shared_items);
    search s{*graph, distances, std::max(delta, 1u)};
    bool goes_on = graph->n > 0;
    s.own.resize(all.size);
    std::fill(distances, distances + graph->n, infinity);
    if (goes_on)
        distances[0] = 0;
    all.run([&](std::size_t t) {
        while (goes_on) {
            for (;;) {
                const std::size_t first = s.taken.fetch_add(chunk);
                if (first >= s.list.size())
                    break;
                for (std::size_t i = first; i < std::min(first + chunk, s.list.size()); i++)
                    relax(s, s.own[t], s.list[i]);
            }
            all.wait();
            if (t == 0)
                goes_on = next(s);
            all.wait();
        }
    });
    return 1;
}
