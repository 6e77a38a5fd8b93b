/* SPDX-License-Identifier: MIT */
/* Internals shared by the files of the model. */
#ifndef DMM_MODEL_SHAPE_H
#define DMM_MODEL_SHAPE_H

#include <dmm-model/step.h>
#include <dmm-model/worst.h>

#include <stdbool.h>

/* True if w and u are powers of two in range, w <= u, and E is in least..most. */
bool dmm_shape_is_valid(const dmm_model_merge_shape *shape, uint32_t least, uint32_t most);

/*
 * Computes the shares of one warp in an early round: w / threads merges of `threads` threads each,
 * an even divisor of w; merge m begins at word m*threads*E, half of its items in A, followed by B.
 * No shares that change lists at most once have more aligned accesses in total.
 */
dmm_model_status dmm_worst_early(dmm_model_share *shares, uint32_t threads, uint32_t w, uint32_t E);

/*
 * As above, for the lists of dmm_model_worst_warp: one merge by w threads, ceil(E/2)*w items in A,
 * both lists from bank 0. Reference for the sequence T.
 */
dmm_model_status dmm_worst_best(dmm_model_share *shares, uint32_t w, uint32_t E);

#endif
