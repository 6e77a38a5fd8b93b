/* SPDX-License-Identifier: MIT */
/*
 * Shared by tests of index maps: their parameters, and a judge of banks, which counts for each
 * lock-step of w lanes the most different words accessed in one bank: 1 is conflict-free.
 */
#ifndef DMM_TESTS_BANKS_H
#define DMM_TESTS_BANKS_H

#include "cl/map.clh"
#include "support/random.h"
#include "support/require.h"

enum { MAX_W = 128, MAX_E = 32, MAX_G = 4 * MAX_W, MAX_TILE = MAX_G * MAX_E };

typedef uint map_function(uint x, uint w, uint E, uint d);

/* One choice of parameters. */
typedef struct setup {
    uint w, E, d, u;
} setup;

static inline uint gcd(uint a, uint b)
{
    return b == 0 ? a : gcd(b, a % b);
}

static inline setup setup_of(uint w, uint E, uint u)
{
    return (setup){w, E, gcd(w, E), u};
}

/* Returns the passes of one lock-step: the most different words accessed in one bank. Equal words
 * are broadcast. */
static inline uint passes(const uint *addresses, uint lanes, uint w)
{
    uint words[MAX_W][MAX_W], load[MAX_W] = {0}, most = 0;
    for (uint t = 0; t < lanes; t++) {
        const uint bank = addresses[t] % w;
        uint i = 0;
        while (i < load[bank] && words[bank][i] != addresses[t])
            i++;
        if (i == load[bank])
            words[bank][load[bank]++] = addresses[t];
        most = load[bank] > most ? load[bank] : most;
    }
    return most;
}

static const uint all_w[] = {4, 8, 12, 16, 32, 64, 128};
enum { NUM_W = sizeof all_w / sizeof all_w[0] };

/* Runs `body` for every w and E, and groups of w and of 4*w work-items. */
#define FOR_ALL_SETUPS(s, ...)                                                    \
    for (uint i_ = 0; i_ < NUM_W; i_++)                                           \
        for (uint E_ = 1; E_ <= MAX_E; E_++)                                      \
            for (uint u_ = all_w[i_]; u_ <= 4 * all_w[i_]; u_ += 3 * all_w[i_]) { \
                const setup s = setup_of(all_w[i_], E_, u_);                      \
                test_note("w=%u E=%u u=%u", s.w, s.E, s.u);                       \
                __VA_ARGS__;                                                      \
            }

#endif
