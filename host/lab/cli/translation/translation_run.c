/* SPDX-License-Identifier: MIT */
/*
 * Measures the seven programs. What counts is the shortest of several runs, as the cost that must
 * be paid is looked for (Jurkiewicz 2013, section 2.1.2), in processor time, so that other programs
 * disturb little. n grows by 1.4, so that no power of two favours or harms a cache.
 */
#include "translation.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "progress.h"

enum { SEED = 20130713 };
/* Limits of what a table may hold: the words that `dmm-lab translation` takes, and a second. */
static const double most_ns = 1e9;
static const uint64_t most_words = (uint64_t)1 << 40;

static const uint64_t page_bytes[TRANSLATION_SIZES] = {4096, 2 << 20};

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* True if a run leaves its input as it was: short ones are timed many at a time. */
static bool keeps_input(dmm_model_program program)
{
    return program == DMM_MODEL_SEQUENTIAL_SCAN || program == DMM_MODEL_RANDOM_SCAN ||
           program == DMM_MODEL_BINARY_SEARCH;
}

/* Seconds of one run. */
static double time_run(uint64_t *words, dmm_model_program program, uint64_t n, uint64_t seed)
{
    enum { WORDS_A_TIMING = 1 << 18 };
    uint64_t result;
    const uint64_t runs = keeps_input(program) && n < WORDS_A_TIMING ? WORDS_A_TIMING / n : 1;
    const double start = processor_seconds();
    for (uint64_t i = 0; i < runs; i++)
        dmm_model_program_run(&result, words, program, n, seed);
    return (processor_seconds() - start) / (double)runs;
}

static bool measure_pages(translation_row *row, double *longest, translation_pages pages,
    const translation_order *order, cli_error *error)
{
    enum { WORDS_A_POINT = 1 << 19, REPEATS_MAX = 100 };
    translation_memory memory;
    const uint64_t bytes = 8 * dmm_model_program_words(row->program, row->n);
    const double operations = dmm_model_program_operations(row->program, row->n);
    uint64_t repeats = WORDS_A_POINT / row->n < REPEATS_MAX ? WORDS_A_POINT / row->n : REPEATS_MAX;
    double least = 0;
    if (repeats < order->repeats)
        repeats = order->repeats;
    if (!translation_map(&memory, bytes, pages))
        return cli_fail_memory(error, NULL, bytes);
    for (uint64_t i = 0; i < repeats; i++) {
        dmm_model_program_fill(memory.words, row->program, row->n, SEED + i);
        const double seconds = time_run(memory.words, row->program, row->n, SEED + 7 * i);
        least = i == 0 || seconds < least ? seconds : least;
        *longest = seconds > *longest ? seconds : *longest;
    }
    const dmm_model_translation machine = {.page_bytes = page_bytes[pages], .nodes = order->nodes};
    const dmm_model_growth growth = dmm_model_program_growth(row->program, row->n, &machine);
    row->ns[pages] = 1e9 * least / operations;
    row->huge[pages] = memory.huge;
    row->growth[pages] = (dmm_model_growth){growth.lower / operations, growth.upper / operations};
    translation_unmap(&memory);
    return true;
}

static bool append(translation_rows *out, const translation_row *row, cli_error *error)
{
    translation_row *rows = realloc(out->rows, (out->count + 1) * sizeof *rows);
    if (!rows)
        return cli_fail_memory(error, NULL, (out->count + 1) * sizeof *rows);
    rows[out->count++] = *row;
    out->rows = rows;
    return true;
}

bool translation_measure(translation_rows *out, const translation_order *order, cli_error *error)
{
    cli_progress_start("measuring", DMM_MODEL_PROGRAMS);
    for (int program = 0; program < DMM_MODEL_PROGRAMS; program++) {
        double longest = 0;
        for (uint64_t n = order->least; n <= order->most && longest < order->seconds;
             n += n * 2 / 5 + (n < 5)) {
            translation_row row = {.program = (dmm_model_program)program, .n = n};
            for (int pages = 0; pages < TRANSLATION_SIZES; pages++)
                if (!measure_pages(&row, &longest, (translation_pages)pages, order, error))
                    return false;
            if (!append(out, &row, error))
                return false;
        }
        cli_progress_step((uint64_t)program + 1);
    }
    cli_progress_end();
    return true;
}

/* Returns the program whose name the line begins with, which ends at `*rest`; -1: none. */
static int program_of(const char *line, const char **rest)
{
    for (int program = 0; program < DMM_MODEL_PROGRAMS; program++) {
        const char *const name = dmm_model_program_name((dmm_model_program)program);
        *rest = line + strlen(name);
        if (strncmp(line, name, strlen(name)) == 0 && **rest == ' ')
            return program;
    }
    return -1;
}

/* True if a row can be drawn: nothing in it is infinite, and no time 0 or less. */
static bool is_drawable(const translation_row *row)
{
    const dmm_model_growth *const growth = &row->growth[TRANSLATION_4K];
    bool drawable =
        row->n > 0 && row->n <= most_words && isfinite(growth->lower) && isfinite(growth->upper);
    for (int pages = 0; pages < TRANSLATION_SIZES; pages++)
        drawable = drawable && row->ns[pages] > 0 && row->ns[pages] <= most_ns;
    return drawable;
}

enum { LINE_BYTES = 256, MOST_LINES = 65536 };

/* True if the line is text and ends within LINE_BYTES, and the file may still be a table: devices
 * and pipes may have no end. */
static bool is_line_of_table(
    FILE *file, const char *line, size_t number, const char *path, cli_error *error)
{
    if (strchr(line, '\n') == NULL && !feof(file))
        return cli_fail(error, CLI_MISTAKE, path,
            "line %zu is too long for a table of dmm-lab translation, or is not text", number);
    return number <= MOST_LINES ||
           cli_fail(error, CLI_MISTAKE, path,
               "has more than %d lines: not a table of dmm-lab translation", MOST_LINES);
}

bool translation_read(translation_rows *out, const char *path, cli_error *error)
{
    char line[LINE_BYTES];
    bool read = true;
    FILE *file = fopen(path, "r");
    if (!file)
        return cli_fail_errno(error, path, "cannot open");
    for (size_t number = 1; read && fgets(line, sizeof line, file); number++) {
        const char *rest;
        const int program = program_of(line, &rest);
        translation_row row = {.program = (dmm_model_program)program};
        dmm_model_growth *growth = &row.growth[TRANSLATION_4K];
        read = is_line_of_table(file, line, number, path, error);
        if (read && program >= 0 &&
            sscanf(rest, "%" SCNu64 " %*f %lf %lf %*f%% %lf %lf", &row.n, &row.ns[TRANSLATION_4K],
                &row.ns[TRANSLATION_2M], &growth->lower, &growth->upper) == 5)
            read = is_drawable(&row) ? append(out, &row, error)
                                     : cli_fail(error, CLI_MISTAKE, path,
                                           "line %zu: a count or a time is out of range", number);
    }
    fclose(file);
    return read && (out->count > 0 || cli_fail(error, CLI_MISTAKE, path,
                                          "holds no row of a table of dmm-lab translation"));
}
