/* SPDX-License-Identifier: MIT */
/* The oracle counts and places; the property adds up hashes of rows with their buckets. */
#include "support/partition_judge.h"

#include <stdlib.h>
#include <string.h>

#include "cl/hash.clh"
#include "support/require.h"

static char verdict[256];

static const char *blame(const char *what, uint64_t at)
{
    snprintf(verdict, sizeof verdict, "%s %llu", what, (unsigned long long)at);
    return verdict;
}

static int same(
    const unsigned char *a, uint64_t i, const unsigned char *b, uint64_t j, size_t bytes)
{
    return bytes == 0 || memcmp(a + i * bytes, b + j * bytes, bytes) == 0;
}

const char *partition_judge_by_oracle(const partition_input *in, const partition_result *out)
{
    const char *fault = NULL;
    uint64_t *const next = calloc((size_t)in->ways + 1, sizeof *next);
    REQUIRE(next != NULL);
    for (uint64_t i = 0; i < in->n; i++)
        next[in->buckets[i] + 1]++;
    for (uint32_t b = 0; b < in->ways; b++)
        next[b + 1] += next[b];
    for (uint32_t b = 0; b <= in->ways && fault == NULL; b++)
        if (out->offsets[b] != next[b])
            fault = blame("oracle: wrong is the offset of bucket", b);
    for (uint64_t i = 0; i < in->n && fault == NULL; i++) {
        const uint64_t place = next[in->buckets[i]]++;
        if (!same(in->items, i, out->items, place, in->item_bytes))
            fault = blame("oracle: item, by its place, wrong is", place);
        else if (!same(in->values, i, out->values, place, in->value_bytes))
            fault = blame("oracle: value, by its place, wrong is", place);
    }
    free(next);
    return fault;
}

static uint64_t hash_row(
    const partition_input *in, const unsigned char *items, const unsigned char *values, uint64_t i)
{
    uint64_t hash = 1;
    for (uint32_t b = 0; b < in->item_bytes; b++)
        hash = dmm_mix(hash + items[i * in->item_bytes + b]);
    for (uint32_t b = 0; b < in->value_bytes; b++)
        hash = dmm_mix(hash + values[i * in->value_bytes + b]);
    return hash;
}

static uint32_t number_of(const partition_input *in, const partition_result *out, uint64_t i)
{
    uint32_t number = 0;
    memcpy(&number, out->values + i * in->value_bytes, sizeof number);
    return number;
}

const char *partition_judge_by_property(const partition_input *in, const partition_result *out)
{
    uint64_t balance = 0;
    if (out->offsets[0] != 0 || out->offsets[in->ways] != in->n)
        return "property: offsets do not run from 0 to n";
    for (uint32_t b = 0; b < in->ways; b++) {
        const uint64_t first = out->offsets[b], end = out->offsets[b + 1];
        if (first > end || end > in->n)
            return blame("property: offsets fall behind that of bucket", b);
        for (uint64_t i = first; i < end; i++) {
            balance += dmm_mix(hash_row(in, out->items, out->values, i) + b);
            if (in->numbered && i > first && number_of(in, out, i - 1) >= number_of(in, out, i))
                return blame("property: not in the order of the input: value", i);
        }
    }
    for (uint64_t i = 0; i < in->n; i++)
        balance -= dmm_mix(hash_row(in, in->items, in->values, i) + in->buckets[i]);
    return balance != 0 ? "property: the buckets' rows are not those of the input" : NULL;
}

const char *partition_judge(const partition_input *in, const partition_result *out)
{
    const char *const fault = partition_judge_by_property(in, out);
    return fault != NULL ? fault : partition_judge_by_oracle(in, out);
}
