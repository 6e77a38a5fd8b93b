/* SPDX-License-Identifier: MIT */
/*
 * Boost.Compute's sorts.
 */
#include "peers/boost.hpp"

#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>
#include <boost/compute/algorithm/stable_sort.hpp>
#include <boost/compute/function.hpp>

using boosted::iterator_at;

template <class Key>
static void sort_keys(
    compute::command_queue &queue, cl_mem keys, std::size_t n, peer_boost_algorithm algorithm)
{
    const auto first = iterator_at<Key>(keys, 0), last = iterator_at<Key>(keys, n);
    BOOST_COMPUTE_FUNCTION(bool, u32_less, (compute::uint_ a, compute::uint_ b), { return a < b; });
    BOOST_COMPUTE_FUNCTION(
        bool, u64_less, (compute::ulong_ a, compute::ulong_ b), { return a < b; });
    if (algorithm == PEER_BOOST_STABLE_SORT)
        compute::stable_sort(first, last, queue);
    else if (algorithm == PEER_BOOST_SORT)
        compute::sort(first, last, queue);
    else if constexpr (sizeof(Key) == sizeof(compute::uint_))
        compute::sort(first, last, u32_less, queue);
    else
        compute::sort(first, last, u64_less, queue);
}

int peer_boost_sort(cl_command_queue queue, peer_items kind, cl_mem keys, cl_mem values,
    std::size_t n, peer_boost_algorithm algorithm)
{
    compute::command_queue commands(queue);
    if (kind == PEER_PAIRS && algorithm != PEER_BOOST_SORT)
        return 0;
    if (kind == PEER_PAIRS)
        compute::sort_by_key(iterator_at<compute::uint_>(keys, 0),
            iterator_at<compute::uint_>(keys, n), iterator_at<compute::uint_>(values, 0), commands);
    else if (kind == PEER_U64)
        sort_keys<compute::ulong_>(commands, keys, n, algorithm);
    else
        sort_keys<compute::uint_>(commands, keys, n, algorithm);
    commands.finish();
    return 1;
}
