/* SPDX-License-Identifier: MIT */
/* T. Jurkiewicz 2013, chapter 2: times of seven programs, timed here and read from memory. */
#include <stdlib.h>
#include <unistd.h>

#include <dmm-model/programs.h>

#include "table.h"
#include "translation/translation.h"

#define SOURCE "Jurkiewicz 2013, "

/* ---- Figures 2.1 and 2.5 --------------------------------------------------------------------- */

/* Runs all programs on n words, in both sizes of pages. */
static bool measure_programs(translation_rows *out, double n, cli_error *error)
{
    const translation_order order = {
        .least = (uint64_t)n, .most = (uint64_t)n, .seconds = 1, .repeats = 3, .nodes = 64};
    return translation_measure(out, &order, error);
}

static bool measure_times(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    translation_rows rows = {0};
    (void)run;
    const bool done = measure_programs(&rows, point->sizes[0], error);
    for (size_t i = 0; i < rows.count; i++)
        values[rows.rows[i].program] = rows.rows[i].ns[TRANSLATION_4K];
    free(rows.rows);
    return done;
}

static bool measure_shares(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    translation_rows rows = {0};
    (void)run;
    const bool done = measure_programs(&rows, point->sizes[0], error);
    for (size_t i = 0; i < rows.count; i++) {
        const translation_row *const row = &rows.rows[i];
        values[row->program] = 100 * row->ns[TRANSLATION_2M] / row->ns[TRANSLATION_4K];
    }
    free(rows.rows);
    return done;
}

static const table_column program_columns[] = {{"sequential scan", 2, false},
    {"random scan", 2, false}, {"permute", 2, false}, {"heapify", 2, false},
    {"introsort", 2, false}, {"binary search", 2, false}, {"heapsort", 2, false}, {0}};

#define WORDS(i, large)                                                 \
    {                                                                   \
        .label = "2^" #i, .x = (double)(UINT64_C(1) << (i)),            \
        .sizes = {0.95 * (double)(UINT64_C(1) << (i))}, .full = (large) \
    }
static const table_point words[] = {WORDS(10, false), WORDS(12, false), WORDS(14, false),
    WORDS(16, false), WORDS(18, false), WORDS(20, false), WORDS(22, true), WORDS(24, true),
    WORDS(26, true), WORDS(28, true), {0}};

/* ---- Figure 2.2: the external memory model --------------------------------------------------- */

enum { LEVELS = 4 };

/* Sizes of the caches in words, the last without end, and the time of an access in each. */
typedef struct hierarchy {
    double words[LEVELS], ns[LEVELS];
} hierarchy;

/* Nanoseconds of an access of a random scan of n words; the shortest of three runs. */
static bool time_random_scan(double *ns, uint64_t n, cli_error *error)
{
    const uint64_t count = dmm_model_program_words(DMM_MODEL_RANDOM_SCAN, n);
    uint64_t *const memory = malloc((size_t)count * sizeof *memory), result;
    const uint64_t runs = n < 1 << 18 ? (1 << 18) / n : 1;
    if (!memory)
        return cli_fail_memory(error, NULL, count * sizeof *memory);
    dmm_model_program_fill(memory, DMM_MODEL_RANDOM_SCAN, n, 1);
    *ns = HUGE_VAL;
    for (int repeat = 0; repeat < 3; repeat++) {
        const double start = table_seconds();
        for (uint64_t i = 0; i < runs; i++)
            dmm_model_program_run(&result, memory, DMM_MODEL_RANDOM_SCAN, n, 1);
        *ns = fmin(*ns, 1e9 * (table_seconds() - start) / (double)(n * runs));
    }
    free(memory);
    return true;
}

/* Asks the system for the caches, else takes those of the thesis' machine, and measures the access
 * times: of scans between the sizes of a cache and the one before it; of memory: of twice the last
 * cache, to 2^25 words. */
static bool find_hierarchy(hierarchy *out, cli_error *error)
{
    static const double thesis[LEVELS - 1] = {1 << 12, 1 << 15, 12 << 17};
#ifdef _SC_LEVEL1_DCACHE_SIZE
    static const int names[LEVELS - 1] = {
        _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
#endif
    double below = 1 << 10;
    out->words[LEVELS - 1] = HUGE_VAL;
    for (int i = 0; i < LEVELS - 1; i++) {
        out->words[i] = thesis[i];
#ifdef _SC_LEVEL1_DCACHE_SIZE
        const long bytes = sysconf(names[i]);
        out->words[i] = bytes > 0 ? (double)bytes / 8 : thesis[i];
#endif
        const double between = sqrt(below * out->words[i]);
        if (!time_random_scan(&out->ns[i], (uint64_t)between, error))
            return false;
        below = out->words[i];
    }
    return time_random_scan(&out->ns[LEVELS - 1], (uint64_t)fmin(2 * below, 1 << 25), error);
}

/* The expected cost of an access: section 2.1.1. */
static double external_ns(const hierarchy *h, double n)
{
    double sum = 0, below = 0;
    for (int i = 0; i < LEVELS && below < n; i++) {
        const double here = fmin(h->words[i], n);
        sum += (here - below) * h->ns[i];
        below = here;
    }
    return sum / n;
}

static bool measure_external(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    static hierarchy h;
    (void)run;
    if (h.words[0] == 0 && !find_hierarchy(&h, error))
        return false;
    if (!time_random_scan(&values[0], (uint64_t)point->sizes[0], error))
        return false;
    values[1] = external_ns(&h, point->sizes[0]);
    values[2] = values[0] / values[1];
    return true;
}

static const table_column external_columns[] = {
    {"measured ns", 2, false}, {"EM model ns", 2, false}, {"measured over EM", 2, false}, {0}};

/* ---- Figure 2.7: transposes ------------------------------------------------------------------ */

/* Returns the place of column-major order in the recursive layout, where bits of row and column
 * alternate: the transpose exchanges each pair of bits. */
static uint64_t exchanged(uint64_t place)
{
    const uint64_t even = UINT64_C(0x5555555555555555);
    return (place & even) << 1 | (place >> 1 & even);
}

/* Transposes a square matrix of n = side^2 words out of place, and returns ns a word. */
static double time_transpose(uint64_t *to, const uint64_t *from, uint64_t side, bool recursive)
{
    const double start = table_seconds();
    if (recursive)
        for (uint64_t x = 0; x < side * side; x++)
            to[exchanged(x)] = from[x];
    else
        for (uint64_t row = 0; row < side; row++)
            for (uint64_t column = 0; column < side; column++)
                to[column * side + row] = from[row * side + column];
    return 1e9 * (table_seconds() - start) / (double)(side * side);
}

/* Counts the nodes that a word of either transpose inserts: reads from 0 on, writes behind. */
static bool count_transpose(double *out, uint64_t side, bool recursive, cli_error *error)
{
    dmm_model_translator *translator;
    const dmm_model_translation machine = {.nodes = 64};
    const uint64_t n = side * side;
    if (dmm_model_translator_create(&translator, &machine) != DMM_MODEL_OK)
        return cli_fail_memory(error, NULL, BUFSIZ);
    for (uint64_t x = 0; x < n; x++) {
        const uint64_t to = recursive ? exchanged(x) : x % side * side + x / side;
        const uint64_t addresses[2] = {8 * x, 8 * (n + to)};
        dmm_model_translator_add(translator, NULL, addresses, 2);
    }
    *out = (double)dmm_model_translator_counts(translator).insertions / (double)n;
    dmm_model_translator_free(translator);
    return true;
}

/* sizes: side. */
static bool measure_transposes(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const uint64_t side = (uint64_t)point->sizes[0], n = side * side;
    uint64_t *const from = malloc(2 * n * sizeof *from);
    (void)run;
    if (!from)
        return cli_fail_memory(error, NULL, 2 * n * sizeof *from);
    for (uint64_t i = 0; i < 2 * n; i++)
        from[i] = i;
    values[0] = values[1] = HUGE_VAL;
    for (int repeat = 0; repeat < 3; repeat++)
        for (int recursive = 0; recursive < 2; recursive++)
            values[recursive] =
                fmin(values[recursive], time_transpose(from + n, from, side, recursive));
    free(from);
    return count_transpose(&values[2], side, false, error) &&
           count_transpose(&values[3], side, true, error);
}

static const table_column transpose_columns[] = {{"row by row ns", 2, false},
    {"recursive ns", 2, false}, {"row by row: nodes inserted a word", 3, false},
    {"recursive", 3, false}, {0}};

#define SIDE(i, large)                                                              \
    {                                                                               \
        .label = "2^" #i, .x = (double)(1u << (i)), .sizes = {(double)(1u << (i))}, \
        .full = (large)                                                             \
    }
static const table_point sides[] = {SIDE(5, false), SIDE(6, false), SIDE(7, false), SIDE(8, false),
    SIDE(9, false), SIDE(10, false), SIDE(11, false), SIDE(12, true), SIDE(13, true),
    SIDE(14, true), {0}};

const paper_table tables_jurkiewicz_translation[] = {
    {.name = "jurkiewicz-2.1",
        .title = "time of an operation over the words",
        .source = SOURCE "section 2.1, figure 2.1",
        .place = TABLE_PROCESSOR,
        .head = "words",
        .unit = "nanoseconds",
        .scale = TABLE_LOG2,
        .heights = TABLE_LINEAR,
        .columns = program_columns,
        .points = words,
        .measure = measure_times,
        .paper = "scan, heapify and quicksort are flat; the others grow with log n once the array "
                 "is larger than the caches.",
        .reading = "agrees on machines of today (docs/model.md). `dmm-lab translation` measures at "
                   "the thesis' steps of 1.4, with predictions and either size of pages."},
    {.name = "jurkiewicz-2.2",
        .title = "time of a random scan over its cost in the external memory model",
        .source = SOURCE "section 2.1.1, figure 2.2",
        .place = TABLE_PROCESSOR,
        .head = "words",
        .unit = "nanoseconds, and their quotient",
        .scale = TABLE_LOG2,
        .heights = TABLE_LINEAR,
        .columns = external_columns,
        .points = words,
        .measure = measure_external,
        .paper = "access times 4.08, 4.58, 9.94 and 38.7 ns (caches of 2^12, 2^15 and 2^20.6 "
                 "words, memory): the quotient is no constant, so caches alone do not explain it.",
        .reading =
            "caches are those that the system reports, access times those of scans that fill "
            "half a cache. The quotient is no constant here, either: it rises behind each "
            "cache, most behind the last."},
    {.name = "jurkiewicz-2.5",
        .title = "time in pages of 2 MiB, in percent of that in pages of 4 KiB",
        .source = SOURCE "section 2.2, figure 2.5",
        .place = TABLE_PROCESSOR,
        .head = "words",
        .unit = "percent",
        .scale = TABLE_LOG2,
        .heights = TABLE_LINEAR,
        .columns = program_columns,
        .points = words,
        .measure = measure_shares,
        .paper =
            "scans and heapify are near 100 %; random accesses fall to about half for large n.",
        .reading = "where the system gives huge pages; `dmm-lab translation` says whether it did."},
    {.name = "jurkiewicz-2.7",
        .title = "transposes of a square matrix, row by row and in the recursive layout",
        .source = SOURCE "section 2.6.2, figure 2.7",
        .place = TABLE_PROCESSOR,
        .head = "side",
        .unit = "nanoseconds a word, and nodes inserted a word",
        .scale = TABLE_LOG2,
        .heights = TABLE_LINEAR,
        .columns = transpose_columns,
        .points = sides,
        .measure = measure_transposes,
        .paper = "the time of row by row grows in jumps, each when the side is K times greater; in "
                 "the recursive layout it stays flat.",
        .reading =
            "agrees: the counted nodes (W = 64, pages of 4 KiB, K = 512) jump from a side of "
            "2^8 on, where a column has more pages than the cache has nodes, to 2^9, where "
            "a row is a page; the next layer's jump ends at a side K times greater. In the "
            "recursive layout there is none. The times follow."},
    {0},
};
