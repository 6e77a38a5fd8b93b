/* SPDX-License-Identifier: MIT */
/*
 * moving_counts W E U: sorts the keys of one tile, u*E words of 4 bytes on standard input, by the
 * model's plain sort. Prints steps, passes, conflicts and the worst step of each round, a line a
 * round. For moving.js.
 */
#include <dmm-model/plain_sort.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Adds the steps of `part` to `sum`. */
static void add(dmm_model_tally *sum, const dmm_model_tally *part)
{
    sum->steps += part->steps;
    sum->passes += part->passes;
    sum->conflicts += part->conflicts;
    sum->worst = part->worst > sum->worst ? part->worst : sum->worst;
}

int main(int argc, char **argv)
{
    static uint64_t keys[65536];
    dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint32_t used, key;
    uint64_t n = 0;
    if (argc != 4) {
        fprintf(stderr, "usage: moving_counts W E U < KEYS\n");
        return 1;
    }
    const dmm_model_merge_shape shape = {
        (uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[2])};
    while (n < 65536 && fread(&key, sizeof key, 1, stdin) == 1)
        keys[n++] = key;
    const dmm_model_status status = dmm_model_plain_sort(rounds, &used, keys, n, &shape);
    if (status != DMM_MODEL_OK) {
        fprintf(stderr, "moving_counts: %s\n", dmm_model_status_string(status));
        return 1;
    }
    for (uint32_t r = 0; r < used; r++) {
        dmm_model_tally sum = {0};
        add(&sum, &rounds[r].search);
        add(&sum, &rounds[r].gather);
        add(&sum, &rounds[r].store);
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 "\n", sum.steps, sum.passes,
            sum.conflicts, sum.worst);
    }
    return 0;
}
