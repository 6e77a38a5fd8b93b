/* SPDX-License-Identifier: MIT */
/* Exact splitting of sorted lists by counting. */
#include "split.h"

uint32_t dmm_split_digit_bits(size_t num_goals)
{
    uint32_t bits = 1;
    while (bits < 8 && num_goals * ((2u << bits) - 1) <= DMM_SPLIT_COUNTS)
        bits++;
    return bits;
}

size_t dmm_split_most_counts(size_t num_goals)
{
    return num_goals * ((1u << dmm_split_digit_bits(num_goals)) - 1);
}

void dmm_split_begin(dmm_split *split)
{
    split->digit_bits = dmm_split_digit_bits(split->num_goals);
    split->bits_left = 8 * split->code.bytes;
    for (size_t i = 0; i < split->num_goals; i++) {
        dmm_goal *const goal = &split->goals[i];
        goal->prefix = goal->below = goal->lo = 0;
        goal->hi = split->n;
    }
}

/* Returns the bits of the next digit. */
static uint32_t digit_of(const dmm_split *split)
{
    return split->bits_left < split->digit_bits ? split->bits_left : split->digit_bits;
}

/* Returns the items of the list with codes less than `code`, which is between those of lo and
 * hi. */
static uint64_t count_below(const dmm_split *split, uint64_t lo, uint64_t hi, uint64_t code)
{
    while (lo < hi) {
        const uint64_t middle = lo + (hi - lo) / 2;
        if (dmm_key_code_at(&split->code, split->keys, middle) < code)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

size_t dmm_split_count(const dmm_split *split, uint64_t *counts)
{
    const uint32_t bits = digit_of(split);
    const uint64_t values = 1ull << bits;
    if (bits == 0)
        return 0;
    size_t at = 0;
    for (size_t i = 0; i < split->num_goals; i++) {
        const dmm_goal *const goal = &split->goals[i];
        uint64_t lo = goal->lo;
        for (uint64_t digit = 1; digit < values; digit++) {
            lo =
                count_below(split, lo, goal->hi, goal->prefix | digit << (split->bits_left - bits));
            counts[at++] = lo;
        }
    }
    return at;
}

/* The digit is the largest with no more items below it than the goal. */
void dmm_split_take(dmm_split *split, const uint64_t *counts, const uint64_t *sums)
{
    const uint32_t bits = digit_of(split);
    const size_t others = ((size_t)1 << bits) - 1;
    split->bits_left -= bits;
    for (size_t i = 0; i < split->num_goals; i++, counts += others, sums += others) {
        dmm_goal *const goal = &split->goals[i];
        size_t digit = 0;
        while (digit < others && sums[digit] <= goal->position)
            digit++;
        if (digit < others)
            goal->hi = counts[digit];
        if (digit > 0) {
            goal->lo = counts[digit - 1];
            goal->below = sums[digit - 1];
            goal->prefix |= (uint64_t)digit << split->bits_left;
        }
    }
}

void dmm_split_ties(const dmm_split *split, uint64_t *ties)
{
    for (size_t i = 0; i < split->num_goals; i++)
        ties[i] = split->goals[i].hi - split->goals[i].lo;
}

uint64_t dmm_split_cut(const dmm_split *split, size_t i, uint64_t ties_before)
{
    const dmm_goal *const goal = &split->goals[i];
    const uint64_t wanted = goal->position - goal->below, ties = goal->hi - goal->lo;
    const uint64_t mine = wanted > ties_before ? wanted - ties_before : 0;
    return goal->lo + (mine < ties ? mine : ties);
}
