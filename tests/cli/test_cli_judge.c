/* SPDX-License-Identifier: MIT */
/* The judge behind --check is fed right answers, and wrong ones of every kind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/judge.h"
#include "support/require.h"

static cli_array keys_of(dmm_type type, size_t count, void *items)
{
    return (cli_array){
        .type = type, .item_bytes = dmm_type_bytes(type), .count = count, .data = items};
}

static int judge(const cli_array *before, const cli_array *after, bool descending)
{
    cli_error error = {0};
    cli_fingerprint sum = {0, 0};
    cli_add_fingerprint(&sum, before, NULL);
    bool ok = cli_judge(after, NULL, descending, &sum, &error);
    REQUIRE(ok == (error.exit_code == CLI_OK));
    return error.exit_code;
}

static void orders_are_judged_in_both_directions(void **state)
{
    int32_t before[] = {3, -1, 2, -1}, up[] = {-1, -1, 2, 3}, down[] = {3, 2, -1, -1};
    cli_array b = keys_of(DMM_I32, 4, before), u = keys_of(DMM_I32, 4, up);
    cli_array d = keys_of(DMM_I32, 4, down);
    (void)state;
    REQUIRE(judge(&b, &u, false) == CLI_OK && judge(&b, &d, true) == CLI_OK);
    REQUIRE(judge(&b, &u, true) == CLI_CHECK_FAILED && judge(&b, &d, false) == CLI_CHECK_FAILED);
    /* The same bits as unsigned numbers: -1 is the greatest. */
    b.type = u.type = DMM_U32;
    REQUIRE(judge(&b, &u, false) == CLI_CHECK_FAILED);
}

static void lost_doubled_and_changed_items_are_seen(void **state)
{
    uint8_t before[] = {1, 2, 3, 3};
    uint8_t wrong[][4] = {{1, 2, 3, 4}, {1, 2, 2, 3}, {1, 1, 3, 3}, {0, 2, 3, 3}, {3, 3, 3, 3}};
    cli_array b = keys_of(DMM_U8, 4, before);
    (void)state;
    REQUIRE(judge(&b, &b, false) == CLI_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cli_array w = keys_of(DMM_U8, 4, wrong[i]);
        test_note("wrong answer %zu", i);
        REQUIRE(judge(&b, &w, false) == CLI_CHECK_FAILED);
        w.count = 3;
        REQUIRE(judge(&b, &w, false) == CLI_CHECK_FAILED);
    }
}

static void floats_have_their_total_order(void **state)
{
    double up[] = {-INFINITY, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, INFINITY, -NAN, NAN};
    enum { COUNT = sizeof up / sizeof up[0], NUMBERS = COUNT - 2 };
    double down[COUNT];
    (void)state;
    memcpy(down, up, sizeof up);
    for (size_t i = 0; i < NUMBERS; i++)
        down[i] = up[NUMBERS - 1 - i];
    cli_array u = keys_of(DMM_F64, COUNT, up), d = keys_of(DMM_F64, COUNT, down);
    REQUIRE(judge(&u, &u, false) == CLI_OK && judge(&d, &d, true) == CLI_OK);
    for (size_t i = 0; i + 1 < COUNT - 1; i++) {
        double kept = up[i];
        up[i] = up[i + 1];
        up[i + 1] = kept;
        test_note("items %zu and %zu exchanged", i, i + 1);
        REQUIRE(judge(&u, &u, false) == CLI_CHECK_FAILED);
        up[i + 1] = up[i];
        up[i] = kept;
    }
    uint16_t halves[] = {0xFC00, 0x8001, 0x8000, 0x0000, 0x0001, 0x7C00, 0x7E00, 0xFFFF};
    cli_array h = keys_of(DMM_F16, 8, halves);
    REQUIRE(judge(&h, &h, false) == CLI_OK && judge(&h, &h, true) == CLI_CHECK_FAILED);
}

static void values_belong_to_their_keys(void **state)
{
    uint16_t keys[] = {1, 2, 3};
    char before[] = "abcdefghijklmnopqrstuvwxyzABCDEFG", after[sizeof before];
    cli_array k = keys_of(DMM_U16, 3, keys);
    cli_array v = {.type = DMM_ITEM, .item_bytes = 11, .count = 3, .data = before};
    cli_array w = v;
    cli_error error = {0};
    cli_fingerprint sum = {0, 0};
    (void)state;
    w.data = after;
    cli_add_fingerprint(&sum, &k, &v);
    memcpy(after, before, sizeof before);
    REQUIRE(cli_judge(&k, &w, false, &sum, &error));
    memcpy(after, before + 11, 11);
    memcpy(after + 11, before, 11);
    REQUIRE(!cli_judge(&k, &w, false, &sum, &error) && error.exit_code == CLI_CHECK_FAILED);
    for (size_t i = 0; i < 33; i++) {
        memcpy(after, before, sizeof before);
        after[i] ^= 1;
        test_note("byte %zu changed", i);
        REQUIRE(!cli_judge(&k, &w, false, &sum, &error));
    }
}

static void indices_are_judged_one_by_one(void **state)
{
    int8_t before[] = {5, -7, 5, 0}, after[] = {-7, 0, 5, 5};
    uint32_t right[] = {1, 3, 0, 2};
    uint64_t wide[] = {1, 3, 0, 2};
    uint32_t wrong[][4] = {
        {1, 3, 2, 0}, {1, 3, 0, 0}, {3, 1, 0, 2}, {1, 3, 0, 4}, {1, 3, 0, 1u << 31}};
    cli_array b = keys_of(DMM_I8, 4, before), a = keys_of(DMM_I8, 4, after);
    cli_array indices = keys_of(DMM_U32, 4, right);
    cli_error error = {0};
    (void)state;
    REQUIRE(cli_judge_argsort(&b, &a, &indices, &error));
    indices = keys_of(DMM_U64, 4, wide);
    REQUIRE(cli_judge_argsort(&b, &a, &indices, &error));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        indices = keys_of(DMM_U32, 4, wrong[i]);
        error.exit_code = CLI_OK;
        test_note("wrong answer %zu", i);
        REQUIRE(!cli_judge_argsort(&b, &a, &indices, &error));
        REQUIRE(error.exit_code == CLI_CHECK_FAILED);
    }
}

static void nothing_is_in_order(void **state)
{
    (void)state;
    for (dmm_type type = DMM_U32; type < DMM_ITEM; type++) {
        cli_array none = keys_of(type, 0, NULL);
        REQUIRE(judge(&none, &none, false) == CLI_OK && judge(&none, &none, true) == CLI_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_judged_in_both_directions),
        cmocka_unit_test(lost_doubled_and_changed_items_are_seen),
        cmocka_unit_test(floats_have_their_total_order),
        cmocka_unit_test(values_belong_to_their_keys),
        cmocka_unit_test(indices_are_judged_one_by_one),
        cmocka_unit_test(nothing_is_in_order),
    };
    return cmocka_run_group_tests_name("cli judge", tests, NULL, NULL);
}
