/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_sort by method radix, over the same sizes, shapes, types and values as method merge, and
 * whether both agree bit by bit.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "support/forms.h"
#include "support/sort_rows.h"

/* After the first two, each row has the most levels that those above lack (support/cover.h). */
static const sort_row table[] = {
    {.kind = "u32", .value_bytes = 4, .set = "banks=32", .tuning = GPU(32, 4)},
    {.kind = "u16", .set = "", .tuning = CPU(64)},
    {.kind = "i8", .descending = 1, .set = "banks=16", .tuning = GPU(16, 7)},
    {.kind = "f64", .zero_equal = 1, .value_bytes = 4, .set = "banks=64", .tuning = GPU(64, 8)},
    {.kind = "u8", .value_bytes = 1, .set = "banks=8", .tuning = GPU(16, 4)},
    {.kind = "i64",
        .descending = 1,
        .value_bytes = 8,
        .argsort = 1,
        .set = "banks=32",
        .tuning = GPU(32, 15)},
    {.kind = "u64", .value_bytes = 2, .set = "banks=16,bank_bytes=8", .tuning = GPU(16, 32)},
    {.kind = "u8", .descending = 1, .value_bytes = 3, .set = "", .tuning = CPU(128)},
    {.kind = "i32", .value_bytes = 4, .argsort = 1, .set = "units=8", .tuning = CPU(64)},
    {.kind = "u64", .value_bytes = 12, .set = "banks=16", .tuning = GPU(32, 16)},
    {.kind = "f16", .descending = 1, .zero_equal = 1, .set = "units=4", .tuning = CPU(64)},
    {.kind = "i16", .descending = 1, .set = "banks=32,bank_bytes=8", .tuning = GPU(32, 16)},
    {.kind = "u32", .set = "banks=32", .tuning = GPU(64, 8)},
    {.kind = "u32", .descending = 1, .value_bytes = 4, .set = "units=1", .tuning = CPU(64)},
    {.kind = "u16", .descending = 1, .value_bytes = 2, .set = "banks=64", .tuning = GPU(64, 2)},
    {.kind = "u16", .value_bytes = 8, .set = "", .tuning = CPU(64)},
    {.kind = "i16", .value_bytes = 8, .set = "banks=8", .tuning = GPU(8, 15)},
    {.kind = "i32", .descending = 1, .value_bytes = 5, .set = "banks=32", .tuning = GPU(32, 17)},
    {.kind = "u64", .descending = 1, .set = "banks=64", .tuning = GPU(128, 1)},
    {.kind = "i64", .value_bytes = 16, .set = "", .tuning = CPU(256)},
    {.kind = "f16", .value_bytes = 100, .set = "banks=8", .tuning = GPU(32, 8)},
    {.kind = "f32", .set = "banks=32", .tuning = GPU(32, 16)},
    {.kind = "f32", .descending = 1, .zero_equal = 1, .set = "banks=16", .tuning = GPU(64, 4)},
    {.kind = "f32", .descending = 1, .value_bytes = 8, .set = "units=8", .tuning = CPU(64)},
    {.kind = "f64", .descending = 1, .value_bytes = 4, .argsort = 1, .set = "", .tuning = CPU(64)},
};

enum { NUM_ROWS = sizeof table / sizeof table[0] };

/* Sizes around every boundary, then every shape. */
static void check(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->tuning), w = dmm_context_device(r->ctx)->banks.value;
    const uint64_t sizes[] = {0, 1, T + 1, 2 * T, T - 1, 2, 3 * T + 1, T, 3, w + 1, w, 2 * T + 3,
        7 * T - 5, 64 * T + 17, 40 * T};
    const size_t count = sizeof sizes / sizeof sizes[0];
    sort_check_sizes(r, sort, setup, sizes, by_size(3, count, count), seed);
    sort_check_shapes(r, sort, setup, seed);
}

static void every_row_of_the_covering_table_sorts(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++)
        if (sort_row_runs(&seen, &table[i], DMM_SORT_RADIX))
            sort_try_row(&table[i], DMM_SORT_RADIX, check, 100 * i);
}

static void sizes_up_to_4096_sorts(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++)
        sort_try_row(&table[i], DMM_SORT_RADIX, sort_check_to_4096, 100);
}

/* So many items that the CPU form writes whole lines, to targets that are aligned and that are not.
 */
static const struct {
    const char *kind;
    uint32_t value_bytes;
    uint64_t n, offset_items;
} large[] = {{"u64", 8, 1 << 20, 0}, {"u64", 8, (1 << 20) + 77, 0}, {"u32", 4, (1 << 21) + 1, 3},
    {"u16", 8, 1700001, 1}};

static void check_large(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t i)
{
    const sort_case c = {.n = setup->tuning.form == DMM_FORM_GPU ? 300001 : large[i].n,
        .input = SHAPE_BITS,
        .seed = i,
        .offset_items = large[i].offset_items,
        .in_place = i % 2 == 0};
    sort_check(r, sort, setup, &c);
}

static void a_million_items_sort_with_default_parameters(void **state)
{
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    for (size_t i = 0; i < by_size(0, 3, 4); i++)
        for (int form = by_size(0, i < 2, 0) ? DMM_FORM_CPU : DMM_FORM_GPU; form <= DMM_FORM_CPU;
             form++) {
            const sort_row one = {.kind = large[i].kind,
                .value_bytes = large[i].value_bytes,
                .tuning = {.form = (dmm_form)form}};
            rig_optimise();
            sort_try_row(&one, DMM_SORT_RADIX, check_large, i);
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
    for (int s = SHAPE_RANDOM; s <= (int)by_size(SHAPE_RANDOM, SHAPE_SPECIAL, SHAPE_SPECIAL); s++) {
        const sort_case c = {.n = by_size(100, 5000, 5000), .input = (shape)s, .seed = 5};
        void *const x = output_of(r, by_radix, setup, &c), *const y =
                                                               output_of(r, by_merge, setup, &c);
        REQUIRE(memcmp(x, y, (size_t)c.n * setup->k.bytes) == 0);
        free(x);
        free(y);
    }
    dmm_sort_free(by_radix);
    dmm_sort_free(by_merge);
}

/* Types with one of: up, down, up and down with equal zeros; in one form. Full sizes take all
 * types, others U8, I16, I64 and F64. */
static void radix_and_merge_agree_bit_by_bit(void **state)
{
    enum { LAST_TYPE = 10 }; /* for kind_at: F64, before the items */
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    REQUIRE(kind_at(LAST_TYPE)->order.type == DMM_F64);
    for (size_t k = by_size(1, 1, 0); k <= LAST_TYPE; k += by_size(9, 3, 1)) {
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
        cmocka_unit_test(sizes_up_to_4096_sorts),
        cmocka_unit_test(a_million_items_sort_with_default_parameters),
        cmocka_unit_test(radix_and_merge_agree_bit_by_bit),
    };
    return cmocka_run_group_tests_name("sort_radix", tests, NULL, NULL);
}
