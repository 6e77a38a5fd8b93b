/* SPDX-License-Identifier: MIT */
/* Reads and writes points. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "lines.h"
#include "npy.h"
#include "number.h"
#include "points.h"
#include "progress.h"
#include "text.h"

enum { REPORT_EVERY = 1 << 16 };

/* ---- NumPy --------------------------------------------------------------------------------- */

static void swap_item(unsigned char *item, uint32_t bytes)
{
    for (uint32_t j = 0; j < bytes / 2; j++) {
        const unsigned char byte = item[j];
        item[j] = item[bytes - 1 - j];
        item[bytes - 1 - j] = byte;
    }
}

/* Converts a whole number of `bytes` bytes to double; false if it is not exact. */
static bool whole_to_double(double *out, const void *item, uint32_t bytes, bool is_signed)
{
    uint64_t magnitude = 0;
    memcpy(&magnitude, item, bytes);
    const bool negative = is_signed && magnitude >> (8 * bytes - 1);
    if (negative)
        magnitude = (0 - magnitude) & (UINT64_MAX >> (64 - 8 * bytes));
    *out = (double)magnitude;
    const bool exact = *out < 0x1p64 && (uint64_t)*out == magnitude;
    if (negative)
        *out = -*out;
    return exact;
}

/* Converts any number of an .npy file to double. */
static bool number_to_double(double *out, const cli_npy *npy, const void *item)
{
    char text[CLI_NUMBER_CHARS];
    const char *at = text;
    if (npy->type == DMM_F64)
        memcpy(out, item, sizeof *out);
    else if (npy->type == DMM_F16) {
        text[cli_print_number(text, item, npy->type)] = '\0';
        return cli_parse_float(&at, out, DMM_F64) == CLI_NUMBER_OK;
    } else
        return whole_to_double(out, item, npy->item_bytes, cli_is_signed(npy->type));
    return true;
}

static bool take_npy(
    cli_array *out, unsigned char *file, size_t bytes, const char *path, cli_error *error)
{
    cli_npy npy;
    if (!cli_parse_npy_rows(&npy, (const char *)file, bytes, 2, path, error))
        return false;
    if (npy.type == DMM_ITEM)
        return cli_fail(error, CLI_MISTAKE, path, "its type %s is no number", npy.descr);
    const dmm_type type = npy.type == DMM_F32 ? DMM_F32 : DMM_F64;
    if (!cli_make_array(out, type, 0, npy.count, error))
        return false;
    for (size_t i = 0; i < npy.count; i++) {
        unsigned char *item = file + npy.data_bytes_at + i * npy.item_bytes;
        if (npy.big_endian)
            swap_item(item, npy.item_bytes);
        if (type == DMM_F32)
            memcpy((float *)out->data + i, item, sizeof(float));
        else if (!number_to_double((double *)out->data + i, &npy, item))
            return cli_fail(
                error, CLI_MISTAKE, path, "a number of row %zu does not fit f64", i / 2);
    }
    return true;
}

/* ---- Text ---------------------------------------------------------------------------------- */

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_gap(const char *at)
{
    while (is_gap(*at))
        at++;
    return at;
}

/* Parses two numbers, what separates them, and nothing else. */
static bool parse_line(const char *at, double point[2])
{
    if (cli_parse_number(&at, &point[0], DMM_F64) != CLI_NUMBER_OK)
        return false;
    const char *const end = at;
    at = skip_gap(at);
    if (*at == ',' || *at == ';')
        at = skip_gap(at + 1);
    return at != end && cli_parse_number(&at, &point[1], DMM_F64) == CLI_NUMBER_OK &&
           *skip_gap(at) == '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* True if the line is text that does not begin with a number; the word "info" is no number. */
static bool is_heading(const char *line)
{
    double number;
    const char *at = line + (*line == '-' || *line == '+');
    if (is_digit(at[*at == '.']))
        return false;
    at = line;
    return cli_parse_number(&at, &number, DMM_F64) == CLI_NOT_A_NUMBER ||
           (is_letter(*line) && is_letter(*at));
}

static bool take_text(cli_array *out, char *text, size_t bytes, const char *path, cli_error *error)
{
    cli_lines lines;
    size_t count = 0, first = 0;
    if (!cli_open_lines(&lines, text, bytes, path, error) ||
        !cli_make_array(out, DMM_F64, 0, 2 * (cli_count_newlines(lines.at, lines.end) + 1), error))
        return false;
    for (const char *line; (line = cli_next_line(&lines));) {
        line = skip_gap(line);
        if (*line == '\0')
            continue;
        first = first == 0 ? lines.line : first;
        if (parse_line(line, (double *)out->data + 2 * count)) {
            count++;
        } else if (lines.line != first || !is_heading(line)) {
            char shown[CLI_EXCERPT_CHARS + 1];
            cli_excerpt(shown, line, line + strlen(line));
            return cli_fail(
                error, CLI_MISTAKE, path, "line %zu: '%s' is not two numbers", lines.line, shown);
        }
        if (lines.line % REPORT_EVERY == 0)
            cli_progress_step((uint64_t)(line - text));
    }
    out->count = 2 * count;
    return true;
}

bool cli_read_points(cli_array *out, const char *path, cli_error *error)
{
    char *file = NULL;
    size_t bytes = 0;
    const cli_format format = cli_format_of(path);
    *out = (cli_array){.count = 0};
    if (format != CLI_NPY && format != CLI_TEXT_LINES)
        return cli_fail(error, CLI_MISTAKE, path,
            "points are read from .npy, .txt or .csv; or give - for text");
    if (!cli_read_file(&file, &bytes, path, error))
        return false;
    cli_progress_start("parsing", bytes);
    const bool ok = format == CLI_NPY ? take_npy(out, (unsigned char *)file, bytes, path, error)
                                      : take_text(out, file, bytes, path, error);
    free(file);
    return ok;
}

bool cli_write_points(cli_output *output, const cli_array *points, cli_error *error)
{
    if (cli_format_of(output->name) == CLI_NPY) {
        char header[CLI_NPY_HEADER_BYTES], descr[CLI_DESCR_BYTES];
        cli_npy_descr(descr, points->type);
        cli_print_npy_rows(header, descr, points->count, 2);
        return cli_write(output, header, sizeof header, error) &&
               cli_write(output, points->data, points->count * points->item_bytes, error);
    }
    for (size_t i = 0; i < points->count; i++) {
        char *text = cli_write_room(output, CLI_NUMBER_CHARS + 1, error);
        if (!text)
            return false;
        const void *item = (const char *)points->data + i * points->item_bytes;
        const size_t length = cli_print_number(text, item, points->type);
        text[length] = i % 2 ? '\n' : ',';
        cli_written(output, length + 1);
    }
    return true;
}
