/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort by method radix, over the same sizes, shapes, types and values as method merge, and
 * whether both agree bit by bit.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "support/forms.h"
#include "support/sort_case.h"

typedef struct row {
    const char *kind;
    int descending, zero_equal;
    uint32_t value_bytes;
    int argsort;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} row;

static const row table[] = {
    {"u32", 0, 0, 0, 0, "banks=32", GPU(64, 8)},
    {"u32", 1, 0, 4, 0, "", CPU(64)},
    {"u8", 0, 0, 1, 0, "banks=8", GPU(16, 4)},
    {"u8", 1, 0, 3, 0, "", CPU(128)},
    {"i8", 1, 0, 0, 0, "banks=16", GPU(16, 7)},
    {"u16", 1, 0, 2, 0, "banks=64", GPU(64, 2)},
    {"u16", 0, 0, 8, 0, "", CPU(64)},
    {"i16", 0, 0, 8, 0, "banks=8", GPU(8, 15)},
    {"i32", 1, 0, 5, 0, "banks=32", GPU(32, 17)},
    {"i32", 0, 0, 4, 1, "", CPU(64)},
    {"u64", 0, 0, 12, 0, "banks=16", GPU(32, 16)},
    {"u64", 1, 0, 0, 0, "banks=64", GPU(128, 1)},
    {"i64", 1, 0, 8, 1, "banks=32", GPU(32, 15)},
    {"i64", 0, 0, 16, 0, "", CPU(256)},
    {"f16", 0, 0, 100, 0, "banks=8", GPU(32, 8)},
    {"f16", 1, 1, 0, 0, "", CPU(64)},
    {"f32", 0, 0, 0, 0, "banks=32", GPU(32, 16)},
    {"f32", 1, 1, 0, 0, "banks=16", GPU(64, 4)},
    {"f32", 1, 0, 8, 0, "", CPU(64)},
    {"f64", 0, 1, 4, 0, "banks=64", GPU(64, 8)},
    {"f64", 1, 0, 4, 1, "", CPU(64)},
    {"i16", 1, 0, 0, 0, "banks=32,bank_bytes=8", GPU(32, 16)},
    {"u64", 0, 0, 2, 0, "banks=16,bank_bytes=8", GPU(16, 32)},
};

enum { NUM_ROWS = sizeof table / sizeof table[0] };

static sort_setup setup_of(const row *r)
{
    sort_setup setup = {.k = kind_named(r->kind), .tuning = r->tuning};
    setup.k.order.descending = r->descending;
    setup.k.order.zero_equal = r->zero_equal;
    setup.value_bytes = r->value_bytes;
    setup.argsort = r->argsort;
    return setup;
}

/* Sizes around every boundary: each with another shape, place and offset. */
static void check_sizes(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->tuning), w = dmm_context_device(r->ctx)->banks.value;
    const uint64_t sizes[] = {0, 1, T + 1, 2 * T, T - 1, 2, 3 * T + 1, T, 3, w + 1, w, 2 * T + 3,
        7 * T - 5, 64 * T + 17, 40 * T};
    const size_t count = sizes_wanted() == SIZES_SMALL ? 4 : sizeof sizes / sizeof sizes[0];
    for (size_t i = 0; i < count; i++) {
        const uint64_t k = seed + i;
        const sort_case c = {.n = sizes[i],
            .input = (shape)(k % SHAPE_COUNT),
            .seed = k,
            .in_place = k % 2 == 0,
            .offset_items = k % 3 * 5,
            .temp_given = k % 5 < 2};
        sort_check(r, sort, setup, &c);
    }
}

static void check_shapes(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const uint64_t n = 2 * tile_of(&setup->tuning) + 3 + setup->tuning.E;
    for (int s = 0; s < SHAPE_COUNT; s++) {
        const sort_case c = {
            .n = n, .input = (shape)s, .seed = seed, .in_place = s % 2, .temp_given = s % 3 == 0};
        sort_check(r, sort, setup, &c);
    }
}

static void check_row(const row *one, uint64_t seed)
{
    static rig r;
    const sort_setup setup = setup_of(one);
    rig_open(&r, one->set);
    dmm_sort *sort = sort_build_by(&r, &setup, DMM_SORT_RADIX, 0);
    check_sizes(&r, sort, &setup, seed);
    if (sizes_wanted() != SIZES_SMALL)
        check_shapes(&r, sort, &setup, seed);
    dmm_sort_free(sort);
    rig_close(&r);
}

static void every_row_of_the_covering_table_sorts(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i += by_size(6, 1, 1))
        check_row(&table[i], 100 * i);
}

static void every_size_up_to_4096_sorts(void **state)
{
    static const row forms[] = {
        {"u32", 0, 0, 4, 0, "banks=32", GPU(32, 4)}, {"u16", 0, 0, 0, 0, "", CPU(64)}};
    static rig r;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const sort_setup setup = setup_of(&forms[i]);
        rig_open(&r, forms[i].set);
        dmm_sort *sort = sort_build_by(&r, &setup, DMM_SORT_RADIX, 0);
        for (uint64_t n = 0; n <= by_size(600, 4096, 4096); n += by_size(2 + n * 5, 1, 1)) {
            const sort_case c = {.n = n,
                .input = (shape)(n % SHAPE_COUNT),
                .seed = n,
                .in_place = n % 4 < 2,
                .temp_given = n % 2};
            sort_check(&r, sort, &setup, &c);
        }
        dmm_sort_free(sort);
        rig_close(&r);
    }
}

/* So many items that the CPU form writes whole lines, to targets that are aligned and that are not.
 */
static void a_million_items_sort_with_default_parameters(void **state)
{
    static const struct {
        const char *kind;
        uint32_t value_bytes;
        uint64_t n, offset_items;
    } rows[] = {{"u64", 8, 1 << 20, 0}, {"u64", 8, (1 << 20) + 77, 0}, {"u32", 4, (1 << 21) + 1, 3},
        {"u16", 8, 1700001, 1}};
    static rig r;
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const int gpu = i % 2 == 1;
        sort_setup setup = {
            .k = kind_named(rows[i / 2].kind), .value_bytes = rows[i / 2].value_bytes};
        setup.tuning.form = gpu ? DMM_FORM_GPU : DMM_FORM_CPU;
        rig_open(&r, NULL);
        dmm_sort *sort = sort_build_by(&r, &setup, DMM_SORT_RADIX, 0);
        const sort_case c = {.n = gpu ? 300001 : rows[i / 2].n,
            .input = SHAPE_BITS,
            .seed = i,
            .offset_items = rows[i / 2].offset_items,
            .in_place = i % 4 < 2};
        sort_check(&r, sort, &setup, &c);
        dmm_sort_free(sort);
        rig_close(&r);
    }
}

/* The keys that a sort makes of a run's input; to be freed. */
static void *output_of(const rig *r, dmm_sort *sort, const sort_setup *setup, const sort_case *c)
{
    void *const keys = malloc((size_t)c->n * setup->k.bytes);
    sort_run run = sort_prepare(r, sort, setup, c);
    REQUIRE(keys != NULL);
    REQUIRE_OK(dmm_sort_enqueue(sort, r->queue, &run.args, c->n, 0, NULL, NULL));
    zone_read(r, &run.keys_out, keys);
    sort_finish(&run);
    return keys;
}

static void require_agreement(rig *r, const sort_setup *setup)
{
    dmm_sort *const by_radix = sort_build_by(r, setup, DMM_SORT_RADIX, 0);
    dmm_sort *const by_merge = sort_build_by(r, setup, DMM_SORT_MERGE, 0);
    for (int s = SHAPE_RANDOM; s <= SHAPE_SPECIAL; s++) {
        const sort_case c = {.n = by_size(150, 5000, 5000), .input = (shape)s, .seed = 5};
        void *const x = output_of(r, by_radix, setup, &c), *const y =
                                                               output_of(r, by_merge, setup, &c);
        REQUIRE(memcmp(x, y, (size_t)c.n * setup->k.bytes) == 0);
        free(x);
        free(y);
    }
    dmm_sort_free(by_radix);
    dmm_sort_free(by_merge);
}

/* Each type with one of: up, down, up and down with equal zeros; in one form. */
static void radix_and_merge_agree_bit_by_bit(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t k = 0; kind_at(k)->order.type != DMM_ITEM; k += by_size(5, 1, 1)) {
        const dmm_tuning tunings[] = {GPU(16, 8), CPU(64)};
        sort_setup setup = {.k = *kind_at(k), .tuning = tunings[k % 2]};
        setup.k.order.descending = k % 3 == 1;
        setup.k.order.zero_equal = setup.k.order.type == DMM_F32 || setup.k.order.type == DMM_F16;
        require_agreement(&r, &setup);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_sorts),
        cmocka_unit_test(every_size_up_to_4096_sorts),
        cmocka_unit_test(a_million_items_sort_with_default_parameters),
        cmocka_unit_test(radix_and_merge_agree_bit_by_bit),
    };
    return cmocka_run_group_tests_name("sort_radix", tests, NULL, NULL);
}
