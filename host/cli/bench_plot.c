/* SPDX-License-Identifier: MIT */
/*
 * Draws the measurements with gnuplot: a script FOLDER/NAME.gp with its data, and what it prints,
 * FOLDER/NAME.svg. A picture has a curve for each method; dmm's are thick.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "output.h"
#include "session.h"
#include "svg.h"

enum { MAX_CURVES = 24, EXIT_NOT_RUN = 127 };

/* A curve: rows that differ in n alone. */
typedef struct curve {
    const bench_row *of;
    size_t points;
} curve;

typedef struct picture {
    const char *folder;
    char name[128], title[256];
    bool inputs; /* curves differ in their input, too, and only sorts are shown */
    curve curves[MAX_CURVES];
    size_t count;
} picture;

/* Colours that colour-blind people can distinguish: M. Okabe, K. Ito, "Color Universal Design",
 * 2008. */
static const char *const own_colours[] = {"#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00"};
static const char *const other_colours[] = {
    "#555555", "#56B4E9", "#999999", "#B8A000", "#8B5A2B", "#6A51A3", "#2F4F4F", "#C0A0C0"};

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool same_curve(const picture *p, const bench_row *a, const bench_row *b)
{
    return is(a->who, b->who) && is(a->method, b->method) && a->again == b->again &&
           (!p->inputs || is(a->input, b->input));
}

static bool belongs(const picture *p, const bench_row *first, const bench_row *r)
{
    if (!p->inputs)
        return bench_same_case(first, r);
    return is(r->word, first->word) && is(r->title, first->title) && is(r->type, first->type) &&
           is(r->who, "dmm") && !r->again;
}

/* Groups the rows of the first row's case into curves; a curve needs two points. */
static void find_curves(picture *p, const bench_rows *rows, const bench_row *first)
{
    p->count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const bench_row *r = &rows->rows[i];
        size_t c = 0;
        if (!belongs(p, first, r))
            continue;
        while (c < p->count && !same_curve(p, p->curves[c].of, r))
            c++;
        if (c == MAX_CURVES)
            continue;
        if (c == p->count)
            p->curves[p->count++] = (curve){.of = r};
        p->curves[c].points++;
    }
}

static void print_data(FILE *file, const picture *p, const bench_rows *rows, const bench_row *first)
{
    for (size_t c = 0; c < p->count; c++) {
        fprintf(file, "$curve%zu << END\n", c);
        for (size_t i = 0; i < rows->count; i++) {
            const bench_row *r = &rows->rows[i];
            if (belongs(p, first, r) && same_curve(p, p->curves[c].of, r))
                fprintf(file, "%.0f %g\n", r->n, r->rate);
        }
        fprintf(file, "END\n");
    }
}

/* Returns the number of the curve: dmm's methods first, then the others. */
static size_t colour_of(const picture *p, size_t c)
{
    const bool ours = is(p->curves[c].of->who, "dmm");
    size_t before = 0;
    for (size_t i = 0; i < c; i++) {
        const bench_row *a = p->curves[i].of, *b = p->curves[c].of;
        if (is(a->who, b->who) && is(a->method, b->method))
            return colour_of(p, i);
        before += is(a->who, "dmm") == ours && !is(a->who, "copy") && !a->again;
    }
    return before;
}

/* Prints one entry of `plot`: dmm's thick, the copy dotted, other inputs and settings dashed. */
static void print_curve(FILE *file, const picture *p, const bench_rows *rows, size_t c)
{
    static const int other_points[] = {4, 6, 8, 10, 12, 14, 1, 2, 3};
    const bench_row *r = p->curves[c].of;
    const bool ours = is(r->who, "dmm"), copy = is(r->who, "copy");
    const bool dashed = r->again || (p->inputs && !is(r->input, "random"));
    const size_t colour = colour_of(p, c);
    fprintf(file, "%s$curve%zu using 1:2 with linespoints lc rgb '%s' lw %s dt %s pt %d ps 0.6",
        c == 0 ? "plot " : ", \\\n     ", c,
        copy   ? "#000000"
        : ours ? own_colours[colour % (sizeof own_colours / sizeof own_colours[0])]
               : other_colours[colour % (sizeof other_colours / sizeof other_colours[0])],
        ours ? "3" : "1.5",
        copy     ? "3"
        : dashed ? "2"
                 : "1",
        copy   ? 0
        : ours ? 7
               : other_points[colour % (sizeof other_points / sizeof other_points[0])]);
    fprintf(file, " title '%s%s%s%s%s%s%s'", r->who, is(r->method, "-") ? "" : " ",
        is(r->method, "-") ? "" : r->method, p->inputs ? ", " : "", p->inputs ? r->input : "",
        r->again ? ", " : "", r->again ? rows->again : "");
}

static void print_script(
    FILE *file, const picture *p, const bench_rows *rows, const bench_row *first)
{
    fprintf(file, "# By dmm bench; %s; %s. To draw it: gnuplot %s.gp >%s.svg\n", rows->origin,
        rows->device, p->name, p->name);
    print_data(file, p, rows, first);
    fprintf(file,
        "set terminal svg size 860,480 font 'sans-serif,14' background '#ffffff'\n"
        "set title \"{/:Bold %s}\\n{/* 0.75 %s}\"\n"
        "set logscale x %d\nset logscale y\nset format x '%d^{%%L}'\n",
        p->title, rows->device, is(first->word, "hull") ? 10 : 2, is(first->word, "hull") ? 10 : 2);
    fprintf(file,
        "set xlabel '%s'\nset ylabel 'million %s a second'\n"
        "set key outside right top Left reverse noenhanced spacing 1.1 samplen 2\n"
        "set grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\n",
        is(first->word, "hull") ? "points" : "items", is(first->word, "hull") ? "points" : "items");
    for (size_t c = 0; c < p->count; c++)
        print_curve(file, p, rows, c);
    fprintf(file, "\n");
}

/* Runs gnuplot with a script, or an option, and stores what it prints in an open file. */
static bool run_gnuplot(const char *argument, int out, cli_error *error)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (dup2(out, STDOUT_FILENO) >= 0)
            execlp("gnuplot", "gnuplot", argument, (char *)NULL);
        _exit(EXIT_NOT_RUN);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    return cli_fail(error, CLI_DEVICE, NULL,
        "gnuplot does not draw: is it installed (apt install gnuplot-nox)?");
}

bool bench_can_plot(cli_error *error)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const bool can = run_gnuplot("--version", nowhere, error);
    close(nowhere);
    return can;
}

/* Writes the script, and runs it. */
static bool write_both(
    cli_output *script, cli_output *svg, cli_page *page, const char *svg_path, cli_error *error)
{
    cli_output *const outputs[] = {script, svg};
    return cli_write_page(page, script, error) && cli_open_output(svg, svg_path, error) &&
           run_gnuplot(script->beside ? script->beside : script->name, svg->fd, error) &&
           cli_commit_outputs(outputs, 2, error);
}

static bool draw(const picture *p, const bench_rows *rows, const bench_row *first, cli_error *error)
{
    char gp_path[CLI_PATH_BYTES + 160], svg_path[sizeof gp_path];
    cli_output script = CLI_OUTPUT_INIT, svg = CLI_OUTPUT_INIT;
    cli_page page;
    if (!cli_open_page(&page, error))
        return false;
    print_script(page.file, p, rows, first);
    snprintf(gp_path, sizeof gp_path, "%s/%s.gp", p->folder, p->name);
    snprintf(svg_path, sizeof svg_path, "%s/%s.svg", p->folder, p->name);
    bool drawn = cli_open_output(&script, gp_path, error);
    if (drawn)
        drawn = write_both(&script, &svg, &page, svg_path, error);
    else
        cli_drop_page(&page);
    cli_close_output(&svg);
    cli_close_output(&script);
    return drawn;
}

static bool is_drawn(const bench_rows *rows, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (bench_same_case(&rows->rows[i], &rows->rows[at]))
            return true;
    return false;
}

static bool has_curves(const picture *p)
{
    return p->count > 0 && p->curves[0].points > 1;
}

/* Draws throughput over n: a picture for each case. */
static bool draw_cases(const bench_rows *rows, const char *folder, cli_error *error)
{
    for (size_t i = 0; i < rows->count; i++) {
        const bench_row *r = &rows->rows[i];
        const bool named = !is(r->title, "-");
        picture p = {.folder = folder};
        if (is_drawn(rows, i))
            continue;
        snprintf(p.name, sizeof p.name, "%s%s%s-%s", r->word, named ? "-" : "",
            named ? r->title : "", r->input);
        for (char *c = p.name; *c; c++)
            *c = strchr("/=,", *c) ? '-' : *c;
        snprintf(p.title, sizeof p.title, "%s of %s, %s%s%s", r->word, r->type, r->input,
            named ? ", " : "", named ? r->title : "");
        find_curves(&p, rows, r);
        if (has_curves(&p) && !draw(&p, rows, r, error))
            return false;
    }
    return true;
}

/* Draws random against worst inputs, for words that were given both. */
static bool draw_inputs(const bench_rows *rows, const char *folder, cli_error *error)
{
    for (size_t i = 0; i < rows->count; i++) {
        const bench_row *r = &rows->rows[i];
        picture p = {.folder = folder, .inputs = true};
        if (!is(r->input, "worst"))
            continue;
        snprintf(p.name, sizeof p.name, "%s-random-worst", r->word);
        snprintf(p.title, sizeof p.title, "%s of %s, random against worst input", r->word, r->type);
        find_curves(&p, rows, r);
        return !has_curves(&p) || draw(&p, rows, r, error);
    }
    return true;
}

bool bench_plot(const bench_rows *rows, const char *folder, cli_error *error)
{
    return draw_cases(rows, folder, error) && draw_inputs(rows, folder, error);
}
