/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows */
/*
 * dmm_transpose over shapes, item sizes, forms and banks, in place and out of place, one matrix and
 * several. Two judges: a plain loop, and that the transpose of the transpose is the matrix. What it
 * refuses.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/transpose.h>

#include "support/shared.h"
#include "support/zone.h"
#include "support/cover.h"
#include "support/forms.h"
#include "support/random.h"

static const char *judge_by_loop(
    const unsigned char *in, const unsigned char *out, uint32_t bytes, dmm_matrices s)
{
    for (uint64_t m = 0; m < s.count; m++)
        for (uint64_t r = 0; r < s.rows; r++)
            for (uint64_t c = 0; c < s.cols; c++) {
                const uint64_t first = m * s.rows * s.cols;
                if (memcmp(in + (first + r * s.cols + c) * bytes,
                        out + (first + c * s.rows + r) * bytes, bytes) != 0)
                    return "an item is not where it belongs";
            }
    return NULL;
}

/* Transposes from one zone to another; its span is `temp_given` or none. */
static void turn(
    const rig *r, dmm_transpose *t, const zone *in, const zone *out, dmm_matrices s, int temp_given)
{
    uint64_t temp_bytes = 0;
    zone temp = {0};
    dmm_transpose_args args = {.in = zone_span(in), .out = zone_span(out)};
    REQUIRE_OK(dmm_transpose_temp_bytes(&temp_bytes, t, s));
    if (temp_given && temp_bytes != 0) {
        temp = zone_create(r, NULL, temp_bytes, 256);
        args.temp = zone_span(&temp);
    }
    REQUIRE_OK(dmm_transpose_enqueue(t, r->queue, &args, s, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(temp.buffer == NULL || zone_intact(r, &temp));
    zone_free(&temp);
}

static void check(const rig *r, dmm_transpose *t, const dmm_transpose_desc *d, dmm_matrices s,
    uint64_t offset_items, int temp_given)
{
    const uint64_t bytes = s.rows * s.cols * s.count * d->item_bytes;
    unsigned char *before = malloc((size_t)bytes + 1), *after = malloc((size_t)bytes + 1);
    random_source random = {bytes};
    REQUIRE(before != NULL && after != NULL);
    random_bytes(&random, before, (size_t)bytes);
    test_note("%u bytes, form %d u %u: %llu x %llu, %llu of them, offset %llu%s", d->item_bytes,
        (int)d->tuning.form, d->tuning.u, (unsigned long long)s.rows, (unsigned long long)s.cols,
        (unsigned long long)s.count, (unsigned long long)offset_items,
        temp_given ? ", temp given" : "");
    zone in = zone_create(r, before, bytes, offset_items * d->item_bytes);
    zone out = zone_create(r, NULL, bytes, offset_items * d->item_bytes);
    turn(r, t, &in, &out, s, temp_given);
    zone_read(r, &out, after);
    REQUIRE_VERDICT(judge_by_loop(before, after, d->item_bytes, s));
    REQUIRE(zone_holds(r, &in, before) && zone_intact(r, &out));
    turn(r, t, &in, &in, s, temp_given);
    REQUIRE(zone_holds(r, &in, after));
    turn(r, t, &in, &in, (dmm_matrices){s.cols, s.rows, s.count}, temp_given);
    REQUIRE(zone_holds(r, &in, before));
    zone_free(&in);
    zone_free(&out);
    free(before);
    free(after);
}

static const struct {
    const char *set;
    dmm_transpose_desc desc;
} rows[] = {
    {"banks=32", {.item_bytes = 4, .tuning = GPU(64, 0)}},
    {"banks=8", {.item_bytes = 8, .tuning = GPU(8, 0)}},
    {"banks=16", {.item_bytes = 12, .tuning = GPU(16, 0)}},
    {"banks=64", {.item_bytes = 1, .tuning = GPU(128, 0)}},
    {"banks=16,bank_bytes=8", {.item_bytes = 16, .tuning = GPU(64, 0)}},
    {"banks=64,local_bytes=20000",
        {.item_bytes = 4, .tuning = GPU(64, 0)}}, /* no room for two tiles */
    {"", {.item_bytes = 4, .tuning = CPU(0)}},
    {"", {.item_bytes = 8, .tuning = CPU(0)}},
    {"units=3", {.item_bytes = 2, .tuning = CPU(0)}},
    {"", {.item_bytes = 1, .tuning = CPU(0)}},
    {"", {.item_bytes = 15, .tuning = CPU(0)}},
    {"", {.item_bytes = 4, .max_n = (uint64_t)1 << 33, .tuning = CPU(0)}},
    {"banks=32", {.item_bytes = 3, .max_n = (uint64_t)1 << 33, .tuning = GPU(32, 0)}},
};

static const dmm_matrices shapes[] = {{0, 5, 1}, {5, 0, 3}, {1, 1, 1}, {1, 70, 2}, {70, 1, 2},
    {2, 2, 5}, {3, 5, 4}, {31, 33, 1}, {32, 32, 3}, {33, 31, 1}, {64, 64, 1}, {65, 65, 2},
    {48, 36, 2}, {100, 257, 1}, {257, 100, 1}, {128, 512, 1}, {1024, 512, 2}, {260, 1300, 1},
    {5000, 3, 1}, {7, 4099, 1}};

static void every_row_of_the_covering_table_transposes(void **state)
{
    static rig r;
    const size_t all = sizeof shapes / sizeof shapes[0];
    (void)state;
    for (size_t i = by_rows(2, 0); i < sizeof rows / sizeof rows[0]; i += by_rows(5, 1)) {
        dmm_transpose *t = NULL;
        rig_open(&r, rows[i].set);
        REQUIRE_OK(rig_log_failure(&r, dmm_transpose_create(&t, r.ctx, &rows[i].desc)));
        for (size_t k = 0; k < by_size(8, all, all); k++)
            check(&r, t, &rows[i].desc, shapes[k], (i + k) % 3 * 3, (int)(k % 2));
        dmm_transpose_free(t);
        rig_close(&r);
    }
}

static void every_small_shape_transposes(void **state)
{
    static const dmm_transpose_desc descs[] = {
        {.item_bytes = 4, .tuning = CPU(0)}, {.item_bytes = 4, .tuning = GPU(16, 0)}};
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t i = 0; i < 2; i++) {
        dmm_transpose *t = NULL;
        REQUIRE_OK(dmm_transpose_create(&t, r.ctx, &descs[i]));
        for (uint64_t m = 1; m <= by_size(3, 24, 70); m++)
            for (uint64_t n = 1 + (m + i) % 2; n <= by_size(4, 24, 70); n += 2)
                check(&r, t, &descs[i], (dmm_matrices){m, n, 1}, 0, 0);
        dmm_transpose_free(t);
    }
    rig_close(&r);
}

static void a_large_matrix_transposes_with_default_parameters(void **state)
{
    static const dmm_transpose_desc descs[] = {{.item_bytes = 4, .tuning = {.form = DMM_FORM_CPU}},
        {.item_bytes = 8, .tuning = {.form = DMM_FORM_GPU}}};
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (size_t i = 0; i < 2; i++) {
        dmm_transpose *t = NULL;
        REQUIRE_OK(dmm_transpose_create(&t, r.ctx, &descs[i]));
        check(&r, t, &descs[i], (dmm_matrices){by_size(50, 1030, 4099), by_size(40, 960, 4096), 1},
            0, 0);
        dmm_transpose_free(t);
    }
    rig_close(&r);
}

static void wrong_calls_are_refused_in_order_and_touch_nothing(void **state)
{
    const dmm_transpose_desc desc = {.item_bytes = 4, .max_n = 1000, .tuning = CPU(0)};
    const dmm_matrices matrices = {20, 30, 1}, large = {40, 30, 1};
    dmm_transpose *t = (dmm_transpose *)(void *)&shared;
    uint64_t bytes = 0;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong calls");
    REQUIRE_STATUS(DMM_BAD_VALUE,
        dmm_transpose_create(&t, shared.ctx, &(dmm_transpose_desc){.item_bytes = 257}));
    REQUIRE(t == NULL);
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_transpose_host(shared.ctx, &desc, &bytes, large));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_transpose_host(shared.ctx, &desc, NULL, matrices));
    rig_close(&shared);
}

static void the_judge_sees_a_wrong_order(void **state)
{
    const unsigned char in[] = {1, 2, 3, 4, 5, 6}, right[] = {1, 4, 2, 5, 3, 6};
    (void)state;
    test_note("judge");
    REQUIRE(judge_by_loop(in, right, 1, (dmm_matrices){2, 3, 1}) == NULL);
    REQUIRE(judge_by_loop(in, in, 1, (dmm_matrices){2, 3, 1}) != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_transposes),
        cmocka_unit_test(every_small_shape_transposes),
        cmocka_unit_test(a_large_matrix_transposes_with_default_parameters),
        cmocka_unit_test(wrong_calls_are_refused_in_order_and_touch_nothing),
        cmocka_unit_test(the_judge_sees_a_wrong_order),
    };
    return cmocka_run_group_tests_name("transpose", tests, NULL, NULL);
}
