/* SPDX-License-Identifier: MIT */
/* K. Berney 2023, section 2.5 and table 2.1: the I/O of permuting into search trees, counted. */
#include <inttypes.h>
#include <stdlib.h>

#include "table_meter.h"

enum { BLOCK_ITEMS = 8 }; /* u32 of a segment of 32 bytes */

typedef struct way {
    const char *kind, *method;
} way;

static const way ways[] = {{"bst", "involutions"}, {"bst", "cycles"}, {"btree", "involutions"},
    {"btree", "cycles"}, {"mveb", "involutions"}, {"mveb", "cycles"}};

/* Returns in `blocks` the transfers of one way on a sorted text, over n / BLOCK_ITEMS. */
static bool count_way(double *blocks, const way *w, FILE *input, double n, cli_error *error)
{
    const char *const arguments[] = {"--set", "form=gpu", "layout", "-k", w->kind, "--method",
        w->method, "-t", "u32", "--format", "text", "-o", "/dev/null", NULL};
    table_metered metered;
    if (!table_meter(&metered, "dmm", arguments, input, NULL, error))
        return false;
    *blocks = (metered.reads + metered.writes) / (n / BLOCK_ITEMS);
    return true;
}

static bool measure(double *values, const table_point *point, table_run *run, cli_error *error)
{
    const uint64_t n = (uint64_t)point->sizes[0];
    FILE *const input = tmpfile();
    bool done = true;
    (void)run;
    if (!input)
        return cli_fail_errno(error, "temporary file", "cannot create");
    for (uint64_t i = 0; i < n; i++)
        fprintf(input, "%" PRIu64 "\n", i);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && done; i++)
        done = count_way(&values[i], &ways[i], input, (double)n, error);
    fclose(input);
    return done;
}

static const table_column columns[] = {{"BST involutions", 1, false}, {"BST cycles", 1, false},
    {"B-tree involutions", 1, false}, {"B-tree cycles", 1, false}, {"mvEB involutions", 1, false},
    {"mvEB cycles", 1, false}, {0}};

#define PERFECT(i, large)                                        \
    {                                                            \
        .label = "2^" #i " - 1", .x = (double)((1u << (i)) - 1), \
        .sizes = {(double)((1u << (i)) - 1)}, .full = (large)    \
    }
static const table_point points[] = {PERFECT(10, false), PERFECT(12, false), PERFECT(13, false),
    PERFECT(14, true), PERFECT(16, true), PERFECT(18, true), {0}};

const paper_table tables_berney_blocks[] = {
    {.name = "berney-table-2.1",
        .title = "transactions of permuting sorted keys into a search tree, over N/B",
        .source = "Berney 2023, section 2.5, table 2.1",
        .place = TABLE_METER,
        .head = "keys",
        .unit = "transactions over N/B",
        .scale = TABLE_LOG2,
        .heights = TABLE_LOG10,
        .columns = columns,
        .points = points,
        .measure = measure,
        .paper =
            "I/O with P processors, K = min(N/P, M): involutions N/P for BST, N/P + B "
            "log_(B+1)(N/K) for the B-tree, N/P log log_K N for vEB; cycles (N/(PB) + log(N/K)) "
            "log(N/K), the same to base B+1, N/(PB) log log_K N.",
        .reading =
            "B = 8 keys of 4 bytes a segment, nodes of 16. To 2^12 keys B-tree and mvEB fit a "
            "tile, "
            "which one launch permutes whatever the method. Involutions of BST, at N/P in the "
            "paper, "
            "take about 2B transactions a block. dmm's cycles move batches of columns in place of "
            "section 2.5.2's transposition; what they take is counted here."},
    {0},
};
