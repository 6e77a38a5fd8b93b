/* SPDX-License-Identifier: MIT */
/*
 * The machine of P. Afshani, N. Sitchinava, ESA 2015, section 1: w processors in lock-step, w
 * banks, each processor accessing at most one word a step. Two accesses to one bank are a conflict
 * even for the same word: the paper's rows have no broadcast, unlike Berney's DMM (step.h).
 */
#include "model/banked.h"

#include <stdlib.h>
#include <string.h>

void dmm_banked_step(dmm_banked *b)
{
    uint32_t worst = 0;
    if (b->tally == NULL)
        return;
    memset(b->wanted, 0, b->w * sizeof *b->wanted);
    for (uint32_t i = 0; i < b->w; i++)
        if (b->at[i] != DMM_IDLE) {
            const uint32_t accesses = ++b->wanted[b->at[i] % b->w];
            worst = accesses > worst ? accesses : worst;
        }
    if (worst == 0 && !b->counts_idle)
        return;
    const uint32_t passes = worst > 0 ? worst : 1;
    dmm_model_tally_add(b->tally, &(dmm_model_reading){passes, 1, passes - 1, worst});
}

void dmm_banked_read(dmm_banked *b)
{
    dmm_banked_step(b);
    for (uint32_t i = 0; i < b->w; i++)
        if (b->at[i] != DMM_IDLE)
            b->hand[i] = b->words[b->at[i]];
}

void dmm_banked_write(dmm_banked *b)
{
    dmm_banked_step(b);
    for (uint32_t i = 0; i < b->w; i++)
        if (b->at[i] != DMM_IDLE)
            b->words[b->at[i]] = b->hand[i];
}

void dmm_banked_free(dmm_banked *b)
{
    free(b->words);
    free(b->hand);
    free(b->at);
    free(b->wanted);
    free(b->done);
    free(b->lanes);
}

dmm_model_status dmm_banked_init(dmm_banked *b, uint32_t columns)
{
    const size_t w = b->w;
    b->words = calloc(w * columns, sizeof *b->words);
    b->hand = calloc(w, sizeof *b->hand);
    b->at = calloc(w, sizeof *b->at);
    b->wanted = calloc(w, sizeof *b->wanted);
    b->done = calloc(w * b->m, sizeof *b->done);
    b->lanes = calloc(w, sizeof *b->lanes);
    if (b->words != NULL && b->hand != NULL && b->at != NULL && b->wanted != NULL &&
        b->done != NULL && b->lanes != NULL)
        return DMM_MODEL_OK;
    dmm_banked_free(b);
    return DMM_MODEL_OUT_OF_MEMORY;
}
