/* SPDX-License-Identifier: MIT */
/* Prints a table as Markdown whose columns are aligned. */
#include "table.h"

#include <string.h>
#include <time.h>

enum { CELL_BYTES = 64 };

static const char *const places[] = {
    [TABLE_MODEL] = "counted on the host, by a model",
    [TABLE_PROCESSOR] = "timed on one core of this machine's processor",
    [TABLE_DEVICE] = "timed on",
    [TABLE_METER] = "counted by `dmm meter` in Oclgrind",
};

double table_value(
    const paper_table *table, const table_values *values, size_t point, size_t column)
{
    size_t before = 0;
    for (size_t c = 0; c < column; c++)
        before += table->columns[c].paper == table->columns[column].paper;
    return table->columns[column].paper ? table->points[point].paper[before]
                                        : values->values[point * TABLE_COLUMNS + before];
}

static void format_cell(
    char *out, const paper_table *table, const table_values *values, size_t point, size_t column)
{
    const double value = table_value(table, values, point, column);
    if (isnan(value))
        strcpy(out, "-");
    else
        snprintf(out, CELL_BYTES, "%.*f", table->columns[column].decimals, value);
}

/* Returns the characters of the widest cell of a column. */
static int width_of(const paper_table *table, const table_values *values, size_t column)
{
    char cell[CELL_BYTES];
    size_t width = strlen(table->columns[column].name);
    for (size_t p = 0; p < values->points; p++) {
        format_cell(cell, table, values, p, column);
        width = strlen(cell) > width ? strlen(cell) : width;
    }
    return (int)width;
}

static void print_rule(int width, bool right)
{
    printf("| ");
    for (int i = right ? 1 : 0; i < width; i++)
        putchar('-');
    printf(right ? ": " : " ");
}

void table_print(const paper_table *table, const table_values *values, const char *where)
{
    int widths[TABLE_COLUMNS] = {0}, first = (int)strlen(table->head);
    size_t columns = 0;
    for (; table->columns[columns].name; columns++)
        widths[columns] = width_of(table, values, columns);
    for (size_t p = 0; p < values->points; p++) {
        const int length = (int)strlen(table->points[p].label);
        first = length > first ? length : first;
    }
    printf("%s: %s\n%s; %s%s%s\n", table->name, table->title, table->source, places[table->place],
        where ? " " : "", where ? where : "");
    printf("\n| %-*s ", first, table->head);
    for (size_t c = 0; c < columns; c++)
        printf("| %*s ", widths[c], table->columns[c].name);
    printf("|\n");
    print_rule(first, false);
    for (size_t c = 0; c < columns; c++)
        print_rule(widths[c], true);
    printf("|\n");
    for (size_t p = 0; p < values->points; p++) {
        printf("| %-*s ", first, table->points[p].label);
        for (size_t c = 0; c < columns; c++) {
            char cell[CELL_BYTES];
            format_cell(cell, table, values, p, c);
            printf("| %*s ", widths[c], cell);
        }
        printf("|\n");
    }
    if (table->paper)
        printf("\nThe paper: %s\n", table->paper);
    printf("\nReading: %s\n", table->reading);
}

/* ---- Measuring ------------------------------------------------------------------------------- */

void table_permutation(uint64_t *out, uint64_t n, uint64_t seed)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t j = table_random(&seed) % (i + 1);
        out[i] = out[j];
        out[j] = i;
    }
}

double table_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
