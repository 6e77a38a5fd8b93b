/* SPDX-License-Identifier: MIT */
/*
 * Is an array of n positions a permutation of 0 .. n-1? Its first offender is the least i whose
 * position is out of range, or that of an earlier i.
 * Mark       a bit for each position: whoever finds it set, or has none to set, raises the flag
 * Own        only if the flag is up: the least i of each position, by atomic minima; where i has 64
 *            bits first its upper half, then the lower among those with that upper half
 * Find       only if the flag is up: each group's first offender in its range
 * Report     one work-item: the first of all
 * Cost       without an offender: a read of each position, and an atomic on n bits
 * Claim      no local memory
 */
#include "cl/common.clh"
#include "cl/permute/permute.clh"

#if !defined(DMM_PLAIN_U) || DMM_PLAIN_U < 1
#error "DMM_PLAIN_U must be at least 1"
#endif
#define DMM_NOBODY 0xffffffffu
/* Words of the least i of a position: lower halves, then upper halves. */
#define DMM_OWNER_WORDS (DMM_INDEX_BYTES / 4)

/* All kernels take the same arguments. what: in own 1 for upper halves; in tell the code of an
 * array that is no permutation. */
#define DMM_CHECK_PARAMETERS                                                              \
    global const dmm_place *index, ulong index_at, global uint *bits, ulong bits_at,      \
        global uint *owners, ulong owners_at, global uint *found, ulong found_at,         \
        global uint *bad, ulong bad_at, global uint *report, ulong report_at, ulong n,    \
        ulong range, uint groups, uint what

DMM_KERNEL(DMM_PLAIN_U)
void dmm_permute_clear(DMM_CHECK_PARAMETERS)
{
    const ulong x = get_global_id(0);
    if (x < (n + 31) / 32)
        bits[bits_at + x] = 0;
    if (x < groups)
        found[found_at + x] = DMM_NOBODY;
    if (x == 0)
        bad[bad_at] = 0;
    for (uint i = 0; i < DMM_OWNER_WORDS && x < n; i++)
        owners[owners_at + x + i * n] = DMM_NOBODY;
}

DMM_KERNEL(DMM_PLAIN_U)
void dmm_permute_mark(DMM_CHECK_PARAMETERS)
{
    const ulong x = get_global_id(0);
    if (x >= n)
        return;
    const ulong place = index[index_at + x];
    const uint bit = 1u << (place % 32);
    if (place >= n || (atomic_or(&bits[bits_at + place / 32], bit) & bit))
        atomic_or(&bad[bad_at], 1u);
}

DMM_KERNEL(DMM_PLAIN_U)
void dmm_permute_own(DMM_CHECK_PARAMETERS)
{
    const ulong x = get_global_id(0);
    if (x >= n || bad[bad_at] == 0)
        return;
    const ulong place = index[index_at + x];
    if (place >= n)
        return;
    if (what)
        atomic_min(&owners[owners_at + n + place], (uint)(x >> 32));
    else if (DMM_OWNER_WORDS == 1 || owners[owners_at + n + place] == (uint)(x >> 32))
        atomic_min(&owners[owners_at + place], (uint)x);
}

/* Group g looks at positions g*range .. (g + 1)*range - 1, fewer than 2^32. */
DMM_KERNEL(DMM_PLAIN_U)
void dmm_permute_find(DMM_CHECK_PARAMETERS)
{
    const ulong group = get_global_id(0) / DMM_PLAIN_U, first = group * range;
    const ulong end = first + min(range, n - first);
    if (bad[bad_at] == 0)
        return;
    for (ulong x = first + get_local_id(0); x < end; x += DMM_PLAIN_U) {
        const ulong place = index[index_at + x];
        int offends = place >= n;
        if (!offends) {
            ulong owner = owners[owners_at + place];
            if (DMM_OWNER_WORDS == 2)
                owner |= (ulong)owners[owners_at + n + place] << 32;
            offends = owner != x;
        }
        if (offends)
            atomic_min(&found[found_at + group], (uint)(x - first));
    }
}

/* {code, rounds, position}: dmm_permute_report. */
DMM_KERNEL(1)
void dmm_permute_tell(DMM_CHECK_PARAMETERS)
{
    ulong position = 0;
    uint code = 0;
#if DMM_CHECKED
    for (uint g = 0; g < groups && code == 0 && bad[bad_at]; g++)
        if (found[found_at + g] != DMM_NOBODY) {
            position = g * range + found[found_at + g];
            code = what;
        }
#endif
    report[report_at] = code;
    report[report_at + 1] = 0;
    report[report_at + 2] = (uint)position;
    report[report_at + 3] = (uint)(position >> 32);
}
