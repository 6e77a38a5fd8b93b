/* SPDX-License-Identifier: MIT */
/*
 * A bar on standard error: shown when that is a terminal and a step takes longer than half a
 * second. A thread draws it; the work only reports its position. There is one bar, because there is
 * one terminal.
 */
#ifndef DMM_CLI_PROGRESS_H
#define DMM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Begins a step of `total` units, and ends the step before. 0: unknown, so only time is shown. */
void cli_progress_start(const char *label, uint64_t total);
/* As above, of so many bytes, or items: the bar shows their rate, too. */
void cli_progress_bytes(const char *label, uint64_t total);
void cli_progress_items(const char *label, uint64_t total);
/* Begins a step that reports nothing and takes about so many seconds. */
void cli_progress_guess(const char *label, double seconds);
/* True if there is, or would be, a bar: whether a guess is worth its time. */
bool cli_progress_shows(void);
/* Reports that `done` units are done. Cheap. */
void cli_progress_step(uint64_t done);
/* Erases the bar. Without a step under way this does nothing. */
void cli_progress_end(void);

#endif
