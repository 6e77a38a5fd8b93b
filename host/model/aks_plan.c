/* SPDX-License-Identifier: MIT */
/* Sizes of an AKS network: A. Fischer 2020, (2.1) to (2.3) and table 2.2, after V. Chvatal 1992. */
#include <assert.h>

#include "network.h"

uint32_t dmm_aks_rounds(uint32_t d)
{
    return 3 * d - 20;
}

/* Between d - 4 and the last round, 4 | d: t - d has the remainder of t. */
uint32_t dmm_aks_first_level(uint32_t d, uint32_t t)
{
    static const uint32_t added[4] = {8, 5, 6, 7};
    if (t + 5 <= d)
        return t % 2;
    return (t + added[t % 4] - d) / 2;
}

uint32_t dmm_aks_last_level(uint32_t t)
{
    static const uint32_t added[3] = {6, 2, 4};
    return t == 0 ? 0 : (t + added[t % 3]) / 3;
}

/* The capacity c(i, t) = 2^(d + 2i - t - 2) as c * 2^shift. Fractions of it are whole: c of inner
 * and last levels is 64 or more. */
dmm_aks_node dmm_aks_node_of(uint32_t d, uint32_t level, uint32_t t)
{
    static const uint32_t shares[3] = {3, 63, 15}, fringes[3] = {1, 21, 5};
    const uint32_t exponent = t == 0 ? d : d + 2 * level - t - 2;
    const uint32_t shift = exponent > DMM_AKS_SHIFT_FROM ? exponent - DMM_AKS_SHIFT_FROM : 0;
    const uint32_t c = UINT32_C(1) << (exponent - shift);
    dmm_aks_node node = {.a = c, .shift = shift};
    if (t == 0)
        return node;
    if (level == dmm_aks_first_level(d, t)) {
        if (dmm_aks_first_level(d, t + 1) < level)
            node.f = c / 16;
        return node;
    }
    const uint32_t third = level == dmm_aks_last_level(t) ? t % 3 : 1;
    assert(c >= 64);
    node.a = c / 64 * shares[third];
    node.f = node.a / fringes[third];
    return node;
}
