/* SPDX-License-Identifier: MIT */
#ifndef DMM_METER_MIX_H
#define DMM_METER_MIX_H

#include <cstdint>

namespace meter
{

/* Returns a hash of two numbers: the finaliser of SplitMix64 (Steele, Lea, Flood 2014, doi
 * 10.1145/2660193.2660195). */
inline uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

inline uint64_t mix(uint64_t a, const void *b)
{
    return mix(a, static_cast<uint64_t>(reinterpret_cast<uintptr_t>(b)));
}

} // namespace meter

#endif
