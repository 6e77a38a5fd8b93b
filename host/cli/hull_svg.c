/* SPDX-License-Identifier: MIT */
/*
 * The picture of a hull: equal scales on both axes unless that would leave a thin strip, the hull
 * filled lightly, its vertices as dots if they are few.
 */
#include "points.h"
#include "svg.h"

enum { SIDE = 640, MARGIN = 40, TITLE = 56, MOST_POINTS = 4000, MOST_DOTS = 200 };

/* Transformation from coordinates to the picture. */
typedef struct frame {
    double left, top, x_scale, y_scale;
    double width, height; /* size of the drawing */
} frame;

static double number(const cli_array *points, size_t i)
{
    return points->type == DMM_F32 ? (double)((const float *)points->data)[i]
                                   : ((const double *)points->data)[i];
}

/* Returns a safe extent: halves first, because the difference of two doubles may overflow. */
static double extent(double low, double high)
{
    const double half = high / 2 - low / 2;
    return half > 0 ? half : 1;
}

static frame frame_of(const cli_array *points)
{
    double low[2] = {0, 0}, high[2] = {0, 0};
    for (size_t i = 0; i < points->count; i++) {
        const double c = number(points, i);
        low[i % 2] = i < 2 || c < low[i % 2] ? c : low[i % 2];
        high[i % 2] = i < 2 || c > high[i % 2] ? c : high[i % 2];
    }
    const double x = extent(low[0], high[0]), y = extent(low[1], high[1]), larger = x > y ? x : y;
    const bool thin = x < larger / 16 || y < larger / 16;
    frame f = {.left = low[0], .top = high[1]};
    f.x_scale = SIDE / (thin ? x : larger);
    f.y_scale = SIDE / (thin ? y : larger);
    f.width = x * f.x_scale;
    f.height = y * f.y_scale;
    return f;
}

static double x_of(const frame *f, const cli_array *points, size_t i)
{
    return MARGIN + (number(points, 2 * i) / 2 - f->left / 2) * f->x_scale;
}

static double y_of(const frame *f, const cli_array *points, size_t i)
{
    return TITLE + MARGIN + (f->top / 2 - number(points, 2 * i + 1) / 2) * f->y_scale;
}

static void draw_title(FILE *out, const frame *f, size_t n, size_t count, size_t drawn)
{
    const double width = f->width + 2 * MARGIN < 360 ? 360 : f->width + 2 * MARGIN;
    char thinned[64] = "";
    if (drawn < n)
        snprintf(thinned, sizeof thinned, ", %zu of them drawn", drawn);
    cli_svg_begin(out, width, f->height + 2 * MARGIN + TITLE, "");
    cli_svg_text(out, MARGIN, 38, "font-size=\"20\" fill=\"#222\"", "%zu vertices", count);
    cli_svg_text(out, MARGIN, 60, "font-size=\"13\" fill=\"#667\"", "%zu points%s", n, thinned);
}

/* Draws the points: every k-th, in the order of the file. */
static void draw_points(FILE *out, const frame *f, const cli_array *points, size_t drawn)
{
    const size_t n = points->count / 2;
    fputs("<g fill=\"#8aa0b4\">\n", out);
    for (size_t k = 0; k < drawn; k++) {
        const size_t i = (size_t)((double)k * ((double)n / (double)drawn));
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%s\"/>\n", x_of(f, points, i),
            y_of(f, points, i), drawn > 500 ? "1.1" : "2");
    }
    fputs("</g>\n", out);
}

static void draw_hull(FILE *out, const frame *f, const cli_array *points, const uint64_t *hull,
    size_t count, bool whole)
{
    fprintf(out,
        "<path fill=\"%s\" stroke=\"#c2410c\" stroke-width=\"1.6\" stroke-linejoin=\"round\" d=\"",
        whole ? "#f9731622" : "none");
    for (size_t k = 0; k < count; k++)
        fprintf(out, "%c%.2f %.2f\n", k == 0 ? 'M' : 'L', x_of(f, points, (size_t)hull[k]),
            y_of(f, points, (size_t)hull[k]));
    fprintf(out, "%s\"/>\n<g fill=\"#9a3412\">\n", whole && count > 1 ? "Z" : "");
    for (size_t k = 0; k < count && count <= MOST_DOTS; k++)
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\"/>\n",
            x_of(f, points, (size_t)hull[k]), y_of(f, points, (size_t)hull[k]));
    fputs("</g>\n</svg>\n", out);
}

bool cli_draw_hull(cli_output *output, const cli_array *points, const uint64_t *hull, size_t count,
    bool whole, cli_error *error)
{
    const frame f = frame_of(points);
    const size_t n = points->count / 2, drawn = n < MOST_POINTS ? n : MOST_POINTS;
    cli_page page;
    if (!cli_open_page(&page, error))
        return false;
    draw_title(page.file, &f, n, count, drawn);
    draw_points(page.file, &f, points, drawn);
    draw_hull(page.file, &f, points, hull, count, whole);
    return cli_write_page(&page, output, error);
}
