/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * Sorting networks: every input of zeros and ones for few wires (the zero-one principle), random
 * ones for many; each step a matching. test_network_halver.c: halvers, separators and counts.
 */
#include "support/require.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <model/network.h>

#include "support/network_case.h"
#include "support/rig.h"

enum { SORTERS = 4, BEST_MAX = 32 };

/* ---- Matchings ------------------------------------------------------------------------------- */

/* The known answers of Random123 1.14.0, tests/kat_vectors, philox4x32 with 10 rounds. */
static void philox_gives_the_known_answers(void **state)
{
    static const uint32_t counters[3][4] = {
        {0, 0, 0, 0}, {~0u, ~0u, ~0u, ~0u}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    static const uint64_t keys[3] = {0, UINT64_MAX, 0x299f31d0a4093822};
    static const uint32_t known[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    uint32_t out[4];
    (void)state;
    for (int i = 0; i < 3; i++) {
        dmm_philox(out, counters[i], keys[i]);
        REQUIRE(memcmp(out, known[i], sizeof out) == 0);
    }
}

static void matchings_are_permutations_and_all_different(void **state)
{
    enum { COUNT = 301 };
    static const dmm_matching_name others[] = {{2, 2, 3}, {1, 3, 3}, {1, 2, 4}};
    const dmm_matching_name first = {1, 2, 3};
    uint32_t a[COUNT], b[COUNT], seen[COUNT] = {0};
    (void)state;
    dmm_matching_shuffle(a, COUNT, 7, &first);
    for (int i = 0; i < COUNT; i++)
        REQUIRE(a[i] < COUNT && seen[a[i]]++ == 0);
    for (int k = 0; k < 3; k++) {
        dmm_matching_shuffle(b, COUNT, 7, &others[k]);
        REQUIRE(memcmp(a, b, sizeof a) != 0);
    }
    dmm_matching_shuffle(b, COUNT, 7, &first);
    REQUIRE(memcmp(a, b, sizeof a) == 0);
    dmm_matching_shuffle(b, COUNT, 8, &first);
    REQUIRE(memcmp(a, b, sizeof a) != 0);
}

/* ---- Small networks -------------------------------------------------------------------------- */

/* 64 inputs of zeros and ones at a time, a bit each. True if all 2^n come out sorted. */
static int sorts_every_input(dmm_model_network *network)
{
    static const uint64_t low[6] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
        0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
    dmm_model_comparator pairs[BEST_MAX * BEST_MAX];
    dmm_model_network_step step;
    uint32_t count = 0, n = dmm_model_network_wires(network);
    while (dmm_model_network_next(&step, network)) {
        memcpy(pairs + count, step.pairs, step.count * sizeof *pairs);
        count += (uint32_t)step.count;
    }
    dmm_model_network_rewind(network);
    for (uint64_t block = 0; block < (n > 6 ? UINT64_C(1) << (n - 6) : 1); block++) {
        uint64_t x[BEST_MAX], wrong = 0;
        for (uint32_t i = 0; i < n; i++)
            x[i] = i < 6 ? low[i] : 0 - (block >> (i - 6) & 1);
        for (uint32_t c = 0; c < count; c++) {
            const uint64_t a = x[pairs[c].low], b = x[pairs[c].high];
            x[pairs[c].low] = a & b;
            x[pairs[c].high] = a | b;
        }
        for (uint32_t i = 1; i < n; i++)
            wrong |= x[i - 1] & ~x[i];
        if (wrong)
            return 0;
    }
    return 1;
}

static void small_networks_sort_every_input(void **state)
{
    const uint32_t most = (uint32_t)by_size(12, 20, 24);
    (void)state;
    for (unsigned kind = 0; kind <= (unsigned)DMM_MODEL_BEST; kind++)
        for (uint32_t n = 1; n <= (kind == (unsigned)DMM_MODEL_BEST && most > 12 ? 24 : most);
             n++) {
            dmm_model_network *network = network_make(
                (dmm_model_network_desc){.kind = (dmm_model_network_kind)kind, .wires = n});
            REQUIRE(sorts_every_input(network));
            dmm_model_network_free(network);
        }
}

static void reachable_inputs_prove_networks_of_up_to_32_wires(void **state)
{
    int sorts = 0;
    uint32_t unsorted;
    (void)state;
    for (unsigned kind = 0; kind <= (unsigned)DMM_MODEL_BEST; kind++)
        for (uint32_t n = 1; n <= BEST_MAX; n++) {
            dmm_model_network *network = network_make(
                (dmm_model_network_desc){.kind = (dmm_model_network_kind)kind, .wires = n});
            REQUIRE_OK(dmm_model_network_sorts(&sorts, &unsorted, network));
            REQUIRE(sorts);
            dmm_model_network_free(network);
        }
}

/* The network without comparator `without`. */
static dmm_model_network *without_one(dmm_model_network *network, uint64_t without)
{
    dmm_model_comparator pairs[256];
    uint64_t ends[64], steps = 0, count = 0, at = 0;
    dmm_model_network_step step;
    dmm_model_network *out = NULL;
    while (dmm_model_network_next(&step, network)) {
        const uint64_t before = count;
        for (uint64_t i = 0; i < step.count; i++, at++)
            if (at != without)
                pairs[count++] = step.pairs[i];
        ends[steps] = count;
        steps += count > before;
    }
    dmm_model_network_rewind(network);
    REQUIRE_OK(
        dmm_model_network_create_of(&out, dmm_model_network_wires(network), pairs, ends, steps));
    return out;
}

/* Each comparator of a network of least size is needed, and the witness shows it. */
static void a_network_without_one_comparator_is_caught(void **state)
{
    static const uint32_t least[] = {5, 8, 9, 11, 12};
    (void)state;
    for (size_t k = 0; k < sizeof least / sizeof least[0]; k++) {
        const uint32_t n = least[k];
        dmm_model_network *network =
            network_make((dmm_model_network_desc){.kind = DMM_MODEL_BEST, .wires = n});
        const uint64_t count = dmm_model_network_count(network).comparators;
        for (uint64_t i = 0; i < count; i++) {
            dmm_model_network *less = without_one(network, i);
            int sorts = 1;
            uint32_t unsorted = 0;
            test_note("n = %u without comparator %llu", n, (unsigned long long)i);
            REQUIRE_OK(dmm_model_network_sorts(&sorts, &unsorted, less));
            REQUIRE(!sorts && !sorts_every_input(less));
            const uint32_t zeros = ~unsorted & ((1u << n) - 1);
            REQUIRE((zeros & (zeros + 1)) != 0);
            dmm_model_network_free(less);
        }
        dmm_model_network_free(network);
    }
}

static void best_networks_have_the_known_sizes(void **state)
{
    static const uint8_t sizes[BEST_MAX + 1] = {0, 0, 1, 3, 5, 9, 12, 16, 19, 25, 29, 35, 39, 45,
        51, 56, 60, 71, 77, 85, 91, 99, 106, 114, 120, 130, 138, 147, 155, 164, 172, 180, 185};
    (void)state;
    for (uint32_t n = 1; n <= BEST_MAX; n++) {
        dmm_model_network *network =
            network_make((dmm_model_network_desc){.kind = DMM_MODEL_BEST, .wires = n});
        REQUIRE(dmm_model_network_count(network).comparators == sizes[n]);
        dmm_model_network_free(network);
    }
}

/* ---- Any number of wires --------------------------------------------------------------------- */

/* Each step is a matching, and the network sorts random permutations. */
static void check_sorter(dmm_model_network_desc desc, int inputs)
{
    dmm_model_network *network = network_make(desc);
    const uint32_t n = dmm_model_network_wires(network);
    uint64_t *seen = calloc(n, sizeof *seen), steps = 0;
    dmm_model_network_step step;
    while (dmm_model_network_next(&step, network)) {
        steps++;
        REQUIRE(step.count > 0 && step.count <= n / 2);
        for (uint64_t i = 0; i < step.count; i++) {
            const dmm_model_comparator pair = step.pairs[i];
            REQUIRE(pair.low < n && pair.high < n && pair.low != pair.high);
            REQUIRE(seen[pair.low] != steps && seen[pair.high] != steps);
            seen[pair.low] = seen[pair.high] = steps;
        }
    }
    for (int k = 0; k < inputs; k++) {
        uint64_t *items = network_input(n, (uint64_t)k);
        dmm_model_network_run(items, network);
        REQUIRE(network_misplaced(items, n) == 0);
        free(items);
    }
    free(seen);
    dmm_model_network_free(network);
}

static void batchers_and_parberrys_networks_sort_any_number_of_items(void **state)
{
    static const uint32_t sizes[] = {33, 63, 64, 65, 100, 127, 511, 512, 513, 1000, 4096, 5000};
    (void)state;
    for (uint32_t kind = 0; kind < SORTERS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            check_sorter(
                (dmm_model_network_desc){.kind = (dmm_model_network_kind)kind, .wires = sizes[i]},
                5);
}

static void aks_sorts_and_its_counts_follow_from_its_tables(void **state)
{
    static dmm_model_large_counts large;
    const uint32_t most = (uint32_t)by_size(256, 4096, 65536);
    (void)state;
    for (uint32_t n = 256; n <= most; n *= 16)
        for (int perfect = 0; perfect <= 1; perfect++) {
            const dmm_model_network_desc desc = {
                .kind = DMM_MODEL_AKS, .wires = n, .perfect = perfect, .seed = n};
            check_sorter(desc, 1);
            dmm_model_network *network = network_make(desc);
            const dmm_model_network_counts counts = dmm_model_network_count(network);
            REQUIRE_OK(dmm_model_network_count_large(&large,
                perfect ? DMM_MODEL_COUNT_AKS_PERFECT : DMM_MODEL_COUNT_AKS, (uint32_t)log2(n)));
            REQUIRE(large.steps == counts.steps);
            REQUIRE(large.words[0] + ((uint64_t)large.words[1] << 32) == counts.comparators);
            dmm_model_network_free(network);
        }
    check_sorter((dmm_model_network_desc){.kind = DMM_MODEL_AKS, .wires = 300, .perfect = true}, 3);
}

/* How many of the k least items, or by mirror of the k greatest, are where they should not be. */
typedef struct wrongs {
    uint32_t half, fringe;
} wrongs;

static wrongs count_wrongs(const uint64_t *items, const dmm_separator *s, uint32_t k, int mirror)
{
    wrongs count = {0};
    for (uint32_t i = 0; i < s->a; i++) {
        const uint64_t item = mirror ? s->a - 1 - items[s->a - 1 - i] : items[i];
        count.half += item < k && i >= s->a / 2;
        count.fringe += item < k && i >= s->f / 2;
    }
    return count;
}

/* Fringes have all of their errors for every k; halves as many in all, and never more. */
static void a_separator_makes_all_errors_that_it_may(void **state)
{
    static const dmm_separator shapes[] = {{.a = 1024}, {.a = 1008, .f = 48}, {.a = 960, .f = 192}};
    static const double epsilons[][2] = {{0.00243, 0.0098}, {0.01, 0.04}, {0.03, 0.03}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++) {
            const dmm_separator *s = &shapes[i];
            const dmm_separator_rules rules = {
                .epsilon_b = epsilons[e][0], .epsilon_f = epsilons[e][1]};
            uint64_t items[1024], sorted[1024];
            uint32_t list[1024];
            for (uint32_t x = 0; x < s->a; x++)
                sorted[x] = list[x] = x;
            dmm_separator_err(items, sorted, &(dmm_aks_visit){*s, list}, &rules);
            test_note("%u wires, fringe %u, epsilon_b %g", s->a, s->f, rules.epsilon_b);
            for (uint32_t k = 1; k <= s->a / 2; k++)
                for (int mirror = 0; mirror < 2; mirror++) {
                    const wrongs count = count_wrongs(items, s, k, mirror);
                    REQUIRE(count.half <= rules.epsilon_b * k);
                    REQUIRE(k < s->a / 2 || count.half == (uint32_t)(rules.epsilon_b * k));
                    REQUIRE(k > s->f / 2 || count.fringe == (uint32_t)(rules.epsilon_f * k));
                }
        }
}

/* Returns how many items an AKS network leaves in wrong places; its separators err by `scale` times
 * their epsilons. */
static uint64_t misplaced_with_errors(
    dmm_model_network_errors *out, dmm_model_network_desc desc, double scale)
{
    dmm_model_network *network = network_make(desc);
    const uint32_t n = dmm_model_network_wires(network);
    uint64_t *items = network_input(n, 1);
    network->rules.epsilon_b *= scale;
    network->rules.epsilon_f *= scale;
    REQUIRE_OK(dmm_model_network_run_errors(out, items, network));
    const uint64_t misplaced = network_misplaced(items, n);
    free(items);
    dmm_model_network_free(network);
    return misplaced;
}

/* Fischer 2020, chapter 4. The greatest epsilon_b that a description takes, too. Errors beyond
 * epsilon reach the output, so they are made. */
static void aks_sorts_with_all_errors_that_epsilon_allows(void **state)
{
    static const double epsilons[] = {0, 0.0005, 0.004, 0.0077};
    const uint32_t most = (uint32_t)by_size(4096, 65536, 1 << 20);
    dmm_model_network_errors errors;
    (void)state;
    for (uint32_t n = 256; n <= most; n *= 16)
        for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++) {
            const dmm_model_network_desc desc = {
                .kind = DMM_MODEL_AKS, .wires = n, .epsilon_b = epsilons[e]};
            test_note("%u wires, errors of epsilon_b = %g", n, desc.epsilon_b);
            REQUIRE(misplaced_with_errors(&errors, desc, 1) == 0);
            REQUIRE(errors.strayed == 0 && errors.farthest == 0);
            REQUIRE((errors.made > 0) == (n > 256));
        }
    const dmm_model_network_desc desc = {.kind = DMM_MODEL_AKS, .wires = 4096};
    REQUIRE(misplaced_with_errors(&errors, desc, 60) > 0);
    REQUIRE(errors.strayed > 0 && errors.farthest > 1);
}

/* Fischer 2020, table 2.1: a(i, t) of the levels of d = 12, and pi(i, t). */
static void nodes_have_the_sizes_of_the_thesis(void **state)
{
    static const struct {
        uint32_t t, level, a, f;
    } known[] = {{0, 0, 4096, 0}, {1, 1, 2048, 128}, {2, 0, 256, 0}, {2, 2, 960, 192},
        {3, 1, 512, 32}, {3, 3, 384, 384}, {4, 0, 64, 0}, {4, 2, 1008, 48}, {5, 1, 128, 8},
        {5, 3, 480, 96}, {6, 0, 16, 0}, {6, 2, 252, 12}, {6, 4, 192, 192}, {7, 1, 32, 0},
        {7, 3, 504, 24}, {8, 2, 64, 4}, {8, 4, 240, 48}, {9, 1, 8, 0}, {9, 3, 126, 6},
        {9, 5, 96, 96}, {10, 2, 16, 0}, {10, 4, 252, 12}, {11, 3, 32, 0}, {11, 5, 120, 24},
        {12, 4, 64, 4}, {12, 6, 48, 48}, {13, 3, 8, 0}, {13, 5, 126, 6}, {14, 4, 16, 0},
        {14, 6, 60, 12}, {15, 5, 32, 0}, {15, 7, 24, 24}};
    uint32_t nodes = 0;
    (void)state;
    for (uint32_t t = 0; t < dmm_aks_rounds(12); t++)
        for (uint32_t i = dmm_aks_first_level(12, t); i <= dmm_aks_last_level(t); i += 2) {
            const dmm_aks_node node = dmm_aks_node_of(12, i, t);
            int found = 0;
            for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
                found += known[k].t == t && known[k].level == i && known[k].a == node.a &&
                         known[k].f == node.f;
            test_note("t = %u, level %u: %u wires, %u upwards", t, i, node.a, node.f);
            REQUIRE(found == 1);
            nodes++;
        }
    REQUIRE(nodes == sizeof known / sizeof known[0]);
}

/* Each matching of a network has a name of its own: node, matching, and 64 * round + 2 * layer +
 * side, so no separator may have more than 32 layers. */
static void no_separator_has_more_layers_than_names(void **state)
{
    const dmm_model_network_desc aks = {.kind = DMM_MODEL_AKS};
    const dmm_separator_rules rules = dmm_separator_rules_of(&aks);
    uint32_t most = 0;
    (void)state;
    for (uint32_t d = 8; d <= 28; d += 4)
        for (uint32_t t = 0; t < dmm_aks_rounds(d); t++)
            for (uint32_t i = dmm_aks_first_level(d, t); i <= dmm_aks_last_level(t); i += 2) {
                const dmm_aks_node node = dmm_aks_node_of(d, i, t);
                const dmm_separator s = dmm_separator_of(node.a, node.f, &rules);
                most = s.layers > most ? s.layers : most;
            }
    REQUIRE(most >= 5 && most <= 32);
    /* f = 2 of any n that is allowed */
    REQUIRE(dmm_separator_of(DMM_MODEL_WIRES_MAX, 2, &rules).layers <= 32);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void wrong_descriptions_are_refused(void **state)
{
    static const struct {
        dmm_model_network_desc desc;
        dmm_model_status status;
    } cases[] = {{{.wires = 0}, DMM_MODEL_BAD_VALUE},
        {{.wires = DMM_MODEL_WIRES_MAX + 1u}, DMM_MODEL_BAD_VALUE},
        {{.kind = 9, .wires = 2}, DMM_MODEL_BAD_VALUE},
        {{.kind = DMM_MODEL_BEST, .wires = 33}, DMM_MODEL_UNSUPPORTED},
        {{.kind = DMM_MODEL_HALVER, .wires = 5}, DMM_MODEL_UNSUPPORTED},
        {{.kind = DMM_MODEL_SEPARATOR, .wires = 8, .fringe = 3}, DMM_MODEL_BAD_VALUE},
        {{.kind = DMM_MODEL_SEPARATOR, .wires = 8, .fringe = 10}, DMM_MODEL_BAD_VALUE},
        {{.kind = DMM_MODEL_SEPARATOR, .wires = 6, .fringe = 4}, DMM_MODEL_UNSUPPORTED},
        {{.kind = DMM_MODEL_BITONIC, .wires = 8, .fringe = 2}, DMM_MODEL_BAD_VALUE},
        {{.kind = DMM_MODEL_BITONIC, .wires = 8, .perfect = true}, DMM_MODEL_BAD_VALUE},
        {{.kind = DMM_MODEL_AKS, .wires = 256, .epsilon_b = 0.01}, DMM_MODEL_BAD_VALUE},
        {{.kind = DMM_MODEL_AKS, .wires = 256, .matchings = DMM_MODEL_MATCHINGS_MAX + 1u},
            DMM_MODEL_BAD_VALUE}};
    const dmm_model_network_desc sound = {.wires = 4};
    dmm_model_network *network = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_note("case %zu", i);
        REQUIRE_REFUSED(
            cases[i].status, &network, dmm_model_network_create((void *)&network, &cases[i].desc));
    }
    REQUIRE_REFUSED(
        DMM_MODEL_NULL_ARGUMENT, &network, dmm_model_network_create((void *)&network, NULL));
    REQUIRE(dmm_model_network_create(NULL, &sound) == DMM_MODEL_NULL_ARGUMENT);
    REQUIRE(dmm_model_network_wires(NULL) == 0);
    dmm_model_network_free(NULL);
    uint64_t items[4] = {3, 2, 1, 0};
    dmm_model_network_errors errors;
    REQUIRE_OK(dmm_model_network_create(&network, &sound));
    REQUIRE(dmm_model_network_run_errors(&errors, items, network) == DMM_MODEL_UNSUPPORTED);
    REQUIRE(dmm_model_network_run_errors(&errors, NULL, network) == DMM_MODEL_NULL_ARGUMENT);
    REQUIRE(dmm_model_network_run_errors(NULL, items, network) == DMM_MODEL_NULL_ARGUMENT);
    REQUIRE(dmm_model_network_run_errors(&errors, items, NULL) == DMM_MODEL_NULL_ARGUMENT);
    REQUIRE(items[0] == 3 && items[3] == 0);
    dmm_model_network_free(network);
}

static void stored_steps_must_be_matchings(void **state)
{
    static const dmm_model_comparator pairs[] = {{0, 1}, {2, 3}, {1, 2}, {3, 3}, {0, 4}};
    static const struct {
        uint64_t ends[2], steps;
        dmm_model_status status;
    } cases[] = {{{2, 3}, 2, DMM_MODEL_OK}, {{3, 3}, 1, DMM_MODEL_BAD_DATA},
        {{2, 2}, 2, DMM_MODEL_BAD_DATA}, {{2, 1}, 2, DMM_MODEL_BAD_DATA},
        {{3, 4}, 2, DMM_MODEL_BAD_DATA}, {{2, 4}, 2, DMM_MODEL_BAD_DATA},
        {{0, 0}, 0, DMM_MODEL_OK}};
    dmm_model_network *network = NULL;
    dmm_model_network_step step;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_note("case %zu", i);
        REQUIRE_STATUS(cases[i].status,
            dmm_model_network_create_of(&network, 4, pairs, cases[i].ends, cases[i].steps));
        REQUIRE((network != NULL) == (cases[i].status == DMM_MODEL_OK));
        dmm_model_network_free(network);
    }
    const uint64_t beyond[] = {1};
    REQUIRE_REFUSED(DMM_MODEL_BAD_DATA, &network,
        dmm_model_network_create_of((void *)&network, 4, pairs + 4, beyond, 1));
    REQUIRE_OK(dmm_model_network_create_of(&network, 4, pairs, cases[0].ends, 2));
    REQUIRE(dmm_model_network_next(&step, network) && step.count == 2 && step.pairs[1].low == 2);
    REQUIRE(dmm_model_network_next(&step, network) && step.count == 1 && step.pairs[0].low == 1);
    REQUIRE(!dmm_model_network_next(&step, network));
    dmm_model_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(matchings_are_permutations_and_all_different),
        cmocka_unit_test(small_networks_sort_every_input),
        cmocka_unit_test(reachable_inputs_prove_networks_of_up_to_32_wires),
        cmocka_unit_test(a_network_without_one_comparator_is_caught),
        cmocka_unit_test(best_networks_have_the_known_sizes),
        cmocka_unit_test(batchers_and_parberrys_networks_sort_any_number_of_items),
        cmocka_unit_test(aks_sorts_and_its_counts_follow_from_its_tables),
        cmocka_unit_test(a_separator_makes_all_errors_that_it_may),
        cmocka_unit_test(aks_sorts_with_all_errors_that_epsilon_allows),
        cmocka_unit_test(nodes_have_the_sizes_of_the_thesis),
        cmocka_unit_test(no_separator_has_more_layers_than_names),
        cmocka_unit_test(wrong_descriptions_are_refused),
        cmocka_unit_test(stored_steps_must_be_matchings),
    };
    return cmocka_run_group_tests_name("network_model", tests, NULL, NULL);
}
