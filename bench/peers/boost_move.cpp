/* SPDX-License-Identifier: MIT */
/*
 * Boost.Compute's partition and shuffle.
 */
#include "peers/boost.hpp"

#include <boost/compute/algorithm/random_shuffle.hpp>
#include <boost/compute/algorithm/stable_partition.hpp>
#include <boost/compute/function.hpp>

using boosted::as_items;
using boosted::iterator_at;

int peer_boost_stable_partition(cl_command_queue queue, cl_mem items, std::size_t n)
{
    BOOST_COMPUTE_FUNCTION(bool, is_even, (compute::uint_ item), { return item % 2 == 0; });
    compute::command_queue commands(queue);
    compute::stable_partition(iterator_at<compute::uint_>(items, 0),
        iterator_at<compute::uint_>(items, n), is_even, commands);
    commands.finish();
    return 1;
}

int peer_boost_shuffle(cl_command_queue queue, cl_mem items, std::size_t n)
{
    compute::command_queue commands(queue);
    compute::random_shuffle(
        iterator_at<compute::uint_>(items, 0), iterator_at<compute::uint_>(items, n), commands);
    commands.finish();
    return 1;
}
