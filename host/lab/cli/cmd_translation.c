/* SPDX-License-Identifier: MIT */
/* dmm-lab translation: what translating addresses costs on this machine's processor. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab_commands.h"
#include "option.h"
#include "svg.h"
#include "translation/translation.h"

typedef struct request {
    translation_order order;
    uint64_t seconds, nodes;
    const char *from, *times_svg, *shares_svg;
} request;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'n', "elements", CLI_COUNT, &o->order.most, "N",
            "words of 8 bytes, at most (default: 16777216)"},
        {0, "least", CLI_COUNT, &o->order.least, "N", "words, at least (default: 4096)"},
        {0, "seconds", CLI_COUNT, &o->seconds, "S",
            "a program grows until one run takes that long (default: 4)"},
        {0, "repeats", CLI_COUNT, &o->order.repeats, "R",
            "runs of each point, at least; the shortest counts (default: 3)"},
        {0, "tlb", CLI_COUNT, &o->nodes, "W",
            "nodes of the model's translation cache, for the prediction (default: 64)"},
        {0, "from", CLI_INPUT, &o->from, "FILE",
            "measure nothing: draw the table of an earlier run"},
        {0, "svg", CLI_SVG, &o->times_svg, "FILE", "draw the times over n"},
        {0, "svg-pages", CLI_SVG, &o->shares_svg, "FILE",
            "draw the times in pages of 2 MiB as a percentage of those of 4 KiB"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...]",
        .about =
            "Runs seven programs on this machine's processor in pages of 4 KiB and, where the\n"
            "system has them, of 2 MiB: scans, a permutation, heapify, quicksort, binary\n"
            "searches, heapsort. Prints their time over the operations that a RAM needs, and\n"
            "what theory predicts of translations (T. Jurkiewicz, 2013, chapter 2). No OpenCL.",
        .options = options,
        .num_options = sizeof options / sizeof options[0]};
    if (!cli_parse_some(&syntax, argc, argv, NULL, 0, error))
        return false;
    if (o->order.least == 0 || o->order.most < o->order.least)
        return cli_fail(error, CLI_MISTAKE, "--elements", "must be at least --least, and that 1");
    if (o->order.most > UINT64_C(1) << 40)
        return cli_fail(error, CLI_MISTAKE, "--elements", "goes to 2^40");
    if (o->order.repeats == 0 || o->nodes < 5 || o->nodes > DMM_MODEL_NODES_MAX)
        return cli_fail(error, CLI_MISTAKE, NULL,
            "--repeats goes from 1, --tlb from 5, the nodes of one path, to %d",
            DMM_MODEL_NODES_MAX);
    o->order.seconds = (double)o->seconds;
    o->order.nodes = (uint32_t)o->nodes;
    return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

static void print_row(const translation_row *row)
{
    printf("%-16s %10" PRIu64 " %6.2f %9.2f %9.2f %7.0f%% %10.3f %8.3f\n",
        dmm_model_program_name(row->program), row->n, log2((double)row->n), row->ns[TRANSLATION_4K],
        row->ns[TRANSLATION_2M], 100 * row->ns[TRANSLATION_2M] / row->ns[TRANSLATION_4K],
        row->growth[TRANSLATION_4K].lower, row->growth[TRANSLATION_4K].upper);
}

static const translation_row *last_of(const translation_rows *rows, int program)
{
    const translation_row *last = NULL;
    for (size_t i = 0; i < rows->count; i++)
        if ((int)rows->rows[i].program == program)
            last = &rows->rows[i];
    return last;
}

/* The row of the program that is next to n. */
static const translation_row *row_at(const translation_rows *rows, int program, double n)
{
    const translation_row *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const translation_row *row = &rows->rows[i];
        if ((int)row->program == program &&
            (!best || fabs(log2((double)row->n / n)) < fabs(log2((double)best->n / n))))
            best = row;
    }
    return best;
}

/* What four doublings of n add to an operation, measured and in the model: growth is seen where the
 * array is far larger than the caches. */
static void print_growth(const translation_rows *rows)
{
    enum { SPAN = 16 };
    printf("\nGrowth of an operation over the last four doublings of n\n"
           "%-16s %10s %10s %10s %12s\n",
        "", "from n", "4 KiB", "2 MiB", "model, 4 KiB");
    for (int program = 0; program < DMM_MODEL_PROGRAMS; program++) {
        const translation_row *last = last_of(rows, program);
        if (!last)
            continue;
        const translation_row *first = row_at(rows, program, (double)last->n / SPAN);
        printf("%-16s %10" PRIu64 " %+7.2f ns %+7.2f ns %+12.3f\n",
            dmm_model_program_name(last->program), first->n,
            last->ns[TRANSLATION_4K] - first->ns[TRANSLATION_4K],
            last->ns[TRANSLATION_2M] - first->ns[TRANSLATION_2M],
            last->growth[TRANSLATION_4K].upper - first->growth[TRANSLATION_4K].upper);
    }
}

static void print_huge(const translation_rows *rows)
{
    double least = 2, most_small = -1;
    for (size_t i = 0; i < rows->count; i++) {
        least = fmin(least, rows->rows[i].huge[TRANSLATION_2M]);
        most_small = fmax(most_small, rows->rows[i].huge[TRANSLATION_4K]);
    }
    if (least < 0 || most_small < 0)
        printf("\nThe system does not say which pages it used.\n");
    else
        printf("\nIn pages of 2 MiB, by the system: at least %.0f%% where they were asked for, at "
               "most %.0f%% elsewhere%s.\n",
            100 * least, 100 * most_small,
            least < 0.99 ? ": the second column is not what its name says" : "");
}

static void print_table(const translation_rows *rows, const request *o)
{
    printf("%-16s %10s %6s %9s %9s %8s %19s\n", "", "n", "log2", "4 KiB", "2 MiB", "share",
        "model: insertions");
    printf("%-16s %10s %6s %9s %9s %8s %10s %8s\n", "", "", "", "ns", "ns", "", "from", "to");
    for (size_t i = 0; i < rows->count; i++)
        print_row(&rows->rows[i]);
    print_growth(rows);
    print_huge(rows);
    printf("Processor time over n or n log2 n operations, the shortest of %" PRIu64
           " runs or more. Model: insertions into a cache of %" PRIu64
           " nodes for each operation, pages of 4 KiB.\n",
        o->order.repeats, o->nodes);
}

/* ---- Pictures -------------------------------------------------------------------------------- */

enum { TIMES, SHARES, PICTURES };

static bool open_pictures(
    cli_output pictures[PICTURES], const char *const paths[PICTURES], cli_error *error)
{
    static const char *const names[PICTURES] = {"--svg", "--svg-pages"};
    if (!cli_check_outputs(names, paths, PICTURES, error))
        return false;
    for (int i = 0; i < PICTURES; i++)
        if (paths[i] && !cli_open_output(&pictures[i], paths[i], error))
            return false;
    return true;
}

static bool draw(cli_output *out, const translation_rows *rows,
    void (*print)(FILE *, const translation_rows *), cli_error *error)
{
    cli_page page;
    if (!cli_open_page(&page, error))
        return false;
    print(page.file, rows);
    return cli_write_page(&page, out, error);
}

static bool draw_all(cli_output pictures[PICTURES], const char *const paths[PICTURES],
    const translation_rows *rows, cli_error *error)
{
    static void (*const prints[PICTURES])(FILE *, const translation_rows *) = {
        translation_draw_times, translation_draw_shares};
    cli_output *drawn[PICTURES];
    int count = 0;
    for (int i = 0; i < PICTURES; i++) {
        if (!paths[i])
            continue;
        if (!draw(&pictures[i], rows, prints[i], error))
            return false;
        drawn[count++] = &pictures[i];
    }
    return cli_commit_outputs(drawn, count, error);
}

int dmm_cli_translation(int argc, char **argv)
{
    cli_error error = {0};
    translation_rows rows = {0};
    request o = {
        .order = {.least = 4096, .most = 1 << 24, .repeats = 3}, .seconds = 4, .nodes = 64};
    cli_output pictures[PICTURES] = {CLI_OUTPUT_INIT, CLI_OUTPUT_INIT};
    if (parse(&o, argc, argv, &error)) {
        const char *const paths[PICTURES] = {o.times_svg, o.shares_svg};
        if (open_pictures(pictures, paths, &error) &&
            (o.from ? translation_read(&rows, o.from, &error)
                    : translation_measure(&rows, &o.order, &error))) {
            if (!o.from)
                print_table(&rows, &o);
            draw_all(pictures, paths, &rows, &error);
        }
    }
    for (int i = 0; i < PICTURES; i++)
        cli_close_output(&pictures[i]);
    free(rows.rows);
    return cli_finish(&error);
}
