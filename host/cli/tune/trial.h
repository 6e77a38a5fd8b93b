/* SPDX-License-Identifier: MIT */
/*
 * One trial of `dmm tune`: a primitive on items of one size, with the parameters of a tuning file,
 * checked against the host and timed. It runs in its own process.
 */
#ifndef DMM_CLI_TRIAL_H
#define DMM_CLI_TRIAL_H

#include "session.h"

typedef struct trial {
    cli_session *session;
    cl_command_queue queue;
    uint64_t n;
    uint32_t item_bytes; /* of a key and, if there is one, its index */
    uint32_t repeats;    /* the most timed runs */
    uint64_t enough_ns;  /* stop after a run this long; 0: never */
    uint64_t best_ns;    /* the result */
    uint32_t *random;    /* n numbers: the keys before widening */
    uint64_t *order;     /* the same with positions, number << 32 | position, sorted */
    /* On the device, with space for n 64-bit numbers each; `by`: positions, labels or offsets. */
    cl_mem in, by, out, out_by, temp;
    uint64_t temp_bytes;
    unsigned char *expected, *expected_by; /* expected contents of out and out_by */
    size_t expected_bytes, expected_by_bytes;
    void *object; /* the primitive */
} trial;

typedef struct trial_word {
    const char *word;            /* as in tuning files; NULL ends the table */
    dmm_status (*run)(trial *t); /* sets the expected results, creates, and measures */
    const uint32_t *sizes;       /* of items; ends with 0 */
    const char *cpu, *gpu;       /* parameters to tune in either form: "tile E" */
} trial_word;

extern const trial_word trial_words[];
const trial_word *trial_word_named(const char *word);

dmm_status trial_sort_by_merge(trial *t);
dmm_status trial_sort_by_radix(trial *t);
dmm_status trial_sort_segmented(trial *t);
dmm_status trial_merge(trial *t);
dmm_status trial_topk(trial *t);
dmm_status trial_scan(trial *t);
dmm_status trial_histogram(trial *t);
dmm_status trial_partition(trial *t);
dmm_status trial_permute(trial *t);
dmm_status trial_shuffle(trial *t);
dmm_status trial_transpose(trial *t);

/* Writes a random number as a key of key_bytes bytes; the order is kept. */
void trial_put_key(unsigned char *at, uint32_t key_bytes, uint32_t number);
/* Writes n keys to the device. */
dmm_status trial_write_keys(trial *t, uint32_t key_bytes);
/* Writes to `by`. */
dmm_status trial_write_by(trial *t, const void *data, size_t bytes);

/* Creates dmm_<word> by `desc`, measures calls of `once` on it and frees it, if `status` is DMM_OK
 * so far. The further arguments are those of dmm_<word>_temp_bytes. */
#define TRIAL_RUN(t, word, desc, status, once, ...)                                \
    do {                                                                           \
        dmm_##word *made = NULL;                                                   \
        if (status == DMM_OK)                                                      \
            status = dmm_##word##_create(&made, (t)->session->context, desc);      \
        if (status == DMM_OK)                                                      \
            status = dmm_##word##_temp_bytes(&(t)->temp_bytes, made, __VA_ARGS__); \
        (t)->object = made;                                                        \
        if (status == DMM_OK)                                                      \
            status = trial_measure(t, once);                                       \
        dmm_##word##_free(made);                                                   \
    } while (0)

/* Runs `once` until it has been timed often enough, and checks the results on the device.
 * DMM_WRONG_RESULT if they are not as expected. */
dmm_status trial_measure(trial *t, dmm_status (*once)(trial *t));

/* `dmm tune trial WORD BYTES ITEMS REPEATS ENOUGH_NS`, at least 1024 items: prints "trial NS", or
 * fails. */
bool trial_main(cli_session *session, char **operands, cli_error *error);

#endif
