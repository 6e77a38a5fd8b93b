/* SPDX-License-Identifier: MIT */
/*
 * Compares two runs: kernels by name, their lines by text, and what remains by order, since a cure
 * moves lines and changes some.
 */
#include "meter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_BYTES = 4096, TEXT_COLUMNS = 44 };

static size_t *new_pairs(size_t count)
{
    size_t *pairs = malloc((count + 1) * sizeof *pairs);
    for (size_t i = 0; pairs && i <= count; i++)
        pairs[i] = METER_NONE;
    return pairs;
}

static bool is_taken(const size_t *pairs, size_t count, size_t old)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i] == old)
            return true;
    return false;
}

/* Pairs kernels by name; then the one of each run that has none, whose name may have changed. */
static void pair_kernels(meter_old *old, const meter_readings *readings)
{
    const size_t count = readings->num_kernels, old_count = old->readings.num_kernels;
    size_t alone = METER_NONE, num_alone = 0;
    for (size_t i = 0; i < count; i++) {
        if (!readings->kernels[i].chosen)
            continue;
        for (size_t j = 0; j < old_count && old->kernels[i] == METER_NONE; j++)
            if (strcmp(readings->kernels[i].name, old->readings.kernels[j].name) == 0)
                old->kernels[i] = j;
        if (old->kernels[i] == METER_NONE) {
            alone = i;
            num_alone++;
        }
    }
    size_t old_alone = METER_NONE, num_old_alone = 0;
    for (size_t j = 0; j < old_count; j++) {
        if (is_taken(old->kernels, count, j))
            continue;
        old_alone = j;
        num_old_alone++;
    }
    if (num_alone == 1 && num_old_alone == 1)
        old->kernels[alone] = old_alone;
}

static bool same_access(const meter_line *a, const meter_line *b, bool by_file, bool by_text)
{
    return a->local == b->local && a->kind == b->kind &&
           (!by_file || strcmp(a->file, b->file) == 0) &&
           (!by_text || strcmp(a->text, b->text) == 0);
}

/* Pairs lines that have no pair yet with the first such line of the old run. */
static void pair_lines(meter_old *old, const meter_readings *readings, bool by_file, bool by_text)
{
    for (size_t i = 0; i < readings->num_lines; i++) {
        const meter_line *line = &readings->lines[i];
        const size_t kernel = old->kernels[line->kernel];
        for (size_t j = 0; j < old->readings.num_lines && old->lines[i] == METER_NONE; j++)
            if (old->readings.lines[j].kernel == kernel &&
                same_access(line, &old->readings.lines[j], by_file, by_text) &&
                !is_taken(old->lines, readings->num_lines, j))
                old->lines[i] = j;
    }
}

bool meter_compare(meter_old *old, const meter_readings *readings, cli_error *error)
{
    old->kernels = new_pairs(readings->num_kernels);
    old->lines = new_pairs(readings->num_lines);
    if (!old->kernels || !old->lines)
        return cli_fail_memory(error, old->path, readings->num_lines * sizeof *old->lines);
    pair_kernels(old, readings);
    pair_lines(old, readings, true, true);
    pair_lines(old, readings, false, true);
    pair_lines(old, readings, true, false);
    pair_lines(old, readings, false, false);
    return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* What a row compares; NULL: a run does not have it. */
typedef struct pair {
    const dmm_model_tally *before, *after;
} pair;

static bool differs(pair row)
{
    return !row.before || !row.after || row.before->conflicts != row.after->conflicts ||
           row.before->passes != row.after->passes;
}

static void print_number(FILE *out, const dmm_model_tally *tally, bool conflicts)
{
    if (tally)
        fprintf(out, " %11" PRIu64, conflicts ? tally->conflicts : tally->passes);
    else
        fprintf(out, " %11s", "-");
}

static void print_row(FILE *out, int columns, const char *name, pair row)
{
    fprintf(out, "  %-*s", columns, name);
    print_number(out, row.before, true);
    print_number(out, row.after, true);
    print_number(out, row.before, false);
    print_number(out, row.after, false);
}

static void print_line(FILE *out, int columns, const meter_line *line, pair row)
{
    char place[PLACE_BYTES];
    int used = meter_format_place(place, sizeof place, line);
    used = used < PLACE_BYTES ? used : PLACE_BYTES - 1;
    snprintf(place + used, sizeof place - (size_t)used, " %s", meter_kind_name(line->kind));
    fputs("  ", out);
    print_row(out, columns - 2, place, row);
    fprintf(out, "   %.*s\n", TEXT_COLUMNS, line->text);
}

/* Prints the lines of a kernel that differ. Returns how many do not. */
static size_t print_lines(FILE *out, const meter_old *old, const meter_readings *readings,
    size_t kernel, bool local, int columns)
{
    size_t equal = 0;
    for (size_t i = 0; i < readings->num_lines; i++) {
        const meter_line *line = &readings->lines[i];
        const size_t j = old->lines[i];
        if (line->kernel != kernel || line->local != local)
            continue;
        const pair row = {j == METER_NONE ? NULL : &old->readings.lines[j].tally, &line->tally};
        if (differs(row))
            print_line(out, columns, line, row);
        else
            equal++;
    }
    for (size_t j = 0; j < old->readings.num_lines; j++) {
        const meter_line *line = &old->readings.lines[j];
        if (line->kernel == old->kernels[kernel] && line->local == local &&
            !is_taken(old->lines, readings->num_lines, j))
            print_line(out, columns, line, (pair){&line->tally, NULL});
    }
    return equal;
}

static int widest_place(const meter_readings *readings)
{
    int widest = 0;
    for (size_t i = 0; i < readings->num_lines; i++) {
        const int columns = meter_format_place(NULL, 0, &readings->lines[i]);
        if (columns > widest)
            widest = columns;
    }
    for (size_t i = 0; i < readings->num_kernels; i++) {
        const int columns = (int)strlen(readings->kernels[i].name) - 9; /* "  " and " atomic" */
        if (columns > widest)
            widest = columns;
    }
    return widest;
}

static void print_space(FILE *out, const meter_old *old, const meter_readings *readings, bool local)
{
    const int new_widest = widest_place(readings), old_widest = widest_place(&old->readings);
    const int columns = (new_widest > old_widest ? new_widest : old_widest) + 9;
    dmm_model_tally before = {0}, after = {0};
    size_t equal = 0;
    fprintf(out, "  %-*s %23s %23s\n  %-*s %11s %11s %11s %11s\n", columns,
        local ? "local memory" : "global memory", local ? "conflicts" : "excess",
        local ? "passes" : "transactions", columns, "", "before", "after", "before", "after");
    for (size_t i = 0; i < readings->num_kernels; i++) {
        const meter_kernel *kernel = &readings->kernels[i];
        const size_t j = old->kernels[i];
        const meter_kernel *was = j == METER_NONE ? NULL : &old->readings.kernels[j];
        if (!kernel->chosen)
            continue;
        const pair row = {!was    ? NULL
                          : local ? &was->local
                                  : &was->global,
            local ? &kernel->local : &kernel->global};
        meter_add_tally(&after, row.after);
        print_row(out, columns, kernel->name, row);
        fputc('\n', out);
        equal += print_lines(out, old, readings, i, local, columns);
    }
    for (size_t j = 0; j < old->readings.num_kernels; j++) {
        const meter_kernel *was = &old->readings.kernels[j];
        const dmm_model_tally *tally = local ? &was->local : &was->global;
        meter_add_tally(&before, tally);
        if (is_taken(old->kernels, readings->num_kernels, j))
            continue;
        print_row(out, columns, was->name, (pair){tally, NULL});
        fputc('\n', out);
    }
    print_row(out, columns, "together", (pair){&before, &after});
    fprintf(out, "\n  %zu line%s as before\n", equal, equal == 1 ? "" : "s");
}

void meter_print_comparison(
    FILE *out, const meter_old *old, const meter_readings *readings, const meter_machine *machine)
{
    const dmm_model_local *was = &old->machine.local, *is = &machine->local;
    fprintf(out, "\nBefore (%s) and after:\n", old->path);
    if (was->banks != is->banks || was->lanes != is->lanes || was->word_bytes != is->word_bytes ||
        old->machine.segment_bytes != machine->segment_bytes)
        fprintf(out,
            "  note: before, on %" PRIu32 " banks of %" PRIu32 " bytes, %" PRIu32
            " lanes, segments of %" PRIu32 " bytes\n",
            was->banks, was->word_bytes, was->lanes, old->machine.segment_bytes);
    print_space(out, old, readings, true);
    print_space(out, old, readings, false);
}
