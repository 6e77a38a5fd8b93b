/* SPDX-License-Identifier: MIT */
/* K. Berney 2023, section 5.3: passes of local memory of three merge sorts on the same keys. */
#include <inttypes.h>
#include <stdlib.h>

#include <dmm-model/plain_sort.h>
#include <dmm-model/worst.h>

#include "table_meter.h"

/* Two tiles, with --full sixteen. sizes: E, u, 1 for the worst input. */
static bool make_keys(uint64_t **out, uint64_t *n, dmm_model_merge_shape *shape,
    const table_point *point, bool full, cli_error *error)
{
    *shape = (dmm_model_merge_shape){32, (uint32_t)point->sizes[1], (uint32_t)point->sizes[0]};
    *n = (full ? UINT64_C(16) : UINT64_C(2)) * shape->u * shape->E;
    *out = malloc((size_t)*n * sizeof **out);
    if (!*out)
        return cli_fail_memory(error, NULL, *n * sizeof **out);
    table_permutation(*out, *n, 5);
    return point->sizes[2] == 0 || dmm_model_worst_merge(*out, *n, shape) == DMM_MODEL_OK ||
           cli_fail_memory(error, NULL, 2 * *n * sizeof **out);
}

/* Counts the passes of the plain sort in the model, which sorts the keys. */
static double plain_passes(uint64_t *keys, uint64_t n, const dmm_model_merge_shape *shape)
{
    dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint32_t used = 0;
    double passes = 0;
    if (dmm_model_plain_sort(rounds, &used, keys, n, shape) != DMM_MODEL_OK)
        return TABLE_NONE;
    for (uint32_t i = 0; i < used; i++)
        passes +=
            (double)(rounds[i].search.passes + rounds[i].gather.passes + rounds[i].store.passes);
    return passes;
}

static bool measure(double *values, const table_point *point, table_run *run, cli_error *error)
{
    static const char *const sorts[2][2] = {{"dmm-lab", "gather"}, {"dmm", "merge"}};
    char set[64];
    uint64_t *keys, n;
    dmm_model_merge_shape shape;
    FILE *const input = tmpfile();
    if (!input)
        return cli_fail_errno(error, "temporary file", "cannot create");
    bool done = make_keys(&keys, &n, &shape, point, run->full, error);
    for (uint64_t i = 0; done && i < n; i++)
        fprintf(input, "%" PRIu64 "\n", keys[i]);
    snprintf(set, sizeof set, "form=gpu,u=%" PRIu32 ",E=%" PRIu32, shape.u, shape.E);
    for (int i = 0; i < 2 && done; i++) {
        const char *const arguments[] = {"--set", set, "sort", "--method", sorts[i][1], "-t", "u32",
            "--format", "text", "-o", "/dev/null", NULL};
        table_metered metered;
        done = table_meter(&metered, sorts[i][0], arguments, input, NULL, error);
        values[1 + 2 * i] = metered.passes / (double)n;
        values[2 + 2 * i] = metered.conflicts / (double)n;
    }
    if (done)
        values[0] = plain_passes(keys, n, &shape) / (double)n;
    free(keys);
    fclose(input);
    return done;
}

static const table_column columns[] = {{"paper: speedup over Thrust", 2, true}, {"to", 2, true},
    {"plain (model): passes a key", 2, false}, {"algorithm 2: passes", 2, false},
    {"conflicts", 2, false}, {"blocks (dmm): passes", 2, false}, {"conflicts", 2, false}, {0}};

static const table_point points[] = {
    {.label = "(15, 512) worst", .sizes = {15, 512, 1}, .paper = {1.37, 1.47}},
    {.label = "(15, 512) random", .sizes = {15, 512, 0}, .paper = {TABLE_NONE, TABLE_NONE}},
    {.label = "(17, 256) worst", .sizes = {17, 256, 1}, .paper = {1.17, 1.25}},
    {.label = "(17, 256) random", .sizes = {17, 256, 0}, .paper = {TABLE_NONE, TABLE_NONE}},
    {.label = "(16, 256) worst", .sizes = {16, 256, 1}, .paper = {TABLE_NONE, TABLE_NONE}},
    {.label = "(16, 256) random", .sizes = {16, 256, 0}, .paper = {TABLE_NONE, TABLE_NONE}}, {0}};

const paper_table tables_berney_gather[] = {
    {.name = "berney-5.6",
        .title = "passes of local memory a key: plain merge, the thesis' algorithm 2, dmm's blocks",
        .source = "Berney 2023, section 5.3.1, figures 5.6 to 5.8",
        .place = TABLE_METER,
        .head = "(E, u), input",
        .unit = "passes a key",
        .columns = columns,
        .points = points,
        .measure = measure,
        .paper =
            "CF-Merge on a 2080 Ti: 1.37 times (mean) to 1.47 times Thrust's throughput on the "
            "worst input at (15, 512), 1.17 to 1.25 at (17, 256); as fast on random keys.",
        .reading = "algorithm 2's gather and stores have no conflict; all of its conflicts are the "
                   "search's, which the thesis leaves as it is. dmm's merge is another algorithm: "
                   "it searches blocks and reads 3E words for E, without any conflict. In passes "
                   "they are close: blocks take 1 to 4 % fewer where E is odd, and 4 to 7 % more "
                   "at E = 16. Plain: rounds alone, without staging, which the others have; at E "
                   "= 16 its stores conflict, too."},
    {0},
};
