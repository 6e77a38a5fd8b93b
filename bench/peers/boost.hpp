/* SPDX-License-Identifier: MIT */
/*
 * What the files about Boost.Compute share.
 */
#ifndef DMM_PEERS_BOOST_HPP
#define DMM_PEERS_BOOST_HPP

#include "peers/peers.h"

#include <boost/compute/buffer.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

namespace compute = boost::compute;

namespace boosted
{

template <class Item> compute::buffer_iterator<Item> iterator_at(cl_mem buffer, std::size_t i)
{
    return compute::make_buffer_iterator<Item>(compute::buffer(buffer), i);
}

/* Calls run(queue, Item()) for keys of that kind, and waits; pairs are refused. */
template <class Run> int as_items(cl_command_queue queue, peer_items kind, Run run)
{
    compute::command_queue commands(queue);
    if (kind == PEER_U32)
        run(commands, compute::uint_());
    else if (kind == PEER_U64)
        run(commands, compute::ulong_());
    else
        return 0;
    commands.finish();
    return 1;
}

} // namespace boosted

#endif
