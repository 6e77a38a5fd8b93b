/* SPDX-License-Identifier: MIT */
/*
 * Parameters and program of a search.
 */
#ifndef DMM_PRIMITIVES_SEARCH_BUILD_H
#define DMM_PRIMITIVES_SEARCH_BUILD_H

#include <dmm/search.h>

#include "primitives/items.h"

struct dmm_search {
    dmm_object object;
    dmm_search_desc desc; /* no field means a default */
    dmm_item_layout layout;
    dmm_parameters p;
    dmm_lanes_by lanes_by; /* how lanes of TEAMS exchange data */
    cl_kernel kernel;
};

/* Chooses the parameters of a search by teams, merge or items, and builds its kernel. team: the
 * description's; by_lanes: lanes of a sub-group may exchange data. */
dmm_status dmm_search_build(dmm_search *search, uint32_t team, int by_lanes);

#endif
