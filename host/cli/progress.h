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
/* Begins a step of so many items that is a call of the library, which reports its progress. Before
 * that it builds programs and uploads, and at the end it copies results back. */
void cli_progress_call(const char *label, uint64_t items);
/* Where a step has several calls: what the next one is of the items. */
void cli_progress_share(uint64_t at, uint64_t items);
/* A dmm_progress_function. */
void cli_progress_part(void *unused, uint64_t done, uint64_t total);
/* True if there is, or would be, a bar. */
bool cli_progress_shows(void);
/* Reports that `done` units are done. Cheap. */
void cli_progress_step(uint64_t done);
/* Erases the bar. Without a step under way this does nothing. */
void cli_progress_end(void);

#endif
