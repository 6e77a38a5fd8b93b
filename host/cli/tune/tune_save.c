/* SPDX-License-Identifier: MIT */
/*
 * Rewrites a tuning file: keeps sections of other devices and, for this device, rows that were not
 * measured and what the user has added.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dmm/version.h>

#include "core/os.h"
#include "lines.h"
#include "output.h"
#include "tune.h"

enum { MAX_FILE_BYTES = 1 << 20, LINE_BYTES = 1024 };

static const char first_line[] = "dmm tuning 1\n";
static const char made_by[] = "# made by dmm tune";

/* Reads the current file, to be freed; *out NULL: there is none. Refuses a file that it cannot keep
 * whole. */
static bool read_old(const char *path, char **out, cli_error *error)
{
    size_t bytes = 0;
    *out = NULL;
    switch (dmm_file_read(path, MAX_FILE_BYTES, DMM_FILE_ANY, out, &bytes)) {
    case DMM_FILE_ABSENT:
        return true;
    case DMM_FILE_NO_MEMORY:
        return cli_fail_memory(error, path, MAX_FILE_BYTES);
    case DMM_FILE_REFUSED:
        return cli_fail(error, CLI_MISTAKE, path,
            "it cannot be read, is no regular file, or has more than 1 MiB: choose another name by "
            "--save");
    case DMM_FILE_READ:
        break;
    }
    if ((bytes == 0 || strncmp(*out, first_line, strlen(first_line)) == 0 ||
            cli_fail(error, CLI_MISTAKE, path,
                "this is not a tuning file: choose another name by --save")) &&
        cli_check_piece(*out, bytes, 0, path, error))
        return true;
    free(*out);
    *out = NULL;
    return false;
}

bool tune_check_file(const char *path, cli_error *error)
{
    char *text = NULL;
    const bool ok = read_old(path, &text, error);
    free(text);
    return ok;
}

/* True if the line begins with this word, as the library reads it. */
static bool begins(const char *line, const char *word)
{
    const size_t bytes = strlen(word);
    line += strspn(line, " \t");
    return strncmp(line, word, bytes) == 0 && isspace((unsigned char)line[bytes]);
}

static bool is_section(const char *line)
{
    return begins(line, "device") || begins(line, "vendor") || begins(line, "any");
}

/* Names are compared without the blanks around them. */
static bool is_ours(const char *line, size_t bytes, const dmm_device *device)
{
    const char *const name = device->name + strspn(device->name, " \t");
    size_t at = strspn(line, " \t") + strlen("device"), name_bytes = strlen(name), end = at;
    if (!begins(line, "device"))
        return false;
    while (at < bytes && isspace((unsigned char)line[at]))
        at++;
    while (end < bytes && !(line[end] == '#' && isspace((unsigned char)line[end - 1])))
        end++;
    while (end > at && isspace((unsigned char)line[end - 1]))
        end--;
    while (name_bytes > 0 && isspace((unsigned char)name[name_bytes - 1]))
        name_bytes--;
    return end > at && end - at == name_bytes && memcmp(line + at, name, name_bytes) == 0;
}

/* True if the row, a line of our section, has just been measured anew. */
static bool is_replaced(const tune_search *s, const char *line)
{
    char word[32];
    unsigned item_bytes = 0;
    if (begins(line, "driver") || begins(line, "date") || begins(line, "fact") ||
        begins(line, "rate") || begins(line, "probe") ||
        strncmp(line, made_by, strlen(made_by)) == 0)
        return true;
    if (sscanf(line, " tune %31s %u", word, &item_bytes) != 2)
        return false;
    const tune_found *const f = tune_found_for(s, word, item_bytes);
    return f != NULL && f->outcome == TUNE_OK && (!f->is_cut || f->settings[0] != '\0');
}

/* Copies the lines of the old file that stay, of our section or of the others. */
static bool copy_lines(
    cli_output *out, const char *old, const tune_search *s, bool ours, cli_error *error)
{
    bool in_ours = false;
    for (const char *line = old + strlen(first_line); *line != '\0';) {
        const size_t bytes = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        const bool begins_section = is_section(line);
        if (begins_section)
            in_ours = is_ours(line, bytes, s->device);
        const bool stays = in_ours ? ours && !begins_section && !is_replaced(s, line) : !ours;
        const bool is_cut = bytes != 0 && line[bytes - 1] != '\n'; /* the file's last line */
        if (stays &&
            !(cli_write(out, line, bytes, error) && (!is_cut || cli_write(out, "\n", 1, error))))
            return false;
        line += bytes;
    }
    return true;
}

static double gain_of(const tune_found *f)
{
    return f->best_ns != 0 ? (double)f->default_ns / (double)f->best_ns : 1.0;
}

static bool write_text(cli_output *out, const char *text, cli_error *error)
{
    return cli_write(out, text, strlen(text), error);
}

static bool write_head(cli_output *out, const tune_search *s, const char *facts, cli_error *error)
{
    char text[LINE_BYTES], date[16] = "";
    const time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d", &day);
    snprintf(text, sizeof text, "device  %s\n%s %s, %s\ndriver  %s\ndate    %s\n", s->device->name,
        made_by, DMM_VERSION, s->thorough ? "thorough" : "quick", s->device->driver, date);
    return write_text(out, text, error) && write_text(out, facts, error);
}

static bool write_rows(cli_output *out, const tune_search *s, cli_error *error)
{
    for (size_t i = 0; i < s->num_found; i++) {
        const tune_found *const f = &s->found[i];
        char row[TUNE_WHAT_BYTES], text[LINE_BYTES], rate[96] = "";
        if (f->settings[0] == '\0')
            continue;
        tune_row(s, f, f->settings, row);
        if (f->best_ns != 0)
            snprintf(rate, sizeof rate, "  # %.1f M items/s, %.2f of the default",
                1e3 * (double)f->items / (double)f->best_ns, gain_of(f));
        snprintf(text, sizeof text, "%s%s\n", row, rate);
        if (!write_text(out, text, error))
            return false;
    }
    return true;
}

bool tune_save(const char *path, const tune_search *s, const char *facts, cli_error *error)
{
    cli_output out = CLI_OUTPUT_INIT, *const outputs[] = {&out};
    char *old = NULL;
    bool ok = read_old(path, &old, error) && cli_open_output(&out, path, error) &&
              write_text(&out, first_line, error);
    if (ok && old != NULL && old[0] != '\0')
        ok = copy_lines(&out, old, s, false, error);
    ok = ok && write_head(&out, s, facts, error);
    if (ok && old != NULL && old[0] != '\0')
        ok = copy_lines(&out, old, s, true, error);
    ok = ok && write_rows(&out, s, error) && cli_commit_outputs(outputs, 1, error);
    cli_close_output(&out);
    free(old);
    return ok;
}
