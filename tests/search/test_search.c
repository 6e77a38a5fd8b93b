/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * dmm_search over sizes, types, orders, methods and parameters, by the judges of
 * tests/support/lookup.h, which are fed wrong answers, too.
 */
#include "support/require.h"

#include <dmm/search.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/lookup.h"
#include "support/zone.h"

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
    REQUIRE_OK(rig_log_failure(r, dmm_search_create(&search, r->ctx, &desc)));
    return search;
}

enum { KEYS, QUERIES, OUT, ENDS, COUNT, NUM_ZONES };

/* Returns the keys in their layout. */
static unsigned char *laid_out(const lookup *l)
{
    unsigned char *const keys = allocate(l->n * l->k.bytes);
    for (uint64_t i = 0; i < l->n; i++)
        memcpy(keys + i * l->k.bytes, lookup_key(l, dmm_layout_rank(l->layout, l->B, l->n, i)),
            l->k.bytes);
    return keys;
}

/* Runs a call for at most `most` queries, of which the device's count says l->m. */
static void run(const rig *r, dmm_search *search, lookup *l, uint64_t most)
{
    const uint64_t key = l->k.bytes, out = lookup_out_bytes(l), rank = l->rank_bytes;
    const int ranges = l->result == DMM_RANK_RANGE, counted = most != l->m;
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
    REQUIRE_VERDICT(lookup_judge_by_counting(l));
    REQUIRE_VERDICT(lookup_judge_by_neighbours(l));
}

/* One program. */
typedef struct row {
    const char *kind;
    int descending, zero_equal;
    dmm_rank result;
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
/* clang-format off */
static const row table[] = {
    {.kind = "u32", .result = DMM_RANK_LOWER, .rank_bytes = 4, .set = "banks=16",
        .tuning = GPU(32, 4), .layout = DMM_LAYOUT_SORTED},
    {.kind = "f32", .zero_equal = 1, .result = DMM_RANK_RANGE, .rank_bytes = 4, .set = "",
        .tuning = CPU(64), .layout = DMM_LAYOUT_SORTED},
    {.kind = "u64", .descending = 1, .result = DMM_RANK_UPPER, .rank_bytes = 8, .set = "banks=8",
        .tuning = GPU(16, 3), .layout = DMM_LAYOUT_SORTED},
    {.kind = "u8", .result = DMM_RANK_CONTAINS, .rank_bytes = 4, .set = "",
        .tuning = CPU_BY(4, 64), .layout = DMM_LAYOUT_SORTED},
    {.kind = "i16", .descending = 1, .result = DMM_RANK_RANGE, .rank_bytes = 8, .guarantee = 1,
        .set = "banks=32", .tuning = GPU(32, 1), .layout = DMM_LAYOUT_SORTED},
    {.kind = "f64", .descending = 1, .result = DMM_RANK_LOWER, .rank_bytes = 4, .set = "banks=16",
        .tuning = GPU(16, 2), .layout = DMM_LAYOUT_SORTED},
    {.kind = "f16", .result = DMM_RANK_CONTAINS, .rank_bytes = 4, .set = "banks=8",
        .tuning = GPU(8, 5), .layout = DMM_LAYOUT_SORTED},
    {.kind = "item12", .result = DMM_RANK_RANGE, .rank_bytes = 4, .set = "banks=16",
        .tuning = GPU(16, 2), .layout = DMM_LAYOUT_SORTED},
    {.kind = "item256", .descending = 1, .result = DMM_RANK_LOWER, .rank_bytes = 4,
        .set = "banks=16", .tuning = GPU(16, 1), .layout = DMM_LAYOUT_SORTED},
    {.kind = "u32 by less", .result = DMM_RANK_UPPER, .rank_bytes = 4, .set = "",
        .tuning = CPU_BY(1, 128), .layout = DMM_LAYOUT_SORTED},
    {.kind = "i32", .result = DMM_RANK_UPPER, .rank_bytes = 4, .guarantee = 1, .set = "",
        .tuning = CPU(64), .layout = DMM_LAYOUT_SORTED},
    {.kind = "u32", .result = DMM_RANK_RANGE, .rank_bytes = 4, .set = "", .tuning = CPU(64),
        .layout = DMM_LAYOUT_BST},
    {.kind = "u32", .result = DMM_RANK_RANGE, .rank_bytes = 4, .set = "", .tuning = CPU(64),
        .layout = DMM_LAYOUT_BTREE, .B = 16},
    {.kind = "f32", .descending = 1, .zero_equal = 1, .result = DMM_RANK_RANGE, .rank_bytes = 8,
        .set = "", .tuning = CPU_BY(4, 64), .layout = DMM_LAYOUT_VEB},
    {.kind = "u32", .result = DMM_RANK_RANGE, .rank_bytes = 4, .set = "banks=16",
        .tuning = GPU(16, 2), .layout = DMM_LAYOUT_MVEB},
    {.kind = "u64", .descending = 1, .result = DMM_RANK_UPPER, .rank_bytes = 8, .set = "banks=16",
        .tuning = GPU(16, 2), .layout = DMM_LAYOUT_BTREE, .B = 5},
    {.kind = "item12", .result = DMM_RANK_CONTAINS, .rank_bytes = 4, .set = "",
        .tuning = CPU_BY(1, 64), .layout = DMM_LAYOUT_VEB},
    {.kind = "u32 by less", .result = DMM_RANK_LOWER, .rank_bytes = 4, .set = "",
        .tuning = CPU(64), .layout = DMM_LAYOUT_BTREE, .B = 100},
    {.kind = "u32", .result = DMM_RANK_RANGE, .rank_bytes = 4, .set = "banks=16",
        .tuning = GPU(32, 2), .layout = DMM_LAYOUT_SORTED, .method = TEAMS, .team = 8},
    {.kind = "u64", .descending = 1, .result = DMM_RANK_UPPER, .rank_bytes = 8, .set = "banks=16",
        .tuning = GPU(32, 3), .layout = DMM_LAYOUT_BTREE, .B = 5, .method = TEAMS},
    {.kind = "f32", .zero_equal = 1, .result = DMM_RANK_CONTAINS, .rank_bytes = 4,
        .set = "banks=8", .tuning = GPU(16, 1), .layout = DMM_LAYOUT_BTREE, .B = 20,
        .method = TEAMS, .team = 4},
    {.kind = "item12", .descending = 1, .result = DMM_RANK_LOWER, .rank_bytes = 4,
        .set = "banks=16", .tuning = GPU(16, 1), .layout = DMM_LAYOUT_SORTED, .method = TEAMS},
    {.kind = "u8", .result = DMM_RANK_LOWER, .rank_bytes = 8, .set = "banks=16",
        .tuning = GPU(64, 2), .layout = DMM_LAYOUT_SORTED, .method = TEAMS, .team = 64},
    {.kind = "u32", .result = DMM_RANK_RANGE, .rank_bytes = 4, .set = "banks=16",
        .tuning = GPU(16, 3), .layout = DMM_LAYOUT_SORTED, .method = MERGE},
    {.kind = "f32", .descending = 1, .zero_equal = 1, .result = DMM_RANK_RANGE, .rank_bytes = 8,
        .set = "", .tuning = CPU(64), .layout = DMM_LAYOUT_SORTED, .method = MERGE},
    {.kind = "u64", .result = DMM_RANK_CONTAINS, .rank_bytes = 4, .set = "", .tuning = CPU(64),
        .layout = DMM_LAYOUT_SORTED, .method = MERGE},
    {.kind = "item12", .result = DMM_RANK_CONTAINS, .rank_bytes = 4, .set = "banks=8",
        .tuning = GPU(8, 5), .layout = DMM_LAYOUT_SORTED, .method = MERGE},
    {.kind = "u32 by less", .result = DMM_RANK_UPPER, .rank_bytes = 4, .set = "",
        .tuning = CPU(32), .layout = DMM_LAYOUT_SORTED, .method = MERGE},
};
/* clang-format on */
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
                lookup l = lookup_create(&setup, (shape)s, sizes[j], m, 100 * i + 10 * j + s);
                run(&r, search, &l, s % 3 == 1 ? m + 30 : m);
                judge_all(&l);
                lookup_free(&l);
            }
        dmm_search_free(search);
        rig_close(&r);
    }
}

static void exchange(unsigned char *a, unsigned char *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* MERGE by the table's programs: queries in any order, or two of them exchanged, and few among many
 * keys. */
static void a_merge_answers_queries_in_any_order(void **state)
{
    static rig r;
    static const uint64_t sizes[][2] = {{0, 50}, {1, 300}, {999, 1}, {1000, 1000}, {5000, 40}};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        const row *const one = &table[i];
        if (one->method != MERGE || by_size(one->result != DMM_RANK_RANGE, 0, 0))
            continue;
        rig_open(&r, one->set);
        lookup setup = {.k = kind_of(one),
            .result = one->result,
            .rank_bytes = one->rank_bytes,
            .method = MERGE};
        dmm_search *search = build(&r, &setup, one->tuning, 0, 0);
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++)
            for (size_t sorted = 0; sorted < 2; sorted++) {
                test_note("row %zu, n=%llu, m=%llu, %s", i, (unsigned long long)sizes[j][0],
                    (unsigned long long)sizes[j][1], sorted ? "two exchanged" : "in any order");
                setup.method = sorted ? MERGE : DMM_SEARCH_ITEMS; /* the queries' */
                lookup l = lookup_create(&setup, SHAPE_BITS, sizes[j][0], sizes[j][1], 10 * i + j);
                if (sorted)
                    exchange(l.queries, l.queries + l.m / 2 * l.k.bytes, l.k.bytes);
                run(&r, search, &l, l.m);
                judge_all(&l);
                lookup_free(&l);
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
            .result = DMM_RANK_RANGE,
            .rank_bytes = 4,
            .layout = grids[g].kind,
            .B = grids[g].B,
            .method = grids[g].method};
        dmm_search *search = build(&r, &setup, grids[g].tuning, 0, MOST_OF_GRIDS);
        for (uint64_t n = 0; n <= by_size(70, 4096, MOST_OF_GRIDS); n++) {
            if (!size_wanted(n, 32))
                continue;
            test_note("grid %zu, n=%llu", g, (unsigned long long)n);
            lookup l = lookup_create(&setup, SHAPE_FEW, n, n % 29, n);
            run(&r, search, &l, l.m);
            judge_all(&l);
            lookup_free(&l);
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
    lookup l = lookup_create(&setup, SHAPE_BITS, n, by_size(20, 5000, 5000), 3);
    const dmm_search_desc desc = {.order = k.order};
    REQUIRE_OK(dmm_search_host(r.ctx, &desc, l.keys, n, l.queries, l.m, l.out, NULL));
    REQUIRE_VERDICT(lookup_judge_by_neighbours(&l));
    const dmm_search_desc range = {.order = k.order, .result = DMM_RANK_RANGE};
    REQUIRE_OK(
        dmm_search_host(r.ctx, &range, l.keys, n, lookup_key(&l, n / 2), 1, &ends[0], &ends[1]));
    REQUIRE(ends[0] <= n / 2 && n / 2 < ends[1]);
    lookup_free(&l);
    rig_close(&r);
}

static void judges_tell_wrong_from_right(void **state)
{
    uint32_t keys[] = {2, 4, 4, 9}, queries[] = {4, 1, 9}, out[] = {1, 0, 3}, ends[] = {3, 0, 4};
    lookup l = {.k = kind_named("u32"),
        .result = DMM_RANK_RANGE,
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
            REQUIRE(lookup_judge_by_counting(&l) != NULL && lookup_judge_by_neighbours(&l) != NULL);
            out[i] -= change;
            ends[i] -= change;
            REQUIRE(lookup_judge_by_counting(&l) != NULL && lookup_judge_by_neighbours(&l) != NULL);
            ends[i] += change;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_finds),
        cmocka_unit_test(a_merge_answers_queries_in_any_order),
        cmocka_unit_test(sizes_up_to_5000_find),
        cmocka_unit_test(a_million_keys_are_searched),
        cmocka_unit_test(judges_tell_wrong_from_right),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
