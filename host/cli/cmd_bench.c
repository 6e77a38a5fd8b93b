/* SPDX-License-Identifier: MIT */
/* `dmm bench`: runs the benchmarks found, and displays the results. */
#include <string.h>
#include <sys/stat.h>

#include "bench.h"
#include "commands.h"
#include "option.h"
#include "output.h"
#include "progress.h"

typedef struct bench_options {
    bool quick, full, peers;
    const char *plot, *json, *against;
} bench_options;

/* Sizes that a program is asked for; unnamed words use the last line. With pictures, n grows in
 * steps of a factor of 4, or 10 for the hull. */
#define UP_TO_18 "2^14", "2^16", "2^18", "2^12,2^14", "2^12,2^14,2^16", "2^12,2^14,2^16,2^18"
#define UP_TO_20 \
    "2^16", "2^18", "2^20", "2^12,2^14,2^16", "2^12,2^14,2^16,2^18", "2^12,2^14,2^16,2^18,2^20"
#define UP_TO_24                                                                    \
    "2^18", "2^22", "2^24", "2^12,2^14,2^16,2^18", "2^12,2^14,2^16,2^18,2^20,2^22", \
        "2^12,2^14,2^16,2^18,2^20,2^22,2^24"
static const struct {
    const char *word, *inputs;
    const char *quick, *usual, *full;          /* n */
    const char *quick_grid, *grid, *full_grid; /* each includes the ones before it */
} plans[] = {
    {"heap", NULL, UP_TO_18},
    {"hull", NULL, "10^5", "10^6", "10^7", "10^4,10^5", "10^4,10^5,10^6", "10^4,10^5,10^6,10^7"},
    {"layout", NULL, UP_TO_20},
    {"merge_many", NULL, UP_TO_20},
    {"network", NULL, UP_TO_18},
    {"paths", NULL, "2^8", "2^10", "2^12", "2^8,2^10", "2^8,2^10,2^12", "2^8,2^10,2^12"},
    {"search", NULL, UP_TO_20},
    {"shuffle_rounds", NULL, UP_TO_20},
    {"sort", "random,worst", UP_TO_24},
    {NULL, NULL, UP_TO_24},
};

static size_t plan_of(const char *word)
{
    size_t i = 0;
    while (plans[i].word && strcmp(plans[i].word, word) != 0)
        i++;
    return i;
}

static const char *sizes_of(const bench_options *options, size_t plan)
{
    if (options->plot)
        return options->quick  ? plans[plan].quick_grid
               : options->full ? plans[plan].full_grid
                               : plans[plan].grid;
    return options->quick  ? plans[plan].quick
           : options->full ? plans[plan].full
                           : plans[plan].usual;
}

static bool run_once(bench_rows *rows, const bench_programs *programs, const char *word,
    const bench_options *options, bool again, cli_error *error)
{
    const size_t plan = plan_of(word);
    const char *arguments[16] = {"--n", sizes_of(options, plan)};
    size_t count = 2;
    if (plans[plan].inputs) {
        arguments[count++] = "--input";
        arguments[count++] = plans[plan].inputs;
    }
    if (options->peers && !again)
        arguments[count++] = "--peers";
    const char *set =
        again && strcmp(options->against, BENCH_UNTUNED) != 0 ? options->against : cli_global.set;
    if (set) {
        arguments[count++] = "--set";
        arguments[count++] = set;
    }
    if (options->json && !again) {
        arguments[count++] = "--json";
        arguments[count++] = options->json;
    }
    return bench_run(rows, programs, word, arguments, again, error);
}

/* Runs a word; again without peers if that fails, because a peer may have ended the program. */
static bool run_word(bench_rows *rows, const bench_programs *programs, const char *word,
    const bench_options *options, cli_error *error)
{
    const size_t first = rows->count;
    bool done = run_once(rows, programs, word, options, false, error);
    if (!done && options->peers && error->exit_code != CLI_MISTAKE) {
        bench_options alone = *options;
        cli_finish(error);
        if (!cli_global.is_silent)
            fprintf(stderr, "dmm: bench: %s: runs again without peers\n", word);
        *error = (cli_error){0};
        alone.peers = false;
        rows->count = first;
        done = run_once(rows, programs, word, &alone, false, error);
    }
    return done && (!options->against || run_once(rows, programs, word, options, true, error));
}

/* Runs all programs, also after one that has failed. */
static bool run_all(bench_rows *rows, const bench_programs *programs, const bench_options *options,
    cli_error *error)
{
    size_t failed = 0;
    for (size_t i = 0; i < programs->count && error->exit_code != CLI_MISTAKE; i++) {
        const char *word = programs->words[i];
        const size_t first = rows->count;
        cli_finish(error); /* the error of the word before */
        *error = (cli_error){0};
        cli_progress_start(word, programs->count);
        cli_progress_step(i);
        failed += !run_word(rows, programs, word, options, error);
        cli_progress_end();
        if (first == 0 && rows->count > 0)
            bench_print_origin(rows);
        bench_print_table(rows, first);
    }
    if (failed != 0 && !error->text[0])
        cli_fail(error, CLI_DEVICE, NULL, "programs that failed, as said above: %zu", failed);
    return failed == 0;
}

/* Moves the rows to their file, also if some programs failed; keeps the old file if there is no
 * row. */
static bool commit(cli_output *json, bool has_rows, cli_error *error)
{
    cli_error of_json = {0};
    if (!has_rows || cli_commit_outputs((cli_output *const[]){json}, 1, &of_json))
        return true;
    cli_finish(error);
    *error = of_json;
    return false;
}

static bool bench(const char *word, const bench_options *options, cli_error *error)
{
    bench_programs programs;
    bench_rows rows = {.again = options->against};
    bench_options own = *options;
    cli_output json = CLI_OUTPUT_INIT;
    if (options->json && strcmp(options->json, "-") == 0)
        return cli_fail(error, CLI_MISTAKE, "--json", "needs the name of a file");
    if (options->quick && options->full)
        return cli_fail(error, CLI_MISTAKE, NULL, "--quick and --full exclude each other");
    if (!bench_find(&programs, word, error) || (options->plot && !bench_can_plot(error)))
        return false;
    if (options->plot && mkdir(options->plot, 0777) != 0) {
        struct stat found;
        if (stat(options->plot, &found) != 0 || !S_ISDIR(found.st_mode))
            return cli_fail_errno(error, options->plot, "cannot create this folder");
    }
    if (options->json && !cli_open_output(&json, options->json, error))
        return false;
    if (json.beside)
        own.json = json.beside; /* the programs add to it */
    bool done = run_all(&rows, &programs, &own, error);
    if (options->json && error->exit_code != CLI_MISTAKE)
        done = commit(&json, rows.count > 0, error) && done;
    done = done && (!options->plot || bench_plot(&rows, options->plot, error));
    cli_close_output(&json);
    bench_rows_free(&rows);
    return done;
}

int dmm_cli_bench(int argc, char **argv)
{
    static const cli_section sections[] = {
        {"Sizes",
            "  --quick    2^18 items, 10^5 points of a hull: some seconds for each word\n"
            "  neither    2^22, 10^6\n"
            "  --full     2^24, 10^7: with --peers some ten minutes in all\n"
            "Slow words (heap, layout, merge_many, network, paths, search, ...) have fewer items.\n"
            "Each size runs 11 times after a warm-up run, in alternation with a copy and the\n"
            "peers; slow ones run less often. Every output is checked."},
        {"Programs", "Each word is a program, bench_WORD, which has more options. They are looked\n"
                     "for in $DMM_BENCH, and beside the command in bench/ (as built) and in\n"
                     "../libexec/dmm/ (as installed)."},
        {NULL, NULL},
    };
    cli_error error = {0};
    bench_options options = {0};
    char **operands = NULL;
    int num_operands = 0;
    const cli_option list[] = {
        {0, "quick", CLI_FLAG, &options.quick, NULL, "small inputs (see Sizes)"},
        {0, "full", CLI_FLAG, &options.full, NULL, "large inputs"},
        {0, "peers", CLI_FLAG, &options.peers, NULL,
            "also other libraries that were found when dmm was built"},
        {0, "against", CLI_TEXT, &options.against, "SETTINGS",
            "run dmm again with these settings (NAME=VALUE,...), or without any\n"
            "tuning file (untuned), to compare"},
        {0, "plot", CLI_TEXT, &options.plot, "FOLDER",
            "measure smaller sizes too, and draw pictures into FOLDER with gnuplot"},
        {0, "json", CLI_TEXT, &options.json, "FILE",
            "write all measurements, as a list of objects"},
    };
    const cli_syntax syntax = {
        .synopsis = "[WORD] [--quick|--full] [--peers] [--plot FOLDER] [--json FILE]",
        .about =
            "Measures every primitive, or the one named WORD, on the device, and prints a table.",
        .options = list,
        .num_options = sizeof list / sizeof list[0],
        .max_operands = 1,
        .epilogue = sections};
    if (cli_parse(&syntax, argc, argv, &operands, &num_operands, &error))
        bench(num_operands > 0 ? operands[0] : NULL, &options, &error);
    return cli_finish(&error);
}
