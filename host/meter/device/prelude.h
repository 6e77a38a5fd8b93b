/* SPDX-License-Identifier: MIT */
#ifndef DMM_METER_PRELUDE_H
#define DMM_METER_PRELUDE_H

static const char meter_prelude[] = R"CL(
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF
/* Keeps PoCL's optimiser from joining blocks that are alike (behind.cpp). PoCL 6.0 stops with an
 * assertion if assembly has fewer operands: it takes the call for one with arguments. */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define METER_BEHIND __asm__ volatile("" : : "r"(0), "r"(0), "r"(0), "r"(0))
#else
#define METER_BEHIND (void)0
#endif
/*
 * What the meter adds to a program: each work-item writes 16 bytes for each access into blocks that
 * it takes from one pool (layout: records.h).
 */
typedef struct {
    __global ulong *region; /* this work-item's; its first slot is the head */
    ulong item;             /* its linear number in the group */
    ulong launch;
    ulong operations; /* executed, if they are counted */
    ulong records;    /* so far */
    ulong most;       /* records that have a place */
} meter_lane;

static inline ulong meter_mix(ulong a, ulong b)
{
    ulong z = (a ^ (b * 0x9e3779b97f4a7c15ul)) + 0x9e3779b97f4a7c15ul;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
    return z ^ (z >> 31);
}

/* Without a branch: compilers that split a kernel at its barriers take minutes for many branches.
 * What has no place is written to the slot behind the last one. */
static inline void meter_record(__private meter_lane *m, ulong a, ulong b)
{
    __global ulong *at = m->region + 2 + 2 * min(m->records, m->most);
    at[0] = a;
    at[1] = b;
    m->records++;
}

/* Counts only for the first work-item of a group. */
static inline void meter_base(__private meter_lane *m, ulong array, ulong address)
{
    meter_record(m, array << 20 | 2 /* EVENT_BASE */, address);
    m->records -= m->item == 0 ? 0 : 1;
}

static inline void meter_access(__private meter_lane *m, uint site, ulong path, ulong address)
{
    meter_record(m, path << 20 | site, (path >> 44) << 52 | (address & (ULONG_MAX >> 12)));
}

void meter_begin(__private meter_lane *m, __global ulong *pool)
{
    const ulong stride = pool[1], items = pool[2];
    const ulong row = get_group_id(1) + get_num_groups(1) * (ulong)get_group_id(2);
    const ulong group = get_group_id(0) + get_num_groups(0) * row;
    const ulong line = get_local_id(1) + get_local_size(1) * (ulong)get_local_id(2);
    const bool metered = group % stride == 0;
    m->item = get_local_id(0) + get_local_size(0) * line;
    m->launch = pool[3];
    m->most = metered ? pool[0] : 0;
    m->region = pool + (metered ? 2 * (pool[0] + 2) * (1 + group / stride * items + m->item) : 4);
    m->operations = m->records = 0;
}

void meter_end(__private meter_lane *m, bool operations)
{
    if (operations)
        meter_record(m, 5 /* EVENT_OPERATIONS */, m->operations);
    m->region[0] = m->records;
    m->region[1] = m->launch;
}

/* As in Oclgrind, which computes with doubles. */
float meter_fmuladd(float a, float b, float c)
{
#ifdef cl_khr_fp64
    return (float)((double)a * (double)b + (double)c);
#else
    return fma(a, b, c);
#endif
}

uint meter_cttz32(uint x)
{
    return popcount((x & -x) - 1);
}

ulong meter_cttz64(ulong x)
{
    return popcount((x & -x) - 1);
}

uint meter_bswap32(uint x)
{
    return as_uint(as_uchar4(x).s3210);
}

ulong meter_bswap64(ulong x)
{
    return as_ulong(as_uchar8(x).s76543210);
}

ulong meter_bitreverse64(ulong x)
{
    x = (x >> 1 & 0x5555555555555555ul) | (x & 0x5555555555555555ul) << 1;
    x = (x >> 2 & 0x3333333333333333ul) | (x & 0x3333333333333333ul) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0ful) | (x & 0x0f0f0f0f0f0f0f0ful) << 4;
    return meter_bswap64(x);
}

uint meter_bitreverse32(uint x)
{
    return (uint)(meter_bitreverse64(x) >> 32);
}
)CL";

#endif
