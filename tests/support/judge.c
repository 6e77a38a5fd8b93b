/* SPDX-License-Identifier: MIT */
/* The oracle sorts indices; the property compares neighbours and adds up hashes of the rows. */
#include "support/judge.h"

#include <stdlib.h>
#include <string.h>

#include "cl/hash.clh"
#include "support/require.h"

static char verdict[256];

const unsigned char *rows_key(const kind *k, const rows *r, uint64_t i)
{
    return (const unsigned char *)r->keys + i * k->bytes;
}

const unsigned char *rows_value(const rows *r, uint64_t i)
{
    return (const unsigned char *)r->values + i * r->value_bytes;
}

/* Merges from[first..middle) and from[middle..end), the first list's items first on ties. */
static void merge_indices(const kind *k, const rows *r, const uint64_t *from, uint64_t *to,
    uint64_t first, uint64_t middle, uint64_t end)
{
    uint64_t a = first, b = middle;
    for (uint64_t i = first; i < end; i++) {
        const int take_a = a < middle && (b >= end || kind_compare(k, rows_key(k, r, from[a]),
                                                          rows_key(k, r, from[b])) <= 0);
        to[i] = from[take_a ? a++ : b++];
    }
}

/* The stable order of the rows, as indices: the caller frees it. */
static uint64_t *sorted_indices(const kind *k, const rows *r)
{
    const uint64_t n = r->n;
    uint64_t *from = malloc((size_t)(n + 1) * sizeof *from);
    uint64_t *to = malloc((size_t)(n + 1) * sizeof *to);
    REQUIRE(from != NULL && to != NULL);
    for (uint64_t i = 0; i < n; i++)
        from[i] = i;
    for (uint64_t run = 1; run < n; run *= 2) {
        for (uint64_t first = 0; first < n; first += 2 * run) {
            const uint64_t middle = first + run < n ? first + run : n;
            const uint64_t end = middle + run < n ? middle + run : n;
            merge_indices(k, r, from, to, first, middle, end);
        }
        uint64_t *const done = to;
        to = from;
        from = done;
    }
    free(to);
    return from;
}

void oracle_sort(const kind *k, const rows *input, void *keys, void *values)
{
    uint64_t *const order = sorted_indices(k, input);
    const size_t value = input->value_bytes;
    for (uint64_t i = 0; i < input->n; i++) {
        memcpy((unsigned char *)keys + i * k->bytes, rows_key(k, input, order[i]), k->bytes);
        if (value != 0)
            memcpy((unsigned char *)values + i * value, rows_value(input, order[i]), value);
    }
    free(order);
}

const char *judge_by_oracle(const kind *k, const rows *input, const rows *result)
{
    const char *fault = NULL;
    uint64_t *const order = sorted_indices(k, input);
    for (uint64_t i = 0; i < input->n && fault == NULL; i++) {
        const char *what = NULL;
        if (memcmp(rows_key(k, result, i), rows_key(k, input, order[i]), k->bytes) != 0)
            what = "key";
        else if (input->value_bytes != 0 &&
                 memcmp(rows_value(result, i), rows_value(input, order[i]), input->value_bytes) !=
                     0)
            what = "value";
        if (what != NULL) {
            snprintf(verdict, sizeof verdict, "oracle: %s %llu of %llu should be item %llu", what,
                (unsigned long long)i, (unsigned long long)input->n, (unsigned long long)order[i]);
            fault = verdict;
        }
    }
    free(order);
    return fault;
}

uint64_t rows_hash(const kind *k, const rows *r, uint64_t i)
{
    uint64_t hash = 1;
    for (uint32_t b = 0; b < k->bytes; b++)
        hash = dmm_mix(hash + rows_key(k, r, i)[b]);
    for (uint32_t b = 0; b < r->value_bytes; b++)
        hash = dmm_mix(hash + rows_value(r, i)[b]);
    return hash;
}

const char *judge_by_property(const kind *k, const rows *input, const rows *result)
{
    uint64_t balance = 0;
    for (uint64_t i = 1; i < result->n; i++)
        if (kind_compare(k, rows_key(k, result, i - 1), rows_key(k, result, i)) > 0) {
            snprintf(verdict, sizeof verdict,
                "property: keys %llu and %llu of %llu are out of order",
                (unsigned long long)(i - 1), (unsigned long long)i, (unsigned long long)result->n);
            return verdict;
        }
    for (uint64_t i = 0; i < input->n; i++)
        balance += rows_hash(k, input, i) - rows_hash(k, result, i);
    return balance != 0 ? "property: the rows are not those of the input" : NULL;
}

const char *judge(const kind *k, const rows *input, const rows *result)
{
    const char *const fault = judge_by_property(k, input, result);
    return fault != NULL ? fault : judge_by_oracle(k, input, result);
}
