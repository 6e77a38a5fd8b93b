/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_hull over clouds, sizes, types, chains and parameters.
 */
#include "support/require.h"

#include <math.h>
#include <stdlib.h>

#include "core/context.h"
#include "primitives/hull/hull.h"
#include "support/cover.h"
#include "support/hull_case.h"

#define GPU(u, E)                                      \
    {                                                  \
        DMM_FORM_GPU, u, E, 0, DMM_TILE_SEARCH_DEFAULT \
    }
#define CPU(tile)                                         \
    {                                                     \
        DMM_FORM_CPU, 0, 0, tile, DMM_TILE_SEARCH_DEFAULT \
    }

/* One program: what is asked, and how. */
typedef struct row {
    hull_setup setup;
    const char *set; /* facts of the device */
} row;

static const row table[] = {
    {{DMM_F32, {0, DMM_HULL_WHOLE}, 0, 0, CPU(64), 0}, "units=2"},
    {{DMM_F64, {1, DMM_HULL_WHOLE}, 1, 8, CPU(128), 0}, "units=1"},
    {{DMM_F32, {1, DMM_HULL_WHOLE}, 0, 4, GPU(8, 4), 0}, "banks=8,units=3"},
    {{DMM_F64, {0, DMM_HULL_WHOLE}, 0, 4, GPU(32, 3), 0}, "banks=32,units=2"},
    {{DMM_F32, {1, DMM_HULL_LOWER}, 1, 0, GPU(16, 2), 0}, "banks=16,units=2"},
    {{DMM_F32, {1, DMM_HULL_UPPER}, 0, 0, CPU(64), 0}, "units=2"},
};

enum { NUM_ROWS = sizeof table / sizeof table[0] };

/* Every cloud, or for a simulator a third of them, others for the next row; at sizes that go round:
 * some within a tile, some that are split. */
static void check_row(const row *one, uint64_t seed)
{
    static rig r;
    rig_open(&r, one->set);
    dmm_hull *hull = hull_build(&r, &one->setup);
    const uint64_t T = hull->p.tile, most = by_size(130, 2600, 100000);
    const uint64_t sizes[] = {
        5 * T + 3, 0, 40 * T + 1, 1, 11 * T, 2, T + 1, 3, 17 * T + 5, 17, T, 100};
    const size_t all = sizeof sizes / sizeof *sizes, runs = (size_t)by_size(1, 2, all);
    const size_t step = (size_t)by_size(by_rows(5, 3), 1, 1);
    for (size_t i = seed % step; i < CLOUD_COUNT * runs; i += step) {
        const uint64_t k = seed + i, n = sizes[k % all] < most ? sizes[k % all] : most;
        const hull_case c = {.n = n,
            .points = (cloud)(i / runs),
            .seed = k,
            .offset_items = k % 3 * 5,
            .temp_given = k % 5 < 2};
        hull_check(&r, hull, &one->setup, &c, NULL);
    }
    dmm_hull_free(hull);
    rig_close(&r);
}

static void every_row_of_the_covering_table_finds_hulls(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        const hull_setup *const s = &table[i].setup;
        if (COVER_TAKES(&seen, 2, s->tuning.form, s->type,
                2u * s->tuning.form + (s->type == DMM_F64), s->k.part,
                2u * s->tuning.form + (s->k.collinear != 0)))
            check_row(&table[i], 1001 * i);
    }
}

/* Sets that are cut from clouds of every kind; some are empty, some equal a whole cloud. */
static void many_sets_are_found_in_one_call(void **state)
{
    static rig r;
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i += by_size(4, 1, 1)) {
        rig_open(&r, table[i].set);
        dmm_hull *hull = hull_build(&r, &table[i].setup);
        for (int points = 0; points < CLOUD_COUNT; points += (int)by_size(7, 2, 1)) {
            const hull_case c = {.n = by_size(100, 3000, 30000),
                .points = (cloud)points,
                .seed = i,
                .sets = 1 + (uint64_t)(points * 37) % by_rows(40, 300),
                .offset_items = (uint64_t)points % 3,
                .temp_given = points % 2};
            hull_check(&r, hull, &table[i].setup, &c, NULL);
        }
        dmm_hull_free(hull);
        rig_close(&r);
    }
}

static void sizes_up_to_4096_is_found(void **state)
{
    static const row forms[] = {{{DMM_F32, {0, DMM_HULL_WHOLE}, 0, 0, CPU(64), 0}, "units=1"},
        {{DMM_F32, {1, DMM_HULL_WHOLE}, 0, 4, GPU(8, 4), 0}, "banks=8,units=1"}};
    static rig r;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        rig_open(&r, forms[i].set);
        dmm_hull *hull = hull_build(&r, &forms[i].setup);
        const uint64_t most = by_size(by_rows(50, 130), 4096, 4096);
        for (uint64_t n = 0; n <= most;
             n += by_size(1 + n * 2, i == 0 && n < 600 ? 1 : 1 + n % 97, 1)) {
            const hull_case c = {
                .n = n, .points = n % 2 ? CLOUD_DISC : CLOUD_CIRCLE, .seed = n, .temp_given = 1};
            hull_check(&r, hull, &forms[i].setup, &c, NULL);
        }
        dmm_hull_free(hull);
        rig_close(&r);
    }
}

static void large_clouds_are_found_with_default_parameters(void **state)
{
    static const cloud clouds[] = {CLOUD_DISC, CLOUD_SQUARE, CLOUD_CIRCLE, CLOUD_GRID};
    static const dmm_form forms[] = {DMM_FORM_CPU, DMM_FORM_GPU};
    static rig r;
    const uint64_t n = by_size(200, 300007, 3000000);
    (void)state;
    rig_optimise();
    rig_open(&r, NULL);
    for (size_t i = 0; i < by_size(1, 3, 8); i++) {
        const hull_setup setup = {
            .type = i % 4 == 1 ? DMM_F64 : DMM_F32, .tuning = {.form = forms[i / 4 % 2]}};
        const hull_case c = {.n = n, .points = clouds[i % 4], .seed = i};
        dmm_hull *hull = hull_build(&r, &setup);
        hull_check(&r, hull, &setup, &c, NULL);
        dmm_hull_free(hull);
    }
    rig_close(&r);
}

/* The fact is taken away: every decision is then made in integers. */
static void doubles_need_no_doubles_of_the_device(void **state)
{
    static rig r;
    (void)state;
    for (int form = 0; form < (int)by_size(1, 1, 2); form++) {
        const hull_setup setup = {.type = DMM_F64,
            .k = {form, DMM_HULL_WHOLE},
            .tuning = {form ? DMM_FORM_GPU : DMM_FORM_CPU, form ? 16 : 0, 0, form ? 0 : 64,
                DMM_TILE_SEARCH_DEFAULT}};
        rig_open(&r, "banks=16,units=2");
        r.ctx->device.fp64.value = 0;
        dmm_hull *hull = hull_build(&r, &setup);
        for (int points = 0; points < CLOUD_COUNT; points += (int)by_size(9, 1, 1)) {
            const hull_case c = {.n = by_size(80, 700, 5000),
                .points = (cloud)points,
                .seed = 5,
                .sets = points % 3 == 2};
            hull_check(&r, hull, &setup, &c, NULL);
        }
        dmm_hull_free(hull);
        rig_close(&r);
    }
}

/* Indices as for more points than 32 bits count; the outputs are those of narrow ones. */
static void wide_indices_give_the_same_hulls(void **state)
{
    static const dmm_tuning forms[] = {CPU(64), GPU(16, 2)};
    static rig r;
    (void)state;
    rig_open(&r, "banks=16,units=2");
    for (size_t i = 0; i < by_size(1, 1, 2); i++) {
        const hull_setup setup = {.type = DMM_F32,
            .k = {(int)i, DMM_HULL_WHOLE},
            .index_bytes = 8,
            .tuning = forms[i],
            .max_n = (uint64_t)1 << 33};
        dmm_hull *hull = hull_build(&r, &setup);
        REQUIRE(hull->index_bytes == 8);
        for (int points = 0; points < CLOUD_COUNT; points += (int)by_size(9, 2, 1)) {
            const hull_case c = {.n = by_size(80, 1500, 5000), .points = (cloud)points, .seed = 6};
            hull_check(&r, hull, &setup, &c, NULL);
        }
        dmm_hull_free(hull);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_finds_hulls),
        cmocka_unit_test(many_sets_are_found_in_one_call),
        cmocka_unit_test(sizes_up_to_4096_is_found),
        cmocka_unit_test(large_clouds_are_found_with_default_parameters),
        cmocka_unit_test(doubles_need_no_doubles_of_the_device),
        cmocka_unit_test(wide_indices_give_the_same_hulls),
    };
    return cmocka_run_group_tests_name("hull", tests, NULL, NULL);
}
