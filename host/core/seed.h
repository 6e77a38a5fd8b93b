/* SPDX-License-Identifier: MIT */
/* Seeds that nobody can know in advance. */
#ifndef DMM_CORE_SEED_H
#define DMM_CORE_SEED_H

#include "core/log.h"

/*
 * Returns 64 random bits of the system, never 0: from /dev/urandom or, where that cannot be read,
 * which is logged, from the clock and addresses.
 */
uint64_t dmm_fresh_seed(const dmm_log *log);

#endif
