/* SPDX-License-Identifier: MIT */
/* The pictures of `dmm-lab translation`: curves over the logarithm of n, named at the right end. */
#include "translation.h"

#include <math.h>
#include <stdlib.h>

#include "svg.h"

enum { LEFT = 64, TOP = 56, WIDTH = 520, HEIGHT = 380, BOTTOM = 48, NAMES = 130, NAME_STEP = 15 };

/* Colours that the colour-blind tell apart: M. Okabe, K. Ito, "Color Universal Design", 2008. */
static const char *const colours[DMM_MODEL_PROGRAMS] = {
    "#000000", "#D55E00", "#0072B2", "#009E73", "#E69F00", "#CC79A7", "#56B4E9"};

/* A panel from (x_low, 0) to (x_high, y_high); x is the logarithm of n. The ordinate is linear, so
 * that growth by log n is a straight line. */
typedef struct panel {
    double x, x_low, x_high, y_high;
} panel;

typedef double value_of(const translation_row *row);

static double x_at(const panel *p, double n)
{
    return p->x + WIDTH * (log2(n) - p->x_low) / (p->x_high - p->x_low);
}

static double y_at(const panel *p, double value)
{
    return TOP + HEIGHT * (1 - value / p->y_high);
}

static double time_4k(const translation_row *row)
{
    return row->ns[TRANSLATION_4K];
}

static double time_2m(const translation_row *row)
{
    return row->ns[TRANSLATION_2M];
}

static double share(const translation_row *row)
{
    return 100 * row->ns[TRANSLATION_2M] / row->ns[TRANSLATION_4K];
}

static void print_head(FILE *out, const char *title, int panels)
{
    const double width = panels * (LEFT + WIDTH + NAMES), height = TOP + HEIGHT + BOTTOM;
    cli_svg_begin(out, width, height, "font-size=\"12\"");
    cli_svg_text(out, LEFT, 22, "font-size=\"15\"", "%s", title);
}

/* Attributes of texts whose middle, or end, is at x. */
static const char middle[] = "text-anchor=\"middle\"", end[] = "text-anchor=\"end\"";

/* Returns 1, 2 or 5 times a power of ten, for ten lines at most. */
static double step_of(double range)
{
    static const double factors[] = {2, 2.5, 2};
    double step = 1e-3;
    for (int i = 0; range / step > 10; i++)
        step *= factors[i % 3];
    return step;
}

/* Lines of a grid, with their numbers. */
static void print_grid(FILE *out, const panel *p, const char *unit)
{
    const double step = step_of(p->y_high);
    for (double x = ceil(p->x_low); x <= p->x_high; x += p->x_high - p->x_low > 12 ? 2 : 1) {
        const double at = x_at(p, exp2(x));
        fprintf(out, "<path d=\"M%.1f %d v%d\" stroke=\"#dddddd\"/>\n", at, TOP, HEIGHT);
        cli_svg_text(out, at, TOP + HEIGHT + 16, middle, "%.0f", x);
    }
    for (double y = 0; y <= p->y_high * 1.0001; y += step) {
        const double at = y_at(p, y);
        fprintf(out, "<path d=\"M%.1f %.1f h%d\" stroke=\"#dddddd\"/>\n", p->x, at, WIDTH);
        cli_svg_text(out, p->x - 6, at + 4, end, "%g%s", y, unit);
    }
    cli_svg_text(out, p->x + WIDTH / 2.0, TOP + HEIGHT + 36, middle, "log2 of the words n");
}

typedef struct name {
    int program;
    double x, y; /* end of the curve */
} name;

static int by_height(const void *a, const void *b)
{
    const double x = ((const name *)a)->y, y = ((const name *)b)->y;
    return (x > y) - (x < y);
}

/* Names beside the ends of the curves, apart from each other. */
static void print_names(FILE *out, const panel *p, name *names, size_t count)
{
    double lowest = 0;
    qsort(names, count, sizeof *names, by_height);
    for (size_t i = 0; i < count; i++) {
        const char *const colour = colours[names[i].program];
        const double y = names[i].y > lowest + NAME_STEP ? names[i].y : lowest + NAME_STEP;
        lowest = y;
        fprintf(out,
            "<path d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"%s\" stroke-width=\"0.6\" "
            "stroke-dasharray=\"2 3\"/>\n<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n",
            names[i].x, names[i].y, p->x + WIDTH + 8, y, colour, p->x + WIDTH + 10, y + 4, colour,
            dmm_model_program_name((dmm_model_program)names[i].program));
    }
}

static void print_curves(FILE *out, const panel *p, const translation_rows *rows, value_of *value)
{
    name names[DMM_MODEL_PROGRAMS];
    size_t count = 0;
    for (int program = 0; program < DMM_MODEL_PROGRAMS; program++) {
        const translation_row *last = NULL;
        for (size_t i = 0; i < rows->count; i++) {
            const translation_row *row = &rows->rows[i];
            if ((int)row->program != program)
                continue;
            if (!last)
                fputs("<polyline points=\"", out);
            fprintf(out, "%.1f,%.1f ", x_at(p, (double)row->n), y_at(p, value(row)));
            last = row;
        }
        if (!last)
            continue;
        fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n", colours[program]);
        names[count++] = (name){program, x_at(p, (double)last->n), y_at(p, value(last))};
    }
    print_names(out, p, names, count);
}

/* A panel that holds all rows by either value. */
static panel panel_of(const translation_rows *rows, value_of *first, value_of *second)
{
    panel p = {.x = LEFT, .x_low = 64, .y_high = 1e-2};
    for (size_t i = 0; i < rows->count; i++) {
        const translation_row *row = &rows->rows[i];
        const double x = log2((double)row->n);
        p.x_low = fmin(p.x_low, x);
        p.x_high = fmax(p.x_high, x);
        p.y_high = fmax(p.y_high, fmax(first(row), second(row)));
    }
    p.y_high *= 1.05;
    if (p.x_high <= p.x_low)
        p.x_high = p.x_low + 1;
    return p;
}

void translation_draw_times(FILE *out, const translation_rows *rows)
{
    panel p = panel_of(rows, time_4k, time_2m);
    print_head(
        out, "Processor time of one operation in nanoseconds (RAM: n or n log n operations)", 2);
    cli_svg_text(out, LEFT, TOP - 10, "", "pages of 4 KiB");
    print_grid(out, &p, " ns");
    print_curves(out, &p, rows, time_4k);
    p.x += LEFT + WIDTH + NAMES;
    cli_svg_text(out, p.x, TOP - 10, "", "pages of 2 MiB");
    print_grid(out, &p, " ns");
    print_curves(out, &p, rows, time_2m);
    fputs("</svg>\n", out);
}

void translation_draw_shares(FILE *out, const translation_rows *rows)
{
    const panel p = panel_of(rows, share, share);
    print_head(out, "Time in pages of 2 MiB, as a percentage of that in pages of 4 KiB", 1);
    print_grid(out, &p, " %");
    print_curves(out, &p, rows, share);
    fputs("</svg>\n", out);
}
