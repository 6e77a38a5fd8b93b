/* SPDX-License-Identifier: MIT */
/* Permutations and transpositions, compared with a plain loop. */
#include "promise_moves.h"

#include <stdlib.h>
#include <string.h>

/* Fills in the goal of each item. */
static void fill(uint64_t *goals, size_t n, int bank, uint64_t banks)
{
    uint64_t at = 0;
    for (size_t i = 0; i < n; i++)
        goals[i] = dmm_shuffle_place(1, n, i);
    for (uint64_t first = 0; bank && first < banks; first++)
        for (uint64_t x = first; x < n; x += banks)
            goals[at++] = x;
}

static int is_permuted(const unsigned char *before, const unsigned char *after,
    const uint64_t *goals, size_t n, uint32_t bytes)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(after + goals[i] * bytes, before + i * bytes, bytes) != 0)
            return 0;
    return 1;
}

static dmm_status permute(dmm_context *ctx, dmm_permute_method method, uint32_t bytes,
    const uint64_t *goals, void *items, size_t n)
{
    dmm_permute_desc desc = {0};
    desc.item_bytes = bytes;
    desc.index_bytes = 8;
    desc.method = method;
    desc.check = 1;
    desc.seed = 1; /* the same readings each time */
    return dmm_permute_host(ctx, &desc, goals, items, n, NULL);
}

static dmm_status transpose(
    dmm_context *ctx, uint32_t bytes, void *items, const void *before, size_t n, int *right)
{
    const dmm_transpose_desc desc = {.item_bytes = bytes};
    const dmm_matrices shapes[] = {{3, n / 3, 1}, {n / 80, 80, 1}, {40, 40, n / 1600}};
    const unsigned char *a = before, *b = items;
    dmm_status status = DMM_OK;
    *right = 1;
    for (size_t k = 0; k < 3 && status == DMM_OK; k++) {
        const dmm_matrices s = shapes[k];
        memcpy(items, before, n * bytes);
        status = dmm_transpose_host(ctx, &desc, items, s);
        for (uint64_t i = 0; i < s.rows * s.cols * s.count; i++) {
            const uint64_t first = i / (s.rows * s.cols) * s.rows * s.cols, x = i - first;
            const uint64_t to = first + x % s.cols * s.rows + x / s.cols;
            *right &= memcmp(b + to * bytes, a + i * bytes, bytes) == 0;
        }
    }
    return status;
}

/* Executes a call. The host form works in place, so out of place is done by a plan, which
 * transposes out of place. */
dmm_status promise_moves(dmm_context *ctx, const char *word, uint32_t item_bytes, const char *order,
    size_t n, int *right)
{
    const int bank = strcmp(order, "bank") == 0;
    unsigned char *before = malloc(n * item_bytes), *items = malloc(n * item_bytes);
    uint64_t *goals = malloc(n * sizeof *goals);
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (before != NULL && items != NULL && goals != NULL) {
        const dmm_permutation_plan_desc plan = {.item_bytes = item_bytes, .n = n, .index = goals};
        for (size_t i = 0; i < n * item_bytes; i++)
            items[i] = before[i] = (unsigned char)(i * 2654435761u >> 13);
        fill(goals, n, bank, dmm_context_device(ctx)->banks.value);
        if (strcmp(word, "permute scatter") == 0)
            status = permute(ctx, DMM_PERMUTE_SCATTER, item_bytes, goals, items, n);
        else if (strcmp(word, "permute randomized") == 0)
            status = permute(ctx, DMM_PERMUTE_RANDOMIZED, item_bytes, goals, items, n);
        else if (strcmp(word, "plan") == 0)
            status = dmm_permutation_plan_host(ctx, &plan, items);
        else
            status = strcmp(word, "transpose") != 0 ? DMM_BAD_VALUE : DMM_OK;
        *right = is_permuted(before, items, goals, n, item_bytes);
        if (status == DMM_OK && strcmp(word, "transpose") == 0)
            status = transpose(ctx, item_bytes, items, before, n, right);
    }
    free(goals);
    free(items);
    free(before);
    return status;
}
