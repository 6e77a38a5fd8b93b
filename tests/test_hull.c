/* SPDX-License-Identifier: MIT */
/*
 * dmm_hull over clouds, sizes, types, chains and parameters.
 */
#include "support/require.h"

#include <math.h>
#include <stdlib.h>

#include "primitives/hull.h"
#include "support/hull_case.h"

#define GPU(u, E)                                 \
    {                                             \
        DMM_FORM_GPU, u, E, 0, DMM_SEARCH_DEFAULT \
    }
#define CPU(tile)                                    \
    {                                                \
        DMM_FORM_CPU, 0, 0, tile, DMM_SEARCH_DEFAULT \
    }

/* One program: what is asked, and how. */
typedef struct row {
    hull_setup setup;
    const char *set; /* facts of the device */
} row;

static const row table[] = {
    {{DMM_F32, {0, DMM_HULL_WHOLE}, 0, 0, CPU(64), 0}, "units=2"},
    {{DMM_F32, {1, DMM_HULL_WHOLE}, 0, 4, CPU(128), 0}, "units=1"},
    {{DMM_F64, {0, DMM_HULL_WHOLE}, 0, 8, CPU(256), 0}, "units=3"},
    {{DMM_F64, {1, DMM_HULL_WHOLE}, 1, 8, CPU(64), 0}, "units=2"},
    {{DMM_F32, {0, DMM_HULL_WHOLE}, 1, 0, GPU(16, 1), 0}, "banks=16,units=2"},
    {{DMM_F32, {1, DMM_HULL_WHOLE}, 0, 8, GPU(8, 4), 0}, "banks=8,units=3"},
    {{DMM_F64, {0, DMM_HULL_WHOLE}, 0, 4, GPU(32, 3), 0}, "banks=32,units=2"},
    {{DMM_F64, {1, DMM_HULL_WHOLE}, 1, 4, GPU(64, 2), 0}, "banks=64,units=1"},
    {{DMM_F32, {0, DMM_HULL_LOWER}, 0, 0, CPU(64), 0}, "units=2"},
    {{DMM_F32, {1, DMM_HULL_LOWER}, 1, 0, GPU(8, 2), 0}, "banks=8,units=2"},
    {{DMM_F32, {0, DMM_HULL_UPPER}, 0, 0, GPU(16, 4), 0}, "banks=16,units=1"},
    {{DMM_F64, {1, DMM_HULL_UPPER}, 0, 0, CPU(64), 0}, "units=2"},
};

enum { NUM_ROWS = sizeof table / sizeof table[0] };

static void check_row(const row *one, uint64_t seed)
{
    static rig r;
    rig_open(&r, one->set);
    dmm_hull *hull = hull_build(&r, &one->setup);
    const uint64_t T = hull->p.tile;
    const uint64_t sizes[] = {5 * T + 3, 40 * T + 1, T + 1, T, 100, 1, 0, 2, 3, 17};
    for (int points = 0; points < CLOUD_COUNT; points++)
        for (size_t i = 0; i < by_size(2, 10, 10); i++) {
            const uint64_t n =
                sizes[i] < by_size(300, 2600, 100000) ? sizes[i] : by_size(300, 2600, 100000);
            const hull_case c = {.n = n,
                .points = (cloud)points,
                .seed = seed++,
                .offset_items = seed % 3 * 5,
                .temp_given = seed % 5 < 2};
            hull_check(&r, hull, &one->setup, &c, NULL);
        }
    dmm_hull_free(hull);
    rig_close(&r);
}

static void every_row_of_the_covering_table_finds_hulls(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++)
        check_row(&table[i], 1000 * i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_finds_hulls),
    };
    return cmocka_run_group_tests_name("hull", tests, NULL, NULL);
}
