/* SPDX-License-Identifier: MIT */
/*
 * The plan of a network on the host: no round of comparators asks a bank for two words, each
 * comparator is in one tile and one round, and steps share launches as far as tiles allow.
 */
#include "support/require.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cl/network_call.clh"
#include "primitives/network/network.h"
#include "support/network_case.h"

enum { MOST_BANKS = 128 };

/* Each round of w words: first positions in w banks, and the other positions in w banks. */
static const char *judge_rounds(const uint32_t *words, uint64_t count, uint32_t w)
{
    for (uint64_t at = 0; at < count; at += w) {
        unsigned char first[MOST_BANKS] = {0}, second[MOST_BANKS] = {0};
        for (uint32_t lane = 0; lane < w; lane++) {
            const uint32_t word = words[at + lane];
            if (word != DMM_NETWORK_NONE &&
                (first[(word & DMM_NETWORK_MASK) % w]++ ||
                    second[(word >> DMM_NETWORK_BITS & DMM_NETWORK_MASK) % w]++))
                return "a round asks a bank for two words";
        }
    }
    return NULL;
}

/* The comparators of the rounds are those of the step. */
static const char *judge_words(
    const uint32_t *words, uint64_t count, const uint32_t *high_of, uint32_t num_pairs)
{
    uint32_t seen = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t word = words[i];
        uint32_t low = word & DMM_NETWORK_MASK, high = word >> DMM_NETWORK_BITS & DMM_NETWORK_MASK;
        if (word == DMM_NETWORK_NONE)
            continue;
        if (word & DMM_NETWORK_TURN) {
            const uint32_t first = low;
            low = high;
            high = first;
        }
        if (high_of[low] != high)
            return "a comparator that the step does not have";
        seen++;
    }
    return seen == num_pairs ? NULL : "another number of comparators";
}

/* A step of `most` comparators at most, between any positions, or between those of few banks. */
static void check_step(uint32_t T, uint32_t w, uint32_t most, uint32_t stride, uint64_t seed)
{
    random_source random = {seed};
    dmm_network_lanes lanes = {0};
    uint32_t *const pairs = malloc(T * 4u), *const high_of = malloc(T * 4u), count = 0;
    uint32_t *const words = malloc(T * 4u);
    test_note("T = %u, w = %u, %u comparators, stride %u, seed %llu", T, w, most, stride,
        (unsigned long long)seed);
    memset(high_of, 0xff, T * 4u);
    for (uint32_t i = 0; i < most; i++) {
        const uint32_t low = (uint32_t)random_below(&random, T) / stride * stride;
        const uint32_t high = (uint32_t)random_below(&random, T) / stride * stride;
        int used = low == high || high_of[low] != UINT32_MAX || high_of[high] != UINT32_MAX;
        for (uint32_t j = 0; j < count && !used; j++)
            used = pairs[j] >> DMM_NETWORK_BITS == low || pairs[j] >> DMM_NETWORK_BITS == high;
        if (used)
            continue;
        high_of[low] = high;
        pairs[count++] = low | high << DMM_NETWORK_BITS;
    }
    REQUIRE_OK(dmm_network_lanes_init(&lanes, T, w));
    const uint32_t num_words = dmm_network_lanes_count(&lanes, pairs, count);
    REQUIRE(num_words <= T && num_words % w == 0 && (count == 0) == (num_words == 0));
    dmm_network_lanes_deal(words, &lanes, pairs, count);
    REQUIRE_VERDICT(judge_rounds(words, num_words, w));
    REQUIRE_VERDICT(judge_words(words, num_words, high_of, count));
    for (uint32_t i = 1; i < w && count > 1; i++) /* the judge finds a word in another's place */
        if (words[0] != DMM_NETWORK_NONE && words[i] != DMM_NETWORK_NONE) {
            words[i] = words[0];
            REQUIRE(judge_rounds(words, num_words, w) != NULL);
            break;
        }
    dmm_network_lanes_free(&lanes);
    free(pairs);
    free(high_of);
    free(words);
}

static void no_round_asks_a_bank_for_two_words(void **state)
{
    (void)state;
    for (uint32_t w = 4; w <= MOST_BANKS; w *= 2)
        for (uint32_t T = w; T <= 16 * w; T *= 2)
            for (uint64_t seed = 0; seed < 4; seed++)
                for (uint32_t stride = 1; stride <= 2 * w && stride < T; stride *= 2)
                    check_step(T, w, seed == 0 ? 3 : T, stride, seed);
}

/* The steps of a network, by its kind. */
typedef struct steps {
    dmm_comparator *pairs;
    uint64_t *ends;
    dmm_network_desc desc;
} steps;

static steps steps_of(dmm_model_network_desc kind)
{
    dmm_model_network *const network = network_make(kind);
    const dmm_model_network_counts counts = dmm_model_network_count(network);
    dmm_model_network_step step;
    steps s = {malloc(counts.comparators * sizeof *s.pairs), malloc(counts.steps * sizeof *s.ends),
        {.wires = dmm_model_network_wires(network), .steps = counts.steps}};
    uint64_t at = 0;
    for (uint64_t i = 0; dmm_model_network_next(&step, network); i++) {
        memcpy(s.pairs + at, step.pairs, step.count * sizeof *s.pairs);
        s.ends[i] = at += step.count;
    }
    s.desc.pairs = s.pairs;
    s.desc.ends = s.ends;
    dmm_model_network_free(network);
    return s;
}

static dmm_network_plan plan_of(const steps *s, uint32_t tile, uint32_t banks)
{
    dmm_network_plan plan = {.tile = tile, .banks = banks};
    REQUIRE_OK(dmm_network_plan_fill(&plan, &s->desc));
    return plan;
}

/* Every round of every launch is free of conflicts, and no wire is in two tiles of a launch. */
static void judge_launches(const dmm_network_plan *plan, uint32_t wires)
{
    unsigned char *const seen = malloc(wires);
    for (uint64_t i = 0; i < plan->num_launches; i++) {
        const dmm_network_launch *const launch = &plan->launches[i];
        const uint32_t *const words = plan->store.words;
        const uint64_t numbers = launch->tiles * launch->steps;
        memset(seen, 0, wires);
        for (uint64_t j = 0; j < launch->tiles * plan->tile; j++) {
            const uint32_t wire = words[launch->wires_at + j];
            REQUIRE(wire == DMM_NETWORK_NONE || (wire < wires && !seen[wire]++));
        }
        REQUIRE_VERDICT(
            judge_rounds(words + launch->pairs_at, words[launch->ends_at + numbers], plan->banks));
    }
    free(seen);
}

static void steps_share_launches_as_far_as_tiles_allow(void **state)
{
    /* bitonic: the first 7 stages share a launch; no later stage of 8 to 12 steps takes more than
     * two */
    steps s = steps_of((dmm_model_network_desc){.kind = DMM_MODEL_BITONIC, .wires = 4096});
    (void)state;
    for (uint32_t banks = 0; banks <= 32; banks += 16) {
        dmm_network_plan plan = plan_of(&s, 128, banks);
        REQUIRE(plan.launches[0].steps == 28 && plan.num_launches <= 1 + 2 * 5);
        REQUIRE(plan.rows == 1 && plan.launches[0].tiles == 32);
        if (banks != 0)
            judge_launches(&plan, 4096);
        dmm_network_plan_free(&plan);
        plan = plan_of(&s, 4096, banks);
        REQUIRE(plan.num_launches == 1 && plan.launches[0].tiles == 1);
        dmm_network_plan_free(&plan);
    }
    free(s.pairs);
    free(s.ends);
}

static void small_networks_fill_a_tile_with_rows(void **state)
{
    steps s = steps_of((dmm_model_network_desc){.kind = DMM_MODEL_BEST, .wires = 13});
    (void)state;
    dmm_network_plan plan = plan_of(&s, 128, 32);
    REQUIRE(plan.rows == 9 && plan.num_launches == 1 && plan.launches[0].tiles == 1);
    judge_launches(&plan, 9 * 13);
    dmm_network_plan_free(&plan);
    plan = plan_of(&s, 128, 0);
    REQUIRE(plan.rows == 9 && plan.store.count == 2 + 2 * s.ends[s.desc.steps - 1]);
    dmm_network_plan_free(&plan);
    free(s.pairs);
    free(s.ends);
}

static void aks_is_planned(void **state)
{
    steps s =
        steps_of((dmm_model_network_desc){.kind = DMM_MODEL_AKS, .wires = 256, .perfect = true});
    (void)state;
    dmm_network_plan plan = plan_of(&s, 64, 32);
    REQUIRE(plan.num_launches > 1 && plan.num_launches < s.desc.steps);
    judge_launches(&plan, 256);
    dmm_network_plan_free(&plan);
    free(s.pairs);
    free(s.ends);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_round_asks_a_bank_for_two_words),
        cmocka_unit_test(steps_share_launches_as_far_as_tiles_allow),
        cmocka_unit_test(small_networks_fill_a_tile_with_rows),
        cmocka_unit_test(aks_is_planned),
    };
    return cmocka_run_group_tests_name("network_plan", tests, NULL, NULL);
}
