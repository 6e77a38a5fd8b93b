/* SPDX-License-Identifier: MIT */
/* What the self-test and its checks share. */
#ifndef DMM_PRIMITIVES_SELFTEST_H
#define DMM_PRIMITIVES_SELFTEST_H

#include <dmm/selftest.h>

enum { DMM_TRIAL_ITEMS = 70001, DMM_TRIAL_BYTES = 8 * DMM_TRIAL_ITEMS };

/* One check: items and, for what moves along with them, where in the input each was. A check may make
 * an input of its own of the one that it finds. */
typedef struct dmm_trial {
    dmm_context *ctx;
    dmm_type type;
    uint32_t bytes;  /* an item */
    uint64_t n;      /* items of the input */
    uint64_t places; /* items of the answer */
    unsigned char input[DMM_TRIAL_BYTES], expected[DMM_TRIAL_BYTES], answer[DMM_TRIAL_BYTES];
    uint32_t expected_from[DMM_TRIAL_ITEMS], answer_from[DMM_TRIAL_ITEMS];
    uint32_t spare[DMM_TRIAL_ITEMS];
} dmm_trial;

/* An item's bits, and as a number that is ordered as <dmm/types.h> says. */
uint64_t dmm_trial_bits(const dmm_trial *t, uint64_t index);
uint64_t dmm_trial_code(const dmm_trial *t, uint64_t index);
/* The items first .. end - 1 of the input are expected in stable order. */
void dmm_trial_expect_sorted(dmm_trial *t, uint64_t first, uint64_t end);

typedef struct dmm_check {
    const char *primitive;           /* NULL: behind the last one */
    dmm_status (*run)(dmm_trial *t); /* sets what is expected, and the answer */
    uint32_t types;                  /* DMM_CHECKS of each */
} dmm_check;

#define DMM_CHECKS(type) (1u << (type))

extern const dmm_check dmm_checks[];

#endif
