/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Positions of 64 bits: kernels built for them, and items that lie at the tail of an imagined list,
 * so that positions pass 2^31 and 2^32 in buffers of a few kilobytes (dmm_sizes.first).
 */
#include "support/require.h"

#include "primitives/sort/sort_merge.h"
#include "support/forms.h"
#include "support/sort_case.h"

enum { MAX_TILE = 256 };

/* Every position of the list is `first` plus where the item lies: what an argsort delivers is
 * shifted by it. */
static void shift_indices(const sort_run *run, uint64_t first)
{
    uint64_t *const values = run->values;
    for (uint64_t i = 0; run->setup->argsort && i < run->c->n; i++)
        values[i] += first;
}

static uint32_t index_bytes(const dmm_sort *sort)
{
    return ((const dmm_merge_sort *)sort->by)->merger.layout.index_bytes;
}

static void check_from(
    const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t first, uint64_t n)
{
    const sort_case c = {.n = n,
        .input = (shape)(n % SHAPE_COUNT),
        .seed = n,
        .in_place = n % 2,
        .temp_given = n % 3 == 0};
    cl_event done = NULL;
    sort_run run = sort_prepare(r, sort, setup, &c);
    shift_indices(&run, first);
    const dmm_sizes sizes = {.n = n, .first = first};
    REQUIRE_OK(dmm_object_enqueue(sort, r->queue, &run.args, sizes, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    sort_finish(&run);
}

static void positions_beyond_2_to_the_32_sort(void **state)
{
    static const uint64_t firsts[] = {((uint64_t)1 << 32) - 2048, 0, (uint64_t)1 << 31,
        (uint64_t)1 << 32, ((uint64_t)5 << 40) + 2048};
    static const uint64_t sizes[] = {
        2 * MAX_TILE - 1, MAX_TILE, 1, 3 * MAX_TILE + 1, 8 * MAX_TILE - 1};
    const sort_setup setups[] = {
        {kind_named("u32"), 8, 1, GPU(32, 8)},
        {kind_named("u64"), 4, 0, {DMM_FORM_CPU, 0, 8, 64, DMM_TILE_SEARCH_DEFAULT}},
        {kind_named("item3"), 12, 0, {DMM_FORM_GPU, 64, 4, 0, DMM_TILE_SEARCH_PLAIN}},
        {kind_named("f32"), 8, 1, {DMM_FORM_CPU, 0, 4, 128, DMM_TILE_SEARCH_DEFAULT}},
    };
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t s = 0; s < sizeof setups / sizeof setups[0]; s++) {
        dmm_sort *sort = sort_build_by(&r, &setups[s], DMM_SORT_MERGE, UINT64_MAX / 2);
        REQUIRE(index_bytes(sort) == 8);
        for (size_t f = 0; f < by_size(1, 5, 5); f++)
            for (size_t i = 0; i < by_size(1, 5, 5); i++)
                check_from(&r, sort, &setups[s], firsts[f], sizes[i]);
        dmm_sort_free(sort);
    }
    rig_close(&r);
}

static void the_index_form_follows_max_n(void **state)
{
    const sort_setup setup = {kind_named("u32"), 0, 0, GPU(32, 8)};
    const uint64_t edge = (uint64_t)1 << 31;
    uint64_t bytes = 0;
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    dmm_sort *narrow = sort_build_by(&r, &setup, DMM_SORT_MERGE, edge);
    dmm_sort *wide = sort_build_by(&r, &setup, DMM_SORT_MERGE, edge + 1);
    REQUIRE(index_bytes(narrow) == 4);
    REQUIRE(index_bytes(wide) == 8);
    REQUIRE_OK(dmm_sort_temp_bytes(&bytes, narrow, edge));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_sort_temp_bytes(&bytes, narrow, edge + 1));
    REQUIRE_OK(dmm_sort_temp_bytes(&bytes, wide, edge + 1));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_sort_temp_bytes(&bytes, wide, edge + 2));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_sort_temp_bytes(&bytes, wide, UINT64_MAX));
    dmm_sort_free(narrow);
    dmm_sort_free(wide);
    rig_close(&r);
}

static void temp_bytes_never_fall_as_n_grows(void **state)
{
    const sort_setup setups[] = {
        {kind_named("u32"), 0, 0, GPU(32, 8)},
        {kind_named("item3"), 12, 0, {DMM_FORM_GPU, 64, 4, 0, DMM_TILE_SEARCH_PLAIN}},
        {kind_named("u64"), 4, 0, {DMM_FORM_CPU, 0, 8, 64, DMM_TILE_SEARCH_DEFAULT}},
    };
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t s = 0; s < sizeof setups / sizeof setups[0]; s++) {
        dmm_sort *sort = sort_build_by(&r, &setups[s], DMM_SORT_MERGE, UINT64_MAX / 2);
        uint64_t before = 0, bytes = 0, n = 0;
        for (; n < (uint64_t)1 << 50; n += 1 + n / 7, before = bytes) {
            test_note("%s n=%llu", setups[s].k.name, (unsigned long long)n);
            REQUIRE_OK(dmm_sort_temp_bytes(&bytes, sort, n));
            REQUIRE(bytes >= before);
        }
        dmm_sort_free(sort);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_beyond_2_to_the_32_sort),
        cmocka_unit_test(the_index_form_follows_max_n),
        cmocka_unit_test(temp_bytes_never_fall_as_n_grows),
    };
    return cmocka_run_group_tests_name("sort_wide", tests, NULL, NULL);
}
