/* SPDX-License-Identifier: MIT */
/* Choosing rows. */
#include "support/cover.h"

#include <stdlib.h>
#include <string.h>

#include "cl/hash.clh"
#include "support/require.h"
#include "support/rig.h"

/* True if this level is new; from now on it is not. */
static int add(cover *c, size_t factor, uint64_t level)
{
    size_t i = 0;
    while (i < c->num_seen && (c->seen[i].factor != factor || c->seen[i].level != level))
        i++;
    if (i < c->num_seen)
        return 0;
    REQUIRE(c->num_seen < COVER_MOST);
    c->seen[i].factor = factor;
    c->seen[i].level = level;
    c->num_seen++;
    return 1;
}

/* True if every row runs. */
static int takes_all(void)
{
    const char *const all = getenv("DMM_TEST_ROWS");
    return sizes_wanted() == SIZES_FULL || (all != NULL && strcmp(all, "all") == 0);
}

uint64_t by_rows(uint64_t few, uint64_t all)
{
    return sizes_wanted() == SIZES_SMALL && !takes_all() ? few : all;
}

int cover_takes(cover *c, const uint64_t *levels, size_t count, size_t few)
{
    int takes = takes_all();
    for (size_t i = 0; i < (sizes_wanted() == SIZES_SMALL ? few : count); i++)
        takes |= add(c, i, levels[i]);
    return takes;
}

uint64_t cover_order(const kind *k)
{
    enum { UNSIGNED, SIGNED, FLOAT, ITEM, LESS };
    switch (k->order.type) {
    case DMM_I8:
    case DMM_I16:
    case DMM_I32:
    case DMM_I64:
        return k->order.less != NULL ? LESS : SIGNED;
    case DMM_F16:
    case DMM_F32:
    case DMM_F64:
        return k->order.less != NULL ? LESS : FLOAT;
    case DMM_ITEM:
        return ITEM;
    default:
        return k->order.less != NULL ? LESS : UNSIGNED;
    }
}

uint64_t cover_text(const char *text)
{
    uint64_t hash = DMM_FNV1A;
    for (; *text != '\0'; text++)
        hash = dmm_fnv1a(hash, (unsigned char)*text);
    return hash;
}

uint64_t cover_bytes(uint32_t bytes)
{
    const int is_power = (bytes & (bytes - 1)) == 0;
    return is_power && bytes <= 8 ? bytes : bytes % 4 == 0 ? 12 : 3;
}
