/* SPDX-License-Identifier: MIT */
/*
 * promise_checks N [WORD...]: the self-test's first check of each primitive, on N items, so every
 * row of classes.h is read by the bank meter; or all checks whose names begin with a word.
 */
#include "support/require.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/selftest/selftest.h"
#include "support/random.h"

enum { MOST_ITEMS = 1 << 16 };

static dmm_trial trial;

/* True if the check's answer is the expected one. */
static int passes(const dmm_check *check)
{
    random_source random = {9};
    trial.type = (dmm_type)0;
    while ((check->types & DMM_CHECKS(trial.type)) == 0)
        trial.type++;
    trial.bytes = dmm_type_bytes(trial.type);
    trial.places = trial.n;
    random_bytes(&random, trial.input, (size_t)trial.n * sizeof(uint64_t));
    const dmm_status status = check->run(&trial);
    if (status != DMM_OK)
        printf("%s: %s\n", check->primitive, dmm_status_string(status));
    const size_t places = (size_t)trial.places;
    return status == DMM_OK && memcmp(trial.answer, trial.expected, places * trial.bytes) == 0 &&
           memcmp(trial.answer_from, trial.expected_from, places * sizeof *trial.answer_from) == 0;
}

/* True if the check's name begins with one of the words. */
static int is_named(const dmm_check *check, char **words, int num_words)
{
    for (int i = 0; i < num_words; i++)
        if (strncmp(check->primitive, words[i], strlen(words[i])) == 0)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
#define CHECKS(N, word) dmm_##word##_checks,
    static const dmm_check *const tables[] = {DMM_PRIMITIVES_AND_PLANS(CHECKS)};
    static uint64_t items[3][MOST_ITEMS];
    static uint32_t indices[3][MOST_ITEMS];
    int wrong = 0;
    trial = (dmm_trial){.n = argc >= 2 ? strtoull(argv[1], NULL, 10) : 0,
        .input = (unsigned char *)items[0],
        .expected = (unsigned char *)items[1],
        .answer = (unsigned char *)items[2],
        .expected_from = indices[0],
        .answer_from = indices[1],
        .spare = indices[2]};
    if (trial.n == 0 || trial.n > MOST_ITEMS) {
        fprintf(stderr, "usage: promise_checks N [WORD...], N at most %d\n", MOST_ITEMS);
        return 1;
    }
    const dmm_status status =
        dmm_context_create(&trial.ctx, &(dmm_context_desc){.set = getenv("DMM_SET")});
    for (size_t i = 0; status == DMM_OK && i < sizeof tables / sizeof *tables; i++)
        for (const dmm_check *check = tables[i]; check->primitive != NULL; check++)
            if ((argc > 2 ? is_named(check, argv + 2, argc - 2) : check == tables[i]) &&
                !passes(check)) {
                fprintf(stderr, "promise_checks: %s is wrong\n", check->primitive);
                wrong++;
            }
    dmm_context_free(trial.ctx);
    return status == DMM_OK && wrong == 0 ? 0 : 2;
}
