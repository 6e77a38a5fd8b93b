/* SPDX-License-Identifier: MIT */
/* dmm-lab network: makes a sorting network, counts and checks it, draws it, saves it, runs it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lab_commands.h"
#include "judge.h"
#include "network/network.h"
#include "option.h"
#include "progress.h"
#include "svg.h"

typedef struct request {
    const char *what; /* a kind, or a file */
    uint64_t wires, matchings, fringe, exponent, seed, tries;
    bool perfect, info, prove;
    const char *save, *svg, *heat;
    const char *input, *output; /* files of --run */
    dmm_type type;              /* type of the keys; DMM_ITEM: not given */
    bool descending, check;
} request;

static const char *const kinds[] = {"bitonic", "odd-even", "merge-exchange", "pairwise", "best",
    "halver", "perfect-halver", "separator", "aks"};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static unsigned kind_of(const char *name)
{
    unsigned kind = 0;
    while (kind < KINDS && strcmp(kinds[kind], name) != 0)
        kind++;
    return kind;
}

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'n', "wires", CLI_COUNT, &o->wires, "N",
            "wires (default with --run: as many as keys);\naks rounds up to 2^8, 2^12, 2^16, ..."},
        {0, "info", CLI_FLAG, &o->info, NULL, "print wires, steps and comparators (the default)"},
        {0, "prove", CLI_FLAG, &o->prove, NULL,
            "check that it sorts every input (to 32 wires); exit with 3\nif it does not"},
        {0, "tries", CLI_COUNT, &o->tries, "T",
            "run it on T random inputs on the host; exit with 3 if one is not sorted"},
        {0, "svg", CLI_SVG, &o->svg, "FILE", "draw wires and comparators (to 256 wires)"},
        {0, "heat", CLI_TEXT, &o->heat, "FILE",
            "draw how far items are from their places, by wire and step"},
        {0, "save", CLI_TEXT, &o->save, "FILE", "write the comparators, a line a step"},
        {0, "run", CLI_TEXT, &o->input, "INPUT",
            "run it on the device, on each row of N keys of a file; a last\n"
            "row that is not full is filled up with greatest keys"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "--run: file for the keys; may be INPUT itself;\n"
            "default: standard output, as text"},
        {'t', "type", CLI_TYPE, &o->type, "TYPE", "--run: type, if the file does not contain it"},
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "--run: largest first"},
        {0, "check", CLI_FLAG, &o->check, NULL,
            "--run: check that each row is sorted and no key is lost before\n"
            "writing; on an error, write nothing and exit with 3"},
        {0, "perfect", CLI_FLAG, &o->perfect, NULL,
            "separator, aks: perfect halvers where no error is allowed"},
        {0, "matchings", CLI_COUNT, &o->matchings, "M",
            "halver, separator, aks: random matchings of a halver\n"
            "(default: 250, 800 or 500 by size; 30 with --perfect)"},
        {0, "fringe", CLI_COUNT, &o->fringe, "F", "separator: wires of both fringes"},
        {0, "seed", CLI_COUNT, &o->seed, "S", "seed of the matchings, and of --heat's input"},
        {0, "exponent", CLI_COUNT, &o->exponent, "D",
            "bitonic, aks: count a network of 2^D wires, to 24576,\nwithout making it"},
    };
    const cli_syntax syntax = {.synopsis = "KIND|FILE [OPTION...]",
        .about = "Makes a sorting network, and counts, proves, draws, saves or runs it. KIND is "
                 "bitonic,\n"
                 "odd-even, merge-exchange, pairwise, best (to 32 wires), halver, perfect-halver,\n"
                 "separator or aks; FILE is one that --save wrote. docs/networks.md explains them.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    return cli_parse_one(&syntax, argc, argv, &o->what, error);
}

/* ---- Making ---------------------------------------------------------------------------------- */

static uint32_t clamped(uint64_t number)
{
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static bool fail_model(dmm_model_status status, const request *o, cli_error *error)
{
    if (status == DMM_MODEL_OUT_OF_MEMORY)
        return cli_fail_memory(error, o->what, 24 * o->wires);
    if (status == DMM_MODEL_UNSUPPORTED)
        return cli_fail(error, CLI_MISTAKE, o->what,
            "there is no such network of %" PRIu64 " wires: best goes to 32, halves need an even "
            "number, a separator's fringe is at most a quarter or so of its wires",
            o->wires);
    return cli_fail(error, CLI_MISTAKE, o->what,
        "-n goes from 1 to 2^28, --matchings to 2^20, --fringe is even and for separators, "
        "--perfect for separators and aks");
}

static bool make(dmm_model_network **out, const request *o, cli_error *error)
{
    const unsigned kind = kind_of(o->what);
    if (kind == KINDS)
        return network_read(out, o->what, error);
    if (o->wires == 0)
        return cli_fail(error, CLI_MISTAKE, o->what, "give the number of wires: -n N");
    const dmm_model_network_desc desc = {.kind = (dmm_model_network_kind)kind,
        .wires = clamped(o->wires),
        .matchings = clamped(o->matchings),
        .fringe = clamped(o->fringe),
        .perfect = o->perfect,
        .seed = o->seed};
    cli_progress_start("making the network", 0);
    const dmm_model_status status = dmm_model_network_create(out, &desc);
    return status == DMM_MODEL_OK || fail_model(status, o, error);
}

/* ---- Printing -------------------------------------------------------------------------------- */

static void print_info(const dmm_model_network_counts *counts, uint32_t wires)
{
    const double n = wires, log_n = n > 1 ? log2(n) : 1;
    printf("wires        %" PRIu32 "\nsteps        %" PRIu64 "   %.1f log2 n\ncomparators  %" PRIu64
           "   %.2f n log2 n\n",
        wires, counts->steps, (double)counts->steps / log_n, counts->comparators,
        (double)counts->comparators / (n * log_n));
}

/* Returns the index of the highest word that is not 0; 0 if all are. */
static int last_word(const dmm_model_large_counts *counts)
{
    int i = DMM_MODEL_COUNT_WORDS - 1;
    while (i > 0 && counts->words[i] == 0)
        i--;
    return i;
}

static double log_of(const dmm_model_large_counts *counts)
{
    const int i = last_word(counts);
    const double below = i > 0 ? ldexp(counts->words[i - 1], -32) : 0;
    return log2(counts->words[i] + below) + 32.0 * i;
}

static void print_large_counts(const dmm_model_large_counts *counts, uint64_t exponent)
{
    const double d = (double)exponent, log_a_wire = log_of(counts) - d;
    printf("wires        2^%" PRIu64 "\nsteps        %" PRIu64 "   %.1f log2 n\ncomparators  ",
        exponent, counts->steps, (double)counts->steps / d);
    if (last_word(counts) <= 1)
        printf("%" PRIu64, (uint64_t)counts->words[1] << 32 | counts->words[0]);
    else
        printf("2^%.3f", log_a_wire + d);
    printf("   %.2f n log2 n\n", exp2(log_a_wire) / d);
}

/* Counts without making: bitonic and AKS of 2^D wires. */
static bool print_large(const request *o, cli_error *error)
{
    dmm_model_large_counts *counts = malloc(sizeof *counts);
    const unsigned kind = kind_of(o->what);
    const dmm_model_count_kind count = kind == DMM_MODEL_BITONIC ? DMM_MODEL_COUNT_BITONIC
                                       : o->perfect              ? DMM_MODEL_COUNT_AKS_PERFECT
                                                                 : DMM_MODEL_COUNT_AKS;
    if (!counts)
        return cli_fail_memory(error, o->what, sizeof *counts);
    const bool counted =
        (kind == DMM_MODEL_BITONIC || kind == DMM_MODEL_AKS) &&
        dmm_model_network_count_large(counts, count, clamped(o->exponent)) == DMM_MODEL_OK;
    if (counted)
        print_large_counts(counts, o->exponent);
    else
        cli_fail(error, CLI_MISTAKE, "--exponent",
            "is for bitonic (1 to %d) and aks (multiples of 4 from 8)",
            DMM_MODEL_COUNT_EXPONENT_MAX);
    free(counts);
    return counted;
}

static bool prove(dmm_model_network *network, const request *o, cli_error *error)
{
    char bits[33] = "";
    int sorts = 0;
    uint32_t unsorted = 0;
    const dmm_model_status status = dmm_model_network_sorts(&sorts, &unsorted, network);
    if (status != DMM_MODEL_OK)
        return cli_fail(error, CLI_MISTAKE, o->what, "cannot prove: %s",
            status == DMM_MODEL_UNSUPPORTED ? "more than 32 wires"
                                            : dmm_model_status_string(status));
    if (sorts) {
        printf("sorts every input\n");
        return true;
    }
    for (uint32_t i = 0; i < dmm_model_network_wires(network); i++)
        bits[i] = unsorted >> i & 1 ? '1' : '0';
    return cli_fail(error, CLI_CHECK_FAILED, o->what, "does not sort: %s can come out", bits);
}

/* Prints how many inputs came out sorted, and the processor time of a run, generating included. */
static bool try_inputs(dmm_model_network *network, const request *o, cli_error *error)
{
    const uint32_t n = dmm_model_network_wires(network);
    uint64_t *items = malloc(n * sizeof *items), sorted = 0;
    clock_t spent = 0;
    if (!items)
        return cli_fail_memory(error, o->what, n * sizeof *items);
    for (uint64_t i = 0; i < o->tries; i++) {
        uint32_t wrong = 0;
        network_make_input(items, n, o->seed + i);
        const clock_t start = clock();
        dmm_model_network_run(items, network);
        spent += clock() - start;
        for (uint32_t k = 0; k < n; k++)
            wrong += items[k] != k;
        sorted += wrong == 0;
    }
    free(items);
    printf("sorted       %" PRIu64 " of %" PRIu64 " random inputs, %.3f ms each on one core\n",
        sorted, o->tries, 1e3 * (double)spent / CLOCKS_PER_SEC / (double)o->tries);
    return sorted == o->tries ||
           cli_fail(error, CLI_CHECK_FAILED, o->what, "leaves inputs unsorted");
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* The picture or file of `part`. */
static bool draw(FILE *page, dmm_model_network *network, const request *o, const char *const *part)
{
    if (part == &o->heat)
        return network_draw_heat(page, network, o->seed);
    if (part == &o->svg)
        network_draw_diagram(page, network);
    else
        network_write(page, network);
    return true;
}

static bool save(
    dmm_model_network *network, const request *o, const char *const *part, cli_error *error)
{
    cli_page page;
    if (!*part)
        return true;
    if (!cli_open_page(&page, error))
        return false;
    if (draw(page.file, network, o, part))
        return cli_save_page(&page, *part, error);
    cli_drop_page(&page);
    return cli_fail_memory(error, *part, BUFSIZ);
}

/* ---- Running --------------------------------------------------------------------------------- */

typedef struct work {
    dmm_model_network *network;
    cli_session session;
    cli_array keys; /* keys of --run */
    cli_fingerprint fingerprint;
    cli_pair output;
} work;

/* Checks the order of each row: cli_judge_order judges one. */
static bool check_rows(const work *w, const request *o, cli_error *error)
{
    const size_t wires = dmm_model_network_wires(w->network), count = w->keys.count;
    bool sorted = true;
    for (size_t first = 0; first < count && sorted; first += wires) {
        cli_array row = w->keys;
        row.data = (char *)row.data + first * row.item_bytes;
        row.count = count - first < wires ? count - first : wires;
        sorted = cli_judge_order(&row, o->descending, error);
    }
    return sorted && cli_judge_items(&w->keys, NULL, &w->fingerprint, error);
}

static bool run_on_keys(work *w, const request *o, cli_error *error)
{
    network_run_info info = {0};
    if (!o->input)
        return true;
    if (!cli_open_pair(&w->output, o->output, NULL, error) || !cli_open_session(&w->session, error))
        return false;
    if (o->check)
        cli_add_fingerprint(&w->fingerprint, &w->keys, NULL);
    cli_progress_start("running", 0);
    if (!network_run(&info, &w->session, &w->keys, w->network, o->descending, error))
        return false;
    if (o->info)
        printf("rows         %" PRIu64 "\nlaunches     %" PRIu64 "\n", info.rows, info.launches);
    return (!o->check || check_rows(w, o, error)) &&
           cli_write_pair(&w->output, &w->keys, NULL, error);
}

static bool run(work *w, const request *o, cli_error *error)
{
    dmm_model_network *const network = w->network;
    cli_progress_start("counting its steps", 0);
    const dmm_model_network_counts counts = dmm_model_network_count(network);
    const uint32_t wires = dmm_model_network_wires(network);
    cli_progress_end();
    if (o->svg &&
        (wires > NETWORK_DIAGRAM_WIRES || counts.comparators > NETWORK_DIAGRAM_COMPARATORS))
        return cli_fail(error, CLI_MISTAKE, "--svg",
            "draws %d wires and %d comparators at most: --heat draws any network",
            NETWORK_DIAGRAM_WIRES, NETWORK_DIAGRAM_COMPARATORS);
    if (o->info || (!o->prove && !o->tries && !o->svg && !o->heat && !o->save && !o->input))
        print_info(&counts, wires);
    return (!o->prove || prove(network, o, error)) &&
           (!o->tries || try_inputs(network, o, error)) && save(network, o, &o->svg, error) &&
           save(network, o, &o->heat, error) && save(network, o, &o->save, error) &&
           run_on_keys(w, o, error);
}

/* Checks the options of --run, and reads its keys. */
static bool read_keys(work *w, request *o, cli_error *error)
{
    if (!o->input) {
        const char *const other = o->output             ? "--output"
                                  : o->check            ? "--check"
                                  : o->descending       ? "--reverse"
                                  : o->type != DMM_ITEM ? "--type"
                                                        : NULL;
        return !other || cli_fail(error, CLI_MISTAKE, other, "is for --run INPUT");
    }
    if (o->exponent)
        return cli_fail(error, CLI_MISTAKE, "--exponent", "counts without making: not with --run");
    if (!cli_choose_output(&o->output, error))
        return false;
    if (strcmp(o->output, "-") == 0 && (o->info || o->prove || o->tries))
        return cli_fail(error, CLI_MISTAKE, "--run",
            "with --info, --prove or --tries the keys need a file: give -o OUTPUT");
    if (!cli_read_keys(&w->keys, o->input, o->type, error))
        return false;
    if (o->wires == 0 && kind_of(o->what) != KINDS)
        o->wires = w->keys.count != 0 ? w->keys.count : 1;
    return true;
}

int dmm_cli_network(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    static const char *const names[] = {"--svg", "--heat", "--save", "--output"};
    if (!parse(&o, argc, argv, &error) || !read_keys(&w, &o, &error) ||
        !cli_check_outputs(
            names, (const char *const[]){o.svg, o.heat, o.save, o.output}, 4, &error))
        ;
    else if (o.exponent)
        print_large(&o, &error);
    else if (make(&w.network, &o, &error))
        run(&w, &o, &error);
    dmm_model_network_free(w.network);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.keys);
    return cli_finish(&error);
}
