/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * Halvers and separators against their epsilons, and the counts of huge networks.
 * `test_network_halver table` prints the tables of docs/networks.md instead.
 */
#include "support/require.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <model/network.h>

#include "support/network_case.h"
#include "support/rig.h"

/* ---- Halvers and separators ------------------------------------------------------------------ */

/* The errors of the worst of all inputs of zeros and ones, by running the halver on each. */
static void errors_by_running(uint32_t *errors, dmm_model_network *network)
{
    const uint32_t n = dmm_model_network_wires(network), h = n / 2;
    memset(errors, 0, h * sizeof *errors);
    for (uint32_t input = 0; input < 1u << n; input++) {
        uint64_t items[16];
        uint32_t ones = 0, ones_low = 0;
        for (uint32_t i = 0; i < n; i++)
            ones += (uint32_t)(items[i] = input >> i & 1);
        dmm_model_network_run(items, network);
        for (uint32_t i = 0; i < h; i++)
            ones_low += (uint32_t)items[i];
        const uint32_t zeros = n - ones, zeros_high = zeros - (h - ones_low);
        if (ones >= 1 && ones <= h && errors[ones - 1] < ones_low)
            errors[ones - 1] = ones_low;
        if (zeros >= 1 && zeros <= h && errors[zeros - 1] < zeros_high)
            errors[zeros - 1] = zeros_high;
    }
}

static void errors_of_halvers_are_those_of_their_worst_inputs(void **state)
{
    uint32_t errors[8], known[8];
    (void)state;
    for (uint32_t h = 2; h <= 6; h++)
        for (uint32_t matchings = 1; matchings <= 4; matchings++) {
            dmm_model_network *network = network_make((dmm_model_network_desc){
                .kind = DMM_MODEL_HALVER, .wires = 2 * h, .matchings = matchings, .seed = h});
            REQUIRE_OK(dmm_model_halver_errors(errors, network));
            errors_by_running(known, network);
            REQUIRE(memcmp(errors, known, h * sizeof *errors) == 0);
            dmm_model_network_free(network);
        }
}

/* The largest errors(k) / k. */
static double epsilon_of(dmm_model_network *network)
{
    uint32_t errors[24];
    double most = 0;
    REQUIRE_OK(dmm_model_halver_errors(errors, network));
    for (uint32_t k = 1; k <= dmm_model_network_wires(network) / 2; k++)
        most = fmax(most, (double)errors[k - 1] / k);
    return most;
}

static double halver_epsilon_at(uint32_t h, uint32_t matchings, uint64_t seed)
{
    dmm_model_network *network = network_make((dmm_model_network_desc){
        .kind = DMM_MODEL_HALVER, .wires = 2 * h, .matchings = matchings, .seed = seed});
    const double epsilon = epsilon_of(network);
    dmm_model_network_free(network);
    return epsilon;
}

/* (2.4) holds: mu = 1 takes 6 or more matchings, and their number grows. */
static void halvers_of_as_many_matchings_as_chapter_2_asks_for_are_good(void **state)
{
    (void)state;
    REQUIRE(dmm_model_halver_matchings(0.6) == 0 && dmm_model_halver_matchings(0) == 0);
    for (uint32_t inverse = 2; inverse <= 6; inverse++) {
        const double epsilon = 1.0 / inverse, mu = inverse - 1;
        const uint64_t d = dmm_model_halver_matchings(epsilon);
        const double chance = (mu + 1) * exp(mu + 2) * pow(mu / (mu + 1), (double)d);
        REQUIRE(chance < 1.0 / 3 && chance * (mu + 1) / mu >= 1.0 / 3);
        for (uint64_t seed = 0; seed < 4; seed++)
            REQUIRE(halver_epsilon_at(16, (uint32_t)d, seed) <= epsilon);
    }
    dmm_model_network *perfect =
        network_make((dmm_model_network_desc){.kind = DMM_MODEL_PERFECT_HALVER, .wires = 32});
    REQUIRE(epsilon_of(perfect) == 0);
    dmm_model_network_free(perfect);
}

/* True if no block of k items has more errors than epsilon_b * k, nor a fringe more than
 * epsilon_f * k. */
static int is_separated(
    const uint64_t *items, uint32_t a, uint32_t f, const dmm_model_epsilons *epsilons)
{
    uint32_t *place = malloc(a * sizeof *place), wrong[4] = {0};
    int valid = 1;
    for (uint32_t i = 0; i < a; i++)
        place[items[i]] = i;
    for (uint32_t k = 1; k <= a / 2 && valid; k++) {
        wrong[0] += place[k - 1] >= a / 2;
        wrong[1] += place[a - k] < a / 2;
        wrong[2] += place[k - 1] >= f / 2;
        wrong[3] += place[a - k] < a - f / 2;
        valid = wrong[0] <= epsilons->epsilon_b * k && wrong[1] <= epsilons->epsilon_b * k &&
                (k > f / 2 ||
                    (wrong[2] <= epsilons->epsilon_f * k && wrong[3] <= epsilons->epsilon_f * k));
    }
    free(place);
    return valid;
}

/* The percentage of `runs` random inputs that a separator leaves invalid, each with new
 * matchings. */
static double invalid_percentage(dmm_model_network_desc desc, uint32_t runs)
{
    dmm_model_epsilons epsilons;
    uint32_t invalid = 0;
    REQUIRE_OK(dmm_model_separator_epsilons(&epsilons, 0, desc.wires, desc.fringe));
    for (uint32_t run = 0; run < runs; run++) {
        desc.seed = run;
        dmm_model_network *network = network_make(desc);
        uint64_t *items = network_input(desc.wires, 1000 + run);
        dmm_model_network_run(items, network);
        invalid += !is_separated(items, desc.wires, desc.fringe, &epsilons);
        free(items);
        dmm_model_network_free(network);
    }
    return 100.0 * invalid / runs;
}

static void separators_are_valid_at_the_depths_of_the_thesis(void **state)
{
    static const struct {
        uint32_t a, f;
    } cases[] = {{64, 4}, {252, 12}, {240, 48}, {256, 0}, {256, 16}, {384, 384}, {504, 24}};
    const uint32_t runs = (uint32_t)by_size(2, 10, 50);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dmm_model_network_desc desc = {
            .kind = DMM_MODEL_SEPARATOR, .wires = cases[i].a, .fringe = cases[i].f};
        test_note("separator of %u wires, fringe %u", cases[i].a, cases[i].f);
        REQUIRE(invalid_percentage(desc, runs) <= 20);
        desc.perfect = true;
        REQUIRE(invalid_percentage(desc, runs) == 0);
        desc = (dmm_model_network_desc){
            .kind = DMM_MODEL_SEPARATOR, .wires = cases[i].a, .fringe = cases[i].f, .matchings = 2};
        REQUIRE(invalid_percentage(desc, runs) > 50);
    }
}

/* Any fringe: with perfect halvers, the fringes hold the smallest and the largest items. */
static void separators_of_any_fringe_are_exact_with_perfect_halvers(void **state)
{
    (void)state;
    for (uint32_t a = 2; a <= 80; a += 2)
        for (uint32_t f = 0; f <= a; f += 2)
            REQUIRE(!dmm_separator_exists(a, f) ||
                    invalid_percentage(
                        (dmm_model_network_desc){
                            .kind = DMM_MODEL_SEPARATOR, .wires = a, .fringe = f, .perfect = true},
                        2) == 0);
}

static void epsilons_follow_from_the_formulas_of_chapter_2(void **state)
{
    dmm_model_epsilons e;
    (void)state;
    for (double epsilon_b = 0.0002; epsilon_b < 0.0077; epsilon_b *= 1.7) {
        REQUIRE_OK(dmm_model_separator_epsilons(&e, epsilon_b, 126, 6));
        const double left = 1.0 / 128 - e.delta / 2 * (1 + 1 / (1 - 64 * e.delta * e.delta));
        REQUIRE(fabs(left - epsilon_b) < 1e-12);
        REQUIRE(e.epsilon_f == 2 * e.delta * (1 - 16 * e.delta));
        REQUIRE(e.halver == fmin(epsilon_b, e.epsilon_f / 6));
    }
    REQUIRE_OK(dmm_model_separator_epsilons(&e, 0, 126, 6));
    REQUIRE(e.epsilon_b == 0.00243 &&
            fabs(e.delta - 0.005372) < 1e-5); /* (3.2): 0.007797 (1 - 128 epsilon_b) */
}

/* ---- Counts ---------------------------------------------------------------------------------- */

/* The least multiple of 4 from which on the network of that kind is smaller than bitonic. */
static uint32_t crossing(dmm_model_count_kind kind, int by_steps, uint32_t from, uint32_t to)
{
    static dmm_model_large_counts aks, bitonic;
    while (to - from > 4) {
        const uint32_t d = (from + to) / 8 * 4;
        REQUIRE_OK(dmm_model_network_count_large(&aks, kind, d));
        REQUIRE_OK(dmm_model_network_count_large(&bitonic, DMM_MODEL_COUNT_BITONIC, d));
        if (by_steps ? aks.steps < bitonic.steps
                     : dmm_model_large_counts_compare(&aks, &bitonic) < 0)
            to = d;
        else
            from = d;
    }
    return to;
}

static void counts_cross_those_of_bitonic(void **state)
{
    (void)state;
    REQUIRE(crossing(DMM_MODEL_COUNT_AKS_PERFECT, 0, 8, 1024) == 432);
    if (by_size(0, 0, 1) == 0)
        return;
    REQUIRE(crossing(DMM_MODEL_COUNT_AKS_PERFECT, 1, 8, 8192) == 4292);
    REQUIRE(crossing(DMM_MODEL_COUNT_AKS, 0, 8, 8192) == 6996);
    REQUIRE(crossing(DMM_MODEL_COUNT_AKS, 1, 8, 24576) == 23392);
}

static void bitonic_counts_are_those_of_its_steps(void **state)
{
    static dmm_model_large_counts bitonic;
    (void)state;
    for (uint32_t d = 1; d <= 12; d++) {
        dmm_model_network *network =
            network_make((dmm_model_network_desc){.kind = DMM_MODEL_BITONIC, .wires = 1u << d});
        const dmm_model_network_counts counts = dmm_model_network_count(network);
        REQUIRE_OK(dmm_model_network_count_large(&bitonic, DMM_MODEL_COUNT_BITONIC, d));
        REQUIRE(bitonic.steps == counts.steps && bitonic.words[0] == counts.comparators);
        dmm_model_network_free(network);
    }
    REQUIRE_STATUS(
        DMM_MODEL_BAD_VALUE, dmm_model_network_count_large(&bitonic, DMM_MODEL_COUNT_AKS, 10));
    REQUIRE_STATUS(
        DMM_MODEL_BAD_VALUE, dmm_model_network_count_large(&bitonic, DMM_MODEL_COUNT_AKS, 24580));
}

/* ---- The tables ------------------------------------------------------------------------------ */

static void print_sizes(void)
{
    static const uint32_t sizes[] = {4, 8, 16, 24, 32, 64, 256, 1024, 4096, 65536};
    printf("|      n | bitonic | odd-even | merge exchange | pairwise | best |\n");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        printf("| %6u ", sizes[i]);
        for (unsigned kind = 0; kind <= (sizes[i] <= 32 ? 4u : 3u); kind++) {
            dmm_model_network *network = network_make(
                (dmm_model_network_desc){.kind = (dmm_model_network_kind)kind, .wires = sizes[i]});
            const dmm_model_network_counts counts = dmm_model_network_count(network);
            printf("| %llu in %llu ", (unsigned long long)counts.comparators,
                (unsigned long long)counts.steps);
            dmm_model_network_free(network);
        }
        printf("|\n");
    }
}

/* Fischer 2020, figure 4.5: invalid runs in percent, by fringe, size and matchings. */
static void print_invalid(void)
{
    static const uint32_t depths[] = {5, 10, 30, 100, 250, 500, 800};
    static const struct {
        uint32_t share, sizes[5];
    } rows[] = {{0, {16, 64, 256, 1024, 4096}}, {16, {32, 64, 256, 1024, 4096}},
        {21, {126, 252, 504, 1008, 4032}}, {5, {60, 120, 240, 480, 960}}};
    printf("\n| fringe | wires | matchings:");
    for (int k = 0; k < 7; k++)
        printf(" %u |", depths[k]);
    printf("\n");
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) {
            const uint32_t a = rows[i].sizes[j], f = rows[i].share ? a / rows[i].share : 0;
            printf("| %u | %u |", f, a);
            for (int k = 0; k < 7; k++)
                printf(" %.0f |",
                    invalid_percentage((dmm_model_network_desc){.kind = DMM_MODEL_SEPARATOR,
                                           .wires = a,
                                           .fringe = f,
                                           .matchings = depths[k]},
                        100));
            printf("\n");
        }
}

static void print_halvers(void)
{
    printf("\n| matchings | worst epsilon of 20 halvers of 32 wires | least |\n");
    for (uint32_t d = 1; d <= 64; d *= 2) {
        double worst = 0, least = 1;
        for (uint64_t seed = 0; seed < 20; seed++) {
            const double epsilon = halver_epsilon_at(16, d, seed);
            worst = fmax(worst, epsilon);
            least = fmin(least, epsilon);
        }
        printf("| %u | %.3f | %.3f |\n", d, worst, least);
    }
    for (uint32_t inverse = 2; inverse <= 6; inverse++)
        printf("epsilon 1/%u: %llu matchings by (2.4)\n", inverse,
            (unsigned long long)dmm_model_halver_matchings(1.0 / inverse));
}

static int print_tables(void)
{
    print_sizes();
    print_halvers();
    print_invalid();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_halvers_are_those_of_their_worst_inputs),
        cmocka_unit_test(halvers_of_as_many_matchings_as_chapter_2_asks_for_are_good),
        cmocka_unit_test(separators_are_valid_at_the_depths_of_the_thesis),
        cmocka_unit_test(separators_of_any_fringe_are_exact_with_perfect_halvers),
        cmocka_unit_test(epsilons_follow_from_the_formulas_of_chapter_2),
        cmocka_unit_test(counts_cross_those_of_bitonic),
        cmocka_unit_test(bitonic_counts_are_those_of_its_steps),
    };
    if (argc == 2 && strcmp(argv[1], "table") == 0)
        return print_tables();
    return cmocka_run_group_tests_name("network_halver", tests, NULL, NULL);
}
