/* SPDX-License-Identifier: MIT */
/* Shared by the self-test and its checks. */
#ifndef DMM_PRIMITIVES_SELFTEST_H
#define DMM_PRIMITIVES_SELFTEST_H

#include <dmm/selftest.h>

/* Most items of a check: enough for reads of megabytes and launches of thousands of groups. */
enum { DMM_TRIAL_ITEMS = 3000017 };

/* One check: items and, if values move along, the place in the input that each came from. A check
 * may replace the input. */
typedef struct dmm_trial {
    dmm_context *ctx;
    dmm_type type;
    uint32_t bytes;                                /* an item */
    uint64_t n;                                    /* items of the input */
    uint64_t places;                               /* items of the answer */
    unsigned char *input, *expected, *answer;      /* DMM_TRIAL_ITEMS of 8 bytes each */
    uint32_t *expected_from, *answer_from, *spare; /* DMM_TRIAL_ITEMS each */
} dmm_trial;

/* Returns an item's bits; and the item as a number whose order is that of <dmm/types.h>. */
uint64_t dmm_trial_bits(const dmm_trial *t, uint64_t index);
uint64_t dmm_trial_code(const dmm_trial *t, uint64_t index);
/* Expects the items first .. end - 1 of the input in stable order. */
void dmm_trial_expect_sorted(dmm_trial *t, uint64_t first, uint64_t end);
/* Expects item `from` of the input at a place. */
void dmm_trial_expect_item(dmm_trial *t, uint64_t place, uint64_t from);
/* For checks of items alone, without values: makes all origins 0. */
void dmm_trial_expect_no_origins(dmm_trial *t);
/* Copies the input to the answer, with numbered items. */
void dmm_trial_number_answer(dmm_trial *t);

typedef struct dmm_check {
    const char *primitive;           /* NULL ends the table */
    dmm_status (*run)(dmm_trial *t); /* sets the expected items and the answer */
    uint32_t types;                  /* DMM_CHECKS of each */
    uint32_t large;                  /* those that also run on DMM_TRIAL_ITEMS items */
} dmm_check;

#define DMM_CHECKS(type) (1u << (type))

extern const dmm_check dmm_checks[];

/* Runs these checks as dmm_context_selftest runs its own. */
dmm_status dmm_selftest_run(
    dmm_context *ctx, const dmm_check *checks, dmm_selftest_function line, void *user);

dmm_status dmm_selftest_histogram(dmm_trial *t);
dmm_status dmm_selftest_layout(dmm_trial *t);
dmm_status dmm_selftest_partition(dmm_trial *t);
dmm_status dmm_selftest_permutation_plan(dmm_trial *t);
dmm_status dmm_selftest_permute(dmm_trial *t);
dmm_status dmm_selftest_shuffle(dmm_trial *t);
dmm_status dmm_selftest_transpose(dmm_trial *t);
/* Sorts with values of three words, which are fetched by position in many small groups. */
dmm_status dmm_selftest_wide_values(dmm_trial *t);

/* Items of 8 bytes: 2^31 bytes and 4 KiB. */
#define DMM_BEYOND_ITEMS (((uint64_t)1 << 28) + 512)

/* Scans a buffer of DMM_BEYOND_ITEMS and compares all of it. DMM_WRONG_RESULT, with the position;
 * DMM_UNSUPPORTED if the device lacks the memory or is a simulator. */
dmm_status dmm_selftest_beyond(dmm_context *ctx, uint64_t *position);

#endif
