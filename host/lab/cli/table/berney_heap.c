/* SPDX-License-Identifier: MIT */
/* K. Berney 2023, chapter 3: table 3.1 and theorems 20 to 25, counted on the heap as printed. */
#include <stdlib.h>

#include "bucket_heap.h"
#include "cl/heap_call.clh"
#include "table.h"

enum { BULK = 64, BLOCK = 8 };

/* Runs n/d updates of d new keys, each second one followed by an extraction of d items if
 * `extracts`. Returns the calls; 0: no memory. */
static uint64_t run_calls(bucket_counts *out, uint32_t levels, uint32_t processors, bool extracts)
{
    bucket_heap *const heap = bucket_heap_create(BULK, levels, BLOCK, processors);
    const uint64_t updates = UINT64_C(1) << 2 * (levels - 1);
    bucket_entry entries[BULK];
    uint64_t random = 1, key = 0, calls = 0;
    bool done = heap != NULL;
    for (uint64_t k = 0; k < updates && done; k++) {
        for (int i = 0; i < BULK; i++)
            entries[i] = (bucket_entry){key++, table_random(&random)};
        done = bucket_heap_update(heap, entries, BULK);
        calls++;
        if (extracts && k % 2 == 1 && done) {
            done = bucket_heap_extract(heap, entries, BULK) != UINT64_MAX;
            calls++;
        }
    }
    if (done)
        *out = bucket_heap_counts(heap);
    bucket_heap_free(heap);
    return done ? calls : 0;
}

/* Returns the entries that a call of dmm_heap resolves at most, over d, on average: heap.h. */
static double entries_of_dmm(uint32_t levels, uint64_t calls)
{
    double entries = 0;
    for (uint64_t t = 1; t <= calls; t++) {
        uint32_t end = 1;
        while (end < levels && t % (UINT64_C(2) << 2 * (end - 1)) == 0)
            end++;
        entries += (double)(DMM_HEAP_BUCKETS(1, end) + 1 + DMM_HEAP_SIGNALS(1, end));
    }
    return entries / (double)calls;
}

/* sizes: levels, extracts. */
static bool measure(double *values, const table_point *point, table_run *run, cli_error *error)
{
    const uint32_t levels = (uint32_t)point->sizes[0];
    bucket_counts one, all;
    (void)run;
    const uint64_t calls = run_calls(&one, levels, 1, point->sizes[1] != 0);
    if (calls == 0 || run_calls(&all, levels, levels, point->sizes[1] != 0) == 0)
        return cli_fail_memory(error, NULL, (uint64_t)BULK << 2 * levels);
    const double a_call = (double)calls * BULK / BLOCK;
    values[0] = one.transfers / a_call;
    values[1] = values[0] / levels;
    values[2] = all.ends / a_call;
    values[3] = all.ends / ((5 * (double)calls - 4) * all.unit);
    values[4] = all.fullest;
    values[5] = all.emptiest;
    values[6] = all.rounds / (double)calls;
    values[7] = entries_of_dmm(levels, calls);
    return true;
}

static const table_column columns[] = {{"p = 1: transfers a call over d/B", 1, false},
    {"the same over log4(n/d) + 1", 1, false}, {"p = levels: parallel transfers", 1, false},
    {"their end over (5N - 4) T(R_0)", 2, false}, {"fullest signals", 2, false},
    {"emptiest bucket", 2, false}, {"rounds a call", 3, false},
    {"dmm_heap: entries a call over d", 1, false}, {0}};

#define LEVELS(j, large)                                                         \
    {                                                                            \
        .label = "n/d = 4^" #j, .x = (j), .sizes = {(j) + 1, 0}, .full = (large) \
    }
#define EXTRACTS(j, large)                                                                      \
    {                                                                                           \
        .label = "4^" #j ", with extractions", .x = (j), .sizes = {(j) + 1, 1}, .full = (large) \
    }
static const table_point points[] = {LEVELS(1, false), LEVELS(2, false), LEVELS(3, false),
    LEVELS(4, false), LEVELS(5, false), LEVELS(6, false), LEVELS(7, true), LEVELS(8, true),
    EXTRACTS(1, false), EXTRACTS(2, false), EXTRACTS(3, false), EXTRACTS(4, false),
    EXTRACTS(5, false), EXTRACTS(6, false), EXTRACTS(7, true), EXTRACTS(8, true), {0}};

const paper_table tables_berney_heap[] = {
    {.name = "berney-table-3.1",
        .title = "transfers of the parallel bucket heap, beside theorems 20 to 25",
        .source = "Berney 2023, table 3.1, sections 3.3 and 3.4",
        .head = "items, calls",
        .unit = "transfers over d/B",
        .columns = columns,
        .points = points,
        .measure = measure,
        .paper = "n/d BULKUPDATEs of d items: O(n/B log n/d) transfers in all, so O(log4 n/d) over "
                 "d/B a call with p = 1, O(1) with a processor a level (theorems 24, 25); all end "
                 "by (5N - 4) T(R_0) (lemma 22); signals fill at most their buffer, buckets keep "
                 "half (theorem 20).",
        .reading =
            "Algorithm 1 as printed, on the host, d = 64, B = 8, SELECT by random pivots; T(R_0) "
            "is the most that a resolve of a level i transfers, over 4^i. All bounds hold; the "
            "constant of log4(n/d) + 1 is 18 to 31 for updates, 7 to 39 with extractions. A round "
            "resolves independent levels side by side; adjacent ones wait for each other, so a "
            "call takes 5/4 rounds. dmm_heap takes one, a chain of six kernels, two sorts and two "
            "scans for all due levels."},
    {0},
};
