/* SPDX-License-Identifier: MIT */
/*
 * Kernels that call an integer intrinsic of LLVM each, and compute its value in another way. They
 * access `words`, which is 0 (known.cl), without a conflict if both agree in every lane, and with
 * conflicts if not. PLANTED differs from 0: they must not agree.
 */
#ifndef PLANTED
#define PLANTED 0
#endif

/* AGREE(word, found, expected): x and y are numbers of the lane, of all magnitudes and signs, and
 * `none` is 0, which no optimiser knows. */
#define AGREE(word, found, expected)                                                \
    kernel void word(global uint *out, local uint *words)                           \
    {                                                                               \
        const uint t = get_local_id(0), none = words[t];                            \
        const uint x = (t * 0x9e3779b9u ^ 0x80000000u) >> t;                        \
        const uint y = ~(t * 0x85ebca6bu >> (31 - t));                              \
        const uint z = (uint)(found) + PLANTED, other = (uint)(expected);           \
        out[t] = words[z == other ? t : 32 * t] + y;                                \
    }

/* Bit by bit, in a loop whose end is in memory, so that no optimiser takes it for an intrinsic. */
uint reversed(uint x, uint bits)
{
    uint turned = 0;
    for (uint i = 0; i < bits; i++)
        turned = turned << 1 | (x >> i & 1);
    return turned;
}

uint counted(uint x, uint bits)
{
    uint count = 0;
    for (uint i = 0; i < bits; i++)
        count += x >> i & 1;
    return count;
}

uint zeros_below(uint x, uint bits)
{
    uint count = 0;
    for (uint i = 0; i < bits && count == i; i++)
        count += (x >> i & 1) == 0;
    return count;
}

uint sum(uint a, uint b)
{
    return (a >> 1) + (b >> 1) + (a & b & 1) >= 0x80000000u ? 0xffffffffu : a + b;
}

uint held(long x)
{
    const long below = x < 0x7fffffffL ? x : 0x7fffffffL;
    return (uint)(below > -0x80000000L ? below : -0x80000000L);
}

uint signed_sum(uint a, uint b)
{
    const uint plain = a + b, limit = 0x7fffffffu + (a >> 31);
    return ((a ^ plain) & (b ^ plain)) >> 31 != 0 ? limit : plain;
}

AGREE(abs_32, __builtin_elementwise_abs((int)x), (int)(x + none) < 0 ? 0u - x : x)
AGREE(abs_vector, __builtin_elementwise_abs((int2)(x, y)).y, (int)(y + none) < 0 ? 0u - y : y)
AGREE(bitreverse_64, __builtin_bitreverse64((ulong)x << 32 | y) >> 32, reversed(y, 32 + none))
AGREE(bitreverse_32, __builtin_bitreverse32(x), reversed(x, 32 + none))
AGREE(ctpop_32, __builtin_popcount(x), counted(x, 32 + none))
AGREE(ctlz_32, __builtin_clz(x | 1), zeros_below(reversed(x | 1, 32 + none), 32))
AGREE(cttz_32, __builtin_ctz(x | 0x80000000u), zeros_below(x | 0x80000000u, 32 + none))
AGREE(fshl_two, x << 8 | y >> 24, (uint)((((ulong)x << 32 | y) + none) >> 24))
AGREE(fshl_32, __builtin_rotateleft32(x, t), (uint)((((ulong)x << 32 | x) + none) >> (32 - t)))
AGREE(fshr_32, __builtin_rotateright32(x, t), (uint)((((ulong)x << 32 | x) + none) >> t))
AGREE(uadd_sat_32, x + y < x ? 0xffffffffu : x + y, sum(x + none, y))
AGREE(usub_sat_32, x > y ? x - y : 0u, (uint)((ulong)(x + none) > y) * (x - y))
AGREE(sadd_sat_32, held((long)(int)x + (int)y), signed_sum(x, y))
AGREE(ssub_sat_32, held((long)(int)x - (int)y), ~signed_sum(~x, y))
