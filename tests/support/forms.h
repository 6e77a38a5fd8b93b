/* SPDX-License-Identifier: MIT */
/* Tunings that force a form, as initialisers; each test takes those it needs. */
#ifndef DMM_TESTS_FORMS_H
#define DMM_TESTS_FORMS_H

#include <dmm/types.h>

#include "support/rig.h"

#define GPU(u, E) GPU_BY(u, E, DEFAULT)
#define GPU_BY(u, E, search)                            \
    {                                                   \
        DMM_FORM_GPU, u, E, 0, DMM_TILE_SEARCH_##search \
    }
#define CPU(tile) CPU_BY(0, tile)
#define CPU_BY(E, tile)                                   \
    {                                                     \
        DMM_FORM_CPU, 0, E, tile, DMM_TILE_SEARCH_DEFAULT \
    }

/* Items of a tile. */
static inline uint64_t tile_of(const dmm_tuning *tuning)
{
    return tuning->form == DMM_FORM_CPU ? tuning->tile : (uint64_t)tuning->u * tuning->E;
}

/* The default parameters; for simulators, which take half a minute for a tile of these, small
 * ones. */
static inline dmm_tuning usual_tuning(void)
{
    const dmm_tuning small = GPU(32, 4),
                     usual = {DMM_FORM_DEFAULT, 0, 0, 0, DMM_TILE_SEARCH_DEFAULT};
    return sizes_wanted() == SIZES_SMALL ? small : usual;
}

#endif
