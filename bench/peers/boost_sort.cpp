/* SPDX-License-Identifier: MIT */
/*
 * Boost.Compute's sorts.
 */
#include "peers/peers.h"

#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/buffer.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/function.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

namespace compute = boost::compute;

void peer_boost_sort_u32(cl_command_queue queue, cl_mem keys, size_t n, int with_function)
{
    BOOST_COMPUTE_FUNCTION(bool, key_less, (compute::uint_ a, compute::uint_ b), { return a < b; });
    compute::command_queue commands(queue);
    const compute::buffer buffer(keys);
    const auto first = compute::make_buffer_iterator<compute::uint_>(buffer, 0);
    const auto last = compute::make_buffer_iterator<compute::uint_>(buffer, n);
    if (with_function)
        compute::sort(first, last, key_less, commands);
    else
        compute::sort(first, last, commands);
    commands.finish();
}
