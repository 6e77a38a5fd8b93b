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
    uint32_t item_bytes; /* bytes of a key and, if there is one, its index */
    uint32_t key_bytes;  /* bytes of a key in `in` */
    uint32_t repeats;    /* the most timed runs */
    uint64_t enough_ns;  /* stop after a run this long; 0: never */
    uint64_t best_ns;    /* the result */
    uint32_t *random;    /* n numbers: the keys before widening */
    uint64_t *order;     /* the same with positions, number << 32 | position, sorted */
    /* On the device, with space for n 64-bit numbers each; `by`: positions, labels or offsets. */
    cl_mem in, by, out, out_by, temp;
    uint64_t temp_bytes;
    unsigned char *by_data, *expected, *expected_by; /* contents of by; expected of out, out_by */
    size_t by_bytes, expected_bytes, expected_by_bytes;
    void *object; /* the primitive */
} trial;

/* A parameter and the values to try: few for a quick search; each list ends with 0. */
typedef struct trial_parameter {
    const char *name;
    const uint32_t *few, *all; /* bytes of a tile */
} trial_parameter;

enum { TRIAL_PARAMETERS = 3 };

typedef struct trial_word {
    const char *word;            /* as in tuning files; NULL ends the table */
    dmm_status (*run)(trial *t); /* sets by_data and the expected results, creates and measures */
    const uint32_t *sizes;       /* item counts; ends with 0 */
    /* To tune in either form; NULL ends a list. */
    const trial_parameter *cpu[TRIAL_PARAMETERS], *gpu[TRIAL_PARAMETERS];
} trial_word;

extern const trial_word trial_words[];

/* Writes a random number as a key of key_bytes bytes; the order is kept. */
void trial_put_key(unsigned char *at, uint32_t key_bytes, uint32_t number);

/* Writes keys and by_data to the device, runs `once` until it has been timed often enough, and
 * checks the results. DMM_WRONG_RESULT if they are not as expected. */
dmm_status trial_measure(trial *t, dmm_status (*once)(trial *t));

/* `dmm tune trial WORD BYTES ITEMS REPEATS ENOUGH_NS`, at least 1024 items: prints "trial NS", or
 * fails. */
bool trial_main(cli_session *session, char **operands, cli_error *error);

#endif
