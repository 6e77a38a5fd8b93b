/* SPDX-License-Identifier: MIT */
/*
 * Reads the text of a tuning file, line by line. Invalid lines are skipped, and the log says which
 * and why.
 */
#include <stdlib.h>
#include <string.h>

#include "core/device.h"
#include "core/tuning_rows.h"

/* Facts from a file must leave local memory for a tile of 256-byte items: twice 256 bytes for each
 * bank. */
enum { BYTES_PER_BANK = 512, LEAST_LOCAL_BYTES = 32768 };
enum { LEAST_DIGIT = 8, MOST_DIGIT = 12, MAX_ITEM_BYTES = 1 << 20 };

typedef struct reader {
    dmm_tuning_rows *rows;
    dmm_device *device;
    const dmm_log *log;
    const char *name; /* NULL: built in */
    int is_file;      /* the user's, whose facts count; or built in, or installed */
    uint32_t line;
    dmm_section section;
    int in_section;
} reader;

static void complain(const reader *r, const char *what, const char *text)
{
    dmm_log_line(r->log, "%s:%u: '%.60s' %s: skipped",
        r->name != NULL ? r->name : "built-in tuning", r->line, text, what);
}

/* Cuts the next word off a line; NULL if there is none. */
static char *next_word(char **at)
{
    char *const word = *at + strspn(*at, " \t");
    char *const end = word + strcspn(word, " \t");
    *at = end + (*end != '\0');
    *end = '\0';
    return *word != '\0' ? word : NULL;
}

/* Removes a line's comment and trailing blanks, and replaces control characters, which must not get
 * into the log. */
static void strip(char *line)
{
    size_t bytes = 0;
    for (size_t i = 0; line[i] != '\0' &&
                       (line[i] != '#' || (i > 0 && line[i - 1] != ' ' && line[i - 1] != '\t'));
         i++) {
        if ((unsigned char)line[i] < ' ' && line[i] != '\t' && line[i] != '\r')
            line[i] = '?';
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            bytes = i + 1;
    }
    line[bytes] = '\0';
}

/* True if the texts are equal except for blanks around the name. */
static int is_name(const char *text, const char *name)
{
    const size_t bytes = strlen(text);
    name += strspn(name, " \t");
    return bytes != 0 && strncmp(text, name, bytes) == 0 &&
           name[bytes + strspn(name + bytes, " \t")] == '\0';
}

/* Built-in rows of a vendor are for its GPUs: its CPUs have the same name. */
static int is_vendor(const reader *r, const char *text)
{
    return *text != '\0' && strstr(r->device->vendor, text) != NULL &&
           (r->name != NULL || r->device->kind == DMM_KIND_GPU);
}

static void begin_section(reader *r, dmm_section section, int is_ours)
{
    r->in_section = 1;
    r->section = is_ours ? section : DMM_SECTION_OTHER;
}

static void take_driver(const reader *r, const char *driver)
{
    if (!is_name(driver, r->device->driver))
        dmm_log_line(r->log,
            "%s:%u: tuned with driver %.60s, but this is driver %s: run dmm tune again",
            r->name != NULL ? r->name : "built-in tuning", r->line, driver, r->device->driver);
}

/* Returns why a file may not set this fact to this value; NULL if it may. The library must still
 * work with the facts of a file. */
static const char *objection(const dmm_device *device, const char *name, uint64_t value)
{
    const uint64_t local = device->local_bytes.value, most = device->max_group.value;
    if (strcmp(name, "banks") == 0 && (value > most || value * BYTES_PER_BANK > local))
        return "is more than groups and local memory allow";
    if (strcmp(name, "max_group") == 0 && (value > most || value < device->banks.value))
        return "is more than the driver's value, or less than the banks";
    if (strcmp(name, "local_bytes") == 0 && (value > local || value < LEAST_LOCAL_BYTES ||
                                                value < device->banks.value * BYTES_PER_BANK))
        return "is more than the driver's value, or too small";
    return strcmp(name, "sync_width") == 0 || strcmp(name, "units") == 0 ? "cannot be set by a file"
                                                                         : NULL;
}

static void take_fact(const reader *r, char *text)
{
    char allowed[128];
    uint32_t value = 0;
    const char *const given = dmm_setting_split(text);
    dmm_fact *const fact = dmm_device_fact_named(r->device, text);
    if (given == NULL)
        complain(r, "is not of the form NAME=VALUE", text);
    else if (fact == NULL)
        complain(r, "is not a fact of this version", text);
    else if (dmm_setting_parse(text, given, &value, allowed, sizeof allowed) != DMM_OK)
        complain(r, "has an invalid value", text);
    else if (objection(r->device, text, value) != NULL)
        complain(r, objection(r->device, text, value), text);
    else
        *fact = (dmm_fact){value, DMM_SOURCE_FILE};
}

/* Parses a whole number or `never`; 0: neither. */
static uint64_t parse_from(const char *text)
{
    char *end = NULL;
    if (strcmp(text, "never") == 0)
        return UINT64_MAX;
    if (strlen(text) > 18 || *text < '0' || *text > '9')
        return 0;
    const uint64_t value = strtoull(text, &end, 10);
    return *end == '\0' ? value : 0;
}

/* Parses one parameter of a row; returns 0 if its value is invalid. */
static int take_parameter(const reader *r, dmm_tuning_row *row, char *text)
{
    char allowed[128];
    uint32_t value = 0;
    const char *const given = dmm_setting_split(text);
    const int is_from = strcmp(text, "from") == 0, is_digit = strcmp(text, "digit") == 0;
    if (given == NULL) {
        complain(r, "is not of the form NAME=VALUE", text);
        return 0;
    }
    if (is_from || is_digit) {
        const uint64_t number = parse_from(given);
        const int fits = is_from ? number != 0 : number >= LEAST_DIGIT && number <= MOST_DIGIT;
        if (!fits)
            complain(r, "has an invalid value", text);
        else if (is_from)
            row->from = number;
        else
            row->digit = (uint32_t)number;
        return fits;
    }
    const dmm_status status = dmm_device_fact_named(r->device, text) != NULL
                                  ? DMM_BAD_VALUE
                                  : dmm_setting_parse(text, given, &value, allowed, sizeof allowed);
    if (status == DMM_BAD_VALUE)
        complain(r, "is not a parameter of this version", text);
    else if (status == DMM_BAD_SETTING)
        complain(r, allowed, text);
    else
        dmm_setting_store(&row->tuning, text, value);
    return status != DMM_BAD_SETTING;
}

/* A row with lanes=N is for devices of so many lanes alone; 0: not for this one. */
static int serves_lanes(const reader *r, char *text)
{
    const char *const given = dmm_setting_split(text);
    return given != NULL && parse_from(given) == r->device->lanes.value;
}

static dmm_status append_row(dmm_tuning_rows *rows, const dmm_tuning_row *row)
{
    if (rows->count == rows->capacity) {
        const size_t capacity = rows->capacity != 0 ? 2 * rows->capacity : 16;
        dmm_tuning_row *const longer = realloc(rows->rows, capacity * sizeof *longer);
        if (longer == NULL)
            return DMM_OUT_OF_MEMORY;
        rows->rows = longer;
        rows->capacity = capacity;
    }
    rows->rows[rows->count++] = *row;
    return DMM_OK;
}

static dmm_status take_row(const reader *r, char *rest)
{
    dmm_tuning_row row = {.is_file = r->is_file, .line = r->line, .section = r->section};
    char *const word = next_word(&rest), *const size = next_word(&rest);
    int sound = 1;
    if (word == NULL || size == NULL)
        return complain(r, "needs a primitive and the bytes of its items", "tune"), DMM_OK;
    if (!dmm_is_tuning_word(word))
        return complain(r, "is not a primitive of this version", word), DMM_OK;
    const uint64_t bytes = strcmp(size, "*") == 0 ? UINT32_MAX : parse_from(size);
    if (bytes == 0 || (bytes > MAX_ITEM_BYTES && bytes != UINT32_MAX))
        return complain(r, "is not a number of bytes", size), DMM_OK;
    strcpy(row.word, word);
    row.item_bytes = (uint32_t)bytes;
    for (char *text; (text = next_word(&rest)) != NULL;)
        sound = (strncmp(text, "lanes=", 6) == 0 ? serves_lanes(r, text)
                                                 : take_parameter(r, &row, text)) &&
                sound;
    if (row.tuning.form == DMM_FORM_DEFAULT)
        row.tuning.form = r->device->kind == DMM_KIND_CPU ? DMM_FORM_CPU : DMM_FORM_GPU;
    return sound ? append_row(r->rows, &row) : DMM_OK;
}

/* Parses a line of a section that applies to this device. */
static dmm_status take_ours(const reader *r, const char *key, char *rest)
{
    char allowed[128];
    uint32_t form = 0;
    if (strcmp(key, "tune") == 0)
        return take_row(r, rest);
    if (strcmp(key, "driver") == 0)
        take_driver(r, rest);
    else if (strcmp(key, "fact") == 0 && r->is_file)
        for (char *text; (text = next_word(&rest)) != NULL;)
            take_fact(r, text);
    else if (strcmp(key, "form") == 0 &&
             dmm_setting_parse("form", rest, &form, allowed, sizeof allowed) == DMM_OK)
        r->rows->form = (dmm_form)form;
    else if (strcmp(key, "form") == 0)
        complain(r, allowed, rest);
    return DMM_OK;
}

static int is_known(const char *key)
{
    static const char *const keys[] = {
        "driver", "date", "rate", "note", "probe", "fact", "form", "tune"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0)
            return 1;
    return 0;
}

static dmm_status take_line(reader *r, char *line)
{
    strip(line);
    char *rest = line;
    const char *const key = next_word(&rest);
    if (key == NULL)
        return DMM_OK;
    rest += strspn(rest, " \t");
    if (strcmp(key, "device") == 0)
        begin_section(r, DMM_SECTION_DEVICE, is_name(rest, r->device->name));
    else if (strcmp(key, "vendor") == 0)
        begin_section(r, DMM_SECTION_VENDOR, is_vendor(r, rest));
    else if (strcmp(key, "any") == 0)
        begin_section(r, DMM_SECTION_ANY, 1);
    else if (!is_known(key))
        complain(r, "is not a key of this version", key);
    else if (!r->in_section)
        complain(r, "comes before any device", key);
    else if (r->section != DMM_SECTION_OTHER)
        return take_ours(r, key, rest);
    return DMM_OK;
}

static dmm_status read_lines(dmm_tuning_rows *rows, char *text, const char *name, int is_file,
    dmm_device *device, const dmm_log *log)
{
    dmm_status status = DMM_OK;
    reader r = {.rows = rows, .device = device, .log = log, .name = name, .is_file = is_file};
    while (status == DMM_OK && *text != '\0') {
        const size_t bytes = strcspn(text, "\n");
        char *const next = text + bytes + (text[bytes] == '\n');
        text[bytes] = '\0';
        if (r.line++ != 0) {
            status = take_line(&r, text);
        } else {
            strip(text);
            if (strcmp(text, "dmm tuning 1") != 0) {
                complain(&r, "is not \"dmm tuning 1\": the whole file", text);
                return DMM_OK;
            }
        }
        text = next;
    }
    return status;
}

dmm_status dmm_tuning_rows_read(
    dmm_tuning_rows *rows, char *text, const char *name, dmm_device *device, const dmm_log *log)
{
    return read_lines(rows, text, name, name != NULL, device, log);
}

dmm_status dmm_tuning_rows_read_installed(
    dmm_tuning_rows *rows, char *text, const char *name, dmm_device *device, const dmm_log *log)
{
    const dmm_form form = rows->form;
    const dmm_status status = read_lines(rows, text, name, 0, device, log);
    rows->form = form;
    return status;
}
