/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * dmm_paths over graphs, sizes, widths of ranges and forms, by two judges (support/graph_case.h);
 * and what it reports and refuses.
 */
#include "support/require.h"

#include <dmm/paths.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/shared.h"
#include "support/zone.h"
#include "support/forms.h"
#include "support/graph_case.h"

enum { OFFSETS, TARGETS, WEIGHTS, SOURCES, STOPS, DISTANCES, PREDECESSORS, REPORT, TEMP, NUM };

/* Runs a call on red zones. Returns its report; outputs go to g. */
static dmm_report find(const rig *r, dmm_paths *paths, graph_case *g, int given)
{
    uint64_t temp_bytes = 0;
    dmm_report report = {.code = 99};
    REQUIRE_OK(dmm_paths_temp_bytes(&temp_bytes, paths, g->n));
    zone z[NUM] = {
        [OFFSETS] = zone_create(r, g->offsets, 8 * (g->n + 1), 8 * (g->n % 3)),
        [TARGETS] = zone_create(r, g->targets, 4 * g->m, 4),
        [WEIGHTS] = zone_create(r, g->weights, 4 * g->m, 12),
        [SOURCES] = zone_create(r, g->sources, 4 * g->num_sources, 20),
        [STOPS] = zone_create(r, g->stops, 4 * g->num_stops, 4),
        [DISTANCES] = zone_create(r, NULL, 4 * g->n, 12),
        [PREDECESSORS] = zone_create(r, NULL, 4 * g->n, 4),
        [REPORT] = zone_create(r, NULL, sizeof report, 24),
        [TEMP] = zone_create(r, NULL, temp_bytes, 256),
    };
    const dmm_paths_args args = {.offsets = zone_span(&z[OFFSETS]),
        .targets = zone_span(&z[TARGETS]),
        .weights = zone_span(&z[WEIGHTS]),
        .sources = zone_span(&z[SOURCES]),
        .stops = zone_span(&z[STOPS]),
        .distances_out = zone_span(&z[DISTANCES]),
        .predecessors_out = given ? zone_span(&z[PREDECESSORS]) : DMM_NONE,
        .report_out = zone_span(&z[REPORT]),
        .temp = given ? zone_span(&z[TEMP]) : DMM_NONE,
        .num_sources = g->num_sources,
        .num_stops = g->num_stops};
    REQUIRE_OK(dmm_paths_enqueue(paths, r->queue, &args, g->n, g->m, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &z[REPORT], &report);
    if (report.code == DMM_BAD_DATA)
        REQUIRE(zone_untouched(r, &z[DISTANCES]) && zone_untouched(r, &z[PREDECESSORS]));
    zone_read(r, &z[DISTANCES], g->distances);
    if (given)
        zone_read(r, &z[PREDECESSORS], g->predecessors);
    else
        memcpy(g->predecessors, g->parents, 4 * (size_t)g->n);
    REQUIRE(zone_holds(r, &z[OFFSETS], g->offsets) && zone_holds(r, &z[TARGETS], g->targets) &&
            zone_holds(r, &z[WEIGHTS], g->weights));
    for (int i = 0; i < NUM; i++) {
        REQUIRE(zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
    return report;
}

/* Returns the report that is right for a graph without faults. */
static dmm_report report_of(const graph_case *g)
{
    const uint32_t infinity = graph_infinity(g->type);
    dmm_report report = {.position = UINT64_MAX};
    for (uint64_t u = 0; u < g->n; u++)
        for (uint64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++)
            if (g->right[u] != infinity && g->weights[e] != infinity &&
                g->right[g->targets[e]] == infinity && g->targets[e] < report.position &&
                graph_sum(g->type, g->right[u], g->weights[e]) == infinity)
                report = (dmm_report){.code = DMM_TOO_LARGE, .position = g->targets[e]};
    return report.code != 0 ? report : (dmm_report){0};
}

static void check(const rig *r, dmm_paths *paths, graph_case *g, int given)
{
    const dmm_report report = find(r, paths, g, given), right = report_of(g);
    REQUIRE_VERDICT(graph_judge_by_oracle(g));
    REQUIRE_VERDICT(graph_judge_by_property(g));
    if (g->num_stops == 0)
        REQUIRE(
            report.code == right.code && report.detail == 0 && report.position == right.position);
}

/* One object. */
typedef struct row {
    dmm_type type;
    double delta;
    uint64_t bulk, batch; /* 0: near-far; otherwise by a heap */
    const char *set;
    dmm_tuning tuning;
} row;

static const row table[] = {
    {.type = DMM_U32, .set = "banks=16,units=2", .tuning = GPU(16, 4)},
    {.type = DMM_F32, .set = "", .tuning = CPU(64)},
    {.type = DMM_F32, .delta = 100, .set = "banks=16,units=2", .tuning = GPU(16, 4)},
    {.type = DMM_U32, .delta = HUGE_VAL, .set = "", .tuning = CPU(64)},
    {.type = DMM_U32, .delta = 1, .set = "", .tuning = CPU(64)},
    {.type = DMM_U32, .bulk = 64, .batch = 1, .set = "banks=16,units=2", .tuning = GPU(16, 4)},
    {.type = DMM_F32, .bulk = 50, .batch = 50, .set = "", .tuning = CPU(64)},
};
enum { NUM_ROWS = sizeof table / sizeof table[0] };

static void check_sizes(const rig *r, dmm_paths *paths, const row *one, graph_kind kind)
{
    static const uint64_t sizes[] = {2, 40, 0, 1, 33, 100, 700, 3000, 20000};
    const uint64_t num_sizes = by_size(2, one->bulk == 0 ? 8 : 6, one->bulk == 0 ? 9 : 7);
    for (size_t i = 0; i < num_sizes; i++)
        for (uint64_t sources = 0; sources < 5;
             sources += by_size(3, one->bulk != 0 ? 3 : 1 + (i + kind) % 3, 1)) {
            const uint64_t seed = 100 * i + 10 * kind + sources;
            test_note("%s, delta %g, bulk %llu, kind %d, n=%llu, %llu sources, seed %llu",
                dmm_type_name(one->type), one->delta, (unsigned long long)one->bulk, (int)kind,
                (unsigned long long)sizes[i], (unsigned long long)sources,
                (unsigned long long)seed);
            graph_case g = graph_make(kind, one->type, sizes[i], sources, seed);
            check(r, paths, &g, seed % 4 != 3);
            if (seed % 2 == 0 && g.n != 0) {
                g.num_stops = 1 + seed / 2 % 3;
                graph_solve(&g);
                check(r, paths, &g, seed % 8 != 6);
            }
            graph_free(&g);
        }
}

static void paths_are_shortest_and_predecessors_least(void **state)
{
    static rig r;
    (void)state;
    for (size_t i = 0; i < by_size(1, NUM_ROWS, NUM_ROWS); i++) {
        const dmm_paths_desc desc = {.weight = table[i].type,
            .method = table[i].bulk != 0 ? DMM_PATHS_DIJKSTRA : DMM_PATHS_AUTO,
            .delta = table[i].delta,
            .max_n = table[i].bulk != 0 ? 1000 : 0,
            .bulk = table[i].bulk,
            .batch = table[i].batch,
            .tuning = table[i].tuning};
        dmm_paths *paths = NULL;
        rig_open(&r, table[i].set);
        REQUIRE_OK(dmm_paths_create(&paths, r.ctx, &desc));
        for (int kind = 0; kind < NUM_GRAPH_KINDS; kind++)
            if (part_wanted(i + NUM_ROWS * (uint64_t)kind))
                check_sizes(&r, paths, &table[i], (graph_kind)kind);
        dmm_paths_free(paths);
        rig_close(&r);
    }
}

/* 0 -> 3 -> 2 -> 1, and 2 is too far: 1 is reached only by way of 2, and is not the position. */
static void the_first_vertex_too_far_on_a_path_is_reported(void **state)
{
    const uint64_t offsets[] = {0, 1, 1, 2, 3};
    const uint32_t targets[] = {3, 1, 2}, weights[] = {0xfffffff0u, 1, 0xfffffff0u}, source = 0;
    uint32_t distances[4], predecessors[4];
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (uint64_t heap = 0; heap < by_size(1, 2, 2); heap++) { /* simulators take long for a heap */
        dmm_report report = {.position = 77};
        const dmm_paths_desc desc = {.method = heap ? DMM_PATHS_DIJKSTRA : DMM_PATHS_NEAR_FAR};
        const dmm_paths_host_args args = {.offsets = offsets,
            .targets = targets,
            .weights = weights,
            .sources = &source,
            .num_sources = 1,
            .distances_out = distances,
            .predecessors_out = predecessors,
            .report_out = &report};
        test_note("a path too long, %s", heap ? "by a heap" : "near-far");
        REQUIRE_STATUS(DMM_TOO_LARGE, dmm_paths_host(r.ctx, &desc, &args, 4, 3));
        REQUIRE(report.code == DMM_TOO_LARGE && report.position == 2);
    }
    rig_close(&r);
}

/* Expects a fault at a position, and undoes a change to *at. */
#define FAULTY(at, wrong, what, where)                                                           \
    do {                                                                                         \
        const uint64_t kept_ = (at);                                                             \
        test_note("n=%llu: %s", (unsigned long long)g.n, #at " = " #wrong);                      \
        (at) = (wrong);                                                                          \
        const dmm_report got_ = find(r, paths, &g, 1);                                           \
        REQUIRE(got_.code == DMM_BAD_DATA && got_.detail == (what) && got_.position == (where)); \
        (at) = kept_ & UINT32_MAX;                                                               \
    } while (0)

static void report_faults(const rig *r, dmm_paths *paths, dmm_type type, uint64_t n)
{
    graph_case g = graph_make(GRAPH_RANDOM, type, n, 3, n);
    const uint64_t edge = g.m / 3;
    g.num_stops = 2;
    graph_solve(&g);
    REQUIRE(find(r, paths, &g, 1).code == DMM_OK);
    FAULTY(g.offsets[n / 2], g.m + 1, DMM_PATHS_OFFSET, n / 2);
    FAULTY(g.offsets[n], g.m + 1, DMM_PATHS_OFFSET, n);
    FAULTY(g.offsets[3], UINT32_MAX, DMM_PATHS_OFFSET, 3);
    FAULTY(g.targets[edge], (uint32_t)n, DMM_PATHS_TARGET, edge);
    FAULTY(g.targets[g.m - 1], UINT32_MAX, DMM_PATHS_TARGET, g.m - 1);
    FAULTY(g.sources[2], (uint32_t)n, DMM_PATHS_SOURCE, 2);
    FAULTY(g.stops[1], (uint32_t)n, DMM_PATHS_STOP, 1);
    if (type == DMM_F32) {
        FAULTY(g.weights[edge], 0x7fc00000u, DMM_PATHS_WEIGHT, edge);
        FAULTY(g.weights[0], 0x80000001u, DMM_PATHS_WEIGHT, 0);
        g.weights[edge + 1] = 0xff800000u; /* the first of two faults counts */
        FAULTY(g.weights[edge], 0xbf800000u, DMM_PATHS_WEIGHT, edge);
        FAULTY(g.targets[edge + 2], (uint32_t)n, DMM_PATHS_WEIGHT, edge + 1);
    }
    graph_free(&g);
}

static void faults_are_reported_with_the_edge(void **state)
{
    static rig r;
    (void)state;
    for (size_t i = 0; i < by_size(1, 2, 2); i++) {
        const dmm_paths_desc desc = {.weight = table[i].type, .tuning = table[i].tuning};
        dmm_paths *paths = NULL;
        rig_open(&r, table[i].set);
        REQUIRE_OK(dmm_paths_create(&paths, r.ctx, &desc));
        report_faults(&r, paths, table[i].type, 20);
        if (sizes_wanted() != SIZES_SMALL)
            report_faults(&r, paths, table[i].type, 2000);
        dmm_paths_free(paths);
        rig_close(&r);
    }
}

static void judges_tell_wrong_from_right(void **state)
{
    graph_case g = graph_make(GRAPH_RANDOM, DMM_U32, 50, 1, 5);
    (void)state;
    test_note("judges");
    memcpy(g.distances, g.right, 4 * (size_t)g.n);
    memcpy(g.predecessors, g.parents, 4 * (size_t)g.n);
    REQUIRE_VERDICT(graph_judge_by_oracle(&g));
    REQUIRE_VERDICT(graph_judge_by_property(&g));
    for (uint32_t v = 1; v < g.n; v++) {
        uint32_t *const words[] = {
            &g.distances[v], &g.distances[v], &g.predecessors[v], &g.predecessors[v]};
        const uint32_t wrong[] = {g.right[v] + 1, g.right[v] - 1, v, UINT32_MAX};
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            const uint32_t kept = *words[i];
            *words[i] = wrong[i];
            REQUIRE(kept == wrong[i] || graph_judge_by_oracle(&g) != NULL);
            REQUIRE(kept == wrong[i] || graph_judge_by_property(&g) != NULL);
            *words[i] = kept;
        }
    }
    graph_free(&g);
}

enum { N = 3, M = 4 };

static void wrong_arguments_are_refused_in_order(void **state)
{
    static const dmm_paths_desc desc = {.max_n = N},
                                wrong[] = {{.weight = DMM_F64}, {.weight = DMM_I32}, {.delta = -1},
                                    {.delta = (double)NAN}, {.method = (dmm_paths_method)3},
                                    {.method = DMM_PATHS_DIJKSTRA, .bulk = 4, .batch = 5}};
    const uint64_t offsets[] = {0, 2, 3, 4};
    const uint32_t targets[] = {1, 2, 2, 0}, weights[] = {5, 9, 4, 1}, source = 1, far = 3;
    uint32_t distances[N], predecessors[N];
    dmm_report report = {0};
    dmm_paths *paths = NULL;
    dmm_paths_host_args args = {.offsets = offsets,
        .targets = targets,
        .weights = weights,
        .sources = &source,
        .num_sources = 1,
        .distances_out = distances,
        .predecessors_out = predecessors,
        .report_out = &report};
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        REQUIRE_REFUSED(DMM_BAD_VALUE, &paths, dmm_paths_create(&paths, shared.ctx, &wrong[i]));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_paths_host(shared.ctx, &desc, NULL, N, M));
    REQUIRE_OK(dmm_paths_host(shared.ctx, &desc, &args, N, M));
    REQUIRE(distances[0] == 5 && distances[1] == 0 && distances[2] == 4);
    REQUIRE(predecessors[0] == 2 && predecessors[1] == 1 && predecessors[2] == 1);
    args.sources = &far;
    REQUIRE_STATUS(DMM_BAD_DATA, dmm_paths_host(shared.ctx, &desc, &args, N, M));
    REQUIRE(report.code == DMM_BAD_DATA && report.detail == DMM_PATHS_SOURCE);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_shortest_and_predecessors_least), /* 7 parts */
        cmocka_unit_test(the_first_vertex_too_far_on_a_path_is_reported),
        cmocka_unit_test(faults_are_reported_with_the_edge),
        cmocka_unit_test(judges_tell_wrong_from_right),
        cmocka_unit_test(wrong_arguments_are_refused_in_order),
    };
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
