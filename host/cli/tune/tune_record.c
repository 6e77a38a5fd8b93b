/* SPDX-License-Identifier: MIT */
/*
 * The record of trials, a file with "OUTCOME NS WHAT" a line, written one by one, so that an
 * interrupted search can be resumed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tune.h"

enum { LINE_BYTES = 512 + 64 };

/* Reads the next complete trial; false at the end of the file. */
static bool next_trial(FILE *file, tune_trial *out)
{
    char line[LINE_BYTES];
    while (fgets(line, sizeof line, file) != NULL) {
        const size_t bytes = strlen(line);
        unsigned outcome = 0;
        int used = 0;
        if (sscanf(line, "%u %" SCNu64 " %n", &outcome, &out->ns, &used) != 2 || used == 0 ||
            outcome >= TUNE_NO_TIME || line[bytes - 1] != '\n' ||
            bytes - (size_t)used > sizeof out->what)
            continue;
        line[bytes - 1] = '\0';
        strcpy(out->what, line + used);
        out->outcome = (tune_outcome)outcome;
        return true;
    }
    return false;
}

/* Returns how many trials of an earlier search are known, if its head is the same. */
static size_t count_known(const char *path, const char *head)
{
    char line[LINE_BYTES];
    tune_trial tried;
    size_t known = 0;
    FILE *const file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fgets(line, sizeof line, file) != NULL && strcmp(line, head) == 0)
        while (next_trial(file, &tried))
            known++;
    fclose(file);
    return known;
}

static bool write_line(const char *path, const char *mode, const char *line, cli_error *error)
{
    FILE *const file = fopen(path, mode);
    if (file != NULL)
        fputs(line, file);
    return (file != NULL && fclose(file) == 0) || cli_fail_errno(error, path, "cannot write");
}

bool tune_record_open(tune_record *record, const char *path, const char *head, cli_error *error)
{
    char first_line[LINE_BYTES];
    if (snprintf(record->path, sizeof record->path, "%s.part", path) >= (int)sizeof record->path)
        return cli_fail(error, CLI_MISTAKE, "--save", "this name is too long");
    snprintf(first_line, sizeof first_line, "%.500s\n", head);
    record->known = count_known(record->path, first_line);
    return record->known != 0 || write_line(record->path, "w", first_line, error);
}

bool tune_record_find(const tune_record *record, tune_trial *wanted)
{
    tune_trial tried;
    FILE *const file = fopen(record->path, "r");
    bool is_found = false;
    while (file != NULL && !is_found && next_trial(file, &tried))
        is_found = strcmp(tried.what, wanted->what) == 0;
    if (file != NULL)
        fclose(file);
    if (is_found)
        *wanted = tried;
    return is_found;
}

bool tune_record_add(const tune_record *record, const tune_trial *tried, cli_error *error)
{
    char line[LINE_BYTES];
    snprintf(
        line, sizeof line, "%u %" PRIu64 " %s\n", (unsigned)tried->outcome, tried->ns, tried->what);
    return write_line(record->path, "a", line, error);
}

void tune_record_close(const tune_record *record, bool stays)
{
    if (!stays && record->path[0] != '\0')
        unlink(record->path);
}
