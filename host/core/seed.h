/* SPDX-License-Identifier: MIT */
/* Unpredictable seeds. */
#ifndef DMM_CORE_SEED_H
#define DMM_CORE_SEED_H

#include "core/log.h"

/*
 * Returns 64 random bits, never 0: from /dev/urandom; if that cannot be read, from the clock and
 * addresses, with a log line.
 */
uint64_t dmm_fresh_seed(const dmm_log *log);

#endif
