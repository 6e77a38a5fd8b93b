/* SPDX-License-Identifier: MIT */
/*
 * A judge of one lock-step of w lanes in both models of docs/proofs.md, and the numbers of banks
 * and work-items that kernels take.
 */
#ifndef DMM_TESTS_STEPS_H
#define DMM_TESTS_STEPS_H

#include <string.h>

#include "support/require.h"

enum { MOST_BANKS = 128, MOST_ITEMS = 1024 };

#define NO_WORD (~0u)

/* Words that the lanes of a step access; NO_WORD: none. */
typedef struct lockstep {
    unsigned words[MOST_BANKS];
} lockstep;

/* Classes of a step: one access per bank; one word per bank, for several lanes; or more. */
typedef enum fare { EXCLUSIVE, BROADCAST, CONFLICT } fare;

static inline fare judge_step(const lockstep *step, unsigned w)
{
    unsigned in_bank[MOST_BANKS];
    fare worst = EXCLUSIVE;
    memset(in_bank, 0xff, sizeof in_bank);
    for (unsigned lane = 0; lane < w; lane++) {
        const unsigned word = step->words[lane];
        if (word == NO_WORD)
            continue;
        unsigned *const bank = &in_bank[word % w];
        if (*bank != NO_WORD && *bank != word)
            return CONFLICT;
        if (*bank == word)
            worst = BROADCAST;
        *bank = word;
    }
    return worst;
}

/* Runs `body` for every w that words of a kernel see (of 4 to 128 banks; words twice as wide see
 * half as many) and every u, with `s` a step. */
#define FOR_ALL_GROUPS(body)                                        \
    for (unsigned w = 2; w <= MOST_BANKS; w *= 2)                   \
        for (unsigned u = w < 4 ? 4 : w; u <= MOST_ITEMS; u *= 2) { \
            lockstep s;                                             \
            test_note("w=%u u=%u", w, u);                           \
            body                                                    \
        }

/* Fills a step with the word that each lane t of the warp from `warp` on accesses. */
#define FILL_STEP(s, w, warp, t, word)               \
    for (unsigned lane_ = 0; lane_ < (w); lane_++) { \
        const unsigned t = (warp) + lane_;           \
        (s).words[lane_] = (word);                   \
    }

#endif
