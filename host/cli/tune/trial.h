/* SPDX-License-Identifier: MIT */
/*
 * One trial of `dmm tune`: a primitive on items of one size, with the parameters of a tuning file,
 * checked against the host and timed. It runs in a process of its own.
 */
#ifndef DMM_CLI_TRIAL_H
#define DMM_CLI_TRIAL_H

#include "session.h"

typedef struct trial {
    cli_session *session;
    cl_command_queue queue;
    uint64_t n;
    uint32_t item_bytes; /* of a key, and of the index that goes with it, if one does */
    uint32_t repeats;    /* the most timed runs */
    uint64_t enough_ns;  /* no more of them once one has taken that long; 0: all */
    uint64_t best_ns;    /* the result */
    uint32_t *random;    /* n numbers: the keys, before they are widened */
    uint64_t *order;     /* them with their positions, number << 32 | position, in order */
    /* On the device: `by` holds positions, labels or offsets. Room for n numbers of 64 bits in
     * each. */
    cl_mem in, by, out, out_by, temp;
    uint64_t temp_bytes;
    unsigned char *expected, *expected_by; /* what must stand in out and out_by */
    size_t expected_bytes, expected_by_bytes;
    void *object; /* the primitive */
} trial;

typedef struct trial_word {
    const char *word;            /* as in tuning files; NULL: behind the last one */
    dmm_status (*run)(trial *t); /* sets what is expected, builds, and measures */
    const uint32_t *sizes;       /* of items; ends with 0 */
    const char *cpu, *gpu;       /* the parameters that tell in either form: "tile E" */
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

/* Item i of the input, or the random number, as a key of key_bytes bytes; the order stays. */
void trial_put_key(unsigned char *at, uint32_t key_bytes, uint32_t number);
/* Writes n keys to the device. */
dmm_status trial_write_keys(trial *t, uint32_t key_bytes);
/* Writes to `by`. */
dmm_status trial_write_by(trial *t, const void *data, size_t bytes);

/* Runs `once` until it has been timed often enough, and looks at what is left on the device.
 * DMM_WRONG_RESULT: that is not what is expected. */
dmm_status trial_measure(trial *t, dmm_status (*once)(trial *t));

/* At least 1024 items. `dmm tune trial WORD BYTES ITEMS REPEATS ENOUGH_NS`: prints "trial NS",
 * or fails. */
bool trial_main(cli_session *session, char **operands, cli_error *error);

#endif
