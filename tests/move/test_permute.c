/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_permute over methods, forms, directions, sizes and item sizes, on random and on hostile
 * permutations.
 */
#include "support/permute_case.h"

#include "support/cover.h"
#include "support/forms.h"

static const struct {
    const char *set;
    dmm_permute_desc desc;
} rows[] = {
    {"banks=32", {.item_bytes = 4,
                     .index_bytes = 4,
                     .method = DMM_PERMUTE_PLAIN,
                     .check = 1,
                     .tuning = GPU(32, 4)}},
    {"banks=16", {.item_bytes = 12,
                     .index_bytes = 8,
                     .direction = DMM_DIRECTION_GATHER,
                     .method = DMM_PERMUTE_PLAIN,
                     .tuning = GPU(16, 4)}},
    {"", {.item_bytes = 1,
             .index_bytes = 4,
             .check = 1,
             .max_n = (uint64_t)1 << 33,
             .tuning = CPU(64)}},
    {"", {.item_bytes = 2,
             .index_bytes = 4,
             .direction = DMM_DIRECTION_GATHER,
             .method = DMM_PERMUTE_RANDOMIZED,
             .check = 1,
             .tuning = CPU(64)}},
    {"banks=32",
        {.item_bytes = 1, .index_bytes = 4, .method = DMM_PERMUTE_SCATTER, .tuning = GPU(32, 4)}},
    {"", {.item_bytes = 7, .index_bytes = 4, .direction = DMM_DIRECTION_GATHER, .tuning = CPU(64)}},
    {"banks=8", {.item_bytes = 20,
                    .index_bytes = 4,
                    .direction = DMM_DIRECTION_GATHER,
                    .method = DMM_PERMUTE_SCATTER,
                    .check = 1,
                    .tuning = GPU(16, 8)}},
    {"banks=64", {.item_bytes = 256,
                     .index_bytes = 4,
                     .method = DMM_PERMUTE_RANDOMIZED,
                     .seed = 10,
                     .tuning = GPU(64, 1)}},
    {"banks=16,bank_bytes=8", {.item_bytes = 16,
                                  .index_bytes = 4,
                                  .method = DMM_PERMUTE_RANDOMIZED,
                                  .seed = 1,
                                  .tuning = GPU(32, 4)}},
    {"units=3", {.item_bytes = 8, .index_bytes = 8, .tuning = CPU(128)}},
    {"banks=32", {.item_bytes = 4,
                     .index_bytes = 4,
                     .method = DMM_PERMUTE_RANDOMIZED,
                     .check = 1,
                     .seed = 7,
                     .tuning = GPU(64, 4)}},
    {"banks=8", {.item_bytes = 8,
                    .index_bytes = 4,
                    .method = DMM_PERMUTE_RANDOMIZED,
                    .seed = 8,
                    .tuning = GPU(16, 8)}},
    {"banks=16", {.item_bytes = 3,
                     .index_bytes = 8,
                     .direction = DMM_DIRECTION_GATHER,
                     .method = DMM_PERMUTE_RANDOMIZED,
                     .check = 1,
                     .seed = 9,
                     .tuning = GPU(16, 16)}},
    {"", {.item_bytes = 4, .index_bytes = 4, .check = 1, .tuning = CPU(64)}},
};

static void every_row_of_the_covering_table_permutes(void **state)
{
    static const uint64_t sizes[] = {
        0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 4096, 20011};
    static rig r;
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const dmm_permute_desc *d = &rows[i].desc;
        if (!COVER_TAKES(&seen, 1, 8u * d->tuning.form + d->method,
                2u * d->method + (d->check != 0), 8u * d->direction + d->method,
                cover_text(rows[i].set), cover_bytes(d->item_bytes), d->index_bytes, d->max_n != 0))
            continue;
        rig_open(&r, rows[i].set);
        dmm_permute *p = permute_build(&r, d);
        for (size_t k = 0; k < by_size(9, sizeof sizes / sizeof sizes[0], 18); k++) {
            const permute_case c = {.n = sizes[k],
                .kind = (permute_order)((i + k) % ORDER_COUNT),
                .seed = 100 * i + k,
                .in_place = k % 2 == 0,
                .temp_given = k % 3 == 0,
                .offset_items = k % 3 * 5};
            const dmm_report found = permute_check(&r, p, d, &c);
            const int rounds =
                d->method == DMM_PERMUTE_RANDOMIZED && d->tuning.form == DMM_FORM_GPU && c.n != 0;
            const uint64_t most = tile_of(&d->tuning) / dmm_context_device(r.ctx)->banks.value;
            REQUIRE(rounds ? found.detail >= 1 && found.detail <= most : found.detail == 0);
        }
        dmm_permute_free(p);
        rig_close(&r);
    }
}

static void every_n_to_4096_permutes(void **state)
{
    static const dmm_permute_desc descs[] = {{.item_bytes = 4, .index_bytes = 4, .tuning = CPU(64)},
        {.item_bytes = 4, .index_bytes = 4, .method = DMM_PERMUTE_RANDOMIZED, .tuning = GPU(32, 8)},
        {.item_bytes = 4,
            .index_bytes = 4,
            .method = DMM_PERMUTE_PLAIN,
            .check = 1,
            .tuning = GPU(32, 8)}};
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (uint64_t i = 0; i < 3; i++) {
        dmm_permute *p = permute_build(&r, &descs[i]);
        const uint64_t dense = 3 * tile_of(&descs[i].tuning) + 2;
        for (uint64_t n = i; n <= by_size(100, 4096, 4096); n = size_after(n, dense))
            permute_check(
                &r, p, &descs[i], &(permute_case){.n = n, .seed = n, .in_place = n % 4 < 2});
        dmm_permute_free(p);
    }
    rig_close(&r);
}

static void a_million_items_permute_with_default_parameters(void **state)
{
    static const dmm_permute_desc descs[] = {
        {.item_bytes = 4, .index_bytes = 4, .check = 1, .tuning = {.form = DMM_FORM_CPU}},
        {.item_bytes = 4,
            .index_bytes = 4,
            .method = DMM_PERMUTE_RANDOMIZED,
            .tuning = {.form = DMM_FORM_GPU}},
        {.item_bytes = 8,
            .index_bytes = 4,
            .direction = DMM_DIRECTION_GATHER,
            .method = DMM_PERMUTE_SCATTER,
            .tuning = {.form = DMM_FORM_GPU}}};
    static rig r;
    (void)state;
    rig_optimise();
    rig_open(&r, NULL);
    for (size_t i = 0; i < 3; i++) {
        dmm_permute *p = permute_build(&r, &descs[i]);
        const permute_case c = {.n = by_size(300, 1200007, 1u << 24), .seed = i};
        permute_check(&r, p, &descs[i], &c);
        dmm_permute_free(p);
    }
    rig_close(&r);
}

static void the_judges_see_wrong_orders(void **state)
{
    const dmm_permute_desc d = {
        .item_bytes = 4, .index_bytes = 8, .direction = DMM_DIRECTION_SCATTER};
    uint64_t index[] = {2, 0, 1, 3};
    uint32_t before[] = {0, 1, 2, 3}, after[] = {1, 2, 0, 3};
    const permute_data data = {index, NULL, (unsigned char *)before, (unsigned char *)after};
    (void)state;
    test_note("judges");
    REQUIRE(
        permute_judge_by_loop(&d, &data, 4) == NULL && permute_judge_as_set(&d, &data, 4) == NULL);
    after[0] = 2;
    REQUIRE(
        permute_judge_by_loop(&d, &data, 4) != NULL && permute_judge_as_set(&d, &data, 4) != NULL);
    after[1] = 1;
    REQUIRE(
        permute_judge_by_loop(&d, &data, 4) != NULL && permute_judge_as_set(&d, &data, 4) == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_permutes),
        cmocka_unit_test(every_n_to_4096_permutes),
        cmocka_unit_test(a_million_items_permute_with_default_parameters),
        cmocka_unit_test(the_judges_see_wrong_orders),
    };
    return cmocka_run_group_tests_name("permute", tests, NULL, NULL);
}
