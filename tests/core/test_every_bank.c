/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * Every primitive builds and is right on devices of 4 to 128 banks, whichever parameters follow
 * from that: the self-test's checks of each row of classes.h, in the GPU form, with the first of
 * their types. Full: with all types, and banks of either width.
 */
#include "support/require.h"

#include <stdio.h>

#include "lab/lab_selftest.h"
#include "support/rig.h"

enum { LEAST_BANKS = 4, MOST_BANKS = 128, ITEMS = 1021 };

typedef struct tally {
    const char *primitive; /* primitive of the check that was wanted last */
    uint32_t banks, bank_bytes;
    unsigned passed;
} tally;

static int is_wanted(tally *t, const dmm_selftest_line *line)
{
    const int is_first = t->primitive != line->primitive;
    if (line->n != ITEMS || (!is_first && sizes_wanted() != SIZES_FULL))
        return 0;
    t->primitive = line->primitive;
    test_note("%u banks of %u bytes: %s, %s", t->banks, t->bank_bytes, line->primitive, line->type);
    return 1;
}

static int follow(void *user, const dmm_selftest_line *line)
{
    tally *const t = user;
    if (line->begins)
        return is_wanted(t, line);
    if (line->status != DMM_UNSUPPORTED)
        REQUIRE_STATUS(DMM_OK, line->status);
    t->passed += line->status == DMM_OK;
    return 0;
}

#define CHECKS(N, word) dmm_##word##_checks,
static const dmm_check *const tables[] = {DMM_PRIMITIVES_AND_PLANS(CHECKS) dmm_lab_checks, NULL};

static void run(uint32_t banks, uint32_t bank_bytes)
{
    rig r;
    char set[64];
    tally t = {.banks = banks, .bank_bytes = bank_bytes};
    snprintf(set, sizeof set, "banks=%u,bank_bytes=%u,form=gpu", banks, bank_bytes);
    rig_open(&r, set);
    REQUIRE_OK(dmm_selftest_run(r.ctx, tables, follow, &t));
    REQUIRE(t.passed >= sizeof tables / sizeof tables[0] - 1);
    rig_close(&r);
}

static void every_primitive_is_right_on_every_number_of_banks(void **state)
{
    (void)state;
    for (uint32_t banks = LEAST_BANKS; banks <= MOST_BANKS; banks *= 2)
        for (uint32_t bytes = 4; bytes <= (sizes_wanted() == SIZES_FULL ? 8 : 4); bytes *= 2)
            run(banks, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_primitive_is_right_on_every_number_of_banks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
