/* SPDX-License-Identifier: MIT */
/*
 * CGAL's hull by Akl and Toussaint's filter, with exact predicates.
 */
#include "peers/peers.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/ch_akl_toussaint.h>

#include <iterator>
#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

struct peer_cgal_points {
    std::vector<Kernel::Point_2> points;
};

peer_cgal_points *peer_cgal_make(const float *coords, size_t n)
{
    auto *p = new peer_cgal_points;
    p->points.reserve(n);
    for (size_t i = 0; i < n; i++)
        p->points.emplace_back(coords[2 * i], coords[2 * i + 1]);
    return p;
}

size_t peer_cgal_hull(const peer_cgal_points *p)
{
    std::vector<Kernel::Point_2> hull;
    CGAL::ch_akl_toussaint(p->points.begin(), p->points.end(), std::back_inserter(hull));
    return hull.size();
}

void peer_cgal_free(peer_cgal_points *p)
{
    delete p;
}
