/* SPDX-License-Identifier: MIT */
/* Parses the lines of the programs of bench/, whose columns are those of bench/row.c. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum {
    WORD,
    TITLE,
    TYPE,
    VALUES,
    INPUT,
    ITEMS,
    WHO,
    METHOD,
    FORM,
    PARAMETER_U,
    PARAMETER_E,
    TILE,
    RUNS,
    MEDIAN,
    LEAST,
    EVENT,
    RATE,
    ITEM_BYTES,
    GIGABYTES,
    SHARE,
    BESIDE,
    RATIO,
    RATIO_MIN,
    RATIO_MAX,
    FLOOR,
    FLOOR_COMPARES,
    COLUMNS
};

/* Splits the line at blanks; false if there are not as many words as columns. */
static bool split(char *line, char **columns)
{
    char *rest = NULL;
    size_t count = 0;
    for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        if (count == COLUMNS)
            return false;
        columns[count++] = word;
    }
    return count == COLUMNS;
}

static bool make_buffers(bench_rows *rows)
{
    if (rows->count < rows->space)
        return true;
    const size_t space = 2 * rows->space + 64;
    bench_row *longer = realloc(rows->rows, space * sizeof *longer);
    if (longer)
        rows->rows = longer;
    char **more = realloc(rows->lines, space * sizeof *more);
    if (more)
        rows->lines = more;
    rows->space = longer && more ? space : rows->space;
    return longer && more;
}

static bool take_row(bench_rows *rows, const char *text, bool again)
{
    char *c[COLUMNS];
    char *line = strdup(text);
    if (!line || !make_buffers(rows)) {
        free(line);
        return false;
    }
    if (!split(line, c)) {
        free(line);
        return true;
    }
    rows->lines[rows->count] = line;
    rows->rows[rows->count++] = (bench_row){.word = c[WORD],
        .title = c[TITLE],
        .type = c[TYPE],
        .values = c[VALUES],
        .input = c[INPUT],
        .n = atof(c[ITEMS]),
        .who = c[WHO],
        .method = c[METHOD],
        .form = c[FORM],
        .median_ms = atof(c[MEDIAN]),
        .share = atof(c[SHARE]),
        .rate = atof(c[RATE]),
        .item_bytes = atof(c[ITEM_BYTES]),
        .floor = atof(c[FLOOR]),
        .floor_compares = atof(c[FLOOR_COMPARES]),
        .beside = c[BESIDE],
        .ratio = atof(c[RATIO]),
        .ratio_min = atof(c[RATIO_MIN]),
        .ratio_max = atof(c[RATIO_MAX]),
        .again = again};
    return true;
}

static void keep(char *out, size_t bytes, const char *text)
{
    if (!out[0])
        snprintf(out, bytes, "%.*s", (int)strcspn(text, "\n"), text);
}

bool bench_take(bench_rows *rows, const char *line, bool again)
{
    if (line[0] != '#')
        return take_row(rows, line, again);
    if (strncmp(line, "# dmm ", 6) == 0)
        keep(rows->origin, sizeof rows->origin, line + 2);
    else if (strncmp(line, "# device: ", 10) == 0)
        keep(rows->device, sizeof rows->device, line + 10);
    else if (strncmp(line, "# floors: ", 10) == 0)
        keep(rows->floors, sizeof rows->floors, line + 10);
    return true;
}

void bench_rows_free(bench_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->lines[i]);
    free(rows->lines);
    free(rows->rows);
}

bool bench_same_case(const bench_row *a, const bench_row *b)
{
    return strcmp(a->word, b->word) == 0 && strcmp(a->title, b->title) == 0 &&
           strcmp(a->type, b->type) == 0 && strcmp(a->values, b->values) == 0 &&
           strcmp(a->input, b->input) == 0;
}

/* Returns the exponent if n is at least the third power of the base; otherwise 0. */
static int exponent_of(unsigned long long n, unsigned base)
{
    int exponent = 0;
    while (n >= base && n % base == 0) {
        n /= base;
        exponent++;
    }
    return n == 1 && exponent > 2 ? exponent : 0;
}

void bench_print_size(char *out, size_t bytes, double n)
{
    const unsigned long long whole = (unsigned long long)n;
    const int of_two = exponent_of(whole, 2), of_ten = exponent_of(whole, 10);
    if (of_two || of_ten)
        snprintf(out, bytes, "%s^%d", of_two ? "2" : "10", of_two ? of_two : of_ten);
    else
        snprintf(out, bytes, "%.0f", n);
}
