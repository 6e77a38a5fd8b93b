/* SPDX-License-Identifier: MIT */
/* Reads another run of the meter, from the file of its --json or the page of its --html. */
#include "input.h"
#include "json.h"
#include "meter.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_MEMBER "{\"dmm_meter\""

enum { FORMAT = 1 };

typedef struct old_reader {
    meter_old *old;
    uint64_t format;
    meter_line line;
} old_reader;

/* Reads the member of a tally, if it is one, and sets *found. */
static bool read_tally(json_reader *in, const char *key, dmm_model_tally *tally, bool *found)
{
    uint64_t *const numbers[] = {&tally->steps, &tally->passes, &tally->needed, &tally->conflicts};
    static const char *const names[] = {"steps", "passes", "needed", "conflicts"};
    uint64_t worst;
    *found = true;
    for (int i = 0; i < 4; i++)
        if (strcmp(key, names[i]) == 0)
            return json_number(in, numbers[i]);
    *found = strcmp(key, "worst") == 0;
    if (!*found)
        return true;
    if (!json_number(in, &worst) || worst > UINT32_MAX)
        return false;
    tally->worst = (uint32_t)worst;
    return true;
}

static bool line_member(json_reader *in, const char *key, void *user)
{
    meter_line *line = &((old_reader *)user)->line;
    const struct {
        const char *name, **text;
    } texts[] = {{"file", &line->file}, {"calls", &line->calls}, {"text", &line->text}};
    const char *word;
    bool found;
    for (int i = 0; i < 3; i++)
        if (strcmp(key, texts[i].name) == 0)
            return json_text(in, texts[i].text);
    if (strcmp(key, "space") == 0) {
        if (!json_text(in, &word))
            return false;
        line->local = strcmp(word, "local") == 0;
        return true;
    }
    if (strcmp(key, "kind") == 0)
        return json_text(in, &word) && meter_read_kind(&line->kind, word);
    if (strcmp(key, "line") == 0)
        return json_number(in, &line->number);
    return read_tally(in, key, &line->tally, &found) && (found || json_skip(in));
}

static bool line_item(json_reader *in, void *user)
{
    old_reader *reader = user;
    meter_readings *readings = &reader->old->readings;
    meter_kernel *kernel = &readings->kernels[readings->num_kernels - 1];
    reader->line =
        (meter_line){.kernel = readings->num_kernels - 1, .file = "", .text = "", .calls = ""};
    if (!json_object(in, line_member, user))
        return false;
    meter_line *lines = meter_grow(readings->lines, readings->num_lines, sizeof *lines);
    if (!lines)
        return false;
    readings->lines = lines;
    lines[readings->num_lines++] = reader->line;
    meter_add_tally(reader->line.local ? &kernel->local : &kernel->global, &reader->line.tally);
    return true;
}

static bool kernel_member(json_reader *in, const char *key, void *user)
{
    meter_readings *readings = &((old_reader *)user)->old->readings;
    meter_kernel *kernel = &readings->kernels[readings->num_kernels - 1];
    if (strcmp(key, "name") == 0)
        return json_text(in, &kernel->name);
    if (strcmp(key, "launches") == 0)
        return json_number(in, &kernel->launches);
    return strcmp(key, "lines") == 0 ? json_array(in, line_item, user) : json_skip(in);
}

static bool kernel_item(json_reader *in, void *user)
{
    meter_readings *readings = &((old_reader *)user)->old->readings;
    meter_kernel *kernels = meter_grow(readings->kernels, readings->num_kernels, sizeof *kernels);
    if (!kernels)
        return false;
    readings->kernels = kernels;
    kernels[readings->num_kernels++] = (meter_kernel){.name = "", .chosen = true};
    return json_object(in, kernel_member, user);
}

static bool machine_member(json_reader *in, const char *key, void *user)
{
    meter_machine *machine = &((old_reader *)user)->old->machine;
    const struct {
        const char *name;
        uint32_t *fact;
    } facts[] = {{"banks", &machine->local.banks}, {"lanes", &machine->local.lanes},
        {"word_bytes", &machine->local.word_bytes}, {"segment_bytes", &machine->segment_bytes}};
    uint64_t value;
    for (int i = 0; i < 4; i++) {
        if (strcmp(key, facts[i].name) != 0)
            continue;
        if (!json_number(in, &value) || value > UINT32_MAX)
            return false;
        *facts[i].fact = (uint32_t)value;
        return true;
    }
    return json_skip(in);
}

static bool top_member(json_reader *in, const char *key, void *user)
{
    if (strcmp(key, "dmm_meter") == 0)
        return json_number(in, &((old_reader *)user)->format);
    if (strcmp(key, "machine") == 0)
        return json_object(in, machine_member, user);
    return strcmp(key, "kernels") == 0 ? json_array(in, kernel_item, user) : json_skip(in);
}

bool meter_read_old(meter_old *out, const char *path, cli_error *error)
{
    size_t bytes = 0;
    old_reader reader = {.old = out};
    *out = (meter_old){.path = path};
    if (!cli_read_file(&out->text, &bytes, path, error))
        return false;
    if (strlen(out->text) != bytes)
        return cli_fail(
            error, CLI_MISTAKE, path, "is damaged at byte %zu: make it again", strlen(out->text));
    const char *first = strstr(out->text, FIRST_MEMBER);
    if (!first)
        return cli_fail(error, CLI_MISTAKE, path,
            "has no readings: it must come from dmm meter --json or --html");
    out->json = strdup(first);
    if (!out->json)
        return cli_fail_memory(error, path, bytes);
    json_reader in = {.at = out->text + (first - out->text)};
    if (!json_object(&in, top_member, &reader))
        return cli_fail(error, CLI_MISTAKE, path, "is damaged at byte %zu: make it again",
            (size_t)(in.at - out->text));
    if (reader.format != FORMAT)
        return cli_fail(error, CLI_MISTAKE, path,
            "comes from another version of dmm: make it again with this one");
    out->json_bytes = (size_t)(in.at - first);
    return true;
}

void meter_free_old(meter_old *old)
{
    meter_readings_free(&old->readings);
    free(old->json);
    free(old->text);
    free(old->kernels);
    free(old->lines);
}
