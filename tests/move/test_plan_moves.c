/* SPDX-License-Identifier: MIT */
/*
 * The colouring of a plan and its moves, on the host: every colour once a vertex, and no step that
 * asks a bank for two words.
 */
#include "support/require.h"

#include <stdlib.h>

#include <dmm/shuffle.h>

#include "primitives/permute/permutation_plan.h"
#include "support/items.h"

static const char *judge_colours(const dmm_graph *g, const uint32_t *colours)
{
    const uint64_t edges = (uint64_t)g->vertices * g->degree;
    const char *fault = NULL;
    unsigned char *seen = calloc((size_t)edges, 1);
    REQUIRE(seen != NULL);
    for (uint64_t e = 0; e < edges && fault == NULL; e++) {
        unsigned char *l = &seen[(uint64_t)g->left[e] * g->degree + colours[e]];
        unsigned char *r = &seen[(uint64_t)g->right[e] * g->degree + colours[e]];
        if (colours[e] >= g->degree || (*l & 1) || (*r & 2))
            fault = "two edges of a vertex have one colour";
        *l |= 1;
        *r |= 2;
    }
    free(seen);
    return fault;
}

static void shuffled(uint32_t *out, uint64_t n, uint64_t seed)
{
    for (uint64_t i = 0; i < n; i++)
        out[i] = (uint32_t)dmm_shuffle_index(seed, n, i);
}

static void regular_graphs_are_coloured(void **state)
{
    static const uint32_t vertices[] = {1, 2, 3, 8, 32, 100};
    (void)state;
    for (size_t v = 0; v < 6; v++)
        for (uint32_t degree = 1; degree <= 64; degree *= 2) {
            const uint32_t edges = vertices[v] * degree;
            uint32_t *left = allocate(edges * 4u), *right = allocate(edges * 4u);
            uint32_t *colours = allocate(edges * 4u);
            uint32_t *scratch = allocate(dmm_graph_scratch(vertices[v], edges) * 4);
            const dmm_graph g = {left, right, vertices[v], degree, scratch};
            test_note("%u vertices of degree %u", vertices[v], degree);
            shuffled(right, edges, degree);
            for (uint32_t e = 0; e < edges; e++) {
                left[e] = e / degree;
                right[e] /= degree;
            }
            dmm_graph_colour(colours, &g);
            REQUIRE_VERDICT(judge_colours(&g, colours));
            if (edges > 1 && degree > 1) {
                colours[0] = colours[1];
                REQUIRE(judge_colours(&g, colours) != NULL);
            }
            free(left);
            free(right);
            free(colours);
            free(scratch);
        }
}

/* Every step of w moves reads w banks and writes w banks; every tile is permuted. */
static const char *judge_moves(const dmm_plan_moves *m)
{
    const uint32_t w = m->banks;
    for (uint64_t at = 0; at < m->padded * m->num_moves; at += w) {
        unsigned char from[128] = {0}, to[128] = {0};
        for (uint32_t lane = 0; lane < w; lane++) {
            const uint32_t move = m->moves[at + lane];
            if (from[(move & 0xffff) % w]++ || to[(move >> 16) % w]++)
                return "a step asks a bank for two words";
        }
    }
    return NULL;
}

static void no_step_asks_a_bank_for_two_words(void **state)
{
    static const uint64_t sizes[] = {1, 64, 100, 128, 129, 1000, 5000};
    (void)state;
    for (uint32_t w = 4; w <= 128; w *= 2)
        for (size_t s = 0; s < 7; s++)
            for (int hostile = 0; hostile < 2; hostile++) {
                dmm_plan_moves m = {.n = sizes[s], .tile = 2 * w, .banks = w};
                test_note("w = %u, n = %u%s", w, (unsigned)m.n, hostile ? ", hostile" : "");
                REQUIRE_OK(dmm_plan_moves_lay_out(&m));
                uint32_t *goals = allocate(m.padded * 4);
                shuffled(goals, m.padded, s);
                for (uint32_t i = 0; i < m.padded && hostile; i++)
                    goals[i] = (uint32_t)(i % (m.padded / w) * w + i / (m.padded / w));
                REQUIRE_OK(dmm_plan_moves_fill(&m, goals));
                REQUIRE_VERDICT(judge_moves(&m));
                const uint32_t kept = m.moves[0];
                m.moves[0] = m.moves[1];
                REQUIRE(judge_moves(&m) != NULL);
                m.moves[0] = kept;
                free(goals);
                dmm_plan_moves_free(&m);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_graphs_are_coloured),
        cmocka_unit_test(no_step_asks_a_bank_for_two_words),
    };
    return cmocka_run_group_tests_name("plan_moves", tests, NULL, NULL);
}
