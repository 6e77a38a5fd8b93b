/* SPDX-License-Identifier: MIT */
/*
 * Reads the readings file of the meter's plugin, whose form host/meter/readings.h states: fields
 * divided by tabs, a record a line. Launches of a kernel are summed, line by line.
 */
#include "meter.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { READINGS_VERSION = 2, MAX_FIELDS = 12 };

typedef struct reader {
    meter_readings *readings;
    const char *pattern;
    size_t line;   /* line read last, to which following records may belong */
    bool has_line; /* there is one */
    bool keep;     /* the steps that follow */
    bool launched; /* `kernel` is the one launched last */
    size_t kernel;
} reader;

static const char *const kind_names[] = {"read", "write", "atomic"};

const char *meter_kind_name(dmm_model_access_kind kind)
{
    return kind_names[kind];
}

int meter_format_place(char *out, size_t space, const meter_line *line)
{
    return line->number ? snprintf(out, space, "%s:%" PRIu64, line->file, line->number)
                        : snprintf(out, space, "%s:?", line->file);
}

/* Splits a record into fields; the last field takes the rest. */
static size_t split(char *record, char *fields[MAX_FIELDS])
{
    size_t count = 0;
    fields[count++] = record;
    for (char *tab; count < MAX_FIELDS && (tab = strchr(fields[count - 1], '\t')) != NULL;) {
        *tab = '\0';
        fields[count++] = tab + 1;
    }
    return count;
}

static bool number(uint64_t *out, const char *text)
{
    char *end = NULL;
    *out = strtoull(text, &end, 10);
    return end != text && *end == '\0';
}

void *meter_grow(void *array, size_t count, size_t item_bytes)
{
    if ((count & (count - 1)) != 0)
        return array;
    return realloc(array, (count ? 2 * count : 1) * item_bytes);
}

static meter_kernel *find_kernel(meter_readings *readings, const char *name)
{
    size_t count = readings->num_kernels;
    for (size_t i = 0; i < count; i++)
        if (strcmp(readings->kernels[i].name, name) == 0)
            return &readings->kernels[i];
    meter_kernel *kernels = meter_grow(readings->kernels, count, sizeof *kernels);
    if (!kernels)
        return NULL;
    readings->kernels = kernels;
    readings->num_kernels++;
    kernels[count] = (meter_kernel){.name = name};
    return &kernels[count];
}

/* dmm-meter <version> <banks> <lanes> <word bytes> <segment bytes> */
static bool read_head(reader *in, char **fields)
{
    uint64_t version;
    in->readings->begun = true;
    return number(&version, fields[1]) && version == READINGS_VERSION;
}

/* launch <kernel> <global x y z> <local x y z> <w> */
static bool read_launch(reader *in, char **fields)
{
    uint64_t size[3], built_banks;
    meter_kernel *kernel = find_kernel(in->readings, fields[1]);
    if (!kernel || !number(&size[0], fields[5]) || !number(&size[1], fields[6]) ||
        !number(&size[2], fields[7]) || !number(&built_banks, fields[8]))
        return false;
    uint64_t items = size[0] * size[1] * size[2];
    if (items > kernel->group_items)
        kernel->group_items = items;
    if (built_banks != 0)
        kernel->built_banks = built_banks;
    kernel->chosen = !in->pattern || fnmatch(in->pattern, kernel->name, 0) == 0;
    kernel->launches++;
    in->launched = true;
    in->kernel = (size_t)(kernel - in->readings->kernels);
    return true;
}

static bool same_line(const meter_line *a, const meter_line *b)
{
    return a->kernel == b->kernel && a->number == b->number && a->local == b->local &&
           a->kind == b->kind && strcmp(a->file, b->file) == 0 && strcmp(a->text, b->text) == 0 &&
           strcmp(a->calls, b->calls) == 0;
}

/* Finds the index of a line, adding it if necessary; false: out of memory. */
static bool find_line(size_t *out, meter_readings *readings, const meter_line *wanted)
{
    size_t count = readings->num_lines;
    for (*out = 0; *out < count; ++*out)
        if (same_line(&readings->lines[*out], wanted))
            return true;
    meter_line *lines = meter_grow(readings->lines, count, sizeof *lines);
    if (!lines)
        return false;
    readings->lines = lines;
    readings->num_lines++;
    lines[count] = *wanted;
    return true;
}

bool meter_read_kind(dmm_model_access_kind *out, const char *name)
{
    for (size_t kind = 0; kind < sizeof kind_names / sizeof kind_names[0]; kind++) {
        if (strcmp(name, kind_names[kind]) == 0) {
            *out = (dmm_model_access_kind)kind;
            return true;
        }
    }
    return false;
}

void meter_add_tally(dmm_model_tally *sum, const dmm_model_tally *more)
{
    sum->steps += more->steps;
    sum->passes += more->passes;
    sum->needed += more->needed;
    sum->conflicts += more->conflicts;
    if (more->worst > sum->worst)
        sum->worst = more->worst;
}

/* line <kernel> <file> <line> <calls> <space> <kind> <steps> <passes> <needed> <worst> <text> */
static bool read_line(reader *in, char **fields)
{
    meter_line line = {0};
    dmm_model_tally tally = {0};
    uint64_t worst;
    meter_kernel *kernel = find_kernel(in->readings, fields[1]);
    if (!kernel || !number(&line.number, fields[3]) || !meter_read_kind(&line.kind, fields[6]) ||
        !number(&tally.steps, fields[7]) || !number(&tally.passes, fields[8]) ||
        !number(&tally.needed, fields[9]) || !number(&worst, fields[10]) || worst > UINT32_MAX ||
        tally.needed > tally.passes)
        return false;
    line.kernel = (size_t)(kernel - in->readings->kernels);
    line.file = fields[2];
    line.calls = fields[4];
    line.local = strcmp(fields[5], "local") == 0;
    line.text = fields[11];
    tally.conflicts = tally.passes - tally.needed;
    tally.worst = (uint32_t)worst;
    in->has_line = find_line(&in->line, in->readings, &line);
    if (!in->has_line)
        return false;
    meter_add_tally(&in->readings->lines[in->line].tally, &tally);
    meter_add_tally(line.local ? &kernel->local : &kernel->global, &tally);
    return true;
}

static void add_pages(meter_pages *sum, const meter_pages *more)
{
    sum->translations += more->translations;
    sum->walks += more->walks;
    sum->insertions += more->insertions;
}

/* pages <translations> <walks> <insertions> */
static bool read_pages(reader *in, char **fields)
{
    meter_pages pages;
    if (!in->has_line || !number(&pages.translations, fields[1]) ||
        !number(&pages.walks, fields[2]) || !number(&pages.insertions, fields[3]))
        return false;
    meter_line *line = &in->readings->lines[in->line];
    add_pages(&line->pages, &pages);
    add_pages(&in->readings->kernels[line->kernel].pages, &pages);
    return true;
}

/* costs <DMM time> <UMM time> <operations> <blocks> <PEM transfers>, of the launch that is open */
static bool read_costs(reader *in, char **fields)
{
    uint64_t got[5];
    if (!in->launched)
        return false;
    for (size_t i = 0; i < 5; i++)
        if (!number(&got[i], fields[i + 1]))
            return false;
    meter_costs *sum = &in->readings->kernels[in->kernel].costs;
    sum->dmm_time += got[0];
    sum->umm_time += got[1];
    sum->operations += got[2];
    sum->blocks += got[3];
    sum->pem_transfers += got[4];
    return true;
}

/* digest <number>, of the launch that is open */
static bool read_digest(reader *in, char **fields)
{
    uint64_t digest;
    if (!in->launched || !number(&digest, fields[1]))
        return false;
    uint64_t *const sum = &in->readings->kernels[in->kernel].digest;
    *sum = (*sum ^ digest) * UINT64_C(0x9e3779b97f4a7c15); /* odd: no digest is lost */
    return true;
}

/* time <kernel> <ns> */
static bool read_time(reader *in, char **fields)
{
    uint64_t ns;
    meter_kernel *kernel = find_kernel(in->readings, fields[1]);
    if (!kernel || !number(&ns, fields[2]))
        return false;
    kernel->metered_ns += ns;
    return true;
}

/* host <bytes to the device> <bytes from it> */
static bool read_host(reader *in, char **fields)
{
    uint64_t to_device, from_device;
    if (!number(&to_device, fields[1]) || !number(&from_device, fields[2]))
        return false;
    in->readings->to_device += to_device;
    in->readings->from_device += from_device;
    in->readings->transfers_to += to_device != 0;
    in->readings->transfers_from += from_device != 0;
    return true;
}

static void drop_steps(meter_line *line)
{
    for (size_t i = 0; i < line->num_steps; i++)
        free(line->steps[i].accesses);
    line->num_steps = 0;
}

/* run <conflicts>: kept unless the line has a costlier run */
static bool read_run(reader *in, char **fields)
{
    uint64_t conflicts;
    if (!in->has_line || !number(&conflicts, fields[1]))
        return false;
    meter_line *line = &in->readings->lines[in->line];
    in->keep = line->num_steps == 0 || conflicts > line->run_conflicts;
    if (in->keep) {
        drop_steps(line);
        line->run_conflicts = conflicts;
    }
    return true;
}

static bool read_accesses(meter_step *step, uint64_t size_bytes, char *text)
{
    for (char *at = text; *at != '\0'; at++) {
        uint64_t lane = strtoull(at, &at, 10);
        if (*at != ':' || lane >= DMM_MODEL_LANES_MAX || step->count == DMM_MODEL_LANES_MAX)
            return false;
        uint64_t address = strtoull(at + 1, &at, 16);
        if (*at != ' ')
            return false;
        step->accesses[step->count++] =
            (dmm_model_access){address, (uint32_t)size_bytes, (uint32_t)lane};
    }
    return true;
}

/* step <size bytes> <lane>:<address> ... */
static bool read_step(reader *in, char **fields)
{
    uint64_t size_bytes;
    if (!in->keep)
        return true;
    if (!number(&size_bytes, fields[1]) || size_bytes > DMM_MODEL_ACCESS_BYTES_MAX)
        return false;
    meter_line *line = &in->readings->lines[in->line];
    meter_step *steps = meter_grow(line->steps, line->num_steps, sizeof *steps);
    if (!steps)
        return false;
    line->steps = steps;
    steps += line->num_steps++;
    *steps = (meter_step){calloc(DMM_MODEL_LANES_MAX, sizeof *steps->accesses), 0};
    return steps->accesses && read_accesses(steps, size_bytes, fields[2]);
}

/* text <kernel> <file> <line> <text> */
static bool read_text(reader *in, char **fields)
{
    meter_readings *readings = in->readings;
    meter_text text = {.file = fields[2], .text = fields[4]};
    meter_kernel *kernel = find_kernel(readings, fields[1]);
    meter_text *texts = meter_grow(readings->texts, readings->num_texts, sizeof *texts);
    if (texts)
        readings->texts = texts;
    if (!kernel || !texts || !number(&text.number, fields[3]))
        return false;
    text.kernel = (size_t)(kernel - readings->kernels);
    texts[readings->num_texts++] = text;
    return true;
}

/* done <kernel> <unjudged> */
static bool read_done(reader *in, char **fields)
{
    uint64_t unjudged;
    meter_kernel *kernel = find_kernel(in->readings, fields[1]);
    in->has_line = in->keep = false;
    if (!kernel || !number(&unjudged, fields[2]))
        return false;
    kernel->finished++;
    kernel->unjudged += unjudged;
    return true;
}

/* groups <kernel> <metered> <all> */
static bool read_groups(reader *in, char **fields)
{
    uint64_t metered, all;
    meter_kernel *kernel = find_kernel(in->readings, fields[1]);
    if (!kernel || !number(&metered, fields[2]) || !number(&all, fields[3]))
        return false;
    kernel->sampled += metered;
    kernel->sampled_of += all;
    return true;
}

static const struct {
    const char *name;
    size_t num_fields;
    bool (*read)(reader *, char **);
} records[] = {
    {"dmm-meter", 6, read_head},
    {"launch", 9, read_launch},
    {"line", 12, read_line},
    {"pages", 4, read_pages},
    {"costs", 6, read_costs},
    {"host", 3, read_host},
    {"digest", 2, read_digest},
    {"time", 3, read_time},
    {"run", 2, read_run},
    {"step", 3, read_step},
    {"text", 5, read_text},
    {"groups", 4, read_groups},
    {"done", 3, read_done},
};

static bool read_record(reader *in, char *record)
{
    char *fields[MAX_FIELDS];
    size_t count = split(record, fields);
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
        if (strcmp(fields[0], records[i].name) == 0)
            return count == records[i].num_fields && records[i].read(in, fields);
    return false;
}

static char *read_all(FILE *file)
{
    long bytes = 0;
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) < 0 ||
        fseek(file, 0, SEEK_SET) != 0 || !(text = malloc((size_t)bytes + 1)))
        return NULL;
    text[fread(text, 1, (size_t)bytes, file)] = '\0';
    return text;
}

static int by_place(const void *a, const void *b)
{
    const meter_line *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    if (x->local != y->local)
        return x->local ? -1 : 1;
    int order = strcmp(x->file, y->file);
    if (order != 0)
        return order;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return strcmp(x->calls, y->calls);
}

static int by_number(const void *a, const void *b)
{
    const meter_text *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    const int order = strcmp(x->file, y->file);
    if (order != 0)
        return order;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void sort_lines(meter_readings *readings)
{
    if (readings->num_lines > 0)
        qsort(readings->lines, readings->num_lines, sizeof *readings->lines, by_place);
    if (readings->num_texts > 0)
        qsort(readings->texts, readings->num_texts, sizeof *readings->texts, by_number);
}

bool meter_read(meter_readings *out, FILE *file, const char *pattern)
{
    *out = (meter_readings){.text = read_all(file)};
    reader in = {.readings = out, .pattern = pattern};
    char *record = out->text;
    while (record && *record != '\0') {
        char *end = strchr(record, '\n');
        if (!end)
            return false;
        *end = '\0';
        if (!read_record(&in, record))
            return false;
        record = end + 1;
    }
    sort_lines(out);
    return record != NULL;
}

void meter_readings_free(meter_readings *readings)
{
    for (size_t i = 0; i < readings->num_lines; i++) {
        drop_steps(&readings->lines[i]);
        free(readings->lines[i].steps);
    }
    free(readings->lines);
    free(readings->texts);
    free(readings->kernels);
    free(readings->text);
}
