/* SPDX-License-Identifier: MIT */
/*
 * Without CGAL.
 */
#include "peers/peers.h"

peer_cgal_points *peer_cgal_make(const float *, size_t)
{
    return nullptr;
}

size_t peer_cgal_hull(const peer_cgal_points *)
{
    return 0;
}

void peer_cgal_free(peer_cgal_points *)
{
}
