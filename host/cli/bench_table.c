/* SPDX-License-Identifier: MIT */
/* Prints the measurements as a table. */
#include <string.h>

#include "bench.h"

enum { NAME_COLUMNS = 38 };

void bench_print_origin(const bench_rows *rows)
{
    printf("%s\ndevice: %s\n", rows->origin, rows->device);
    printf(
        "Medians. share: of what the bytes that the model counts would take at the rate of a "
        "copy.\n"
        "over dmm: the other's time over dmm's, and its least and greatest in one round; above 1, "
        "dmm is faster.\n"
        "bytes: read and written for an item, caches not modelled. floor: what every algorithm "
        "moves "
        "in the\nworst case, between the global memory and a fast %s.\n",
        rows->floors);
}

/* True if a later row of the case has more items. */
static bool is_outgrown(const bench_rows *rows, size_t at)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].n > rows->rows[at].n && bench_same_case(&rows->rows[i], &rows->rows[at]))
            return true;
    return false;
}

static const char *unless_none(const char *text)
{
    return strcmp(text, "-") == 0 ? "" : text;
}

static void print_heading(const bench_rows *rows, const bench_row *r)
{
    char size[32], left[256];
    const char *values = strcmp(r->values, "0") == 0 ? "" : r->values;
    const char *title = unless_none(r->title);
    bench_print_size(size, sizeof size, r->n);
    snprintf(left, sizeof left, "%s %s%s%s%s%s %s n=%s%s%s", r->word, r->type, values[0] ? "+" : "",
        values, title[0] ? " " : "", title, r->input, size, r->again ? " with " : "",
        r->again ? rows->again : "");
    printf("\n%-*s %10s %10s %6s %6s  %s\n", NAME_COLUMNS, left, "ms", "M items/s", "bytes",
        "share", "over dmm");
    if (r->floor > 0)
        printf("%-*s %10s %10s %6.1f\n", NAME_COLUMNS, "  floor", "", "", r->floor);
    if (r->floor_compares > 0)
        printf("%-*s %10s %10s %6.1f\n", NAME_COLUMNS, "  floor of sorts that compare", "", "",
            r->floor_compares);
}

static void print_if_known(double number, int digits)
{
    if (number > 0)
        printf(" %6.*f", digits, number);
    else
        printf(" %6s", "");
}

/* first: dmm's first row of the case, whose method is not named. */
static void print_row(const bench_row *r, const bench_row *first)
{
    char name[96];
    const bool copies = strcmp(r->who, "copy") == 0;
    const bool own = strcmp(r->who, "dmm") == 0 && strcmp(r->method, r->beside) == 0;
    snprintf(name, sizeof name, "  %s %s", r->who, unless_none(r->method));
    printf("%-*s %10.3f %10.1f", NAME_COLUMNS, name, r->median_ms, r->rate);
    print_if_known(r->item_bytes, 1);
    print_if_known(r->share, 2);
    if (!copies && !own)
        printf("  %.2f (%.2f to %.2f)%s%s", r->ratio, r->ratio_min, r->ratio_max,
            !first || strcmp(r->beside, first->method) == 0 ? "" : " of ",
            !first || strcmp(r->beside, first->method) == 0 ? "" : r->beside);
    printf("\n");
}

void bench_print_table(const bench_rows *rows, size_t from)
{
    const bench_row *last = NULL, *first = NULL;
    for (size_t i = from; i < rows->count; i++) {
        const bench_row *r = &rows->rows[i];
        if (is_outgrown(rows, i))
            continue;
        if (!last || !bench_same_case(last, r) || last->again != r->again) {
            print_heading(rows, r);
            first = NULL;
        }
        if (!first && strcmp(r->who, "dmm") == 0)
            first = r;
        print_row(r, first);
        last = r;
    }
    fflush(stdout);
}
