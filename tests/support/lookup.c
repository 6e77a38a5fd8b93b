/* SPDX-License-Identifier: MIT */

#include "support/items.h"
#include "support/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/random.h"

const void *lookup_key(const lookup *l, uint64_t i)
{
    return l->keys + i * l->k.bytes;
}

static const void *query_at(const lookup *l, uint64_t i)
{
    return l->queries + i * l->k.bytes;
}

uint32_t lookup_out_bytes(const lookup *l)
{
    return l->result == DMM_RANK_CONTAINS ? 1 : l->rank_bytes;
}

static uint64_t number_at(const unsigned char *from, uint64_t i, uint32_t bytes)
{
    uint64_t number = 0;
    memcpy(&number, from + i * bytes, bytes); /* little-endian hosts only, as the suite's others */
    return number;
}

/* How many keys come before the query, or, with `upper`, do not come after it: all are compared. */
static uint64_t count_keys(const lookup *l, uint64_t query, int upper)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < l->n; i++) {
        const int order = kind_compare(&l->k, lookup_key(l, i), query_at(l, query));
        count += order < 0 || (upper && order == 0);
    }
    return count;
}

const char *lookup_judge_by_counting(const lookup *l)
{
    for (uint64_t i = 0; i < l->m; i++) {
        const uint64_t got = number_at(l->out, i, lookup_out_bytes(l));
        const uint64_t lower = count_keys(l, i, 0), upper = count_keys(l, i, 1);
        if (l->result == DMM_RANK_CONTAINS ? got != (lower < upper)
                                           : got != (l->result == DMM_RANK_UPPER ? upper : lower))
            return "another number of keys comes before a query";
        if (l->result == DMM_RANK_RANGE && number_at(l->ends, i, l->rank_bytes) != upper)
            return "a range ends elsewhere";
    }
    return NULL;
}

/* True if a rank separates the keys before the query from the others. */
static int separates(const lookup *l, uint64_t query, uint64_t rank, int upper)
{
    const int least = upper ? 0 : -1; /* the greatest order of a key below the rank */
    if (rank > l->n)
        return 0;
    if (rank > 0 && kind_compare(&l->k, lookup_key(l, rank - 1), query_at(l, query)) > least)
        return 0;
    return rank == l->n || kind_compare(&l->k, lookup_key(l, rank), query_at(l, query)) > least;
}

const char *lookup_judge_by_neighbours(const lookup *l)
{
    if (l->result == DMM_RANK_CONTAINS)
        return NULL;
    for (uint64_t i = 0; i < l->m; i++) {
        if (!separates(l, i, number_at(l->out, i, l->rank_bytes), l->result == DMM_RANK_UPPER))
            return "a rank does not separate the keys";
        if (l->result == DMM_RANK_RANGE &&
            !separates(l, i, number_at(l->ends, i, l->rank_bytes), 1))
            return "an end does not separate the keys";
    }
    return NULL;
}

static void sort_items(const kind *k, unsigned char *items, uint64_t n)
{
    unsigned char *const drawn = allocate(n * k->bytes);
    memcpy(drawn, items, n * k->bytes);
    oracle_sort(k, &(rows){.keys = drawn, .n = n}, items, NULL);
    free(drawn);
}

/* Sorted keys of a shape; half of the queries are keys, the others random; sorted for a merge. */
lookup lookup_create(const lookup *setup, shape s, uint64_t n, uint64_t m, uint64_t seed)
{
    random_source random = {seed};
    const kind *const k = &setup->k;
    lookup l = *setup;
    l.n = n;
    l.m = m;
    l.keys = allocate(n * k->bytes);
    l.queries = allocate(m * k->bytes);
    l.out = allocate(m * 8);
    l.ends = allocate(m * 8);
    kind_fill(k, s, l.keys, n, &random);
    sort_items(k, l.keys, n);
    kind_fill(k, s == SHAPE_SPECIAL ? s : SHAPE_BITS, l.queries, m, &random);
    for (uint64_t i = 0; i < m && n != 0; i += 2)
        memcpy(l.queries + i * k->bytes, lookup_key(&l, random_below(&random, n)), k->bytes);
    if (l.method == DMM_SEARCH_MERGE)
        sort_items(k, l.queries, m);
    return l;
}

void lookup_free(lookup *l)
{
    free(l->keys);
    free(l->queries);
    free(l->out);
    free(l->ends);
}
