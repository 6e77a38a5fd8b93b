/* SPDX-License-Identifier: MIT */
/*
 * Shared by the parts of `dmm tune`: trials, their record, results, and the file that is written.
 */
#ifndef DMM_CLI_TUNE_H
#define DMM_CLI_TUNE_H

#include <dmm/device.h>

#include "error.h"
#include "trial.h"
#include "session.h"

enum { TUNE_WHAT_BYTES = 256, TUNE_SETTINGS_BYTES = 104, TUNE_MAX_FOUND = 64 };

typedef enum tune_outcome {
    TUNE_OK,
    TUNE_MISFIT, /* the library, or the device, rejects the parameters */
    TUNE_WRONG,  /* the results are wrong */
    TUNE_CRASHED,
    TUNE_HUNG,
    TUNE_NO_TIME, /* not tried: out of time */
    TUNE_NO_CHILD /* no process could be created */
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

/* One trial: what was tried, and the result. */
typedef struct tune_trial {
    char what[TUNE_WHAT_BYTES]; /* word, bytes, items and the row of a tuning file */
    tune_outcome outcome;
    uint64_t ns;
} tune_trial;

/* The file of all trials, including those of an interrupted search. */
typedef struct tune_record {
    char path[4096];
    size_t known; /* number of trials from an earlier search */
} tune_record;

/* head: device and everything else that must be equal for trials to be comparable. */
bool tune_record_open(tune_record *record, const char *path, const char *head, cli_error *error);
/* Looks `wanted->what` up; false: not tried yet. */
bool tune_record_find(const tune_record *record, tune_trial *wanted);
bool tune_record_add(const tune_record *record, const tune_trial *tried, cli_error *error);
/* keep: keeps the file, so that the search can be resumed. */
void tune_record_close(const tune_record *record, bool keep);

/* The result for a primitive and a size. */
typedef struct tune_found {
    const char *word;
    uint32_t item_bytes;
    char settings[TUNE_SETTINGS_BYTES]; /* "": nothing is better than the default */
    tune_outcome outcome;               /* outcome of the default */
    uint64_t items;
    uint64_t default_ns, best_ns;
    bool is_cut;             /* out of time before everything was tried */
    unsigned trials, failed; /* failed: by a crash, a hang or wrong results */
} tune_found;

typedef struct tune_search {
    const dmm_device *device;
    bool cpu; /* the form that is tuned */
    bool thorough;
    const char *word; /* "": all */
    uint64_t items;
    uint64_t deadline_ns;  /* time of the monotonic clock; 0: none */
    const char *candidate; /* tuning file of the current trial */
    tune_record record;
    tune_found found[TUNE_MAX_FOUND];
    size_t num_found;
    bool ended_early;
    uint64_t done, total; /* trials, for the bar */
} tune_search;

uint64_t tune_now_ns(void);

/* True if a primitive is tuned under this word; "" is all. */
bool tune_has_word(const char *wanted);

/* Returns the result for a primitive and a size; NULL if there is none. */
const tune_found *tune_found_for(const tune_search *s, const char *word, uint32_t item_bytes);

/* Prints the row of a tuning file, without end of line; "" without settings. */
void tune_row(
    const tune_search *s, const tune_found *f, const char *settings, char text[TUNE_WHAT_BYTES]);

/* Searches for fast parameters. False: a file cannot be written. */
bool tune_find(tune_search *s, cli_error *error);

/* True if the file may be rewritten: it is a tuning file, or there is none. */
bool tune_check_file(const char *path, cli_error *error);
/* Writes the results to a tuning file; other devices, and rows that were not measured, stay as they
 * are. facts: lines of the probe. */
bool tune_save(const char *path, const tune_search *s, const char *facts, cli_error *error);

/* `dmm tune probe`: prints the results, one per line, as `rate`, `fact` and `probe` lines of tuning
 * files. */
bool probe_main(cli_session *session, cli_error *error);

/* Number of strides 1, 2, 4, ... that are timed. */
enum { PROBE_STRIDES = 8 };

/* Returns the number of banks that explains the times of the strides; 0: none. *bank_bytes: 4 or 8,
 * or 0 if unknown; *slowest: the longest time relative to the first stride. */
unsigned probe_banks_of(const double *times, int strides, unsigned *bank_bytes, double *slowest);

/* Returns the fact launch_items of a device that copies so many bytes in a nanosecond. */
unsigned probe_launch_items(double copied_per_ns);

extern const char probe_source[];

#endif
