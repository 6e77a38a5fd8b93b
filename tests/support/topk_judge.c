/* SPDX-License-Identifier: MIT */
/*
 * The judges of selections. The oracle sorts the input; the property only compares with one item of
 * the result, and knows nothing of sorting.
 */
#include <stdlib.h>
#include <string.h>

#include "support/require.h"
#include "support/topk_case.h"

static char verdict[256];

static int compare_indices(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The indices of the input's rows in stable order, to be freed. */
static uint64_t *stable_order(const kind *k, const rows *input)
{
    uint64_t *const order = malloc((size_t)(input->n + 1) * sizeof *order);
    uint64_t *const indices = malloc((size_t)(input->n + 1) * sizeof *indices);
    void *const keys = malloc((size_t)(input->n * k->bytes + 1));
    REQUIRE(order != NULL && indices != NULL && keys != NULL);
    for (uint64_t i = 0; i < input->n; i++)
        indices[i] = i;
    oracle_sort(k, &(rows){input->keys, indices, input->n, sizeof *indices}, keys, order);
    free(keys);
    free(indices);
    return order;
}

static int same_row(const kind *k, const rows *result, uint64_t i, const rows *input, uint64_t from)
{
    return memcmp(rows_key(k, result, i), rows_key(k, input, from), k->bytes) == 0 &&
           (input->value_bytes == 0 ||
               memcmp(rows_value(result, i), rows_value(input, from), input->value_bytes) == 0);
}

const char *topk_judge_by_oracle(
    const kind *k, const rows *input, const rows *result, uint64_t items, int unsorted, int nth)
{
    const char *fault = NULL;
    uint64_t *const order = stable_order(k, input);
    const uint64_t *const expected = nth ? order + items - 1 : order;
    if (unsorted)
        qsort(order, (size_t)items, sizeof *order, compare_indices);
    for (uint64_t i = 0; i < result->n && fault == NULL; i++)
        if (!same_row(k, result, i, input, expected[i])) {
            snprintf(verdict, sizeof verdict, "oracle: row %llu of %llu should be item %llu",
                (unsigned long long)i, (unsigned long long)result->n,
                (unsigned long long)expected[i]);
            fault = verdict;
        }
    free(order);
    return fault;
}

/* Returns the last key in order of a result in input order. */
static const unsigned char *greatest(const kind *k, const rows *result)
{
    const unsigned char *most = rows_key(k, result, 0);
    for (uint64_t i = 1; i < result->n; i++)
        if (kind_compare(k, most, rows_key(k, result, i)) < 0)
            most = rows_key(k, result, i);
    return most;
}

static uint64_t count_before(const kind *k, const rows *input, const unsigned char *key)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < input->n; i++)
        count += kind_compare(k, rows_key(k, input, i), key) < 0;
    return count;
}

const char *topk_judge_by_property(
    const kind *k, const rows *input, const rows *result, uint64_t items, int unsorted, int nth)
{
    if (result->n == 0)
        return NULL;
    const unsigned char *const last = greatest(k, result);
    const uint64_t before = count_before(k, input, last);
    uint64_t balance = 0, ties = 0;
    if (before >= items)
        return "property: too many items come before the last one";
    for (uint64_t i = 0; i < input->n; i++) {
        const int order = kind_compare(k, rows_key(k, input, i), last);
        ties += order == 0;
        const int wanted = nth ? order == 0 && before + ties == items
                               : order < 0 || (order == 0 && before + ties <= items);
        balance += wanted ? rows_hash(k, input, i) : 0;
    }
    for (uint64_t i = 0; i < result->n; i++) {
        balance -= rows_hash(k, result, i);
        if (!unsorted && i > 0 &&
            kind_compare(k, rows_key(k, result, i - 1), rows_key(k, result, i)) > 0)
            return "property: the result is out of order";
    }
    return balance != 0 ? "property: these are not the rows that come first" : NULL;
}
