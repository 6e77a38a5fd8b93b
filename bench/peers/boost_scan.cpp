/* SPDX-License-Identifier: MIT */
/*
 * Boost.Compute's scans, sums, merges, runs, searches and selections.
 */
#include "peers/boost.hpp"

#include <boost/compute/algorithm/adjacent_difference.hpp>
#include <boost/compute/algorithm/copy_if.hpp>
#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/fill_n.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/inner_product.hpp>
#include <boost/compute/algorithm/lower_bound.hpp>
#include <boost/compute/algorithm/merge.hpp>
#include <boost/compute/algorithm/min_element.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/algorithm/reduce_by_key.hpp>
#include <boost/compute/algorithm/unique_copy.hpp>
#include <boost/compute/function.hpp>
#include <boost/compute/lambda.hpp>

using boosted::as_items;
using boosted::iterator_at;

int peer_boost_lower_bound(
    cl_command_queue queue, peer_items kind, cl_mem keys, const peer_lookup *lookup)
{
    return as_items(queue, kind, [=](auto &commands, auto item) {
        using Item = decltype(item);
        const auto first = iterator_at<Item>(keys, 0), last = iterator_at<Item>(keys, lookup->n);
        const auto *const queries = static_cast<const Item *>(lookup->queries);
        for (std::size_t i = 0; i < lookup->m; i++)
            static_cast<Item *>(lookup->out)[i] =
                static_cast<Item>(compute::lower_bound(first, last, queries[i], commands) - first);
    });
}

int peer_boost_merge(cl_command_queue queue, peer_items kind, cl_mem items, std::size_t na,
    std::size_t n, cl_mem out)
{
    return as_items(queue, kind, [=](auto &commands, auto item) {
        using Item = decltype(item);
        const auto middle = iterator_at<Item>(items, na);
        compute::merge(iterator_at<Item>(items, 0), middle, middle, iterator_at<Item>(items, n),
            iterator_at<Item>(out, 0), commands);
    });
}

int peer_boost_scan(
    cl_command_queue queue, peer_items kind, cl_mem items, cl_mem out, std::size_t n, int exclusive)
{
    return as_items(queue, kind, [=](auto &commands, auto item) {
        using Item = decltype(item);
        const auto first = iterator_at<Item>(items, 0), last = iterator_at<Item>(items, n);
        if (exclusive)
            compute::exclusive_scan(first, last, iterator_at<Item>(out, 0), commands);
        else
            compute::inclusive_scan(first, last, iterator_at<Item>(out, 0), commands);
    });
}

BOOST_COMPUTE_FUNCTION(
    compute::uint_, differing_bits, (compute::uint_ a, compute::uint_ b), { return a ^ b; });

int peer_boost_reduce_by_key(cl_command_queue queue, cl_mem keys, cl_mem items, std::size_t n,
    cl_mem keys_out, cl_mem out, int own)
{
    return as_items(queue, PEER_U32, [=](auto &commands, auto item) {
        using Item = decltype(item);
        const auto first = iterator_at<Item>(keys, 0), last = iterator_at<Item>(keys, n);
        const auto values = iterator_at<Item>(items, 0), totals = iterator_at<Item>(out, 0);
        const auto runs = iterator_at<Item>(keys_out, 0);
        if (own)
            compute::reduce_by_key(first, last, values, runs, totals, differing_bits, commands);
        else
            compute::reduce_by_key(first, last, values, runs, totals, commands);
    });
}

int peer_boost_reduce(
    cl_command_queue queue, peer_items kind, cl_mem items, std::size_t n, cl_mem out)
{
    return as_items(queue, kind, [=](auto &commands, auto item) {
        using Item = decltype(item);
        compute::reduce(iterator_at<Item>(items, 0), iterator_at<Item>(items, n),
            iterator_at<Item>(out, 0), commands);
    });
}

/* Boost's scan takes any function, and needs one that associates: items that are multiples of 4
 * count as 0 from the first step on. */
BOOST_COMPUTE_FUNCTION(compute::uint_, last_of, (compute::uint_ a, compute::uint_ b), {
    return b % 4 ? b : a % 4 ? a : 0;
});

int peer_boost_fused(
    cl_command_queue queue, peer_fused what, cl_mem items, cl_mem others, cl_mem out, std::size_t n)
{
    return as_items(queue, PEER_U32, [=](auto &commands, auto item) {
        using Item = decltype(item);
        const auto first = iterator_at<Item>(items, 0), last = iterator_at<Item>(items, n);
        const auto to = iterator_at<Item>(out, 0);
        if (what == PEER_DOT)
            compute::fill_n(to, 1,
                compute::inner_product(
                    first, last, iterator_at<Item>(others, 0), Item{0}, commands),
                commands);
        else if (what == PEER_ARGMIN)
            compute::fill_n(to, 1,
                static_cast<Item>(compute::min_element(first, last, commands) - first), commands);
        else if (what == PEER_LAST)
            compute::inclusive_scan(first, last, to, last_of, commands);
        else
            compute::adjacent_difference(first, last, to, commands);
    });
}

int peer_boost_unique(
    cl_command_queue queue, peer_items kind, cl_mem items, cl_mem out, std::size_t n)
{
    return as_items(queue, kind, [=](auto &commands, auto item) {
        using Item = decltype(item);
        compute::unique_copy(iterator_at<Item>(items, 0), iterator_at<Item>(items, n),
            iterator_at<Item>(out, 0), commands);
    });
}

int peer_boost_select(
    cl_command_queue queue, peer_items kind, cl_mem items, cl_mem out, std::size_t n)
{
    return as_items(queue, kind, [=](auto &commands, auto item) {
        using Item = decltype(item);
        compute::copy_if(iterator_at<Item>(items, 0), iterator_at<Item>(items, n),
            iterator_at<Item>(out, 0), compute::lambda::_1 % 2 == 0, commands);
    });
}
