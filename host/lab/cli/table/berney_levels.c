/* SPDX-License-Identifier: MIT */
/* K. Berney 2023, theorem 20 on running kernels: levels of the heap side by side, metered. */
#include <inttypes.h>
#include <stdio.h>

#include "table_meter.h"

enum { BULK = 64, BLOCK = 4 }; /* entries of 8 bytes in a segment of 32 bytes */

/* sizes: updates. Fills the heap and empties it, so there are as many extractions. */
static bool measure(double *values, const table_point *point, table_run *run, cli_error *error)
{
    static const char *const methods[] = {"serial", "abreast", "library"};
    const double calls = 2 * point->sizes[0], unit = calls * BULK / BLOCK;
    char n[32], bulk[32];
    (void)run;
    snprintf(n, sizeof n, "%" PRIu64, (uint64_t)point->sizes[0] * BULK);
    snprintf(bulk, sizeof bulk, "%d", BULK);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const char *const arguments[] = {"--set", "form=gpu", "heap", "-n", n, "--bulk", bulk,
            "--method", methods[i], "--quiet", NULL};
        table_metered metered;
        if (!table_meter(&metered, "dmm-lab", arguments, NULL, NULL, error))
            return false;
        values[2 * i] = metered.launches / calls;
        values[2 * i + 1] = (i < 2 ? metered.pem_blocks : metered.reads + metered.writes) / unit;
    }
    return true;
}

static const table_column columns[] = {{"a level a launch: launches a call", 2, false},
    {"transfers over d/B", 1, false}, {"levels side by side: launches", 2, false},
    {"parallel transfers", 1, false}, {"dmm_heap: launches", 2, false}, {"transfers", 1, false},
    {0}};

#define UPDATES(j, large)                                                                     \
    {                                                                                         \
        .label = "n/d = 4^" #j, .x = (j), .sizes = {(double)(1u << 2 * (j))}, .full = (large) \
    }
static const table_point points[] = {
    UPDATES(1, false), UPDATES(2, false), UPDATES(3, true), UPDATES(4, true), {0}};

const paper_table tables_berney_levels[] = {
    {.name = "berney-20",
        .title = "launches and transfers of the bucket heap, its levels side by side",
        .source = "Berney 2023, theorem 20",
        .place = TABLE_METER,
        .head = "items, calls",
        .unit = "launches or transfers a call",
        .columns = columns,
        .points = points,
        .measure = measure,
        .paper = "levels that are no neighbours are resolved at the same time, level i after each "
                 "fourth resolve of level i - 1: O(1) parallel transfers over d/B a call.",
        .reading =
            "dmm-lab heap, n/d updates of d = 64 items, then as many extractions, whose own "
            "launches are half a launch a call; a resolve is a group's, a group a warp, B = "
            "4 entries of 8 bytes. Parallel transfers are those of the longest group of "
            "each launch, and hardly fewer than one after the other: level i takes 4^i times "
            "as long as level 0 and has a launch in 4^i, which lasts as long as it does. "
            "Theorem 20 lets level 0 go on meanwhile, which one launch cannot."},
    {0},
};
