/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * The translation cache: each strategy against one written down from its definition, and the
 * theorems of Jurkiewicz (2013, section 2.3) on random and adversarial traces. `test_translation
 * rate` prints addresses a second instead.
 */
#include "support/require.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dmm-model/translation.h>

#include "support/random.h"
#include "support/rig.h"
#include "support/traces.h"

enum { LENGTH_MAX = 4096 };

static dmm_model_translation machine_of(uint32_t K, uint32_t d, uint32_t W, dmm_model_eviction by)
{
    return (dmm_model_translation){
        .page_bytes = TRACE_PAGE_BYTES, .fanout = K, .depth = d, .nodes = W, .eviction = by};
}

static uint64_t insertions(
    const trace_case *c, uint32_t W, dmm_model_eviction by, uint8_t *inserted)
{
    const dmm_model_translation machine = machine_of(c->K, c->d, W, by);
    dmm_model_translation_counts counts;
    uint64_t sum = 0, walks = 0;
    uint8_t each[LENGTH_MAX];
    REQUIRE_OK(dmm_model_translate(&counts, each, &machine, c->addresses, c->length));
    for (uint32_t t = 0; t < c->length; t++) {
        sum += each[t];
        walks += each[t] != 0;
    }
    REQUIRE(counts.translations == c->length && counts.insertions == sum);
    REQUIRE(counts.walks == walks && counts.leaves <= walks && counts.cost == sum);
    if (inserted)
        memcpy(inserted, each, c->length);
    return sum;
}

/* ---- Strategies by their definitions --------------------------------------------------------- */

/* A cache as a list of nodes, searched from end to end. */
typedef struct plain_node {
    uint64_t number;
    uint32_t layer;
    uint64_t used; /* when accessed last */
} plain_node;

typedef struct plain_cache {
    const trace_case *c;
    plain_node nodes[64];
    uint32_t count, W;
} plain_cache;

static uint64_t number_of(const trace_case *c, uint32_t t, uint32_t layer)
{
    uint64_t number = c->addresses[t] / TRACE_PAGE_BYTES;
    for (uint32_t l = 0; l < layer; l++)
        number /= c->K;
    return number;
}

static uint32_t find(const plain_cache *p, uint64_t number, uint32_t layer)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->nodes[i].number == number && p->nodes[i].layer == layer)
            return i;
    return UINT32_MAX;
}

static bool is_below(const trace_case *c, const plain_node *low, const plain_node *high)
{
    uint64_t number = low->number;
    for (uint32_t l = low->layer; l < high->layer; l++)
        number /= c->K;
    return low->layer < high->layer && number == high->number;
}

/* The next translation after t that uses the node, n if none. */
static uint32_t next_use(const trace_case *c, const plain_node *node, uint32_t t)
{
    for (t++; t < c->length; t++)
        if (number_of(c, t, node->layer) == node->number)
            break;
    return t;
}

static bool on_path(const plain_cache *p, const plain_node *node, uint32_t t)
{
    return number_of(p->c, t, node->layer) == node->number;
}

/* True if MIN evicts `a` rather than `b` at translation t, layer `layer` of the path. */
static bool is_farther(
    const plain_cache *p, const plain_node *a, const plain_node *b, uint32_t t, uint32_t layer)
{
    const bool a_needed = on_path(p, a, t) && a->layer < layer;
    const bool b_needed = on_path(p, b, t) && b->layer < layer;
    const uint32_t a_next = a_needed ? t : next_use(p->c, a, t);
    const uint32_t b_next = b_needed ? t : next_use(p->c, b, t);
    return a_next != b_next ? a_next > b_next : a->layer < b->layer;
}

static bool has_descendant(const plain_cache *p, const plain_node *node)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (is_below(p->c, &p->nodes[i], node))
            return true;
    return false;
}

static uint32_t victim_of(const plain_cache *p, dmm_model_eviction by, uint32_t t, uint32_t layer)
{
    uint32_t victim = UINT32_MAX;
    for (uint32_t i = 0; i < p->count; i++) {
        const plain_node *node = &p->nodes[i];
        if (by == DMM_MODEL_ISMIN && (on_path(p, node, t) || has_descendant(p, node)))
            continue;
        if (victim == UINT32_MAX || (by == DMM_MODEL_LRU || by == DMM_MODEL_ISLRU
                                            ? node->used < p->nodes[victim].used
                                            : is_farther(p, node, &p->nodes[victim], t, layer)))
            victim = i;
    }
    REQUIRE(victim != UINT32_MAX);
    for (uint32_t i = 0; by == DMM_MODEL_ISLRU && i < p->count; i++)
        if (is_below(p->c, &p->nodes[i], &p->nodes[victim]))
            victim = i, i = UINT32_MAX; /* again, from the start, below this one */
    return victim;
}

/* The insertions of each translation; `highest` gets the highest layer on which a node is missing
 * before it, or -1. */
static void translate_plainly(
    uint8_t *inserted, int *highest, const trace_case *c, uint32_t W, dmm_model_eviction by)
{
    plain_cache p = {.c = c, .W = W};
    uint64_t clock = 0;
    for (uint32_t t = 0; t < c->length; t++) {
        inserted[t] = 0;
        highest[t] = -1;
        for (uint32_t l = 0; l <= c->d; l++)
            if (find(&p, number_of(c, t, l), l) == UINT32_MAX)
                highest[t] = (int)l;
        for (uint32_t l = c->d + 1; l-- > 0;) {
            uint32_t at = find(&p, number_of(c, t, l), l);
            if (at == UINT32_MAX) {
                at = p.count < W ? p.count++ : victim_of(&p, by, t, l);
                p.nodes[at] = (plain_node){number_of(c, t, l), l, 0};
                inserted[t]++;
            }
            p.nodes[at].used = ++clock;
        }
    }
}

static void each_strategy_is_its_definition(void **state)
{
    random_source random = {1};
    (void)state;
    const uint32_t cases = (uint32_t)by_size(400, 400, 4000);
    for (uint32_t i = 0; i < cases; i++) {
        trace_case c;
        uint8_t plain[LENGTH_MAX], got[LENGTH_MAX];
        int highest[LENGTH_MAX];
        trace_make(&c, &random, 8, 120);
        const uint32_t W = c.d + 1 + (uint32_t)random_below(&random, 12);
        for (int by = DMM_MODEL_LRU; by <= DMM_MODEL_ISMIN; by++) {
            test_note(
                "%s, K = %u, d = %u, W = %u, strategy %d, case %u", c.name, c.K, c.d, W, by, i);
            translate_plainly(plain, highest, &c, W, (dmm_model_eviction)by);
            const uint64_t sum = insertions(&c, W, (dmm_model_eviction)by, got);
            uint64_t plain_sum = 0;
            for (uint32_t t = 0; t < c.length; t++) {
                plain_sum += plain[t];
                if (by == DMM_MODEL_LRU || by == DMM_MODEL_ISLRU)
                    REQUIRE(plain[t] == got[t]);
                if (by != DMM_MODEL_MIN) /* lemma 2.8, and the initial segment */
                    REQUIRE(got[t] == highest[t] + 1 || by == DMM_MODEL_ISMIN);
            }
            REQUIRE(sum == plain_sum);
        }
        trace_free(&c);
    }
}

/* ---- Theorems -------------------------------------------------------------------------------- */

static void the_theorems_hold_on_random_and_adversarial_traces(void **state)
{
    random_source random = {3};
    uint32_t strict[6] = {0};
    (void)state;
    const uint32_t cases = (uint32_t)by_size(1500, 1500, 20000);
    for (uint32_t i = 0; i < cases; i++) {
        trace_case c;
        trace_make(&c, &random, 40, LENGTH_MAX / 4);
        const uint32_t half = c.d + 1 + (uint32_t)random_below(&random, 24), W = 2 * half;
        test_note("%s, K = %u, d = %u, W = %u, case %u", c.name, c.K, c.d, W, i);
        const uint64_t min = insertions(&c, W, DMM_MODEL_MIN, NULL);
        const uint64_t ismin = insertions(&c, W, DMM_MODEL_ISMIN, NULL);
        const uint64_t islru = insertions(&c, W, DMM_MODEL_ISLRU, NULL);
        const uint64_t lru = insertions(&c, W, DMM_MODEL_LRU, NULL);
        const uint64_t min_half = insertions(&c, half, DMM_MODEL_MIN, NULL);
        const uint64_t lru_more = insertions(&c, W + c.d, DMM_MODEL_LRU, NULL);
        const uint64_t ismin_more = insertions(&c, W + c.d, DMM_MODEL_ISMIN, NULL);
        REQUIRE(min <= ismin && ismin <= islru && islru <= lru && lru <= 2 * min_half);
        REQUIRE(lru_more <= islru); /* lemma 2.15 */
        REQUIRE(ismin_more <= min); /* theorem 2.16 */
        strict[0] += min < ismin;
        strict[1] += ismin < islru;
        strict[2] += islru < lru;
        strict[3] += lru < 2 * min_half;
        strict[4] += lru_more < islru;
        strict[5] += ismin_more < min;
        trace_free(&c);
    }
    print_message("%u traces; strictly less in: MIN < ISMIN %u, ISMIN < ISLRU %u, ISLRU < LRU %u, "
                  "LRU < 2 MIN(W/2) %u, LRU(W+d) < ISLRU %u, ISMIN(W+d) < MIN %u\n",
        cases, strict[0], strict[1], strict[2], strict[3], strict[4], strict[5]);
    REQUIRE(strict[0] && strict[1] && strict[2] && strict[3]);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static void pieces_of_a_stream_count_as_the_whole(void **state)
{
    random_source random = {4};
    (void)state;
    for (int by = DMM_MODEL_LRU; by <= DMM_MODEL_ISLRU; by++) {
        trace_case c;
        trace_make(&c, &random, 20, 1000);
        const dmm_model_translation machine = machine_of(c.K, c.d, c.d + 9, (dmm_model_eviction)by);
        dmm_model_translator *translator;
        REQUIRE_OK(dmm_model_translator_create(&translator, &machine));
        for (uint64_t at = 0, piece; at < c.length; at += piece) {
            piece = 1 + random_below(&random, 50);
            piece = piece < c.length - at ? piece : c.length - at;
            REQUIRE_OK(dmm_model_translator_add(translator, NULL, c.addresses + at, piece));
        }
        REQUIRE(dmm_model_translator_counts(translator).insertions ==
                insertions(&c, c.d + 9, (dmm_model_eviction)by, NULL));
        dmm_model_translator_free(translator);
        trace_free(&c);
    }
}

static void defaults_cover_48_bits_and_ranges_are_checked(void **state)
{
    static const struct {
        uint64_t page_bytes;
        uint32_t depth;
    } pages[] = {{0, 4}, {65536, 4}, {2 << 20, 3}};
    static const dmm_model_translation wrong[] = {{.page_bytes = 32}, {.page_bytes = 4095},
        {.fanout = 3}, {.fanout = 1 << 17}, {.nodes = 4}, {.depth = 58}, {.depth = 6},
        {.nodes = DMM_MODEL_NODES_MAX + 1}, {.eviction = (dmm_model_eviction)4}};
    dmm_model_translation machine;
    dmm_model_translator *translator;
    dmm_model_translation_counts counts = {0};
    const uint64_t last[] = {(UINT64_C(1) << 48) - 1, UINT64_C(1) << 48};
    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        REQUIRE_OK(dmm_model_translation_check(
            &machine, &(dmm_model_translation){.page_bytes = pages[i].page_bytes}));
        REQUIRE(machine.depth == pages[i].depth && machine.fanout == 512 && machine.nodes == 64);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        REQUIRE(dmm_model_translation_check(&machine, &wrong[i]) == DMM_MODEL_BAD_VALUE);
    machine = (dmm_model_translation){.tau = 7};
    REQUIRE_OK(dmm_model_translate(&counts, NULL, &machine, last, 1));
    REQUIRE(counts.insertions == 5 && counts.cost == 35 && counts.leaves == 1);
    REQUIRE(dmm_model_translate(&counts, NULL, &machine, last, 2) == DMM_MODEL_BAD_DATA);
    REQUIRE(dmm_model_translate(NULL, NULL, &machine, last, 1) == DMM_MODEL_NULL_ARGUMENT);
    REQUIRE(dmm_model_translate(&counts, NULL, &machine, NULL, 1) == DMM_MODEL_NULL_ARGUMENT);
    machine.eviction = DMM_MODEL_MIN;
    REQUIRE_OK(dmm_model_translate(&counts, NULL, &machine, NULL, 0));
    REQUIRE(counts.insertions == 0);
    REQUIRE(dmm_model_translator_create(&translator, &machine) == DMM_MODEL_UNSUPPORTED);
    REQUIRE(!translator && dmm_model_translator_counts(NULL).translations == 0);
    dmm_model_translator_free(NULL);
}

/* ---- Rates ----------------------------------------------------------------------------------- */

static int print_rates(void)
{
    enum { COUNT = 1 << 22 };
    static const char *const names[] = {"LRU", "ISLRU", "MIN", "ISMIN"};
    uint64_t *addresses = malloc(COUNT * sizeof *addresses);
    random_source random = {5};
    for (int spread = 0; addresses && spread < 3; spread++) {
        for (uint64_t i = 0; i < COUNT; i++)
            addresses[i] = spread == 0   ? 8 * i
                           : spread == 1 ? 4096 * i
                                         : random_below(&random, UINT64_C(1) << 32);
        for (int by = 0; by <= DMM_MODEL_ISMIN; by++) {
            const dmm_model_translation machine = {.eviction = (dmm_model_eviction)by};
            dmm_model_translation_counts counts;
            const clock_t start = clock();
            REQUIRE_OK(dmm_model_translate(&counts, NULL, &machine, addresses, COUNT));
            const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
            printf("%-12s %-6s %8.1f million addresses a second, %llu insertions\n",
                spread == 0   ? "sequential"
                : spread == 1 ? "page by page"
                              : "random",
                names[by], COUNT / seconds / 1e6, (unsigned long long)counts.insertions);
        }
    }
    free(addresses);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_strategy_is_its_definition),
        cmocka_unit_test(the_theorems_hold_on_random_and_adversarial_traces),
        cmocka_unit_test(pieces_of_a_stream_count_as_the_whole),
        cmocka_unit_test(defaults_cover_48_bits_and_ranges_are_checked),
    };
    if (argc == 2 && strcmp(argv[1], "rate") == 0)
        return print_rates();
    return cmocka_run_group_tests_name("translation", tests, NULL, NULL);
}
