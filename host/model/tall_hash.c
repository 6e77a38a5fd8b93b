/* SPDX-License-Identifier: MIT */
/*
 * The hash function of a round, from row numbers to 0..m-1, and how rows share words.
 *
 * The paper takes a family of A. and R. Pagh: m-wise independent on any m keys but with a
 * probability of m^-c, O(m) words, constant time. Here it is mixed tabulation (S. Dahlgaard, M.
 * Knudsen, E. Rotenberg, M. Thorup, Hashing for statistics over k-partitions, FOCS 2015), which has
 * small constants and is simple: a row number is taken apart into characters of an alphabet of 2m,
 * tables give DERIVED characters more, and all of them look up random values, which are added
 * (xor). Its authors show that it hashes a given set uniformly with high probability; we take that
 * for m keys, half the alphabet, and use no exponent. Characters are constant in number where w is
 * polynomial in m; otherwise the paper's family first reduces the universe, and we take log_2m w of
 * them.
 */
#include <stdbool.h>

#include "cl/hash.clh"
#include "model/tall.h"

enum { DERIVED = 6 }; /* 6 characters of 9 bits and a value of 8 fit a word: m <= 256 */

uint64_t dmm_tall_random(dmm_tall *t)
{
    return dmm_mix(t->random += DMM_GOLDEN);
}

void dmm_tall_own(dmm_tall *t, uint32_t j)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        t->b.at[i] = dmm_banked_word(&t->b, i, j);
}

static void nobody(dmm_tall *t)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        t->b.at[i] = DMM_IDLE;
}

/* ---- Broadcasting -------------------------------------------------------------------------- */

/* Returns the number of rows among which the words are first spread: a power of two, at most 2m. */
static uint32_t spread_of(const dmm_tall *t)
{
    return t->b.w < 2 * t->b.m ? t->b.w : 2 * t->b.m;
}

uint32_t dmm_tall_shared_columns(const dmm_tall *t, uint32_t words)
{
    const uint32_t g = spread_of(t);
    return (words + g - 1) / g * g;
}

/* Lets row 0 write a word to its own memory, read it, and write it to row j mod g. */
static void spread_word(dmm_tall *t, uint32_t j, uint64_t word)
{
    const uint32_t row = j % spread_of(t);
    nobody(t);
    t->b.hand[0] = word;
    t->b.at[0] = dmm_banked_word(&t->b, 0, t->shared + j);
    dmm_banked_write(&t->b);
    dmm_banked_read(&t->b);
    t->b.at[0] = dmm_banked_word(&t->b, row, t->shared + j);
    dmm_banked_write(&t->b);
}

/* Copies words: rows below `have` have the words of their number mod g, and as many more rows get
 * them. */
static void double_words(dmm_tall *t, uint32_t have, uint32_t columns)
{
    const uint32_t g = spread_of(t);
    for (uint32_t s = 0; s < columns; s += g)
        for (int write = 0; write < 2; write++) {
            nobody(t);
            for (uint32_t i = 0; i < have; i++)
                t->b.at[i] = dmm_banked_word(&t->b, write ? i + have : i, t->shared + s + i % g);
            if (write)
                dmm_banked_write(&t->b);
            else
                dmm_banked_read(&t->b);
        }
}

/* Among g rows, lets each read from each other in turn: no two from the same one. */
static void exchange_words(dmm_tall *t, uint32_t columns)
{
    const uint32_t g = spread_of(t);
    for (uint32_t turn = 1; turn < g; turn++)
        for (uint32_t s = 0; s < columns; s += g)
            for (int write = 0; write < 2; write++) {
                for (uint32_t i = 0; i < t->b.w; i++) {
                    const uint32_t other = (i + turn) % g;
                    t->b.at[i] = dmm_banked_word(
                        &t->b, write ? i : i - i % g + other, t->shared + s + other);
                }
                if (write)
                    dmm_banked_write(&t->b);
                else
                    dmm_banked_read(&t->b);
            }
}

/* Sends row 0's words to all rows, padded with zeros to a multiple of g. */
static void share(dmm_tall *t, uint32_t words, uint64_t (*draw)(dmm_tall *t, uint32_t j))
{
    const uint32_t columns = dmm_tall_shared_columns(t, words);
    for (uint32_t j = 0; j < columns; j++)
        spread_word(t, j, j < words ? draw(t, j) : 0);
    for (uint32_t have = spread_of(t); have < t->b.w; have *= 2)
        double_words(t, have, columns);
    exchange_words(t, columns);
}

/* ---- The hash function --------------------------------------------------------------------- */

uint32_t dmm_tall_hash_words(const dmm_tall *t)
{
    return (t->chars + DERIVED) << t->char_bits;
}

/* Draws an entry: a value and, above it, in the tables of the key's own characters, derived
 * characters. */
static uint64_t draw_entry(dmm_tall *t, uint32_t j)
{
    const uint32_t bits =
        j >> t->char_bits < t->chars ? t->log_m + DERIVED * t->char_bits : t->log_m;
    return dmm_tall_random(t) >> (64 - bits);
}

void dmm_tall_share_hash(dmm_tall *t)
{
    t->b.tally = &t->cost->hashing;
    share(t, dmm_tall_hash_words(t), draw_entry);
}

/* Returns the character by which table k is looked up. */
static uint32_t character(const dmm_tall *t, const dmm_tall_row *row, uint32_t k)
{
    const uint64_t from = k < t->chars ? dmm_tall_goal_row(t, row) : row->sum >> t->log_m;
    const uint32_t shift = (k < t->chars ? k : k - t->chars) * t->char_bits;
    return (uint32_t)(from >> shift) & ((1u << t->char_bits) - 1);
}

void dmm_tall_hash(dmm_tall *t)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].sum = 0;
    for (uint32_t k = 0; k < t->chars + DERIVED; k++) {
        for (uint32_t i = 0; i < t->b.w; i++) {
            const uint32_t entry = (k << t->char_bits) + character(t, &t->rows[i], k);
            t->b.at[i] = t->rows[i].label == t->empty
                             ? DMM_IDLE
                             : dmm_banked_word(&t->b, i, t->shared + entry);
        }
        dmm_banked_read(&t->b);
        for (uint32_t i = 0; i < t->b.w; i++)
            if (t->b.at[i] != DMM_IDLE)
                t->rows[i].sum ^= t->b.hand[i];
    }
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].sum &= t->b.m - 1;
}

/* ---- Shifts -------------------------------------------------------------------------------- */

uint32_t dmm_tall_shifts(const dmm_tall *t)
{
    return t->log_w * t->log_w;
}

static uint64_t draw_shift(dmm_tall *t, uint32_t j)
{
    (void)j;
    return 1 + dmm_tall_random(t) % (t->b.w - 1);
}

void dmm_tall_share_shifts(dmm_tall *t, uint32_t words)
{
    share(t, words, draw_shift);
}

/* ---- Sums and maxima ----------------------------------------------------------------------- */

/* Lets rows whose number is `rest` modulo 2 * span access the sum of the row at that distance. */
static void reach(dmm_tall *t, uint32_t span, uint32_t rest, uint32_t distance)
{
    nobody(t);
    for (uint32_t i = rest; i < t->b.w; i += 2 * span)
        t->b.at[i] = dmm_banked_word(&t->b, i - rest + distance, t->sum);
}

/* Combines up a binary tree of rows, then distributes down. */
static uint64_t combine(dmm_tall *t, bool by_maximum)
{
    t->b.tally = &t->cost->counting;
    for (uint32_t i = 0; i < t->b.w; i++)
        t->b.hand[i] = t->rows[i].sum = t->rows[i].left;
    dmm_tall_own(t, t->sum);
    dmm_banked_write(&t->b);
    for (uint32_t span = 1; span < t->b.w; span *= 2) {
        reach(t, span, 0, span);
        dmm_banked_read(&t->b);
        for (uint32_t i = 0; i < t->b.w; i += 2 * span) {
            uint64_t *sum = &t->rows[i].sum;
            *sum = !by_maximum ? *sum + t->b.hand[i] : *sum > t->b.hand[i] ? *sum : t->b.hand[i];
            t->b.hand[i] = *sum;
        }
        reach(t, span, 0, 0);
        dmm_banked_write(&t->b);
    }
    for (uint32_t span = t->b.w / 2; span > 0; span /= 2) {
        reach(t, span, span, 0);
        dmm_banked_read(&t->b);
        reach(t, span, span, span);
        dmm_banked_write(&t->b);
    }
    return t->rows[0].sum;
}

uint64_t dmm_tall_total(dmm_tall *t)
{
    return combine(t, false);
}

uint64_t dmm_tall_most(dmm_tall *t)
{
    return combine(t, true);
}
