/* SPDX-License-Identifier: MIT */
/* ctest: full wrap=clEnqueueNDRangeKernel,clSetKernelArg,clCreateProgramWithSource */
/*
 * Chained radix passes and the chained scans of dmm_unique, dmm_topk, dmm_set and dmm_scan when
 * groups run one at a time and in any order: each launch is replaced by one a group, whose tile
 * the test chooses. A group whose predecessors have not begun must count their tiles itself;
 * otherwise it would wait for ever.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/set.h>

#include "cl/by_key_call.clh"
#include "cl/kselect/kselect_call.clh"
#include "cl/pack/pack_call.clh"
#include "cl/radix/radix_call.clh"
#include "cl/scan_call.clh"
#include "cl/sort/set_call.clh"
#include "support/chain_case.h"
#include "support/wrap_launch.h"

/* Where dmm_radix_pass has the counters of tiles in its state. */
enum { RADIX_TILES_AT = 1, KSELECT_DIGIT_BITS = 8, MOST_ARGS = 16 };

/* The chained kernels; what a kernel's arguments are. */
typedef enum chained { RADIX, PACK, SCAN, BY_KEY, SET, KSELECT, NUM_CHAINED } chained;
static const struct {
    const char *name;
    cl_uint state, numbers;
} kernels[NUM_CHAINED] = {{"dmm_radix_pass", 7, 10}, {"dmm_pack_keep", 13, 15},
    {"dmm_scan_chained", 2, 4}, {"dmm_by_key_chained", 5, 7}, {"dmm_set_tile", 6, 9},
    {"dmm_kselect_keep", 6, 8}};

typedef enum order { AS_THEY_COME, FORWARD, BACKWARD, FIRST_IS_LAST, SHUFFLED, NUM_ORDERS } order;

/* A replacement in the text of programs; from == NULL: none. */
typedef struct edit {
    const char *from, *to;
} edit;
enum { MOST_EDITS = 4 };

static struct {
    order order;
    random_source random;
    const edit *edits;         /* MOST_EDITS, or NULL */
    uint64_t edited;           /* replacements made */
    uint64_t groups;           /* launched one at a time */
    cl_mem buffers[MOST_ARGS]; /* latest arguments */
    dmm_radix_call radix;
    dmm_pack_call pack;
    dmm_scan_call scan;
    dmm_by_key_chain_call by_key;
    dmm_set_call set;
    dmm_kselect_call kselect;
} test;

static void begin(const edit *edits)
{
    test.random = (random_source){7};
    test.order = AS_THEY_COME;
    test.groups = test.edited = 0;
    test.edits = edits;
}

/* Spins in one call of eight, up to 16384 steps. */
static const char delay_text[] =
    "static void test_delay(uint salt) {"
    " const uint x = (salt ^ salt >> 15) * 2654435761u;"
    " volatile uint spins = x >> 29 == 0 ? x >> 8 & 16383 : 0; while (spins > 0) spins--; }\n";

/* Returns the text after an edit, if it has a place for it; frees the one before. */
static char *edited_text(char *text, const edit *made)
{
    char *const at = strstr(text, made->from);
    if (at == NULL)
        return text;
    const size_t before = (size_t)(at - text), skipped = before + strlen(made->from);
    char *const longer = malloc(strlen(text) + strlen(made->to) + 1);
    REQUIRE(longer != NULL);
    memcpy(longer, text, before);
    strcpy(longer + before, made->to);
    strcat(longer, text + skipped);
    free(text);
    test.edited++;
    return longer;
}

cl_program __real_clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **texts, const size_t *bytes, cl_int *status);
cl_program __wrap_clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **texts, const size_t *bytes, cl_int *status);

cl_program __wrap_clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **texts, const size_t *bytes, cl_int *status)
{
    if (test.edits == NULL)
        return __real_clCreateProgramWithSource(context, count, texts, bytes, status);
    size_t most = sizeof delay_text;
    for (cl_uint i = 0; i < count; i++)
        most += strlen(texts[i]);
    char *text = malloc(most);
    REQUIRE(text != NULL);
    strcpy(text, delay_text);
    for (cl_uint i = 0; i < count; i++)
        strcat(text, texts[i]);
    for (size_t e = 0; e < MOST_EDITS && test.edits[e].from != NULL; e++)
        text = edited_text(text, &test.edits[e]);
    const cl_program program =
        __real_clCreateProgramWithSource(context, 1, &(const char *){text}, NULL, status);
    free(text);
    return program;
}

cl_int __real_clSetKernelArg(cl_kernel kernel, cl_uint at, size_t bytes, const void *value);
cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint at, size_t bytes, const void *value);

cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint at, size_t bytes, const void *value)
{
    if (at < MOST_ARGS && bytes == sizeof *test.buffers && value != NULL)
        memcpy(&test.buffers[at], value, sizeof *test.buffers);
    if (at == kernels[RADIX].numbers && bytes == sizeof test.radix)
        memcpy(&test.radix, value, sizeof test.radix);
    if (at == kernels[PACK].numbers && bytes == sizeof test.pack)
        memcpy(&test.pack, value, sizeof test.pack);
    if (at == kernels[SCAN].numbers && bytes == sizeof test.scan)
        memcpy(&test.scan, value, sizeof test.scan);
    if (at == kernels[BY_KEY].numbers && bytes == sizeof test.by_key)
        memcpy(&test.by_key, value, sizeof test.by_key);
    if (at == kernels[SET].numbers && bytes == sizeof test.set)
        memcpy(&test.set, value, sizeof test.set);
    if (at == kernels[KSELECT].numbers && bytes == sizeof test.kselect)
        memcpy(&test.kselect, value, sizeof test.kselect);
    return __real_clSetKernelArg(kernel, at, bytes, value);
}

/* Fills in the tiles of `count` groups from `first` on, in the order in which they run. */
static void make_order(cl_uint *tiles, cl_uint first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t later = (i + 1) % count;
        tiles[i] = first + (cl_uint)(test.order == BACKWARD        ? count - 1 - i
                                     : test.order == FIRST_IS_LAST ? later
                                                                   : i);
    }
    for (size_t i = count; test.order == SHUFFLED && i > 1; i--) {
        const size_t j = (size_t)(random_next(&test.random) % i);
        const cl_uint tile = tiles[i - 1];
        tiles[i - 1] = tiles[j];
        tiles[j] = tile;
    }
}

static chained find_kernel(cl_kernel kernel)
{
    char name[64] = "";
    int which = 0;
    REQUIRE_OK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    while (which < NUM_CHAINED && strcmp(name, kernels[which].name) != 0)
        which++;
    return (chained)which;
}

cl_int __wrap_clEnqueueNDRangeKernel(LAUNCH_PARAMETERS)
{
    const chained which = find_kernel(kernel);
    if (which == NUM_CHAINED || test.order == AS_THEY_COME)
        return __real_clEnqueueNDRangeKernel(
            queue, kernel, dimensions, offset, global, local, num_wait, wait, event);
    const size_t count = *global / *local;
    const cl_mem state = test.buffers[kernels[which].state];
    const size_t counters[] = {
        [RADIX] = (size_t)(test.radix.state_at + RADIX_TILES_AT + test.radix.turn),
        [PACK] = (size_t)test.pack.state_at,
        [SCAN] = (size_t)test.scan.state_at,
        [BY_KEY] = (size_t)test.by_key.state_at,
        [SET] = (size_t)(test.set.merge.splits_at + test.set.merge.tiles),
        [KSELECT] = (size_t)test.kselect.counts_at +
                    test.kselect.passes * DMM_KSELECT_PASS_WORDS(KSELECT_DIGIT_BITS, 4u)};
    const cl_uint first_tile = which == RADIX     ? 0
                               : which == PACK    ? test.pack.first_tile
                               : which == SET     ? test.set.first_tile
                               : which == KSELECT ? test.kselect.first_tile
                               : offset != NULL   ? (cl_uint)(*offset / *local)
                                                  : 0;
    const size_t at = counters[which];
    cl_uint tiles[CHAIN_MOST / CHAIN_TILE + 1];
    REQUIRE(count <= sizeof tiles / sizeof *tiles);
    make_order(tiles, first_tile, count);
    if (num_wait > 0)
        REQUIRE_OK(clWaitForEvents(num_wait, wait));
    for (size_t i = 0; i < count; i++, test.groups++) {
        REQUIRE_OK(clEnqueueWriteBuffer(
            queue, state, CL_TRUE, at * sizeof *tiles, sizeof *tiles, &tiles[i], 0, NULL, NULL));
        REQUIRE_OK(
            __real_clEnqueueNDRangeKernel(queue, kernel, 1, NULL, local, local, 0, NULL, NULL));
        REQUIRE_OK(clFinish(queue));
    }
    return clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
}

/* Makes a case in all orders; launch_items divides passes into launches. */
static void run_in_all_orders(chain_case *once, const uint32_t kinds[4])
{
    static const char *const sets[] = {"banks=16,units=2", "banks=16,units=2,launch_items=1024"};
    rig r;
    begin(NULL);
    for (size_t s = 0; s < by_size(1, 2, 2); s++) {
        rig_open(&r, sets[s]);
        for (uint64_t i = 0; i < by_size(1, 40, 5000); i++) {
            const size_t most = by_size(3 * CHAIN_TILE, CHAIN_MOST, CHAIN_MOST);
            const size_t n = i < NUM_ORDERS
                                 ? most
                                 : CHAIN_TILE + 1 + random_next(&test.random) % (most - CHAIN_TILE);
            test.order = i < NUM_ORDERS ? (order)((i + BACKWARD) % NUM_ORDERS) : SHUFFLED;
            test_note("set %zu, run %u, order %u, n=%zu", s, (unsigned)i, (unsigned)test.order, n);
            REQUIRE_VERDICT(once(&r, &test.random, n, kinds[i % 4]));
        }
        rig_close(&r);
    }
    REQUIRE(test.groups > 0);
}

/* Makes a case in all orders that have groups one at a time, with edited kernels. Returns the
 * number of runs whose result was wrong. */
static unsigned count_faults(const edit *edits, chain_case *once, uint32_t kind)
{
    unsigned faults = 0;
    rig r;
    begin(edits);
    rig_open(&r, "banks=16,units=2");
    for (test.order = FORWARD; test.order < NUM_ORDERS; test.order++)
        faults += once(&r, &test.random, CHAIN_MOST, kind) != NULL;
    rig_close(&r);
    REQUIRE(test.edited > 0);
    return faults;
}

static void groups_that_run_one_at_a_time_in_any_order_sort(void **state)
{
    static const uint32_t most_keys[] = {65535, 3, 255, 700};
    (void)state;
    run_in_all_orders(chain_sort, most_keys);
}

static void groups_that_run_one_at_a_time_in_any_order_pack(void **state)
{
    static const uint32_t lengths[] = {1, 3, 1000, 50};
    (void)state;
    run_in_all_orders(chain_pack, lengths);
}

static void groups_that_run_one_at_a_time_in_any_order_select(void **state)
{
    static const uint32_t most_keys[] = {65535, 3, 255, 0};
    (void)state;
    run_in_all_orders(chain_select, most_keys);
}

static void groups_that_run_one_at_a_time_in_any_order_combine_sets(void **state)
{
    static const uint32_t ops[] = {
        DMM_SET_UNION, DMM_SET_INTERSECTION, DMM_SET_DIFFERENCE, DMM_SET_SYMMETRIC};
    (void)state;
    run_in_all_orders(chain_set, ops);
}

static void groups_that_run_one_at_a_time_in_any_order_scan(void **state)
{
    static const uint32_t bytes[] = {8, 4, 2, 1};
    (void)state;
    run_in_all_orders(chain_scan, bytes);
}

static void groups_that_run_one_at_a_time_in_any_order_scan_by_key(void **state)
{
    static const uint32_t lengths[] = {3, 1, 1000, 50};
    (void)state;
    run_in_all_orders(chain_by_key, lengths);
}

/* Errors in cl/chain.clh and in what stores its words. */
static const struct {
    const char *what;
    edit edits[MOST_EDITS];
} chain_errors[] = {
    {"a count made for another group counts as that of all earlier tiles",
        {{"DMM_CHAIN_OWN | count_of(row_ - 1)", "DMM_CHAIN_ALL | count_of(row_ - 1)"}}},
    {"a tile that has not begun counts as empty",
        {{"DMM_CHAIN_OWN | count_of(row_ - 1)", "DMM_CHAIN_OWN"}}},
    {"a walk ends at any tile's own count",
        {{"word_ & DMM_CHAIN_ALL ? (first) : row_ - 1", "(first)"}}},
    {"a group leaves out what is before its tile",
        {{"DMM_CHAIN_ALL | (before + own)", "DMM_CHAIN_ALL | own"}}},
};

static void errors_planted_in_the_chain_are_found(void **state)
{
    (void)state;
    for (size_t e = 0; e < sizeof chain_errors / sizeof *chain_errors; e++) {
        test_note("%s", chain_errors[e].what);
        REQUIRE(count_faults(chain_errors[e].edits, chain_pass, 255) > 0);
        REQUIRE(count_faults(chain_errors[e].edits, chain_pack, 3) > 0);
        REQUIRE(count_faults(chain_errors[e].edits, chain_select, 3) > 0);
        REQUIRE(count_faults(chain_errors[e].edits, chain_set, DMM_SET_UNION) > 0);
    }
}

/* Errors in cl/link.clh and its parts. The first leaves what a group leaves that stops between: a
 * tile that is overwritten, and whose total nobody can know any more. */
static const struct {
    const char *what;
    edit edits[MOST_EDITS];
} scan_errors[] = {
    {"a group overwrites its tile before it stores its total",
        {{"dmm_link_publish(link, own);", ""},
            {"dmm_link_publish(link + DMM_LINK_PARTS, dmm_since_join(before, own));", ""}}},
    {"a tile that has not begun counts as empty",
        {{"found.total = dmm_combine(found.total, DMM_TERM_OF(DMM_INPUT_ITEM(in, x)));", ";"}}},
    {"a walk ends at any tile's own total", {{"tile = has_all ? 0 : tile - 1;", "tile = 0;"}}},
    {"a group leaves out what is before its tile", {{"dmm_since_join(before, own)", "own"}}},
};

static void errors_planted_in_the_chain_of_scans_are_found(void **state)
{
    (void)state;
    for (size_t e = 0; e < sizeof scan_errors / sizeof *scan_errors; e++) {
        test_note("%s", scan_errors[e].what);
        REQUIRE(count_faults(scan_errors[e].edits, chain_scan, 4) > 0);
    }
    test_note("a tile by key that has not begun counts as empty");
    REQUIRE(count_faults((const edit[MOST_EDITS]){{"found = dmm_since_join(found, item);", ";"}},
                chain_by_key, 50) > 0);
}

/* Groups begin, and store their totals, after a random time of spinning. */
static const edit delays[MOST_EDITS] = {
    {"dmm_chain_clear(r, mem.t, r.turn + 1, tile, r.groups);",
        "dmm_chain_clear(r, mem.t, r.turn + 1, tile, r.groups);"
        " test_delay(mem.t == 0 ? tile + 16 * r.in.keys[r.first] : 0);"},
    {"atomic_xchg(&row[d], DMM_CHAIN_ALL",
        "test_delay(d + tile + keys[0]); atomic_xchg(&row[d], DMM_CHAIN_ALL"},
    {"dmm_link_publish(link, own);",
        "test_delay((uint)own.total + tile); dmm_link_publish(link, own);"},
    {"dmm_link_publish(link + DMM_LINK_PARTS, dmm_since_join(before, own));",
        "test_delay((uint)own.total);"
        " dmm_link_publish(link + DMM_LINK_PARTS, dmm_since_join(before, own));"},
};

static void groups_that_are_delayed_sort_and_scan(void **state)
{
    const uint64_t runs = by_size(1, 100, 10000);
    rig r;
    (void)state;
    begin(delays);
    rig_open(&r, "banks=16,units=2");
    for (uint64_t i = 0; i < runs; i++) {
        const size_t n = CHAIN_MOST - random_next(&test.random) % CHAIN_TILE;
        test_note("run %u, n=%zu", (unsigned)i, n);
        REQUIRE_VERDICT(chain_sort(&r, &test.random, n, i % 2 != 0 ? 65535 : 3));
        REQUIRE_VERDICT(chain_scan(&r, &test.random, n, i % 2 != 0 ? 8 : 2));
    }
    rig_close(&r);
    /* One program that sorts, two that scan; and one with ballots, where it does not build. */
    REQUIRE(test.edited >= 2 + 2 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_sort),
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_pack),
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_select),
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_combine_sets),
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_scan),
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_scan_by_key),
        cmocka_unit_test(groups_that_are_delayed_sort_and_scan),
        cmocka_unit_test(errors_planted_in_the_chain_are_found),
        cmocka_unit_test(errors_planted_in_the_chain_of_scans_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
