/* SPDX-License-Identifier: MIT */
/*
 * The record of trials: "OUTCOME NS WHAT" a line, written one by one, so that an interrupted search
 * can be resumed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tune.h"

enum { LINE_BYTES = TUNE_BODY_BYTES + 64 };

static bool keep(tune_record *record, const tune_trial *tried, cli_error *error)
{
    if (record->count == record->space) {
        const size_t space = record->space != 0 ? 2 * record->space : 64;
        tune_trial *const longer = realloc(record->trials, space * sizeof *longer);
        if (longer == NULL)
            return cli_fail_memory(error, NULL, space * sizeof *longer);
        record->trials = longer;
        record->space = space;
    }
    record->trials[record->count++] = *tried;
    return true;
}

/* Parses a line; false if it is incomplete. */
static bool parse(const char *line, tune_trial *out)
{
    int used = 0;
    unsigned outcome = 0;
    *out = (tune_trial){.outcome = TUNE_OK};
    const size_t bytes = strlen(line);
    if (sscanf(line, "%u %" SCNu64 " %n", &outcome, &out->ns, &used) != 2 || used == 0 ||
        outcome >= TUNE_NO_TIME || bytes < 2 || line[bytes - 1] != '\n' ||
        bytes - 1 - (size_t)used >= sizeof out->what)
        return false;
    out->outcome = (tune_outcome)outcome;
    memcpy(out->what, line + used, bytes - 1 - (size_t)used);
    return true;
}

/* Reads the trials of an earlier search, if its head is the same. */
static bool load(tune_record *record, FILE *file, cli_error *error)
{
    char line[LINE_BYTES];
    tune_trial tried;
    if (fgets(line, sizeof line, file) == NULL || strcmp(line, record->head) != 0)
        return true;
    while (fgets(line, sizeof line, file) != NULL)
        if (parse(line, &tried) && !keep(record, &tried, error))
            return false;
    record->known = record->count;
    return true;
}

bool tune_record_open(tune_record *record, const char *path, const char *head, cli_error *error)
{
    *record = (tune_record){.count = 0};
    if (snprintf(record->path, sizeof record->path, "%s.part", path) >= (int)sizeof record->path)
        return cli_fail(error, CLI_MISTAKE, "--save", "this name is too long");
    snprintf(record->head, sizeof record->head, "%.500s\n", head);
    FILE *file = fopen(record->path, "r");
    const bool ok = file == NULL || load(record, file, error);
    if (file != NULL)
        fclose(file);
    if (!ok || record->known != 0)
        return ok;
    if ((file = fopen(record->path, "w")) == NULL)
        return cli_fail_errno(error, record->path, "cannot write");
    fputs(record->head, file);
    return fclose(file) == 0 || cli_fail_errno(error, record->path, "cannot write");
}

const tune_trial *tune_record_find(const tune_record *record, const char *what)
{
    for (size_t i = 0; i < record->count; i++)
        if (strcmp(record->trials[i].what, what) == 0)
            return &record->trials[i];
    return NULL;
}

bool tune_record_add(tune_record *record, const tune_trial *tried, cli_error *error)
{
    FILE *const file = fopen(record->path, "a");
    if (!keep(record, tried, error))
        return false;
    if (file == NULL)
        return cli_fail_errno(error, record->path, "cannot write");
    fprintf(file, "%u %" PRIu64 " %s\n", (unsigned)tried->outcome, tried->ns, tried->what);
    return fclose(file) == 0 || cli_fail_errno(error, record->path, "cannot write");
}

void tune_record_close(tune_record *record, bool stays)
{
    if (!stays && record->path[0] != '\0')
        unlink(record->path);
    free(record->trials);
    *record = (tune_record){.count = 0};
}
