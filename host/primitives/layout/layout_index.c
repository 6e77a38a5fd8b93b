/* SPDX-License-Identifier: MIT */
/*
 * The layouts as host functions, from the same source as the kernels.
 */
#include <dmm/layout.h>

#include <string.h>

#include "core/embedded.h"

#include "cl/layout.clh"

uint64_t dmm_layout_index(dmm_layout_kind kind, uint32_t B, uint64_t n, uint64_t rank)
{
    return dmm_tree_index(dmm_tree_of((dmm_u32)kind, B, n), rank);
}

uint64_t dmm_layout_rank(dmm_layout_kind kind, uint32_t B, uint64_t n, uint64_t place)
{
    return dmm_tree_rank(dmm_tree_of((dmm_u32)kind, B, n), place);
}

const char *dmm_layout_source(void)
{
    const dmm_embedded *source = dmm_embedded_sources;
    while (strcmp(source->name, "cl/layout.clh") != 0)
        source++;
    return source->text;
}
