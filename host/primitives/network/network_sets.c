/* SPDX-License-Identifier: MIT */
/*
 * Sets of wires as trees, whose links a step that does not fit takes back.
 */
#include <stdlib.h>
#include <string.h>

#include "primitives/network/network.h"

enum { WORD_BITS = 64 };

dmm_status dmm_network_sets_init(dmm_network_sets *sets, uint32_t wires)
{
    const size_t n = wires;
    sets->wires = wires;
    sets->parents = malloc(n * sizeof *sets->parents);
    sets->sizes = malloc(n * sizeof *sets->sizes);
    sets->links = malloc(n * sizeof *sets->links);
    sets->touched = calloc(n / WORD_BITS + 1, sizeof *sets->touched);
    if (sets->parents == NULL || sets->sizes == NULL || sets->links == NULL ||
        sets->touched == NULL)
        return DMM_OUT_OF_MEMORY;
    for (uint32_t wire = 0; wire < wires; wire++) {
        sets->parents[wire] = wire;
        sets->sizes[wire] = 1;
    }
    return DMM_OK;
}

void dmm_network_sets_free(dmm_network_sets *sets)
{
    free(sets->parents);
    free(sets->sizes);
    free(sets->links);
    free(sets->touched);
}

uint32_t dmm_network_sets_root(const dmm_network_sets *sets, uint32_t wire)
{
    while (sets->parents[wire] != wire)
        wire = sets->parents[wire];
    return wire;
}

static void touch(dmm_network_sets *sets, uint32_t wire)
{
    sets->touched[wire / WORD_BITS] |= UINT64_C(1) << wire % WORD_BITS;
}

int dmm_network_sets_join(
    dmm_network_sets *sets, const dmm_comparator *pairs, uint64_t count, uint32_t most)
{
    uint32_t links = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t a = dmm_network_sets_root(sets, pairs[i].low);
        const uint32_t b = dmm_network_sets_root(sets, pairs[i].high);
        const uint32_t up = sets->sizes[a] >= sets->sizes[b] ? a : b, down = up == a ? b : a;
        if (a == b)
            continue;
        if (sets->sizes[a] + sets->sizes[b] > most) {
            while (links-- != 0) {
                const uint32_t wire = sets->links[links];
                sets->sizes[sets->parents[wire]] -= sets->sizes[wire];
                sets->parents[wire] = wire;
            }
            return 0;
        }
        sets->parents[down] = up;
        sets->sizes[up] += sets->sizes[down];
        sets->links[links++] = down;
    }
    for (uint64_t i = 0; i < count; i++) {
        touch(sets, pairs[i].low);
        touch(sets, pairs[i].high);
    }
    return 1;
}

uint32_t dmm_network_sets_next(const dmm_network_sets *sets, uint32_t wire)
{
    while (wire < sets->wires) {
        const uint64_t rest = sets->touched[wire / WORD_BITS] >> wire % WORD_BITS;
        if (rest & 1)
            return wire;
        wire += rest != 0 ? 1 : WORD_BITS - wire % WORD_BITS;
    }
    return sets->wires;
}

void dmm_network_sets_clear(dmm_network_sets *sets)
{
    const uint32_t n = sets->wires;
    for (uint32_t wire = dmm_network_sets_next(sets, 0); wire < n;
         wire = dmm_network_sets_next(sets, wire + 1)) {
        sets->parents[wire] = wire;
        sets->sizes[wire] = 1;
    }
    memset(sets->touched, 0, (n / WORD_BITS + (size_t)1) * sizeof *sets->touched);
}
