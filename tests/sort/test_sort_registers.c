/* SPDX-License-Identifier: MIT */
/* ctest: optimised */
/*
 * What one work-item of the CPU form sorts by vectors (cl/radix/radix_quick.clh): numbers of 32
 * bits, around every boundary, and keys that make every split uneven, so that digits take over.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/sort_case.h"

enum { LANES = 16, FEW = LANES * LANES, TILE = 1 << 14 };

static sort_setup setup_of(const char *name)
{
    const sort_setup setup = {.k = kind_named(name), .tuning = CPU(TILE)};
    return setup;
}

static void sizes_around_rows_and_columns_sort(void **state)
{
    static const uint64_t sizes[] = {1, 15, 16, 17, 31, 33, 64, 65, 127, 129, FEW - 1, FEW, FEW + 1,
        FEW + 15, 2 * FEW + 1, 4099, TILE, TILE + 1, 5 * TILE + 3, 40 * TILE};
    static const char *const kinds[] = {"u32", "i32", "f32"};
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (size_t s = 0; s < sizeof kinds / sizeof *kinds; s++) {
        sort_setup setup = setup_of(kinds[s]);
        setup.k.order.descending = s == 1;
        dmm_sort *const sort =
            sort_build_by(&r, &setup, DMM_SORT_RADIX, s == 2 ? UINT64_MAX / 2 : 0);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int input = 0; input < SHAPE_COUNT; input++) {
                const sort_case c = {.n = sizes[i],
                    .input = (shape)input,
                    .seed = i,
                    .in_place = (i + (size_t)input) % 2 != 0};
                if (c.n <= TILE || input == (int)(s % SHAPE_COUNT))
                    sort_check(&r, sort, &setup, &c);
            }
        dmm_sort_free(sort);
    }
    rig_close(&r);
}

static uint32_t middle(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t least = a < b ? a : b, greatest = a < b ? b : a;
    return c < least ? least : c > greatest ? greatest : c;
}

/* Returns the pivot of keys[alive[0]], keys[alive[1]], ... in registers of `lanes`; gives the least
 * number so far to keys that it reads for the first time. */
static uint32_t pivot_of(
    uint32_t *keys, const uint32_t *alive, size_t count, size_t lanes, uint32_t *next)
{
    enum { ROWS = 9 };
    uint32_t x[LANES], y[LANES];
    for (size_t lane = 0; lane < lanes; lane++) {
        uint32_t r[ROWS];
        for (size_t row = 0; row < ROWS; row++) {
            uint32_t *const key = &keys[alive[count / ROWS * row + lane]];
            if (*key == UINT32_MAX)
                *key = (*next)++;
            r[row] = *key;
        }
        x[lane] =
            middle(middle(r[0], r[3], r[6]), middle(r[1], r[4], r[7]), middle(r[2], r[5], r[8]));
    }
    for (size_t lane = 0; lane < lanes; lane++)
        y[lane] = middle(x[lane], x[lane ^ 5], x[lane ^ 10 % lanes]);
    return middle(y[0], y[1], y[2]);
}

/* Keeps the keys from the pivot on, in the order in which a split leaves them: register by
 * register, and the rest key by key, from the end to the front. Returns how many there are. */
static size_t split(
    const uint32_t *keys, uint32_t *alive, size_t count, size_t lanes, uint32_t pivot)
{
    uint32_t *const kept = malloc(count * sizeof *kept);
    size_t first = count;
    REQUIRE(kept != NULL);
    for (size_t x = 0; x < count;) {
        const size_t step = count - x >= lanes ? lanes : 1;
        size_t behind = 0;
        for (size_t i = 0; i < step; i++)
            behind += keys[alive[x + i]] >= pivot;
        first -= behind;
        for (size_t i = 0, place = first; i < step; i++)
            if (keys[alive[x + i]] >= pivot)
                kept[place++] = alive[x + i];
        x += step;
    }
    memcpy(alive, kept + first, (count - first) * sizeof *kept);
    free(kept);
    return count - first;
}

/* Makes keys of which each split in registers of `lanes` takes few. Returns how often each moves,
 * on average. */
static uint64_t make_uneven(uint32_t *keys, size_t n, size_t lanes)
{
    uint32_t *const alive = malloc(n * sizeof *alive), next = 0;
    uint64_t moves = 0;
    REQUIRE(alive != NULL);
    for (size_t i = 0; i < n; i++) {
        keys[i] = UINT32_MAX;
        alive[i] = (uint32_t)i;
    }
    for (size_t count = n; count > FEW;) {
        const uint32_t pivot = pivot_of(keys, alive, count, lanes, &next);
        moves += count;
        count = split(keys, alive, count, lanes, pivot);
    }
    for (size_t i = 0; i < n; i++)
        keys[i] = keys[i] == UINT32_MAX ? next++ : keys[i];
    free(alive);
    return moves / n;
}

static void keys_that_split_unevenly_sort(void **state)
{
    enum { MOST_MOVES = 8 + 15 }; /* of 2^14 keys */
    static rig r;
    const sort_setup setup = setup_of("u32");
    (void)state;
    rig_open(&r, "units=2");
    dmm_sort *const sort = sort_build_by(&r, &setup, DMM_SORT_RADIX, 0);
    for (size_t i = 0; i < 8; i++) { /* one part or two, apart and in place, by 8 and 16 lanes */
        const size_t parts = 1 + i / 2 % 2, lanes = i < 4 ? 8 : LANES;
        const sort_case c = {.n = parts * TILE, .input = SHAPE_RANDOM, .in_place = i % 2 != 0};
        sort_run run = sort_prepare(&r, sort, &setup, &c);
        for (size_t part = 0; part < parts; part++)
            REQUIRE(make_uneven((uint32_t *)run.keys + part * TILE, TILE, lanes) > MOST_MOVES);
        zone_write(&r, &run.keys_in, run.keys);
        REQUIRE_OK(dmm_sort_enqueue(sort, r.queue, &run.args, c.n, 0, NULL, NULL));
        sort_finish(&run);
    }
    dmm_sort_free(sort);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_around_rows_and_columns_sort),
        cmocka_unit_test(keys_that_split_unevenly_sort),
    };
    return cmocka_run_group_tests_name("sort_registers", tests, NULL, NULL);
}
