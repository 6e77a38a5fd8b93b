/* SPDX-License-Identifier: MIT */
/* Shared by the self-test and its checks. */
#ifndef DMM_PRIMITIVES_SELFTEST_H
#define DMM_PRIMITIVES_SELFTEST_H

#include <dmm/selftest.h>

#include "primitives/classes.h"

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
    const char *primitive;           /* NULL ends a table */
    dmm_status (*run)(dmm_trial *t); /* sets the expected items and the answer */
    uint32_t types;                  /* DMM_CHECKS of each */
    uint32_t large;                  /* those that also run on DMM_TRIAL_ITEMS items */
} dmm_check;

#define DMM_CHECKS(type) (1u << (type))
#define U8               DMM_CHECKS(DMM_U8)
#define I8               DMM_CHECKS(DMM_I8)
#define U16              DMM_CHECKS(DMM_U16)
#define I16              DMM_CHECKS(DMM_I16)
#define U32              DMM_CHECKS(DMM_U32)
#define I32              DMM_CHECKS(DMM_I32)
#define U64              DMM_CHECKS(DMM_U64)
#define I64              DMM_CHECKS(DMM_I64)
#define F16              DMM_CHECKS(DMM_F16)
#define F32              DMM_CHECKS(DMM_F32)
#define F64              DMM_CHECKS(DMM_F64)

/* The checks of each primitive, dmm_<word>_checks; without them the library does not link. */
#define DMM_DECLARE_CHECKS(N, word) extern const dmm_check dmm_##word##_checks[];
DMM_PRIMITIVES_AND_PLANS(DMM_DECLARE_CHECKS)

/* Runs the checks of these tables, the last of which is NULL, as dmm_context_selftest runs all. */
dmm_status dmm_selftest_run(
    dmm_context *ctx, const dmm_check *const *tables, dmm_selftest_function line, void *user);

/* Items of 8 bytes: 2^31 bytes and 4 KiB. */
#define DMM_BEYOND_ITEMS (((uint64_t)1 << 28) + 512)

/* Scans a buffer of DMM_BEYOND_ITEMS and compares all of it. DMM_WRONG_RESULT, with the position;
 * DMM_UNSUPPORTED if the device lacks the memory or is a simulator. */
dmm_status dmm_selftest_beyond(dmm_context *ctx, uint64_t *position);

#endif
