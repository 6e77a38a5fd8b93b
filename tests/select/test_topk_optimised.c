/* SPDX-License-Identifier: MIT */
/* ctest: default optimised */
/*
 * The GPU form of dmm_topk and dmm_nth, compiled as for users: of small tiles, so that groups move
 * candidates, or have none. PoCL's optimiser has made selections wrong whose kernels are right
 * (cl/workarounds.clh), and test_topk compiles most of its programs without it.
 */
#include "support/require.h"

#include "support/forms.h"
#include "support/topk_case.h"

static void the_gpu_form_selects_with_the_optimiser(void **state)
{
    const topk_setup in_order = {
        .items = {.k = kind_named("u32"), .value_bytes = 4, .argsort = 1, .tuning = GPU(32, 4)}};
    topk_setup unsorted = in_order; /* no sort to compile */
    const uint64_t T = tile_of(&in_order.items.tuning);
    const uint64_t sizes[] = {T + 4, 3 * T + 1, 7 * T - 5, 40 * T};
    static rig r;
    (void)state;
    unsorted.unsorted = 1;
    rig_open(&r, "banks=32");
    dmm_topk *topk = topk_build(&r, &unsorted);
    dmm_nth *nth = nth_build(&r, &in_order);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int s = 0; s < 2 * SHAPE_COUNT; s++) {
            const uint64_t n = sizes[i], ranks[] = {n, n - 1, n / 3, 1};
            for (size_t j = 0; j < sizeof ranks / sizeof ranks[0]; j++) {
                const topk_case c = {.n = n,
                    .k = ranks[j],
                    .input = (shape)(s % SHAPE_COUNT),
                    .seed = (uint64_t)s,
                    .same_prefix = s >= SHAPE_COUNT};
                topk_check(&r, topk, &unsorted, &c);
                nth_check(&r, nth, &in_order, &c);
            }
        }
    dmm_nth_free(nth);
    dmm_topk_free(topk);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gpu_form_selects_with_the_optimiser),
    };
    return cmocka_run_group_tests_name("topk_optimised", tests, NULL, NULL);
}
