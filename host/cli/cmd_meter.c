/* SPDX-License-Identifier: MIT */
/* `dmm meter`: bank conflicts and transactions of an OpenCL program, counted without a GPU. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "meter/meter.h"
#include "option.h"
#include "svg.h"

enum { EXIT_CONFLICT = 4 };

typedef struct meter_options {
    uint64_t banks, lanes, word_bytes, segment_bytes; /* 0: as the device has it */
    unsigned device, engine;                          /* index of the choice */
    const char *kernel, *json, *svg, *html, *compare;
    bool calls, digest, fail_on_conflict, erew;
    bool translation, models, check, preload, time;
    unsigned pages, policy; /* index of the choice */
    uint64_t tlb, resident, latency, groups;
} meter_options;

/* Kinds of device, as --device-like lists them. Sources: docs/meter.md. */
static const meter_machine devices[] = {
    {.local = {.banks = 32, .lanes = 32, .word_bytes = 4}, .segment_bytes = 32},
    {.local = {.banks = 32, .lanes = 64, .word_bytes = 4}, .segment_bytes = 64},
    {.local = {.banks = 32, .lanes = 32, .word_bytes = 4}, .segment_bytes = 128},
    {.local = {.banks = 16, .lanes = 16, .word_bytes = 4, .writes_conflict = true},
        .segment_bytes = 64},
};

static const uint64_t page_bytes[] = {4096, 65536, 2 << 20};

static void override(uint32_t *fact, uint64_t given)
{
    if (given)
        *fact = given > UINT32_MAX ? UINT32_MAX : (uint32_t)given;
}

static bool choose_models(meter_machine *out, const meter_options *options, cli_error *error)
{
    dmm_model_translation vat = {
        .page_bytes = page_bytes[options->pages], .eviction = (dmm_model_eviction)options->policy};
    override(&vat.nodes, options->tlb);
    if (dmm_model_translation_check(&vat, &vat) != DMM_MODEL_OK)
        return cli_fail(error, CLI_MISTAKE, "--tlb",
            "goes from 5 (pages of 2M: 4), the nodes of one path, to %d", DMM_MODEL_NODES_MAX);
    if (options->resident == 0 || options->resident > UINT16_MAX || options->latency == 0 ||
        options->latency > UINT32_MAX)
        return cli_fail(error, CLI_MISTAKE, NULL,
            "--resident goes from 1 to %d, --latency to %" PRIu32, UINT16_MAX, UINT32_MAX);
    if (options->translation)
        out->translation = vat;
    out->resident = (uint32_t)options->resident;
    out->latency = options->models ? options->latency : 0;
    return true;
}

/* Chooses the machine; the models reject values out of range. */
static bool choose_machine(meter_machine *out, const meter_options *options, cli_error *error)
{
    dmm_model_reading nothing;
    *out = devices[options->device];
    override(&out->local.banks, options->banks);
    override(&out->local.lanes, options->lanes);
    override(&out->local.word_bytes, options->word_bytes);
    override(&out->segment_bytes, options->segment_bytes);
    out->local.reads_conflict |= options->erew;
    out->local.writes_conflict |= options->erew;
    if (dmm_model_local_step(&nothing, &out->local, DMM_MODEL_READ, NULL, 0) != DMM_MODEL_OK)
        return cli_fail(error, CLI_MISTAKE, NULL,
            "--banks and --lanes go from 1 to %d, --word is 1, 2, 4, 8 or 16", DMM_MODEL_LANES_MAX);
    if (dmm_model_global_step(&nothing, out->segment_bytes, NULL, 0) != DMM_MODEL_OK)
        return cli_fail(error, CLI_MISTAKE, "--segment", "must be a power of two");
    return choose_models(out, options, error);
}

/* Refuses one file for two outputs, before the program runs. */
static bool check_outputs(const meter_options *options, cli_error *error)
{
    static const char *const names[] = {"--json", "--svg", "--html"};
    const char *const paths[] = {options->json, options->svg, options->html};
    return cli_check_outputs(names, paths, 3, error);
}

static bool save_json(const char *path, const meter_run_result *run, cli_error *error)
{
    cli_page page;
    if (!cli_open_page(&page, error))
        return false;
    meter_print_json(page.file, run, false);
    return cli_save_page(&page, path, error);
}

static bool save_svg(const char *path, const meter_readings *readings, const meter_line *line,
    const meter_order *order, cli_error *error)
{
    cli_page page;
    if (!cli_open_page(&page, error))
        return false;
    if (meter_print_svg(page.file, readings, line, &order->machine))
        return cli_save_page(&page, path, error);
    cli_drop_page(&page);
    return cli_fail_memory(error, path, BUFSIZ);
}

static bool save_html(
    const char *path, const meter_run_result *run, const meter_old *old, cli_error *error)
{
    cli_page page;
    if (!cli_open_page(&page, error))
        return false;
    if (meter_print_html(page.file, run, old))
        return cli_save_page(&page, path, error);
    cli_drop_page(&page);
    return cli_fail_memory(error, path, BUFSIZ);
}

/* Checks for a failure of the program, a program without kernels, and a pattern that no kernel
 * matches. */
static bool check_end(const meter_readings *readings, const meter_order *order,
    const meter_end *end, cli_error *error)
{
    const char *name = order->program[0];
    size_t chosen = 0;
    for (size_t i = 0; i < readings->num_kernels; i++)
        chosen += readings->kernels[i].chosen;
    if (end->signal)
        return cli_fail(error, CLI_DEVICE, name, "ended by signal %d (%s)%s", end->signal,
            strsignal(end->signal), chosen ? "; the readings end there" : "");
    if (end->exit_status)
        return cli_fail(error, CLI_DEVICE, name, "failed with exit status %d", end->exit_status);
    if (!readings->begun)
        return cli_fail(error, CLI_MISTAKE, name,
            "made no OpenCL context under the meter: is it an OpenCL program? One that is linked "
            "to a driver needs --preload");
    if (readings->num_kernels == 0)
        return cli_fail(error, CLI_MISTAKE, name,
            "ran no kernel: one that is enqueued runs when clFinish, or a wait, asks for it");
    if (chosen == 0)
        return cli_fail(error, CLI_MISTAKE, order->pattern,
            "no kernel of that name ran; kernels that did: %s%s", readings->kernels[0].name,
            readings->num_kernels > 1 ? ", ..." : "");
    return true;
}

/* True if there are conflicts, or accesses that were not counted. */
static bool may_conflict(const meter_readings *readings)
{
    for (size_t i = 0; i < readings->num_kernels; i++) {
        const meter_kernel *kernel = &readings->kernels[i];
        if (kernel->chosen && (kernel->local.conflicts || kernel->unjudged))
            return true;
    }
    return false;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Prints what was read first, even if the program failed. `old` may be NULL. */
static bool report(const meter_options *options, const meter_readings *readings,
    const meter_order *order, const meter_end *end, const meter_old *old, cli_error *error)
{
    const meter_line *line = meter_worst_line(readings);
    const meter_run_result run = {readings, &order->machine, order->program, *end};
    if ((readings->num_lines > 0 || may_conflict(readings)) && !is_stdout(options->json) &&
        !is_stdout(options->html)) {
        meter_print_table(stdout, readings, &order->machine);
        if (old)
            meter_print_comparison(stdout, old, readings, &order->machine);
    }
    if (options->json && !save_json(options->json, &run, error))
        return false;
    if (options->html && readings->num_lines > 0 && !save_html(options->html, &run, old, error))
        return false;
    if (options->svg && line && !save_svg(options->svg, readings, line, order, error))
        return false;
    if (!check_end(readings, order, end, error))
        return false;
    if (options->svg && !line)
        return cli_fail(error, CLI_MISTAKE, options->svg,
            "nothing to draw: no kernel that was chosen accessed local memory");
    if (options->html && readings->num_lines == 0)
        return cli_fail(error, CLI_MISTAKE, options->html,
            "nothing to show: no kernel that was chosen accessed local or global memory");
    return true;
}

static bool meter(
    const meter_options *options, char *const *program, bool *conflict, cli_error *error)
{
    meter_readings readings = {0};
    meter_end end = {0};
    meter_old old = {0};
    meter_order order = {.engine = (meter_engine)options->engine,
        .groups = options->groups,
        .preload = options->preload,
        .pattern = options->kernel,
        .calls = options->calls,
        .digest = options->digest,
        .time = options->time,
        .runs = options->svg || options->html,
        .program = program};
    bool done = choose_machine(&order.machine, options, error) &&
                (!options->compare || meter_read_old(&old, options->compare, error)) &&
                meter_run(&readings, &end, &order, error) &&
                (!options->compare || meter_compare(&old, &readings, error)) &&
                report(options, &readings, &order, &end, options->compare ? &old : NULL, error);
    *conflict = may_conflict(&readings);
    meter_readings_free(&readings);
    meter_free_old(&old);
    return done;
}

int dmm_cli_meter(int argc, char **argv)
{
    meter_options options = {.resident = 1, .latency = 100, .engine = meter_usual_engine()};
    const cli_option list[] = {
        {0, "device-like", CLI_CHOICE, &options.device, "nvidia|amd|amd-rdna|intel-gen",
            "sets what follows (default: nvidia)"},
        {0, "engine", CLI_CHOICE, &options.engine, "oclgrind|driver",
            "what runs the kernels: the simulator, or the OpenCL driver with\n"
            "instrumented kernels, which is faster\n"
            "(default: oclgrind where it is installed)"},
        {0, "check", CLI_FLAG, &options.check, NULL,
            "print what the engines need and what is missing; run nothing"},
        {0, "preload", CLI_FLAG, &options.preload, NULL,
            "with --engine driver: a program that is linked to a driver, or to a\n"
            "loader without layers"},
        {0, "groups", CLI_COUNT, &options.groups, "N",
            "with --engine driver: meter at most N work-groups of a launch"},
        {0, "time", CLI_FLAG, &options.time, NULL,
            "with --engine driver: run the program twice, first without records\n"
            "and without its output, and print the kernels' times of both runs"},
        {0, "banks", CLI_COUNT, &options.banks, "B", "banks of local memory"},
        {0, "lanes", CLI_COUNT, &options.lanes, "L", "work-items that run in lock-step"},
        {0, "word", CLI_COUNT, &options.word_bytes, "BYTES", "width of a bank"},
        {0, "erew", CLI_FLAG, &options.erew, NULL,
            "count two lanes on one word as a conflict, too, reads and writes:\n"
            "a lane a bank"},
        {0, "segment", CLI_COUNT, &options.segment_bytes, "BYTES",
            "width of a transaction in global memory"},
        {0, "kernel", CLI_TEXT, &options.kernel, "NAME",
            "meter only the kernels of that name, in which * and ? match"},
        {0, "calls", CLI_FLAG, &options.calls, NULL,
            "list a line once for each chain of calls that leads to it"},
        {0, "digest", CLI_FLAG, &options.digest, NULL,
            "print a number for each kernel that stands for all addresses\n"
            "that its work-items accessed, in their order"},
        {0, "translation", CLI_FLAG, &options.translation, NULL,
            "count translations of pages too (T. Jurkiewicz, 2013, chapter 2)"},
        {0, "pages", CLI_CHOICE, &options.pages, "4K|64K|2M", "bytes of a page (default: 4K)"},
        {0, "tlb", CLI_COUNT, &options.tlb, "W",
            "nodes of the translation tree that the cache holds (default: 64)"},
        {0, "policy", CLI_CHOICE, &options.policy, "lru|islru|min|ismin",
            "which node leaves the full cache (default: lru)"},
        {0, "resident", CLI_COUNT, &options.resident, "GROUPS",
            "work-groups whose translations take turns (default: 1)"},
        {0, "models", CLI_FLAG, &options.models, NULL,
            "print each kernel's cost in the models DMM, UMM, ATGPU and PEM, too"},
        {0, "latency", CLI_COUNT, &options.latency, "L",
            "of memory in these models, in time units (default: 100)"},
        {0, "json", CLI_TEXT, &options.json, "FILE",
            "write the readings as JSON; - is standard output, without the table"},
        {0, "svg", CLI_SVG, &options.svg, "FILE", "draw the line with most conflicts"},
        {0, "html", CLI_TEXT, &options.html, "FILE",
            "write a page: the kernels' text with its conflicts, and for each\n"
            "line the banks that its steps access"},
        {0, "compare", CLI_TEXT, &options.compare, "FILE",
            "compare with another run: FILE is of its --json or --html"},
        {0, "fail-on-conflict", CLI_FLAG, &options.fail_on_conflict, NULL,
            "exit 4 if a kernel has a conflict in local memory"},
    };
    const cli_syntax syntax = {
        .synopsis = "[OPTION...] [--] PROGRAM [ARGUMENT...]",
        .about = "Runs an OpenCL program and counts, for every kernel and source line,\n"
                 "passes and bank conflicts of local memory and transactions of global\n"
                 "memory. Needs no GPU. Programs that use dmm get the same banks and lanes.",
        .options = list,
        .num_options = sizeof list / sizeof list[0],
        .min_operands = 0,
        .max_operands = argc,
        .command_follows = true,
    };
    cli_error error = {0};
    char **program = NULL;
    int count = 0;
    bool conflict = false;
    if (!cli_parse(&syntax, argc, argv, &program, &count, &error) ||
        !check_outputs(&options, &error))
        return cli_finish(&error);
    if (options.check)
        return meter_check(stdout, (meter_engine)options.engine) ? CLI_OK : CLI_DEVICE;
    if (count == 0)
        cli_fail(&error, CLI_MISTAKE, "PROGRAM",
            "is missing: dmm meter [OPTION...] PROGRAM [ARGUMENT...]");
    if (count == 0 || !meter(&options, program, &conflict, &error))
        return cli_finish(&error);
    return options.fail_on_conflict && conflict ? EXIT_CONFLICT : CLI_OK;
}
