/* SPDX-License-Identifier: MIT */
/*
 * The positions of the load-balanced dual subsequence gather (Berney 2023, section 5.2), for any
 * banks w, E and splits: every item is read once, round j reads residue j, and a warp's words lie
 * in different banks. With list B the wrong way round, or without padding, it conflicts.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "cl/lab/map_gather.clh"
#include "cl/map.clh"
#include "support/random.h"

enum { MOST_W = 40, MOST_E = 40, MOST_THREADS = 4 * MOST_W, MOST_ITEMS = MOST_THREADS * MOST_E };

typedef enum fault { NO_FAULT, B_RISES, NO_PADDING } fault;

static uint gcd(uint a, uint b)
{
    return b ? gcd(b, a % b) : a;
}

/* One merge of g work-items: where each one's items of A begin, and the end. */
typedef struct splits {
    uint a[MOST_THREADS + 1];
} splits;

/* Shares from nothing of A to all of it; `kind` 0: random, 1: A first, 2: in turn. */
static void split(splits *out, uint g, uint E, uint kind, random_source *random)
{
    uint a = 0;
    for (uint t = 0; t < g; t++) {
        out->a[t] = a;
        a += kind == 0   ? (uint)random_below(random, E + 1)
             : kind == 1 ? (t < g / 2) * E
                         : t % 2 * E;
    }
    out->a[g] = a;
}

static uint position(const splits *s, uint g, uint t, uint j, uint E, fault f)
{
    const uint a = s->a[t], count = s->a[t + 1] - a;
    const uint x = dmm_gather_position(g, t, a, count, j, E);
    const uint na = s->a[g];
    return f == B_RISES && x >= na ? na + (g * E - 1 - x) : x;
}

/* Returns the most words that a warp wants from one bank in a round, over all rounds of the merges
 * of `threads` work-items, g each. */
static uint worst_of(uint w, uint E, uint g, uint threads, uint kind, fault f)
{
    static uint8_t read[MOST_ITEMS];
    random_source random = {w + 41 * E + g};
    const uint d = gcd(w, E);
    uint worst = 0;
    splits s;
    memset(read, 0, sizeof read);
    for (uint j = 0; j < E; j++)
        for (uint warp = 0; warp < threads; warp += w) {
            uint words[MOST_W] = {0};
            for (uint lane = 0; lane < w && warp + lane < threads; lane++) {
                const uint t = warp + lane, merge = t / g;
                random.state = w + 41 * E + g + 1000003 * merge;
                split(&s, g, E, kind, &random);
                const uint x = merge * g * E + position(&s, g, t % g, j, E, f);
                REQUIRE(x < threads * E);
                read[x]++;
                REQUIRE(f != NO_FAULT || x % E == j);
                const uint bank = (f == NO_PADDING ? x : dmm_address(x, w, E, d)) % w;
                worst = ++words[bank] > worst ? words[bank] : worst;
            }
        }
    for (uint x = 0; x < threads * E; x++)
        REQUIRE(f != NO_FAULT || read[x] == 1);
    return worst;
}

static void every_item_is_read_once_without_conflicts(void **state)
{
    (void)state;
    for (uint w = 2; w <= MOST_W; w++)
        for (uint E = 1; E <= MOST_E; E += w % 4 == 0 ? 1 : 3)
            for (uint kind = 0; kind < 3; kind++) {
                test_note("w = %u, E = %u, kind %u", w, E, kind);
                REQUIRE(worst_of(w, E, w, 2 * w, kind, NO_FAULT) == 1);
                REQUIRE(worst_of(w, E, 4 * w, 4 * w, kind, NO_FAULT) == 1);
                if (w % 2 == 0)
                    REQUIRE(worst_of(w, E, 2, 2 * w, kind, NO_FAULT) == 1);
            }
}

static void planted_errors_conflict(void **state)
{
    (void)state;
    for (uint E = 4; E <= 20; E++) {
        test_note("E = %u", E);
        REQUIRE(worst_of(16, E, 32, 64, 0, B_RISES) > 1);
        REQUIRE((worst_of(16, E, 32, 64, 0, NO_PADDING) > 1) == (gcd(16, E) > 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_read_once_without_conflicts),
        cmocka_unit_test(planted_errors_conflict),
    };
    return cmocka_run_group_tests_name("gather_map", tests, NULL, NULL);
}
