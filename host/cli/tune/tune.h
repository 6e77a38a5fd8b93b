/* SPDX-License-Identifier: MIT */
/*
 * What the parts of `dmm tune` share: how it runs trials, what it remembers of them, what it finds,
 * and the file that it writes.
 */
#ifndef DMM_CLI_TUNE_H
#define DMM_CLI_TUNE_H

#include <dmm/device.h>

#include "error.h"
#include "trial.h"

enum { TUNE_BODY_BYTES = 512, TUNE_SETTINGS_BYTES = 96, TUNE_MAX_FOUND = 64 };

typedef enum tune_outcome {
    TUNE_OK,
    TUNE_MISFIT, /* the library, or the device, refuses these parameters */
    TUNE_WRONG,  /* the results are wrong */
    TUNE_CRASHED,
    TUNE_HUNG,
    TUNE_NO_TIME, /* not tried: the time is up */
    TUNE_NO_CHILD /* no process could be had */
} tune_outcome;

const char *tune_outcome_name(tune_outcome outcome);

/* Output of a child that has ended, cut at the end of the buffer. */
typedef struct tune_output {
    char text[8192];
    size_t bytes;
} tune_output;

/* Runs `dmm tune OPERANDS...` with the same device and settings and that tuning file. */
tune_outcome tune_child(
    const char *tuning, const char *const *operands, unsigned seconds, tune_output *out);

/* One trial: what was tried, and what came of it. */
typedef struct tune_trial {
    char what[TUNE_BODY_BYTES]; /* word, bytes, items and the row of a tuning file */
    tune_outcome outcome;
    uint64_t ns;
} tune_trial;

/* All trials, also of a search that was stopped: each is written to a file as soon as it is
 * known. */
typedef struct tune_record {
    char path[4096];
    char head[512]; /* the device and what else must be the same for trials to be comparable */
    tune_trial *trials;
    size_t count, room;
    size_t known; /* of them, from a search before */
} tune_record;

bool tune_record_open(tune_record *record, const char *path, const char *head, cli_error *error);
/* NULL: not tried yet. */
const tune_trial *tune_record_find(const tune_record *record, const char *what);
bool tune_record_add(tune_record *record, const tune_trial *tried, cli_error *error);
/* keep: the file stays, for a search that goes on. */
void tune_record_close(tune_record *record, bool keep);

/* The result for a primitive and a size. */
typedef struct tune_found {
    const char *word;
    uint32_t item_bytes;
    char settings[TUNE_SETTINGS_BYTES]; /* "": nothing is better than the default */
    tune_outcome outcome;               /* of the default */
    uint64_t items;
    uint64_t default_ns, best_ns;
    bool is_cut;             /* the time was up before all was tried */
    unsigned trials, failed; /* of them, by a crash, a hang or wrong results */
} tune_found;

typedef struct tune_search {
    const dmm_device *device;
    bool cpu; /* the form that is tuned */
    bool thorough;
    const char *word; /* "": all */
    uint64_t items;
    uint64_t deadline_ns;  /* of the monotonic clock; 0: none */
    const char *candidate; /* the file of the trial under way */
    tune_record record;
    tune_found found[TUNE_MAX_FOUND];
    size_t num_found;
    bool ended_early;
    uint64_t done, total; /* trials, for the bar */
} tune_search;

uint64_t tune_now_ns(void);

/* True if some primitive is tuned under this word; "" is all. */
bool tune_has_word(const char *wanted);

/* Runs or remembers a trial. body: a row of a tuning file, or "". */
bool tune_try(tune_search *s, const char *word, uint32_t item_bytes, uint64_t items,
    const char *body, uint64_t enough_ns, bool afresh, tune_trial *out, cli_error *error);

/* Finds what is fast. False: a file cannot be written. */
bool tune_find(tune_search *s, cli_error *error);

/* The least items for which radix is faster than merge, of each size, behind the rest. */
bool tune_find_crossovers(tune_search *s, cli_error *error);

/* Writes what was found to a tuning file; other devices, and rows that were not looked at, stay as
 * they are. facts: lines of the probe. */
bool tune_save(const char *path, const tune_search *s, const char *facts, cli_error *error);

#endif
