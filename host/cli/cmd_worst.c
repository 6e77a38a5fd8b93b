/* SPDX-License-Identifier: MIT */
/* dmm worst: writes the input on which a plain merge sort has most bank conflicts. */
#include <stdio.h>
#include <stdlib.h>

#include <dmm-model/worst.h>

#include "array.h"
#include "commands.h"
#include "option.h"
#include "progress.h"

typedef struct request {
    uint64_t n, E, u, w, seed, share; /* share: percent; UINT64_MAX seed: not given */
    dmm_type type;
    const char *output;
} request;

typedef struct work {
    uint64_t *ranks;
    cli_array items;
    cli_output output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'n', "elements", CLI_COUNT, &o->n, "N", "number of keys; required"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            ".npy, .bin, .txt, .csv, or - for text on standard output; required"},
        {'E', "per-thread", CLI_COUNT, &o->E, "E", "keys a thread, 2 to w (default: 15)"},
        {'u', "threads", CLI_COUNT, &o->u, "U",
            "threads a tile, a power of two, w to 65536 (default: 512)"},
        {'w', "banks", CLI_COUNT, &o->w, "W",
            "banks of local memory, a power of two, 2 to 256 (default: 32)"},
        {'t', "type", CLI_TYPE, &o->type, "TYPE", "type of the keys (default: u32)"},
        {0, "seed", CLI_COUNT, &o->seed, "S",
            "draw from the family of worst inputs, which have as many\n"
            "conflicts (default: the same one each time)"},
        {0, "share", CLI_COUNT, &o->share, "P",
            "only P percent of the warps are worst, drawn by --seed, and the\n"
            "others merge nearly as random keys do (default: 100)"},
    };
    const cli_syntax syntax = {.synopsis = "--elements N [OPTION...] -o OUTPUT",
        .about =
            "Writes the keys on which a merge sort that reads its tiles in merged order, without\n"
            "care for banks, meets most bank conflicts (K. Berney, 2023, chapter 4). dmm sort has\n"
            "none on them: dmm meter counts them.",
        .options = options,
        .num_options = sizeof options / sizeof options[0]};
    if (!cli_parse_some(&syntax, argc, argv, NULL, 0, error))
        return false;
    if (o->n == 0)
        return cli_fail(error, CLI_MISTAKE, "--elements", "give how many keys, 1 at least");
    if (o->share > 100)
        return cli_fail(error, CLI_MISTAKE, "--share", "is a percentage, 0 to 100");
    return cli_choose_output(&o->output, error);
}

static bool check(dmm_model_status status, cli_error *error)
{
    if (status == DMM_MODEL_BAD_VALUE)
        return cli_fail(error, CLI_MISTAKE, NULL,
            "E is 2 to w, u and w are powers of two, w is 2 to 256, u is w to 65536");
    if (status == DMM_MODEL_TOO_LARGE)
        return cli_fail(error, CLI_MISTAKE, NULL, "too many keys, or w*E is above 16384");
    return status == DMM_MODEL_OK ||
           cli_fail(error, CLI_DEVICE, NULL, "%s", dmm_model_status_string(status));
}

/* Computes the ranks, and the keys from them. */
static bool make(work *w, const request *o, cli_error *error)
{
    int distinct = 1;
    /* More than 32 bits is out of range; so is the 0 that replaces it here. */
    const dmm_model_merge_shape shape = {.w = o->w <= UINT32_MAX ? (uint32_t)o->w : 0,
        .u = o->u <= UINT32_MAX ? (uint32_t)o->u : 0,
        .E = o->E <= UINT32_MAX ? (uint32_t)o->E : 0};
    cli_progress_start("making", 0);
    w->ranks = o->n <= SIZE_MAX / sizeof *w->ranks ? malloc((size_t)o->n * sizeof *w->ranks) : NULL;
    if (!w->ranks)
        return cli_fail_memory(error, NULL, o->n);
    const bool drawn = o->seed != UINT64_MAX || o->share != 100;
    if (!check(drawn ? dmm_model_worst_draw(w->ranks, o->n, &shape, o->seed, (uint32_t)o->share)
                     : dmm_model_worst_merge(w->ranks, o->n, &shape),
            error) ||
        !cli_make_array(&w->items, o->type, 0, (size_t)o->n, error) ||
        !check(
            dmm_model_worst_items(w->items.data, &distinct, dmm_type_name(o->type), w->ranks, o->n),
            error))
        return false;
    cli_progress_end();
    if (!distinct)
        fprintf(stderr,
            "dmm: worst: %s has fewer than %llu values: some keys are equal, and the "
            "input is not quite the worst\n",
            dmm_type_name(o->type), (unsigned long long)o->n);
    return true;
}

static bool run(work *w, const request *o, cli_error *error)
{
    cli_output *const outputs[] = {&w->output};
    return make(w, o, error) && cli_open_output(&w->output, o->output, error) &&
           cli_write_array(&w->output, &w->items, error) && cli_commit_outputs(outputs, 1, error);
}

int dmm_cli_worst(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.E = 15, .u = 512, .w = 32, .type = DMM_U32, .seed = UINT64_MAX, .share = 100};
    work w = {.output = CLI_OUTPUT_INIT};
    if (parse(&o, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_output(&w.output);
    cli_free_array(&w.items);
    free(w.ranks);
    return cli_finish(&error);
}
