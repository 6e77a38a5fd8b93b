/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_topk and dmm_nth over sizes, ranks, shapes, types, values and parameters.
 */
#include "support/require.h"

#include <string.h>

#include "support/cover.h"
#include "support/forms.h"
#include "support/topk_case.h"

/* One program: what is selected from, and how. */
typedef struct row {
    const char *kind;
    int descending, zero_equal;
    uint32_t value_bytes;
    int argsort, unsorted;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} row;

/* clang-format off */
static const row table[] = {
    {.kind = "u32", .value_bytes = 4, .argsort = 1, .set = "banks=32", .tuning = GPU(32, 4)},
    {.kind = "u16", .unsorted = 1, .set = "", .tuning = CPU(64)},
    {.kind = "i8", .descending = 1, .set = "banks=16", .tuning = GPU(16, 15)},
    {.kind = "f64", .descending = 1, .zero_equal = 1, .value_bytes = 16, .set = "",
        .tuning = CPU(64)},
    {.kind = "u8", .value_bytes = 1, .unsorted = 1, .set = "banks=8", .tuning = GPU(16, 4)},
    {.kind = "u16", .value_bytes = 2, .unsorted = 1, .set = "banks=64", .tuning = GPU(64, 2)},
    {.kind = "item12", .descending = 1, .value_bytes = 20, .set = "", .tuning = CPU(64)},
    {.kind = "u32", .value_bytes = 8, .argsort = 1, .unsorted = 1, .set = "", .tuning = CPU(128)},
    {.kind = "u8", .descending = 1, .value_bytes = 3, .set = "", .tuning = CPU(128)},
    {.kind = "i16", .value_bytes = 100, .unsorted = 1, .set = "banks=8,bank_bytes=8",
        .tuning = GPU(8, 16)},
    {.kind = "f32", .zero_equal = 1, .value_bytes = 4, .set = "banks=32", .tuning = GPU(64, 4)},
    {.kind = "u32 by less", .value_bytes = 4, .set = "banks=16", .tuning = GPU(16, 8)},
    {.kind = "item3", .value_bytes = 4, .argsort = 1, .set = "banks=32", .tuning = GPU(32, 4)},
    {.kind = "u32", .set = "banks=32", .tuning = GPU(64, 8)},
    {.kind = "u32", .descending = 1, .value_bytes = 4, .unsorted = 1, .set = "", .tuning = CPU(64)},
    {.kind = "u32", .value_bytes = 4, .argsort = 1, .set = "banks=16", .tuning = GPU(32, 7)},
    {.kind = "u16", .descending = 1, .value_bytes = 8, .set = "", .tuning = CPU(64)},
    {.kind = "i32", .descending = 1, .value_bytes = 5, .set = "banks=32", .tuning = GPU(32, 17)},
    {.kind = "i32", .unsorted = 1, .set = "", .tuning = CPU(64)},
    {.kind = "u64", .value_bytes = 12, .set = "banks=16", .tuning = GPU(32, 16)},
    {.kind = "u64", .descending = 1, .value_bytes = 4, .argsort = 1, .unsorted = 1, .set = "",
        .tuning = CPU(64)},
    {.kind = "i64", .value_bytes = 8, .unsorted = 1, .set = "banks=32", .tuning = GPU(128, 1)},
    {.kind = "i64", .descending = 1, .set = "", .tuning = CPU(256)},
    {.kind = "f16", .value_bytes = 4, .set = "banks=8", .tuning = GPU(32, 32)},
    {.kind = "f16", .descending = 1, .zero_equal = 1, .value_bytes = 8, .argsort = 1,
        .unsorted = 1, .set = "", .tuning = CPU(64)},
    {.kind = "f32", .descending = 1, .value_bytes = 256, .unsorted = 1, .set = "banks=16",
        .tuning = GPU(64, 8)},
    {.kind = "f32", .zero_equal = 1, .unsorted = 1, .set = "", .tuning = CPU(64)},
    {.kind = "f64", .set = "banks=64", .tuning = GPU(64, 8)},
};
/* clang-format on */

enum { NUM_ROWS = sizeof table / sizeof table[0] };

static topk_setup setup_of(const row *r)
{
    topk_setup setup = {.items = {.k = kind_named(r->kind), .tuning = r->tuning}};
    setup.items.k.order.descending = r->descending;
    setup.items.k.order.zero_equal = r->zero_equal;
    setup.items.value_bytes = r->value_bytes;
    setup.items.argsort = r->argsort;
    setup.unsorted = r->unsorted;
    return setup;
}

/* Both primitives, on the same case; dmm_nth, if it was built, where the rank is there. */
static void check_both(
    const rig *r, dmm_topk *topk, dmm_nth *nth, const topk_setup *setup, const topk_case *c)
{
    topk_setup sorted = *setup;
    sorted.unsorted = 0;
    topk_check(r, topk, setup, c);
    if (nth != NULL && c->k >= 1 && c->k <= c->n)
        nth_check(r, nth, &sorted, c);
}

/* Sizes around every boundary, each with every interesting k, another shape and offset. */
static void check_sizes(
    const rig *r, dmm_topk *topk, dmm_nth *nth, const topk_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->items.tuning);
    const uint64_t first =
        T > by_size(60, T, T) ? T + 1 : 3 * T + 1; /* simulators take their time */
    const uint64_t sizes[] = {first, 1, 0, 2 * T, T - 1, 2, T, T + 1, 3, 40 * T, 7 * T - 5};
    for (size_t i = 0; i < by_size(1, sizeof sizes / sizeof sizes[0], 11); i++) {
        const uint64_t n = sizes[i];
        const uint64_t ks[] = {n / 2, 1, 0, n - 1, n / 5, n + 1, 2, n / 20, n, UINT64_MAX};
        const size_t few =
            n > 8 * T ? 4 : sizeof ks / sizeof ks[0]; /* fewer ranks for many items */
        for (size_t j = 0; j < by_size(by_rows(1, 2), few, 10); j++, seed++) {
            const topk_case c = {.n = n,
                .k = ks[j],
                .input = (shape)(seed % SHAPE_COUNT),
                .seed = seed,
                .same_prefix = seed % 11 == 0 && setup->items.k.order.less == NULL,
                .offset_items = seed % 3 * 5,
                .temp_given = seed % 5 < 2};
            if (n != 0 || c.k != UINT64_MAX - 1)
                check_both(r, topk, nth, setup, &c);
        }
    }
}

/* Every shape at one size and rank, and keys that differ only in their last digit. */
static void check_shapes(
    const rig *r, dmm_topk *topk, dmm_nth *nth, const topk_setup *setup, uint64_t seed)
{
    const uint64_t n = 9 * tile_of(&setup->items.tuning) + 3;
    for (int s = 0; s < 2 * SHAPE_COUNT; s++) {
        const topk_case c = {.n = n,
            .k = 1 + (seed + 7 * (uint64_t)s) % n,
            .input = (shape)(s % SHAPE_COUNT),
            .seed = seed,
            .same_prefix = s >= SHAPE_COUNT && setup->items.k.order.less == NULL,
            .temp_given = s % 3 == 0};
        check_both(r, topk, nth, setup, &c);
    }
}

static uint64_t temp_of(const dmm_topk *topk, uint64_t n, uint64_t k)
{
    uint64_t bytes = 0;
    REQUIRE_OK(dmm_topk_temp_bytes(&bytes, topk, n, k));
    return bytes;
}

/* Temp never falls with n or with k. */
static void check_temp(const dmm_topk *topk)
{
    for (uint64_t n = 0; n < 600; n += 7)
        for (uint64_t k = 0; k <= n + 1; k += n / 29 + 1)
            REQUIRE(temp_of(topk, n, k) <= temp_of(topk, n + 7, k) &&
                    temp_of(topk, n, k) <= temp_of(topk, n, k + 1));
}

static int runs(cover *seen, const row *one)
{
    const topk_setup setup = setup_of(one);
    const dmm_tuning *const t = &one->tuning;
    return COVER_TAKES(seen, 1, t->form, 2u * t->form + (one->unsorted != 0), one->argsort != 0,
        cover_text(one->set), cover_bytes(setup.items.k.bytes), cover_order(&setup.items.k),
        cover_bytes(one->value_bytes), 2u * (one->descending != 0) + (one->zero_equal != 0),
        t->E % 2 == 1 && t->E > 1);
}

static void every_row_of_the_covering_table_selects(void **state)
{
    static rig r;
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        const topk_setup setup = setup_of(&table[i]);
        if (!runs(&seen, &table[i]))
            continue;
        rig_open(&r, table[i].set);
        dmm_topk *topk = topk_build(&r, &setup);
        dmm_nth *nth = by_size(1, i % 2, 1) ? nth_build(&r, &setup) : NULL;
        check_temp(topk);
        check_sizes(&r, topk, nth, &setup, 100 * i);
        if (sizes_wanted() != SIZES_SMALL)
            check_shapes(&r, topk, nth, &setup, 100 * i);
        dmm_nth_free(nth);
        dmm_topk_free(topk);
        rig_close(&r);
    }
}

static void sizes_up_to_4096_selects(void **state)
{
    static rig r;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const topk_setup setup = setup_of(&table[i]);
        const uint64_t dense = 3 * tile_of(&table[i].tuning) + 2;
        rig_open(&r, table[i].set);
        dmm_topk *topk = topk_build(&r, &setup);
        dmm_nth *nth = nth_build(&r, &setup);
        for (uint64_t n = 0; n <= by_size(100, 4096, 4096); n = size_after(n, dense)) {
            const topk_case c = {.n = n,
                .k = n % 7 * n / 6,
                .input = (shape)(n % SHAPE_COUNT),
                .seed = n,
                .temp_given = n % 2};
            check_both(&r, topk, n % 8 == 0 ? nth : NULL, &setup, &c);
        }
        dmm_nth_free(nth);
        dmm_topk_free(topk);
        rig_close(&r);
    }
}

/* So few of many items that the CPU form looks at the least of blocks first, and one more. */
static void few_of_many_items_are_selected(void **state)
{
    static const row programs[] = {{.kind = "u16", .unsorted = 1, .set = "", .tuning = CPU(64)},
        {.kind = "f32",
            .zero_equal = 1,
            .value_bytes = 4,
            .argsort = 1,
            .set = "",
            .tuning = CPU(256)},
        {.kind = "i64", .descending = 1, .set = "", .tuning = CPU(64)},
        {.kind = "u8", .value_bytes = 8, .set = "", .tuning = CPU(64)}};
    static rig r;
    (void)state;
    for (size_t i = 0; i < by_size(1, 2, 4); i++) {
        const topk_setup setup = setup_of(&programs[i]);
        rig_open(&r, programs[i].set);
        dmm_topk *topk = topk_build(&r, &setup);
        dmm_nth *nth = i % 2 ? nth_build(&r, &setup) : NULL;
        for (uint64_t s = 0; s < by_size(1, 2 * SHAPE_COUNT, 2 * SHAPE_COUNT); s++) {
            const uint64_t n = by_size(1100, 5000, 5000) + 997 * s;
            const topk_case c = {.n = n,
                .k = 1 + s % (n / 1024 + 1),
                .input = (shape)(s % SHAPE_COUNT),
                .seed = s,
                .same_prefix = s >= SHAPE_COUNT,
                .offset_items = s % 3 * 5,
                .temp_given = s % 2};
            check_both(&r, topk, nth, &setup, &c);
        }
        dmm_nth_free(nth);
        dmm_topk_free(topk);
        rig_close(&r);
    }
}

/* Random bits, of which the first digit keeps few; and few values, of which it keeps many. */
static void many_items_select_with_default_parameters(void **state)
{
    static const row programs[] = {{.kind = "u32", .tuning = {DMM_FORM_CPU, 0, 0, 0, 0}},
        {.kind = "u32", .value_bytes = 4, .unsorted = 1, .tuning = {DMM_FORM_GPU, 0, 0, 0, 0}},
        {.kind = "f64",
            .descending = 1,
            .value_bytes = 8,
            .argsort = 1,
            .tuning = {DMM_FORM_CPU, 0, 0, 0, 0}},
        {.kind = "f32",
            .descending = 1,
            .value_bytes = 4,
            .argsort = 1,
            .tuning = {DMM_FORM_GPU, 0, 0, 0, 0}}};
    static rig r;
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    rig_optimise();
    rig_open(&r, NULL);
    for (size_t i = 0; i < by_size(0, 2, 4); i++) {
        const topk_setup setup = setup_of(&programs[i]);
        dmm_topk *topk = topk_build(&r, &setup);
        dmm_nth *nth = i % 2 == 0 ? nth_build(&r, &setup) : NULL;
        for (uint64_t s = 0; s < 2; s++) {
            const topk_case c = {.n = by_size(0, i == 0 ? 300007 : 70003, 3000017),
                .k = s ? 100 : 1000 + 30000 * i,
                .input = s ? SHAPE_FEW : SHAPE_BITS,
                .seed = i};
            check_both(&r, topk, nth, &setup, &c);
        }
        dmm_nth_free(nth);
        dmm_topk_free(topk);
    }
    rig_close(&r);
}

/* Keys 2 1 1 0 1 0 with their indices: what comes first is 0 (3), 0 (5), 1 (1), 1 (2), ... */
static void the_judges_know_wrong_answers(void **state)
{
    static const uint8_t keys[] = {2, 1, 1, 0, 1, 0};
    static const uint32_t indices[] = {0, 1, 2, 3, 4, 5};
    static const struct {
        uint8_t keys[3];
        uint32_t values[3];
        int unsorted, nth, oracle_says, property_says;
    } answers[] = {
        {{0, 0, 1}, {3, 5, 1}, 0, 0, 0, 0}, {{1, 0, 0}, {1, 3, 5}, 1, 0, 0, 0},
        {{1}, {1}, 0, 1, 0, 0}, {{0, 1, 0}, {3, 1, 5}, 0, 0, 1, 1}, /* out of order */
        {{0, 0, 1}, {3, 5, 2}, 0, 0, 1, 1},                         /* not the first of the ties */
        {{0, 0, 2}, {3, 5, 0}, 0, 0, 1, 1},                         /* too late an item */
        {{0, 0, 0}, {3, 5, 3}, 0, 0, 1, 1},                         /* one twice */
        {{0, 0, 1}, {5, 3, 1}, 0, 0, 1, 0}, /* ties exchanged: the oracle's alone to see */
        {{0, 0, 1}, {3, 5, 1}, 1, 0, 1, 0}, /* in order, not in input order: likewise */
        {{1}, {2}, 0, 1, 1, 1},             /* the next tie */
        {{0}, {5}, 0, 1, 1, 1},             /* the rank before */
    };
    const kind k = kind_named("u8");
    const rows input = {keys, indices, 6, 4};
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const rows result = {answers[i].keys, answers[i].values, answers[i].nth ? 1 : 3, 4};
        test_note("answer %d", (int)i);
        REQUIRE((topk_judge_by_oracle(&k, &input, &result, 3, answers[i].unsorted,
                     answers[i].nth) != NULL) == answers[i].oracle_says);
        REQUIRE((topk_judge_by_property(&k, &input, &result, 3, answers[i].unsorted,
                     answers[i].nth) != NULL) == answers[i].property_says);
    }
}

static void host_arrays_are_selected_from(void **state)
{
    const float keys[] = {2.5f, -1.0f, 8.0f, 0.0f, -0.0f, 2.5f, -7.0f};
    const unsigned largest[] = {2, 0, 5}, smallest[] = {6, 1, 4};
    dmm_topk_desc desc = {0};
    dmm_nth_desc median = {0};
    float out[3], middle = 1;
    unsigned from[3], at = 0;
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    test_note("host arrays");
    desc.order.type = median.order.type = DMM_F32;
    desc.value_bytes = median.value_bytes = sizeof from[0];
    desc.argsort = median.argsort = 1;
    desc.tuning = median.tuning = usual_tuning();
    REQUIRE_OK(dmm_topk_host(r.ctx, &desc, keys, NULL, 7, 3, out, from));
    REQUIRE(memcmp(from, smallest, sizeof from) == 0);
    desc.order.descending = 1;
    REQUIRE_OK(dmm_topk_host(r.ctx, &desc, keys, NULL, 7, 3, out, from));
    REQUIRE(memcmp(from, largest, sizeof from) == 0);
    REQUIRE_OK(dmm_nth_host(r.ctx, &median, keys, NULL, 7, 3, &middle, &at));
    REQUIRE(at == 3 && middle == 0);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_nth_host(r.ctx, &median, keys, NULL, 7, 7, &middle, &at));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_judges_know_wrong_answers),
        cmocka_unit_test(every_row_of_the_covering_table_selects),
        cmocka_unit_test(sizes_up_to_4096_selects),
        cmocka_unit_test(few_of_many_items_are_selected),
        cmocka_unit_test(many_items_select_with_default_parameters),
        cmocka_unit_test(host_arrays_are_selected_from),
    };
    return cmocka_run_group_tests_name("topk", tests, NULL, NULL);
}
