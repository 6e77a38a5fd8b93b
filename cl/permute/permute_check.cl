/* SPDX-License-Identifier: MIT */
/*
 * Checks that an array of n positions is a permutation of 0 .. n-1. The first offender is the least
 * i whose position is out of range or equal to an earlier one.
 * Mark       sets one bit for each position; raises the flag if it is set already or out of range
 * Own        if the flag is up: the least i of each position, by atomic minima; 64-bit i first by
 *            upper halves, then by lower ones among those with the least upper half
 * Find       if the flag is up: the first offender in each group's range
 * Report     one work-item: the first of all
 * Cost       without an offender: a read of each position, and an atomic operation on one of n bits
 * Claim      no local memory
 */
#include "cl/common.clh"
#include "cl/permute/permute.clh"

#define DMM_NOBODY 0xffffffffu
/* Words of the least i of a position: lower halves, then upper halves. */
#define DMM_OWNER_WORDS (DMM_INDEX_BYTES / 4)

#define DMM_CHECK_PARAMETERS                                                                 \
    global const dmm_place *index, global uint *bits, global uint *owners, global uint *found, \
        global uint *bad, global uint *report, const dmm_permute_check_call c

DMM_KERNEL(DMM_PERMUTE_PLAIN_U)
void dmm_permute_clear(DMM_CHECK_PARAMETERS)
{
    const ulong x = get_global_id(0);
    if (x < (c.n + 31) / 32)
        bits[c.bits_at + x] = 0;
    if (x < c.groups)
        found[c.found_at + x] = DMM_NOBODY;
    if (x == 0)
        bad[c.bad_at] = 0;
    for (uint i = 0; i < DMM_OWNER_WORDS && x < c.n; i++)
        owners[c.owners_at + x + i * c.n] = DMM_NOBODY;
}

DMM_KERNEL(DMM_PERMUTE_PLAIN_U)
void dmm_permute_mark(DMM_CHECK_PARAMETERS)
{
    const ulong x = get_global_id(0);
    if (x >= c.n)
        return;
    const ulong place = index[c.index_at + x];
    const uint bit = 1u << (place % 32);
    if (place >= c.n || (atomic_or(&bits[c.bits_at + place / 32], bit) & bit))
        atomic_or(&bad[c.bad_at], 1u);
}

DMM_KERNEL(DMM_PERMUTE_PLAIN_U)
void dmm_permute_own(DMM_CHECK_PARAMETERS)
{
    const ulong x = get_global_id(0);
    if (x >= c.n || bad[c.bad_at] == 0)
        return;
    const ulong place = index[c.index_at + x];
    if (place >= c.n)
        return;
    if (c.upper)
        atomic_min(&owners[c.owners_at + c.n + place], (uint)(x >> 32));
    else if (DMM_OWNER_WORDS == 1 || owners[c.owners_at + c.n + place] == (uint)(x >> 32))
        atomic_min(&owners[c.owners_at + place], (uint)x);
}

/* Group g searches positions g*range .. (g + 1)*range - 1, fewer than 2^32. */
DMM_KERNEL(DMM_PERMUTE_PLAIN_U)
void dmm_permute_find(DMM_CHECK_PARAMETERS)
{
    const ulong group = get_global_id(0) / DMM_PERMUTE_PLAIN_U, first = group * c.range;
    const ulong end = first + min(c.range, c.n - first);
    if (bad[c.bad_at] == 0)
        return;
    for (ulong x = first + get_local_id(0); x < end; x += DMM_PERMUTE_PLAIN_U) {
        const ulong place = index[c.index_at + x];
        int offends = place >= c.n;
        if (!offends) {
            ulong owner = owners[c.owners_at + place];
            if (DMM_OWNER_WORDS == 2)
                owner |= (ulong)owners[c.owners_at + c.n + place] << 32;
            offends = owner != x;
        }
        if (offends)
            atomic_min(&found[c.found_at + group], (uint)(x - first));
    }
}

/* Writes a dmm_report; rounds are added to its detail. */
DMM_KERNEL(1)
void dmm_permute_tell(DMM_CHECK_PARAMETERS)
{
    ulong position = 0;
    uint code = 0;
#if DMM_CHECKED
    for (uint g = 0; g < c.groups && code == 0 && bad[c.bad_at]; g++)
        if (found[c.found_at + g] != DMM_NOBODY) {
            position = g * c.range + found[c.found_at + g];
            code = c.code;
        }
#endif
    report[c.report_at] = code;
    report[c.report_at + 1] = 0;
    report[c.report_at + 2] = (uint)position;
    report[c.report_at + 3] = (uint)(position >> 32);
}
