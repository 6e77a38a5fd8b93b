/* SPDX-License-Identifier: MIT */
/* dmm-lab table: the tables and figures of the papers, measured beside the papers' numbers. */
#include <stdlib.h>
#include <string.h>

#include "lab_commands.h"
#include "option.h"
#include "progress.h"
#include "svg.h"
#include "table/table.h"

typedef struct request {
    const char *name, *svg;
    bool full;
} request;

static const paper_table *const lists[] = {tables_afshani, tables_berney_layouts,
    tables_berney_paths, tables_berney_conflicts, tables_berney_gather, tables_berney_blocks,
    tables_berney_random, tables_berney_heap, tables_berney_levels, tables_berney_turns,
    tables_jurkiewicz_translation, tables_jurkiewicz_model, tables_jurkiewicz_hull, tables_fischer,
    tables_fischer_sorts};

enum { LISTS = sizeof lists / sizeof lists[0] };

static const char *const places[] = {[TABLE_MODEL] = "model",
    [TABLE_PROCESSOR] = "processor",
    [TABLE_DEVICE] = "device",
    [TABLE_METER] = "meter"};

static void print_names(void)
{
    for (int i = 0; i < LISTS; i++)
        for (const paper_table *table = lists[i]; table->name; table++)
            printf("%-22s %-9s  %s\n", table->name, places[table->place], table->title);
}

static const paper_table *table_of(const char *name)
{
    for (int i = 0; i < LISTS; i++)
        for (const paper_table *table = lists[i]; table->name; table++)
            if (strcmp(table->name, name) == 0)
                return table;
    return NULL;
}

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    char **operands;
    int count;
    const cli_option options[] = {
        {0, "full", CLI_FLAG, &o->full, NULL, "the paper's sizes: may take hours and gigabytes"},
        {0, "svg", CLI_SVG, &o->svg, "FILE", "draw it, too"},
    };
    const cli_syntax syntax = {.synopsis = "[NAME] [OPTION...]",
        .about =
            "Measures a table or figure of the papers, at the same points, and prints it beside\n"
            "the paper's numbers; without a NAME, lists all. model: counted on the host, the same\n"
            "everywhere; processor, device: timed here; meter: counted in Oclgrind. docs/lab.md\n"
            "says what agrees with the papers.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .max_operands = 1};
    if (!cli_parse(&syntax, argc, argv, &operands, &count, error))
        return false;
    o->name = count > 0 ? operands[0] : NULL;
    return o->name || (!o->full && !o->svg) ||
           cli_fail(error, CLI_MISTAKE, NULL, "--full and --svg need the NAME of a table");
}

static bool measure(table_values *out, const paper_table *table, table_run *run, cli_error *error)
{
    while (table->points[out->points].label)
        out->points++;
    const size_t count = out->points * TABLE_COLUMNS;
    out->values = malloc(count * sizeof *out->values);
    if (!out->values)
        return cli_fail_memory(error, table->name, count * sizeof *out->values);
    for (size_t i = 0; i < count; i++)
        out->values[i] = TABLE_NONE;
    cli_progress_start("measuring", out->points);
    for (size_t i = 0; i < out->points; i++) {
        const table_point *const point = &table->points[i];
        if (run->full || !point->full)
            if (!table->measure(out->values + i * TABLE_COLUMNS, point, run, error))
                return false;
        cli_progress_step(i + 1);
    }
    cli_progress_end();
    return true;
}

static bool draw(
    cli_output *out, const paper_table *table, const table_values *values, cli_error *error)
{
    cli_output *const outputs[] = {out};
    cli_page page;
    if (!cli_open_page(&page, error))
        return false;
    if (table->draw)
        table->draw(page.file);
    else
        table_draw(page.file, table, values);
    return cli_write_page(&page, out, error) && cli_commit_outputs(outputs, 1, error);
}

static void print(const paper_table *table, const table_values *values, const table_run *run)
{
    char where[512];
    bool left_out = false;
    if (table->place == TABLE_DEVICE) {
        const dmm_device *const device = dmm_context_device(run->session.context);
        snprintf(where, sizeof where, "%s (%s)", device->name, device->platform_name);
    }
    table_print(table, values, table->place == TABLE_DEVICE ? where : NULL);
    for (size_t i = 0; i < values->points; i++)
        left_out = left_out || (table->points[i].full && !run->full);
    if (left_out)
        printf("Points of the paper's sizes are left out: --full measures them, too.\n");
}

static bool run(const request *o, cli_error *error)
{
    table_run run = {.full = o->full, .session = CLI_SESSION_INIT};
    table_values values = {0};
    cli_output svg = CLI_OUTPUT_INIT;
    const paper_table *const table = table_of(o->name);
    if (!table)
        return cli_fail(
            error, CLI_MISTAKE, o->name, "is no table; dmm-lab table without a name lists them");
    const bool done = (!o->svg || cli_open_output(&svg, o->svg, error)) &&
                      (table->place != TABLE_DEVICE || cli_open_session(&run.session, error)) &&
                      measure(&values, table, &run, error) &&
                      (!o->svg || draw(&svg, table, &values, error));
    if (done)
        print(table, &values, &run);
    cli_close_output(&svg);
    cli_close_session(&run.session);
    free(values.values);
    return done;
}

int dmm_cli_table(int argc, char **argv)
{
    cli_error error = {0};
    request o = {0};
    if (parse(&o, argc, argv, &error)) {
        if (o.name)
            run(&o, &error);
        else
            print_names();
    }
    return cli_finish(&error);
}
