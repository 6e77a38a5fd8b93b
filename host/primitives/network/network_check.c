/* SPDX-License-Identifier: MIT */
/*
 * Checks that a network's wires exist and are in at most one comparator of a step.
 */
#include <stdlib.h>

#include "primitives/network/network.h"

enum { MOST_PAIRS = 1 << 30 };

/* Finds the first comparator with a wrong wire. last: for each wire the last step that has it,
 * counted from 1; zeros at first. */
static int find_fault(const dmm_network_desc *desc, uint64_t *last, uint64_t *position)
{
    uint64_t i = 0;
    for (uint64_t step = 0; step < desc->steps; step++)
        for (; i < desc->ends[step]; i++) {
            const uint32_t low = desc->pairs[i].low, high = desc->pairs[i].high;
            if (low >= desc->wires || high >= desc->wires || low == high || last[low] == step + 1 ||
                last[high] == step + 1) {
                *position = i;
                return 1;
            }
            last[low] = last[high] = step + 1;
        }
    return 0;
}

dmm_status dmm_network_check(const dmm_network_desc *desc, uint64_t *position)
{
    uint64_t fault = 0;
    if (desc == NULL || (desc->steps != 0 && desc->ends == NULL))
        return DMM_NULL_ARGUMENT;
    if (desc->wires > DMM_NETWORK_MAX_WIRES)
        return DMM_BAD_VALUE;
    for (uint64_t step = 1; step < desc->steps; step++)
        if (desc->ends[step] < desc->ends[step - 1])
            return DMM_BAD_VALUE;
    const uint64_t pairs = desc->steps != 0 ? desc->ends[desc->steps - 1] : 0;
    if (pairs != 0 && desc->pairs == NULL)
        return DMM_NULL_ARGUMENT;
    if (pairs > MOST_PAIRS)
        return DMM_TOO_LARGE;
    uint64_t *const last = calloc(desc->wires + (size_t)1, sizeof *last);
    if (last == NULL)
        return DMM_OUT_OF_MEMORY;
    const int found = find_fault(desc, last, &fault);
    free(last);
    if (found && position != NULL)
        *position = fault;
    return found ? DMM_BAD_DATA : DMM_OK;
}
