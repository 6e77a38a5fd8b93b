/* SPDX-License-Identifier: MIT */
/*
 * The permutation as a host function, from the same source as the kernels.
 */
#include <dmm/shuffle.h>

#include <string.h>

#include "core/embedded.h"

#include "cl/shuffle.clh"

uint64_t dmm_shuffle_index(uint64_t seed, uint64_t n, uint64_t i)
{
    return dmm_shuffle_from(dmm_shuffle_begin(seed, n), i);
}

uint64_t dmm_shuffle_place(uint64_t seed, uint64_t n, uint64_t x)
{
    return dmm_shuffle_to(dmm_shuffle_begin(seed, n), x);
}

const char *dmm_shuffle_source(void)
{
    const dmm_embedded *source = dmm_embedded_sources;
    while (strcmp(source->name, "cl/shuffle.clh") != 0)
        source++;
    return source->text;
}
