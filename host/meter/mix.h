/* SPDX-License-Identifier: MIT */
#ifndef DMM_METER_MIX_H
#define DMM_METER_MIX_H

#include <cstdint>

#include "cl/hash.clh"

namespace meter
{

/* Returns a hash of two numbers. */
inline uint64_t mix(uint64_t a, uint64_t b)
{
    return dmm_mix((a ^ (b * DMM_GOLDEN)) + DMM_GOLDEN);
}

inline uint64_t mix(uint64_t a, const void *b)
{
    return mix(a, static_cast<uint64_t>(reinterpret_cast<uintptr_t>(b)));
}

} // namespace meter

#endif
