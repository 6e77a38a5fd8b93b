/* SPDX-License-Identifier: MIT */
/*
 * Boost.Compute's set operations.
 */
#include "peers/boost.hpp"

#include <boost/compute/algorithm/set_difference.hpp>
#include <boost/compute/algorithm/set_intersection.hpp>
#include <boost/compute/algorithm/set_symmetric_difference.hpp>
#include <boost/compute/algorithm/set_union.hpp>

using boosted::iterator_at;

int peer_boost_set(
    cl_command_queue queue, peer_set op, cl_mem items, std::size_t na, std::size_t n, cl_mem out)
{
    return boosted::as_items(queue, PEER_U32, [=](auto &commands, auto item) {
        using Item = decltype(item);
        const auto first = iterator_at<Item>(items, 0), middle = iterator_at<Item>(items, na);
        const auto last = iterator_at<Item>(items, n), to = iterator_at<Item>(out, 0);
        if (op == PEER_UNION)
            compute::set_union(first, middle, middle, last, to, commands);
        else if (op == PEER_INTERSECTION)
            compute::set_intersection(first, middle, middle, last, to, commands);
        else if (op == PEER_DIFFERENCE)
            compute::set_difference(first, middle, middle, last, to, commands);
        else
            compute::set_symmetric_difference(first, middle, middle, last, to, commands);
    });
}
