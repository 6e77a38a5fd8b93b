/* SPDX-License-Identifier: MIT */
/* A picture of points and their hull. */
#ifndef DMM_CLI_HULL_SVG_H
#define DMM_CLI_HULL_SVG_H

#include "array.h"

/* Draws 2n numbers as points, thinned where there are many, and the hull through `count` of them.
 * `whole`: closed. */
bool cli_draw_hull(cli_output *output, const cli_array *points, const uint64_t *hull, size_t count,
    bool whole, cli_error *error);

#endif
