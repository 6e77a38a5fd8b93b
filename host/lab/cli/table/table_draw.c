/* SPDX-License-Identifier: MIT */
/* Draws a table: a curve for each column over the points; the paper's numbers are dashed. */
#include "svg.h"
#include "table.h"

enum {
    LEFT = 72,
    TOP = 56,
    WIDTH = 560,
    HEIGHT = 380,
    BOTTOM = 64,
    LEGEND = 300,
    MOST_TICKS = 12,
    NAME_COLUMNS = 14
};

/* Colours that the colour-blind tell apart: M. Okabe, K. Ito, "Color Universal Design", 2008. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
    "#56B4E9", "#000000", "#888888", "#B8A000", "#8B5A2B", "#6A51A3", "#2F4F4F"};

/* One direction of the picture: values from low to high over `length`. */
typedef struct axis {
    table_scale scale;
    double low, high, from, length;
} axis;

static double scaled(const axis *a, double value)
{
    return a->scale == TABLE_LOG2 ? log2(value) : a->scale == TABLE_LOG10 ? log10(value) : value;
}

static double at(const axis *a, double value)
{
    return a->from + a->length * (scaled(a, value) - a->low) / (a->high - a->low);
}

/* True if the value can be drawn on the axis. */
static bool fits(const axis *a, double value)
{
    return isfinite(scaled(a, value));
}

static void widen(axis *a, double value)
{
    if (!fits(a, value))
        return;
    a->low = fmin(a->low, scaled(a, value));
    a->high = fmax(a->high, scaled(a, value));
}

static axis axis_of(table_scale scale, double from, double length)
{
    return (axis){scale, HUGE_VAL, -HUGE_VAL, from, length};
}

/* Leaves no axis empty, and begins a linear one at 0. */
static void close_axis(axis *a)
{
    if (a->low > a->high)
        a->low = a->high = 0;
    if (a->scale == TABLE_LINEAR || a->scale == TABLE_NAMES)
        a->low = fmin(a->low, 0);
    if (a->high <= a->low)
        a->high = a->low + 1;
}

static double x_of(const paper_table *table, size_t point)
{
    return table->scale == TABLE_NAMES ? (double)point : table->points[point].x;
}

/* Returns 1, 2 or 5 times a power of ten, for MOST_TICKS ticks at most; 1 or more for powers. */
static double step_of(const axis *a)
{
    static const double factors[] = {2, 2.5, 2};
    double step = a->scale == TABLE_LINEAR ? 1e-9 : 1;
    for (int i = 0; (a->high - a->low) / step > MOST_TICKS; i++)
        step *= factors[i % 3];
    return step;
}

static void tick_text(char *out, size_t bytes, const axis *a, double tick)
{
    if (a->scale == TABLE_LINEAR)
        snprintf(out, bytes, "%g", tick);
    else
        snprintf(out, bytes, "%d^%.0f", a->scale == TABLE_LOG2 ? 2 : 10, tick);
}

static double along(const axis *a, double tick)
{
    return a->from + a->length * (tick - a->low) / (a->high - a->low);
}

static void draw_names(FILE *out, const axis *x, const paper_table *table, size_t points)
{
    const size_t every = points / NAME_COLUMNS + 1;
    for (size_t p = 0; p < points; p += every)
        cli_svg_text(out, at(x, (double)p), TOP + HEIGHT + 16 + 13 * (double)(p / every % 2),
            "text-anchor=\"middle\" font-size=\"10\"", "%s", table->points[p].label);
}

static void draw_grid(
    FILE *out, const axis *x, const axis *y, const paper_table *table, size_t points)
{
    char text[32];
    const double x_step = step_of(x), y_step = step_of(y);
    for (double tick = ceil(y->low / y_step) * y_step; tick <= y->high * (1 + 1e-9);
         tick += y_step) {
        const double height = along(y, tick);
        tick_text(text, sizeof text, y, tick);
        fprintf(out, "<path d=\"M%d %.1f h%d\" stroke=\"#dddddd\"/>\n", LEFT, height, WIDTH);
        cli_svg_text(out, LEFT - 6, height + 4, "text-anchor=\"end\"", "%s", text);
    }
    if (table->scale == TABLE_NAMES)
        draw_names(out, x, table, points);
    for (double tick = ceil(x->low / x_step) * x_step;
         table->scale != TABLE_NAMES && tick <= x->high * (1 + 1e-9); tick += x_step) {
        tick_text(text, sizeof text, x, tick);
        fprintf(
            out, "<path d=\"M%.1f %d v%d\" stroke=\"#dddddd\"/>\n", along(x, tick), TOP, HEIGHT);
        cli_svg_text(out, along(x, tick), TOP + HEIGHT + 16, "text-anchor=\"middle\"", "%s", text);
    }
    cli_svg_text(
        out, LEFT + WIDTH / 2.0, TOP + HEIGHT + 50, "text-anchor=\"middle\"", "%s", table->head);
    cli_svg_text(out, LEFT, TOP - 10, "", "%s", table->unit);
}

static void draw_curve(FILE *out, const axis *x, const axis *y, const paper_table *table,
    const table_values *values, size_t column)
{
    const char *const colour = colours[column % (sizeof colours / sizeof colours[0])];
    const bool paper = table->columns[column].paper;
    const double legend = TOP + 16 * (double)column;
    size_t drawn = 0;
    fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s d=\"M%d %.1f h22",
        colour, paper ? " stroke-dasharray=\"5 4\"" : "", LEFT + WIDTH + 16, legend);
    for (size_t p = 0; p < values->points; p++) {
        const double value = table_value(table, values, p, column);
        if (isnan(value) || !fits(y, value) || !fits(x, x_of(table, p))) {
            drawn = 0;
            continue;
        }
        fprintf(out, " %c%.1f %.1f", drawn++ ? 'L' : 'M', at(x, x_of(table, p)), at(y, value));
    }
    fprintf(out, "\"/>\n");
    for (size_t p = 0; p < values->points; p++) {
        const double value = table_value(table, values, p, column);
        if (!isnan(value) && fits(y, value) && fits(x, x_of(table, p)))
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                at(x, x_of(table, p)), at(y, value), paper ? "white" : colour);
    }
    cli_svg_text(out, LEFT + WIDTH + 44, legend + 4, "", "%s", table->columns[column].name);
}

void table_draw(FILE *out, const paper_table *table, const table_values *values)
{
    axis x = axis_of(table->scale, LEFT, WIDTH);
    axis y = axis_of(
        table->heights == TABLE_NAMES ? TABLE_LINEAR : table->heights, TOP + HEIGHT, -HEIGHT);
    for (size_t p = 0; p < values->points; p++) {
        widen(&x, x_of(table, p));
        for (size_t c = 0; table->columns[c].name; c++)
            widen(&y, table_value(table, values, p, c));
    }
    if (x.scale != TABLE_LINEAR && x.low > x.high)
        x.low = 0;
    close_axis(&y);
    if (x.high <= x.low)
        x.high = x.low + 1;
    cli_svg_begin(out, LEFT + WIDTH + LEGEND, TOP + HEIGHT + BOTTOM, "font-size=\"12\"");
    cli_svg_text(out, LEFT, 22, "font-size=\"15\"", "%s", table->title);
    cli_svg_text(out, LEFT, 38, "font-size=\"10\"", "%s: %s", table->name, table->source);
    draw_grid(out, &x, &y, table, values->points);
    for (size_t c = 0; table->columns[c].name; c++)
        draw_curve(out, &x, &y, table, values, c);
    fputs("</svg>\n", out);
}
