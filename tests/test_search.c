/* SPDX-License-Identifier: MIT */
/*
 * dmm_search over sizes, types, orders and parameters, by two judges: an oracle that counts keys
 * one by one, and the property that a rank's neighbours lie on either side of the query.
 */
#include "support/require.h"

#include <dmm/search.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/judge.h"
#include "support/random.h"
#include "support/zone.h"

/* Keys, queries, and what came out. */
typedef struct lookup {
    kind k;
    dmm_search_result result;
    uint32_t rank_bytes;
    dmm_layout_kind layout;
    uint32_t B;
    dmm_search_method method;
    uint32_t team;
    uint64_t n, m;
    unsigned char *keys, *queries, *out, *ends;
} lookup;

static void *allocate(uint64_t bytes)
{
    void *const memory = calloc(bytes + 1, 1);
    REQUIRE(memory != NULL);
    return memory;
}

static const void *key_at(const lookup *l, uint64_t i)
{
    return l->keys + i * l->k.bytes;
}

static const void *query_at(const lookup *l, uint64_t i)
{
    return l->queries + i * l->k.bytes;
}

static uint32_t out_bytes(const lookup *l)
{
    return l->result == DMM_SEARCH_CONTAINS ? 1 : l->rank_bytes;
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
        const int order = kind_compare(&l->k, key_at(l, i), query_at(l, query));
        count += order < 0 || (upper && order == 0);
    }
    return count;
}

static const char *judge_by_counting(const lookup *l)
{
    for (uint64_t i = 0; i < l->m; i++) {
        const uint64_t got = number_at(l->out, i, out_bytes(l));
        const uint64_t lower = count_keys(l, i, 0), upper = count_keys(l, i, 1);
        if (l->result == DMM_SEARCH_CONTAINS
                ? got != (lower < upper)
                : got != (l->result == DMM_SEARCH_UPPER ? upper : lower))
            return "another number of keys comes before a query";
        if (l->result == DMM_SEARCH_RANGE && number_at(l->ends, i, l->rank_bytes) != upper)
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
    if (rank > 0 && kind_compare(&l->k, key_at(l, rank - 1), query_at(l, query)) > least)
        return 0;
    return rank == l->n || kind_compare(&l->k, key_at(l, rank), query_at(l, query)) > least;
}

static const char *judge_by_neighbours(const lookup *l)
{
    if (l->result == DMM_SEARCH_CONTAINS)
        return NULL;
    for (uint64_t i = 0; i < l->m; i++) {
        if (!separates(l, i, number_at(l->out, i, l->rank_bytes), l->result == DMM_SEARCH_UPPER))
            return "a rank does not separate the keys";
        if (l->result == DMM_SEARCH_RANGE &&
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
static lookup make_input(const lookup *setup, shape s, uint64_t n, uint64_t m, uint64_t seed)
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
        memcpy(l.queries + i * k->bytes, key_at(&l, random_below(&random, n)), k->bytes);
    if (l.method == DMM_SEARCH_MERGE)
        sort_items(k, l.queries, m);
    return l;
}

static void free_lookup(lookup *l)
{
    free(l->keys);
    free(l->queries);
    free(l->out);
    free(l->ends);
}

static dmm_search *build(
    const rig *r, const lookup *l, dmm_tuning tuning, int guarantee, uint64_t max_n)
{
    dmm_search *search = NULL;
    const dmm_search_desc desc = {.order = l->k.order,
        .result = l->result,
        .rank_bytes = l->rank_bytes,
        .guarantee = guarantee,
        .max_n = max_n,
        .tuning = tuning,
        .layout = l->layout,
        .B = l->B,
        .method = l->method,
        .team = l->team};
    const dmm_status status = dmm_search_create(&search, r->ctx, &desc);
    if (status != DMM_OK)
        print_error("%s", r->log);
    REQUIRE_OK(status);
    return search;
}

enum { KEYS, QUERIES, OUT, ENDS, COUNT, NUM_ZONES };

/* Returns the keys in their layout. */
static unsigned char *laid_out(const lookup *l)
{
    unsigned char *const keys = allocate(l->n * l->k.bytes);
    for (uint64_t i = 0; i < l->n; i++)
        memcpy(keys + i * l->k.bytes, key_at(l, dmm_layout_rank(l->layout, l->B, l->n, i)),
            l->k.bytes);
    return keys;
}

/* Runs a call for at most `most` queries, of which the device's count says l->m. */
static void run(const rig *r, dmm_search *search, lookup *l, uint64_t most)
{
    const uint64_t key = l->k.bytes, out = out_bytes(l), rank = l->rank_bytes;
    const int ranges = l->result == DMM_SEARCH_RANGE, counted = most != l->m;
    unsigned char *const queries = allocate(most * key);
    memcpy(queries, l->queries, l->m * key);
    unsigned char *const keys = laid_out(l);
    zone z[NUM_ZONES] = {
        [KEYS] = zone_create(r, keys, l->n * key, 3 * key),
        [QUERIES] = zone_create(r, queries, most * key, key),
        [OUT] = zone_create(r, NULL, most * out, 2 * out),
        [ENDS] = zone_create(r, NULL, ranges ? most * rank : 0, rank),
        [COUNT] = zone_create(r, &l->m, sizeof l->m, 16),
    };
    const dmm_search_args args = {.keys = zone_span(&z[KEYS]),
        .queries = zone_span(&z[QUERIES]),
        .out = zone_span(&z[OUT]),
        .ends_out = ranges ? zone_span(&z[ENDS]) : DMM_NONE,
        .count = counted ? zone_span(&z[COUNT]) : DMM_NONE};
    unsigned char *const got = allocate(most * 8);
    REQUIRE_OK(dmm_search_enqueue(search, r->queue, &args, l->n, most, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &z[OUT], got);
    memcpy(l->out, got, l->m * out);
    if (ranges) {
        zone_read(r, &z[ENDS], got);
        memcpy(l->ends, got, l->m * rank);
    }
    REQUIRE(zone_holds(r, &z[KEYS], keys));
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
    free(keys);
    free(queries);
    free(got);
}

static void judge_all(const lookup *l)
{
    REQUIRE_VERDICT(judge_by_counting(l));
    REQUIRE_VERDICT(judge_by_neighbours(l));
}

/* One program. */
typedef struct row {
    const char *kind;
    int descending, zero_equal;
    dmm_search_result result;
    uint32_t rank_bytes;
    int guarantee;
    const char *set;
    dmm_tuning tuning;
    dmm_layout_kind layout;
    uint32_t B;
    dmm_search_method method;
    uint32_t team;
} row;

#define TEAMS DMM_SEARCH_TEAMS
#define MERGE DMM_SEARCH_MERGE
static const row table[] = {
    {"u32", 0, 0, DMM_SEARCH_LOWER, 4, 0, "banks=16", GPU(32, 4), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"f32", 0, 1, DMM_SEARCH_RANGE, 4, 0, "", CPU(64), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"u64", 1, 0, DMM_SEARCH_UPPER, 8, 0, "banks=8", GPU(16, 3), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"u8", 0, 0, DMM_SEARCH_CONTAINS, 4, 0, "", CPU_BY(4, 64), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"i16", 1, 0, DMM_SEARCH_RANGE, 8, 1, "banks=32", GPU(32, 1), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"f64", 1, 0, DMM_SEARCH_LOWER, 4, 0, "banks=16", GPU(16, 2), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"f16", 0, 0, DMM_SEARCH_CONTAINS, 4, 0, "banks=8", GPU(8, 5), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"item12", 0, 0, DMM_SEARCH_RANGE, 4, 0, "banks=16", GPU(16, 2), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"item256", 1, 0, DMM_SEARCH_LOWER, 4, 0, "banks=16", GPU(16, 1), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"u32 by less", 0, 0, DMM_SEARCH_UPPER, 4, 0, "", CPU_BY(1, 128), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"i32", 0, 0, DMM_SEARCH_UPPER, 4, 1, "", CPU(64), DMM_LAYOUT_SORTED, 0, 0, 0},
    {"u32", 0, 0, DMM_SEARCH_RANGE, 4, 0, "", CPU(64), DMM_LAYOUT_BST, 0, 0, 0},
    {"u32", 0, 0, DMM_SEARCH_RANGE, 4, 0, "", CPU(64), DMM_LAYOUT_BTREE, 16, 0, 0},
    {"f32", 1, 1, DMM_SEARCH_RANGE, 8, 0, "", CPU_BY(4, 64), DMM_LAYOUT_VEB, 0, 0, 0},
    {"u32", 0, 0, DMM_SEARCH_RANGE, 4, 0, "banks=16", GPU(16, 2), DMM_LAYOUT_MVEB, 0, 0, 0},
    {"u64", 1, 0, DMM_SEARCH_UPPER, 8, 0, "banks=16", GPU(16, 2), DMM_LAYOUT_BTREE, 5, 0, 0},
    {"item12", 0, 0, DMM_SEARCH_CONTAINS, 4, 0, "", CPU_BY(1, 64), DMM_LAYOUT_VEB, 0, 0, 0},
    {"u32 by less", 0, 0, DMM_SEARCH_LOWER, 4, 0, "", CPU(64), DMM_LAYOUT_BTREE, 100, 0, 0},
    {"u32", 0, 0, DMM_SEARCH_RANGE, 4, 0, "banks=16", GPU(32, 2), DMM_LAYOUT_SORTED, 0, TEAMS, 8},
    {"u64", 1, 0, DMM_SEARCH_UPPER, 8, 0, "banks=16", GPU(32, 3), DMM_LAYOUT_BTREE, 5, TEAMS, 0},
    {"f32", 0, 1, DMM_SEARCH_CONTAINS, 4, 0, "banks=8", GPU(16, 1), DMM_LAYOUT_BTREE, 20, TEAMS, 4},
    {"item12", 1, 0, DMM_SEARCH_LOWER, 4, 0, "banks=16", GPU(16, 1), DMM_LAYOUT_SORTED, 0, TEAMS,
        0},
    {"u8", 0, 0, DMM_SEARCH_LOWER, 8, 0, "banks=16", GPU(64, 2), DMM_LAYOUT_SORTED, 0, TEAMS, 64},
    {"u32", 0, 0, DMM_SEARCH_RANGE, 4, 0, "banks=16", GPU(16, 3), DMM_LAYOUT_SORTED, 0, MERGE, 0},
    {"f32", 1, 1, DMM_SEARCH_RANGE, 8, 0, "", CPU(64), DMM_LAYOUT_SORTED, 0, MERGE, 0},
    {"u64", 0, 0, DMM_SEARCH_CONTAINS, 4, 0, "", CPU(64), DMM_LAYOUT_SORTED, 0, MERGE, 0},
    {"item12", 0, 0, DMM_SEARCH_CONTAINS, 4, 0, "banks=8", GPU(8, 5), DMM_LAYOUT_SORTED, 0, MERGE,
        0},
    {"u32 by less", 0, 0, DMM_SEARCH_UPPER, 4, 0, "", CPU(32), DMM_LAYOUT_SORTED, 0, MERGE, 0},
};
enum { NUM_ROWS = sizeof table / sizeof table[0] };

static kind kind_of(const row *one)
{
    kind k = kind_named(one->kind);
    k.order.descending = one->descending;
    k.order.zero_equal = one->zero_equal;
    return k;
}

static void every_row_of_the_table_finds(void **state)
{
    static rig r;
    static const uint64_t sizes[] = {0, 1, 2, 3, 31, 1023, 1024, 1025, 3001};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i += by_size(4, 1, 1)) {
        const row *const one = &table[i];
        const kind k = kind_of(one);
        rig_open(&r, one->set);
        const lookup setup = {.k = k,
            .result = one->result,
            .rank_bytes = one->rank_bytes,
            .layout = one->layout,
            .B = one->B,
            .method = one->method,
            .team = one->team};
        dmm_search *search = build(&r, &setup, one->tuning, one->guarantee, 0);
        for (size_t j = 0; j < by_size(5, 9, 9); j++)
            for (size_t s = j % 2; s < SHAPE_COUNT; s += by_size(5, 3, 1)) {
                const uint64_t m = j + s < 2 ? j : 40 + 37 * s;
                test_note("row %zu, n=%llu, m=%llu, shape %s", i, (unsigned long long)sizes[j],
                    (unsigned long long)m, shape_name((shape)s));
                lookup l = make_input(&setup, (shape)s, sizes[j], m, 100 * i + 10 * j + s);
                run(&r, search, &l, s % 3 == 1 ? m + 30 : m);
                judge_all(&l);
                free_lookup(&l);
            }
        dmm_search_free(search);
        rig_close(&r);
    }
}

/* What every n runs: the first ones always, all of them in full sizes. */
static const struct {
    dmm_tuning tuning;
    dmm_layout_kind kind;
    uint32_t B;
    dmm_search_method method;
} grids[] = {{GPU(16, 2), DMM_LAYOUT_SORTED, 0, 0}, {CPU(64), DMM_LAYOUT_SORTED, 0, 0},
    {CPU(64), DMM_LAYOUT_BST, 0, 0}, {CPU(64), DMM_LAYOUT_BTREE, 16, 0},
    {CPU(64), DMM_LAYOUT_VEB, 0, 0}, {GPU(16, 2), DMM_LAYOUT_MVEB, 0, 0},
    {GPU(16, 2), DMM_LAYOUT_SORTED, 0, TEAMS}, {GPU(16, 2), DMM_LAYOUT_BTREE, 16, TEAMS},
    {GPU(16, 2), DMM_LAYOUT_SORTED, 0, MERGE}, {CPU(64), DMM_LAYOUT_SORTED, 0, MERGE},
    {CPU(64), DMM_LAYOUT_BTREE, 2, 0}, {CPU(64), DMM_LAYOUT_BTREE, 3, 0},
    {GPU(16, 2), DMM_LAYOUT_BTREE, 32, 0}, {GPU(16, 2), DMM_LAYOUT_BTREE, 3, TEAMS},
    {GPU(16, 2), DMM_LAYOUT_BTREE, 32, TEAMS}};
enum { NUM_GRIDS = sizeof grids / sizeof grids[0], MOST_OF_GRIDS = 5000 };

static void sizes_up_to_5000_find(void **state)
{
    static rig r;
    const kind k = kind_named("u32");
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t g = 0; g < by_size(6, 10, NUM_GRIDS); g++) {
        lookup setup = {.k = k,
            .result = DMM_SEARCH_RANGE,
            .rank_bytes = 4,
            .layout = grids[g].kind,
            .B = grids[g].B,
            .method = grids[g].method};
        dmm_search *search = build(&r, &setup, grids[g].tuning, 0, MOST_OF_GRIDS);
        for (uint64_t n = 0; n <= by_size(70, 4096, MOST_OF_GRIDS); n++) {
            if (!size_wanted(n, 32))
                continue;
            test_note("grid %zu, n=%llu", g, (unsigned long long)n);
            lookup l = make_input(&setup, SHAPE_FEW, n, n % 29, n);
            run(&r, search, &l, l.m);
            judge_all(&l);
            free_lookup(&l);
        }
        dmm_search_free(search);
    }
    rig_close(&r);
}

static void a_million_keys_are_searched(void **state)
{
    static rig r;
    const kind k = kind_named("u32");
    const uint64_t n = by_size(2000, 1000003, 1000003);
    uint32_t ends[2];
    (void)state;
    rig_optimise();
    rig_open(&r, NULL);
    test_note("n=%llu", (unsigned long long)n);
    const lookup setup = {.k = k, .rank_bytes = 4};
    lookup l = make_input(&setup, SHAPE_BITS, n, by_size(20, 5000, 5000), 3);
    const dmm_search_desc desc = {.order = k.order};
    REQUIRE_OK(dmm_search_host(r.ctx, &desc, l.keys, n, l.queries, l.m, l.out, NULL));
    REQUIRE_VERDICT(judge_by_neighbours(&l));
    const dmm_search_desc range = {.order = k.order, .result = DMM_SEARCH_RANGE};
    REQUIRE_OK(dmm_search_host(r.ctx, &range, l.keys, n, key_at(&l, n / 2), 1, &ends[0], &ends[1]));
    REQUIRE(ends[0] <= n / 2 && n / 2 < ends[1]);
    free_lookup(&l);
    rig_close(&r);
}

static void judges_tell_wrong_from_right(void **state)
{
    uint32_t keys[] = {2, 4, 4, 9}, queries[] = {4, 1, 9}, out[] = {1, 0, 3}, ends[] = {3, 0, 4};
    lookup l = {.k = kind_named("u32"),
        .result = DMM_SEARCH_RANGE,
        .rank_bytes = 4,
        .n = 4,
        .m = 3,
        .keys = (unsigned char *)keys,
        .queries = (unsigned char *)queries,
        .out = (unsigned char *)out,
        .ends = (unsigned char *)ends};
    (void)state;
    test_note("judges");
    judge_all(&l);
    for (size_t i = 0; i < 3; i++)
        for (uint32_t change = 1; change < 9; change += 3) {
            out[i] += change;
            REQUIRE(judge_by_counting(&l) != NULL && judge_by_neighbours(&l) != NULL);
            out[i] -= change;
            ends[i] -= change;
            REQUIRE(judge_by_counting(&l) != NULL && judge_by_neighbours(&l) != NULL);
            ends[i] += change;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_finds),
        cmocka_unit_test(sizes_up_to_5000_find),
        cmocka_unit_test(a_million_keys_are_searched),
        cmocka_unit_test(judges_tell_wrong_from_right),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
