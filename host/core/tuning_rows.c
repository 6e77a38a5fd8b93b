/* SPDX-License-Identifier: MIT */
/*
 * The tuning file that is read, and the choice of the row for a description.
 */
#include "core/tuning_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/os.h"

enum { MAX_FILE_BYTES = 1 << 20, MAX_INSTALLED = 256 };

/* Names of the files of a folder, which are read in their order. */
typedef struct names {
    char *names[MAX_INSTALLED];
    size_t count;
} names;

static int take_name(void *user, const dmm_folder_entry *entry)
{
    static const char ending[] = ".tuning";
    names *const n = user;
    const size_t bytes = strlen(entry->name), end = sizeof ending - 1;
    if (bytes <= end || strcmp(entry->name + bytes - end, ending) != 0 ||
        n->count == MAX_INSTALLED || (n->names[n->count] = malloc(bytes + 1)) == NULL)
        return 0;
    strcpy(n->names[n->count++], entry->name);
    return 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads a file as text, to be freed; NULL, with a log line, if it cannot be read. The default file
 * is optional: only a file named explicitly is reported missing. */
static dmm_status read_text(char **out, const char *path, int is_wanted, const dmm_log *log)
{
    size_t bytes = 0;
    const dmm_file_result result = dmm_file_read(path, MAX_FILE_BYTES, DMM_FILE_ANY, out, &bytes);
    if (result == DMM_FILE_REFUSED || (result == DMM_FILE_ABSENT && is_wanted))
        dmm_log_line(log, "%s: not a tuning file, or cannot be read: skipped", path);
    if (result != DMM_FILE_READ)
        return result == DMM_FILE_NO_MEMORY ? DMM_OUT_OF_MEMORY : DMM_OK;
    for (size_t i = 0; i < bytes; i++)
        if ((*out)[i] == '\0')
            (*out)[i] = '?';
    return DMM_OK;
}

/* Reads the file, if there is one. */
static dmm_status read_file(
    dmm_tuning_rows *rows, const char *named, dmm_device *device, const dmm_log *log)
{
    dmm_status status = DMM_OK;
    char path[DMM_PATH_BYTES], *text = NULL;
    const char *const chosen = named != NULL ? named : dmm_os_settings_file(path, "tuning");
    if (chosen == NULL || chosen[0] == '\0')
        return DMM_OK;
    TRY(read_text(&text, chosen, named != NULL, log));
    if (text == NULL)
        return DMM_OK;
    FAIL_IF((rows->path = malloc(strlen(chosen) + 1)) == NULL, DMM_OUT_OF_MEMORY);
    strcpy(rows->path, chosen);
    TRY(dmm_tuning_rows_read(rows, text, rows->path, device, log));
out:
    free(text);
    return status;
}

static dmm_status read_installed(
    dmm_tuning_rows *rows, const char *folder, dmm_device *device, const dmm_log *log)
{
    dmm_status status = DMM_OK;
    char path[DMM_PATH_BYTES];
    names found = {.count = 0};
    dmm_folder_list(folder, take_name, &found);
    qsort(found.names, found.count, sizeof *found.names, compare_names);
    for (size_t i = 0; i < found.count; i++) {
        char *text = NULL;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, found.names[i]);
        if (status == DMM_OK && length > 0 && (size_t)length < sizeof path)
            status = read_text(&text, path, 1, log);
        if (status == DMM_OK && text != NULL)
            status = dmm_tuning_rows_read_installed(rows, text, path, device, log);
        free(text);
        free(found.names[i]);
    }
    return status;
}

dmm_status dmm_tuning_rows_init(dmm_tuning_rows *rows, const char *named, const char *folder,
    dmm_device *device, const dmm_log *log)
{
    dmm_status status = DMM_OK;
    char *text = NULL;
    *rows = (dmm_tuning_rows){.count = 0};
    TRY(read_file(rows, named, device, log));
    FAIL_IF((text = malloc(strlen(dmm_tuning_built_in) + 1)) == NULL, DMM_OUT_OF_MEMORY);
    strcpy(text, dmm_tuning_built_in);
    TRY(dmm_tuning_rows_read(rows, text, NULL, device, log));
    TRY(read_installed(rows, folder != NULL ? folder : DMM_TUNING_FOLDER, device, log));
out:
    free(text);
    if (status != DMM_OK)
        dmm_tuning_rows_destroy(rows);
    return status;
}

void dmm_tuning_rows_destroy(dmm_tuning_rows *rows)
{
    free(rows->rows);
    free(rows->path);
    *rows = (dmm_tuning_rows){.count = 0};
}

/* True if row a takes precedence over row b. Among equals the later row wins. */
static int is_better(const dmm_tuning_row *a, const dmm_tuning_row *b)
{
    if (a->is_file != b->is_file)
        return a->is_file;
    return a->section != b->section ? a->section > b->section : a->item_bytes <= b->item_bytes;
}

dmm_tuning_row *dmm_tuning_rows_find(
    const dmm_tuning_rows *rows, const char *word, uint32_t item_bytes, dmm_form form)
{
    dmm_tuning_row *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        dmm_tuning_row *const row = &rows->rows[i];
        if (!atomic_load(&row->dropped) && row->tuning.form == form &&
            item_bytes <= row->item_bytes && strcmp(row->word, word) == 0 &&
            (best == NULL || is_better(row, best)))
            best = row;
    }
    return best;
}

static void log_misfit(
    const dmm_tuning_rows *rows, const dmm_tuning_row *row, const dmm_log *log, const char *word)
{
    dmm_log_line(log, "%s:%u: does not fit %s on this device: skipped",
        row->is_file ? rows->path : "built-in or installed tuning", row->line, word);
}

dmm_status dmm_tuning_rows_choose(dmm_parameters *out, const dmm_tuning_rows *rows,
    const dmm_device *device, const dmm_tuning *tuning, const dmm_footprint *footprint,
    const dmm_log *log)
{
    const dmm_form form = dmm_tuning_is_cpu(tuning, device) ? DMM_FORM_CPU : DMM_FORM_GPU;
    dmm_tuning_row *const row =
        footprint->word != NULL
            ? dmm_tuning_rows_find(rows, footprint->word, footprint->item_bytes, form)
            : NULL;
    if (row != NULL) {
        dmm_tuning mixed = dmm_tuning_over(tuning, &row->tuning);
        if (footprint->guarantee)
            mixed.search = tuning->search;
        if (dmm_parameters_choose(out, device, &mixed, footprint, log) == DMM_OK) {
            atomic_fetch_add(&row->uses, 1);
            out->digit = out->cpu && row->digit != 0 ? row->digit : out->digit;
            out->from = row->from;
            return DMM_OK;
        }
        atomic_fetch_add(&row->misfits, 1);
        log_misfit(rows, row, log, footprint->word);
    }
    return dmm_parameters_choose(out, device, tuning, footprint, log);
}

int dmm_tuning_rows_drop(dmm_tuning_rows *rows, const char *word, const dmm_log *log)
{
    const size_t bytes = strlen(word);
    int dropped = 0;
    for (size_t i = 0; i < rows->count; i++) {
        dmm_tuning_row *const row = &rows->rows[i];
        if (atomic_load(&row->uses) == 0 || strncmp(row->word, word, bytes) != 0 ||
            (row->word[bytes] != '\0' && row->word[bytes] != '.') ||
            atomic_exchange(&row->dropped, 1))
            continue;
        atomic_fetch_add(&row->misfits, 1);
        log_misfit(rows, row, log, row->word);
        dropped = 1;
    }
    return dropped;
}
