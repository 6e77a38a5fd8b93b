/* SPDX-License-Identifier: MIT */
/*
 * A bar on standard error: shown when that is a terminal and a step takes longer than half a
 * second. A thread draws it; the work only reports its position. There is one bar, because there is
 * one terminal.
 */
#ifndef DMM_CLI_PROGRESS_H
#define DMM_CLI_PROGRESS_H

#include <stdint.h>

/* Begins a step of `total` units, and ends the step before. 0: unknown, so only time is shown. */
void cli_progress_start(const char *label, uint64_t total);
/* Reports that `done` units are done. Cheap. */
void cli_progress_step(uint64_t done);
/* Erases the bar. Without a step under way this does nothing. */
void cli_progress_end(void);

#endif
