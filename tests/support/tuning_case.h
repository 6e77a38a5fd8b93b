/* SPDX-License-Identifier: MIT */
/*
 * Shared by tests of tuning files: a folder for the files, contexts that read them, chosen
 * parameters, and log lines.
 */
#ifndef DMM_TESTS_TUNING_CASE_H
#define DMM_TESTS_TUNING_CASE_H

#include <dmm/device.h>

#include "core/context.h"

/* Log of a context, line by line. */
typedef struct journal {
    char text[1 << 16];
    size_t bytes;
} journal;

/* The device that DMM_DEVICE names, or the best. */
extern dmm_device tuning_device;

/* The folder in which a group of tests runs, with a folder `dmm`. */
int tuning_make_folder(void **state);
int tuning_remove_folder(void **state);

void tuning_write_bytes(const char *path, const char *text, size_t bytes);
/* A file with a section of this device, three lines, and whatever comes behind it. */
void tuning_write(const char *path, const char *rest);

dmm_context *tuning_open(const char *tuning, const char *set, journal *j);

/* Returns the parameters that a primitive of that word would choose; own: of its description, or
 * NULL. */
dmm_parameters tuning_chosen(
    const dmm_context *ctx, const char *word, uint32_t item_bytes, const dmm_tuning *own);
uint32_t tuning_chosen_E(const dmm_context *ctx, const char *word, uint32_t item_bytes);

/* Sorts, selects and adds up with whatever the context has chosen. */
void tuning_results_are_right(dmm_context *ctx);

#endif
