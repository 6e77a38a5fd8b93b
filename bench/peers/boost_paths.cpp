/* SPDX-License-Identifier: MIT */
/*
 * Boost.Graph's Dijkstra, with its heap of four children a node, on its graph of compressed rows.
 */
#include "peers/peers.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <cstdint>
#include <utility>
#include <vector>

struct street {
    std::uint32_t weight;
};

using csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, street,
    boost::no_property, std::uint32_t, std::uint64_t>;

struct peer_boost_graph {
    csr graph;
};

peer_boost_graph *peer_boost_graph_make(const peer_graph *g)
{
    const std::uint64_t m = g->offsets[g->n];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    std::vector<street> weights;
    edges.reserve(m);
    weights.reserve(m);
    for (std::size_t u = 0; u < g->n; u++)
        for (std::uint64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
            edges.emplace_back(static_cast<std::uint32_t>(u), g->targets[e]);
            weights.push_back({g->weights[e]});
        }
    return new peer_boost_graph{csr(boost::edges_are_sorted, edges.begin(), edges.end(),
        weights.begin(), static_cast<std::uint32_t>(g->n), m)};
}

int peer_boost_dijkstra(const peer_boost_graph *g, std::uint32_t *distances)
{
    if (g == nullptr)
        return 0;
    boost::dijkstra_shortest_paths(g->graph, 0,
        boost::weight_map(boost::get(&street::weight, g->graph))
            .distance_map(boost::make_iterator_property_map(
                distances, boost::get(boost::vertex_index, g->graph))));
    return 1;
}

void peer_boost_graph_free(peer_boost_graph *g)
{
    delete g;
}
