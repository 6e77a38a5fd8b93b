/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Selections with positions of 64 bits: kernels built for them, and items that lie at the tail of
 * an imagined list, so that positions pass 2^31 and 2^32 in buffers of a few kilobytes.
 */
#include "support/require.h"

#include "primitives/kselect/kselect.h"
#include "support/forms.h"
#include "support/topk_case.h"

/* Every position of the list is `first` plus where the item lies. */
static void shift_indices(const topk_run *run, uint64_t first)
{
    uint64_t *const values = run->values;
    for (uint64_t i = 0; run->setup->items.argsort && i < run->c->n; i++)
        values[i] += first;
}

/* A call of dmm_topk, or of dmm_nth, which is built to select the last item alone. */
static void check_from(
    const rig *r, dmm_kselect *select, const topk_setup *setup, uint64_t first, const topk_case *c)
{
    const dmm_sizes sizes = {.n = c->n, .m = c->k, .first = first};
    const int nth = select->what.only_last;
    uint64_t temp_bytes = 0;
    cl_event done = NULL;
    REQUIRE_OK(dmm_object_temp_bytes(&temp_bytes, select, sizes));
    topk_run run = topk_prepare(r, setup, c, nth, temp_bytes);
    const dmm_topk_args topk_args = topk_args_of(&run);
    const dmm_nth_args nth_args = nth_args_of(&run);
    const void *const args = nth ? (const void *)&nth_args : &topk_args;
    shift_indices(&run, first);
    REQUIRE_OK(dmm_object_enqueue(select, r->queue, args, sizes, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    topk_finish(&run, 1);
}

static dmm_kselect *build_for(const rig *r, const topk_setup *setup, int nth, uint64_t max_n)
{
    dmm_kselect *select = NULL;
    dmm_topk_desc topk_desc = topk_desc_of(setup);
    dmm_nth_desc nth_desc = nth_desc_of(setup);
    topk_desc.max_k = 1000;
    topk_desc.max_n = nth_desc.max_n = max_n;
    test_note("building for max_n=%llu", (unsigned long long)max_n);
    REQUIRE_OK(nth ? dmm_object_create(&select, r->ctx, &dmm_nth_class, &nth_desc)
                   : dmm_object_create(&select, r->ctx, &dmm_topk_class, &topk_desc));
    return select;
}

static dmm_status temp_bytes_of(const dmm_kselect *select, uint64_t n, uint64_t k)
{
    uint64_t bytes = 0;
    return dmm_object_temp_bytes(&bytes, select, (dmm_sizes){.n = n, .m = k});
}

static void positions_beyond_2_to_the_32_are_selected(void **state)
{
    static const uint64_t firsts[] = {
        ((uint64_t)1 << 32) - 500, 0, (uint64_t)1 << 31, ((uint64_t)5 << 40) + 2049};
    const topk_setup setups[] = {
        {{kind_named("u32"), 8, 1, GPU(32, 8)}, 0},
        {{kind_named("f32"), 8, 1, {DMM_FORM_CPU, 0, 4, 128, DMM_TILE_SEARCH_DEFAULT}}, 1},
        {{kind_named("u64"), 12, 0, {DMM_FORM_CPU, 0, 8, 64, DMM_TILE_SEARCH_DEFAULT}}, 0},
    };
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t s = 0; s < sizeof setups / sizeof setups[0]; s++) {
        dmm_kselect *select = build_for(&r, &setups[s], s == 2, UINT64_MAX / 2);
        REQUIRE(select->layout.index_bytes == 8);
        for (uint64_t i = 0; i < by_size(1, 8, 8); i++) {
            const topk_case c = {.n = 5 + 401 * i,
                .k = i == 7 ? 2 : 1 + 67 * i, /* 2: few of many */
                .input = (shape)(i % SHAPE_COUNT),
                .seed = i,
                .temp_given = i % 3 == 0};
            check_from(&r, select, &setups[s], firsts[i % 4], &c);
        }
        dmm_object_free(select);
    }
    rig_close(&r);
}

static void limits_are_those_of_the_description(void **state)
{
    const topk_setup setup = {{kind_named("u32"), 0, 0, GPU(32, 8)}, 1};
    const uint64_t edge = (uint64_t)1 << 31;
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    dmm_kselect *narrow = build_for(&r, &setup, 0, edge);
    dmm_kselect *wide = build_for(&r, &setup, 0, edge + 1);
    REQUIRE(narrow->layout.index_bytes == 4);
    REQUIRE(wide->layout.index_bytes == 8);
    REQUIRE_OK(temp_bytes_of(narrow, edge, 1000));
    REQUIRE_STATUS(DMM_TOO_LARGE, temp_bytes_of(narrow, edge, 1001));
    REQUIRE_STATUS(DMM_TOO_LARGE, temp_bytes_of(narrow, edge + 1, 0));
    REQUIRE_OK(temp_bytes_of(wide, edge + 1, 1000));
    REQUIRE_STATUS(DMM_TOO_LARGE, temp_bytes_of(wide, UINT64_MAX, 1));
    dmm_object_free(narrow);
    dmm_object_free(wide);
    rig_close(&r);
}

static void temp_bytes_never_fall_as_n_or_k_grows(void **state)
{
    const topk_setup setups[] = {
        {{kind_named("u32"), 12, 0, GPU(32, 8)}, 0},
        {{kind_named("item3"), 12, 0, {DMM_FORM_CPU, 0, 8, 64, DMM_TILE_SEARCH_DEFAULT}}, 0},
    };
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t s = 0; s < sizeof setups / sizeof setups[0]; s++) {
        dmm_topk *topk = topk_build(&r, &setups[s]);
        uint64_t before = 0, bytes = 0;
        for (uint64_t n = 0; n < (uint64_t)1 << 30; n += 1 + n / 7, before = bytes) {
            uint64_t more = 0;
            test_note("%s n=%llu", setups[s].items.k.name, (unsigned long long)n);
            REQUIRE_OK(dmm_topk_temp_bytes(&bytes, topk, n, n / 3));
            REQUIRE_OK(dmm_topk_temp_bytes(&more, topk, n, n / 2));
            REQUIRE(bytes >= before && more >= bytes);
        }
        dmm_topk_free(topk);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_beyond_2_to_the_32_are_selected),
        cmocka_unit_test(limits_are_those_of_the_description),
        cmocka_unit_test(temp_bytes_never_fall_as_n_or_k_grows),
    };
    return cmocka_run_group_tests_name("topk_wide", tests, NULL, NULL);
}
