/* SPDX-License-Identifier: MIT */
/* Reads and writes one number a line. */
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "number.h"
#include "parallel.h"
#include "progress.h"
#include "text.h"

enum { REPORT_EVERY = 1 << 16, MOST_LINE = CLI_NUMBER_CHARS + 1 };

/* The state of parsing. */
typedef struct scan {
    const char *begin;
    const char *end;
    const char *at;
    size_t count;  /* number of numbers before `at` */
    size_t lines;  /* before `begin` */
    size_t shares; /* how many parts of a longer text this one reports for; 0: none */
} scan;

/* Moves to the next number, over empty lines and leading spaces. False at the end of the text. */
static bool next_number(scan *s)
{
    while (s->at < s->end && (*s->at == '\n' || *s->at == ' ' || *s->at == '\t' || *s->at == '\r'))
        s->at++;
    if (s->count % REPORT_EVERY == 0 && s->shares > 0)
        cli_progress_step(s->shares * (uint64_t)(s->at - s->begin));
    return s->at < s->end;
}

/* True if only spaces follow up to the end of the line; skips them. */
static bool line_ends(scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r'))
        s->at++;
    return s->at == s->end || *s->at == '\n';
}

void cli_excerpt(char shown[CLI_EXCERPT_CHARS + 1], const char *line, const char *end)
{
    size_t used = 0;
    for (const char *p = line; p < end && *p != '\n' && *p != '\r'; p++) {
        if (used == CLI_EXCERPT_CHARS)
            break;
        shown[used++] = *p >= ' ' && *p <= '~' ? *p : '?';
    }
    shown[used] = '\0';
}

/* Returns why a line that begins with a number is not one. */
static const char *what_is_wrong(const char *number, const char *end)
{
    number += *number == '-' || *number == '+';
    if (end - number > 1 && number[0] == '0' && (number[1] | 0x20) == 'x')
        return "hexadecimal: numbers are decimal";
    return "more than one number (one a line; dmm sort --key has columns)";
}

/* Reports the error of the number that begins at `number`; CLI_NUMBER_OK: the rest of its line is
 * wrong. `type` DMM_ITEM: the text's type is open. */
static bool refuse(const scan *s, const char *number, cli_number_status status, dmm_type type,
    const char *path, cli_error *error)
{
    char shown[CLI_EXCERPT_CHARS + 1];
    size_t line = s->lines + cli_count_newlines(s->begin, number) + 1;
    cli_excerpt(shown, number, s->end);
    switch (status) {
    case CLI_NUMBER_OK:
        return cli_fail(error, CLI_MISTAKE, path, "line %zu: '%s' is %s", line, shown,
            what_is_wrong(number, s->end));
    case CLI_NOT_A_NUMBER:
        return cli_fail(error, CLI_MISTAKE, path,
            "line %zu: '%s' is not a number (one a line, without a heading; dmm sort --key has "
            "columns)",
            line, shown);
    case CLI_NOT_WHOLE:
        return cli_fail(error, CLI_MISTAKE, path,
            "line %zu: '%s' is not a whole number, as -t %s asks", line, shown,
            dmm_type_name(type));
    default:
        return type == DMM_ITEM
                   ? cli_fail(error, CLI_MISTAKE, path,
                         "line %zu: '%s' and the lines before do not fit one type of 64 bits; "
                         "-t f64 reads them as floats",
                         line, shown)
                   : cli_fail(error, CLI_MISTAKE, path, "line %zu: '%s' is out of the range of %s",
                         line, shown, dmm_type_name(type));
    }
}

/* Parses numbers of one type into out->data. */
static bool parse_as(cli_array *out, scan *s, const char *path, cli_error *error)
{
    for (s->at = s->begin, s->count = 0; next_number(s); s->count++) {
        const char *number = s->at;
        void *item = (char *)out->data + s->count * out->item_bytes;
        cli_number_status status = cli_parse_number(&s->at, item, out->type);
        if (status != CLI_NUMBER_OK || !line_ends(s))
            return refuse(s, number, status, out->type, path, error);
    }
    out->count = s->count;
    return true;
}

/* Types that fit all numbers so far; a text without numbers fits i64. */
typedef struct choice {
    bool has_negative;
    bool has_large; /* beyond i64 */
} choice;

/* Parses one whole number of a text whose type is open. *is_float: it is not whole. */
static bool parse_open(
    choice *c, scan *s, uint64_t *item, bool *is_float, const char *path, cli_error *error)
{
    const char *number = s->at;
    bool negative;
    uint64_t magnitude;
    cli_number_status status = cli_parse_whole(&s->at, &negative, &magnitude);
    *is_float = status == CLI_NOT_WHOLE;
    if (*is_float)
        return true;
    if (status == CLI_NUMBER_OK) {
        c->has_negative = c->has_negative || negative;
        c->has_large = c->has_large || (!negative && magnitude > INT64_MAX);
        if ((c->has_negative && c->has_large) || (negative && magnitude > (uint64_t)INT64_MAX + 1))
            status = CLI_OUT_OF_RANGE;
        *item = negative ? 0 - magnitude : magnitude;
    }
    return (status == CLI_NUMBER_OK && line_ends(s)) ||
           refuse(s, number, status, DMM_ITEM, path, error);
}

/* Parses whole numbers; if one is not whole, parses the whole text again as floats. */
static bool parse_open_type(cli_array *out, scan *s, const char *path, cli_error *error)
{
    choice c = {false, false};
    bool is_float = false;
    for (; next_number(s); s->count++) {
        uint64_t *item = (uint64_t *)out->data + s->count;
        if (!parse_open(&c, s, item, &is_float, path, error))
            return false;
        if (is_float) {
            out->type = DMM_F64;
            return parse_as(out, s, path, error);
        }
    }
    out->type = c.has_large ? DMM_U64 : DMM_I64;
    out->count = s->count;
    return true;
}

/* A part of a text, of whole lines, and what is found there. */
typedef struct part {
    scan s;
    cli_array out; /* numbers of all parts; those of this part */
    choice c;
    size_t most; /* lines of the part */
    bool is_open, is_float, ok;
    const char *path;
    cli_error error;
} part;

static void count_part(void *user, size_t index)
{
    part *const p = (part *)user + index;
    p->most = cli_count_newlines(p->s.begin, p->s.end) + 1;
}

static void parse_part(void *user, size_t index)
{
    part *const p = (part *)user + index;
    scan *const s = &p->s;
    s->at = s->begin;
    s->count = 0;
    p->is_float = false;
    if (!p->is_open) {
        p->ok = parse_as(&p->out, s, p->path, &p->error);
        return;
    }
    for (p->ok = true; p->ok && !p->is_float && next_number(s); s->count += !p->is_float)
        p->ok = parse_open(
            &p->c, s, (uint64_t *)p->out.data + s->count, &p->is_float, p->path, &p->error);
}

/* Parses all parts, and moves their numbers together. False if one failed, or if the type is still
 * open. */
static bool run_parts(cli_array *out, part *parts, size_t count)
{
    const size_t bytes = out->item_bytes;
    char *to = out->data;
    choice c = {false, false};
    bool ok = true, is_float = false;
    size_t before = 0;
    for (size_t i = 0; i < count; i++) {
        parts[i].out = *out;
        parts[i].out.data = to + before * bytes;
        before += parts[i].most;
    }
    cli_run_parts(count, parse_part, parts);
    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        const part *const p = &parts[i];
        ok = ok && p->ok;
        is_float = is_float || p->is_float;
        c.has_negative = c.has_negative || p->c.has_negative;
        c.has_large = c.has_large || p->c.has_large;
        if (ok)
            memmove(to + out->count * bytes, p->out.data, p->s.count * bytes);
        out->count += p->s.count;
    }
    if (!ok || !parts[0].is_open)
        return ok;
    if (is_float) {
        out->type = DMM_F64;
        for (size_t i = 0; i < count; i++)
            parts[i].is_open = false;
        return !(c.has_negative && c.has_large) && run_parts(out, parts, count);
    }
    out->type = c.has_large ? DMM_U64 : DMM_I64;
    return !(c.has_negative && c.has_large);
}

/* Divides the text behind newlines. */
static void divide(part *parts, size_t count, const scan *s, bool is_open, const char *path)
{
    const size_t bytes = (size_t)(s->end - s->begin);
    const char *at = s->begin;
    for (size_t i = 0; i < count; i++) {
        const char *end = i + 1 < count ? s->begin + bytes / count * (i + 1) : s->end;
        end = end > at ? memchr(end - 1, '\n', (size_t)(s->end - end + 1)) : at;
        end = end ? end + (end > at || *at == '\n') : s->end;
        end = end < s->end ? end : s->end;
        parts[i] =
            (part){.s = {at, end, at, 0, 0, i == 0 ? count : 0}, .is_open = is_open, .path = path};
        at = end;
    }
}

/* Parses on all processors. False if anything is wrong: then the text is parsed again from its
 * beginning, for the first error. */
static bool parse_parts(cli_array *out, const scan *s, bool is_open, const char *path)
{
    const size_t count = cli_parts_of((size_t)(s->end - s->begin));
    part *const parts = count > 1 ? calloc(count, sizeof *parts) : NULL;
    size_t most = 0;
    cli_error error = {0};
    if (!parts)
        return false;
    divide(parts, count, s, is_open, path);
    cli_run_parts(count, count_part, parts);
    for (size_t i = 0; i < count; i++)
        most += parts[i].most;
    cli_progress_bytes("parsing", count * (size_t)(parts[0].s.end - parts[0].s.begin));
    bool ok = cli_make_array(out, out->type, 0, most, &error);
    ok = ok && run_parts(out, parts, count);
    if (!ok)
        cli_free_array(out);
    free(parts);
    return ok;
}

bool cli_parse_text(cli_array *out, const char *text, size_t bytes, dmm_type type, const char *path,
    cli_error *error)
{
    if (!cli_begin_text(&text, &bytes, path, error))
        return false;
    scan s = {text, text + bytes, text, 0, 0, 1};
    *out = (cli_array){.type = type == DMM_ITEM ? DMM_I64 : type};
    if (parse_parts(out, &s, type == DMM_ITEM, path))
        return true;
    cli_progress_bytes("parsing", bytes);
    size_t most = cli_count_newlines(s.begin, s.end) + 1;
    if (!cli_make_array(out, type == DMM_ITEM ? DMM_I64 : type, 0, most, error))
        return false;
    return type == DMM_ITEM ? parse_open_type(out, &s, path, error)
                            : parse_as(out, &s, path, error);
}

bool cli_parse_lines(cli_array *out, const char *text, size_t bytes, size_t *lines,
    const char *path, cli_error *error)
{
    scan s = {text, text + bytes, text, 0, *lines, 0};
    if (!cli_check_piece(text, bytes, *lines, path, error) || !parse_as(out, &s, path, error))
        return false;
    *lines += cli_count_newlines(s.begin, s.end);
    return true;
}

bool cli_write_lines(
    cli_output *output, const cli_array *array, size_t first, size_t end, cli_error *error)
{
    for (size_t i = first; i < end; i++) {
        char *line = cli_write_room(output, CLI_NUMBER_CHARS + 1, error);
        if (!line)
            return false;
        const void *item = (const char *)array->data + i * array->item_bytes;
        size_t length = cli_print_number(line, item, array->type);
        line[length] = '\n';
        cli_written(output, length + 1);
    }
    return true;
}

/* Numbers that become lines, a piece a part. */
typedef struct printing {
    const cli_array *array;
    size_t first; /* first item of part 0 */
    char *lines;  /* MOST_LINE * REPORT_EVERY bytes a part */
    size_t bytes[CLI_MOST_PARTS];
} printing;

static void print_part(void *user, size_t index)
{
    printing *const p = user;
    const cli_array *const array = p->array;
    char *const begin = p->lines + index * REPORT_EVERY * MOST_LINE, *line = begin;
    size_t i = p->first + index * REPORT_EVERY;
    for (size_t left = REPORT_EVERY; i < array->count && left > 0; i++, left--) {
        line +=
            cli_print_number(line, (const char *)array->data + i * array->item_bytes, array->type);
        *line++ = '\n';
    }
    p->bytes[index] = (size_t)(line - begin);
}

bool cli_write_text(cli_output *output, const cli_array *array, cli_error *error)
{
    const size_t parts = cli_parts_of(array->count * array->item_bytes);
    const size_t space = parts * REPORT_EVERY * MOST_LINE;
    printing p = {.array = array, .lines = malloc(space)};
    bool ok = p.lines || cli_fail_memory(error, NULL, space);
    cli_progress_items("writing", array->count);
    for (; ok && p.first < array->count; p.first += parts * REPORT_EVERY) {
        cli_run_parts(parts, print_part, &p);
        for (size_t i = 0; ok && i < parts; i++)
            ok = cli_write(output, p.lines + i * REPORT_EVERY * MOST_LINE, p.bytes[i], error);
        cli_progress_step(p.first);
    }
    free(p.lines);
    return ok;
}
