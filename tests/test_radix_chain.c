/* SPDX-License-Identifier: MIT */
/*
 * Chained radix passes and the chained scans of dmm_unique and dmm_scan (cl/chain.clh) when groups
 * run one at a time and in any order: each launch is replaced by one a group, whose tile the test
 * chooses. A group whose predecessors have not begun must count their tiles itself; otherwise it
 * would wait for ever.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/scan.h>
#include <dmm/sort.h>
#include <dmm/unique.h>

#include "cl/radix/radix_call.clh"
#include "cl/scan_call.clh"
#include "cl/unique_call.clh"
#include "support/cover.h"
#include "support/forms.h"
#include "support/random.h"
#include "support/rig.h"
#include "support/wrap_launch.h"

enum { U = 16, TILE = U * 8, MOST = 12 * TILE };
/* Of dmm_radix_pass: where the counters of tiles are in the state. */
enum { RADIX_TILES_AT = 1, MOST_ARGS = 11 };

/* The chained kernels; what a kernel's arguments are. */
typedef enum chained { RADIX, UNIQUE, SCAN, NUM_CHAINED } chained;
static const struct {
    const char *name;
    cl_uint state, numbers;
} kernels[NUM_CHAINED] = {
    {"dmm_radix_pass", 7, 10}, {"dmm_unique_keep", 5, 7}, {"dmm_scan_chained", 2, 4}};

typedef enum order { AS_THEY_COME, FORWARD, BACKWARD, FIRST_IS_LAST, SHUFFLED, NUM_ORDERS } order;

static struct {
    order order;
    random_source random;
    uint64_t groups;           /* launched one at a time */
    cl_mem buffers[MOST_ARGS]; /* latest arguments */
    dmm_radix_call radix;
    dmm_unique_call unique;
    dmm_scan_call scan;
} test;

cl_int __real_clSetKernelArg(cl_kernel kernel, cl_uint at, size_t bytes, const void *value);
cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint at, size_t bytes, const void *value);

cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint at, size_t bytes, const void *value)
{
    if (at < MOST_ARGS && bytes == sizeof *test.buffers && value != NULL)
        memcpy(&test.buffers[at], value, sizeof *test.buffers);
    if (at == kernels[RADIX].numbers && bytes == sizeof test.radix)
        memcpy(&test.radix, value, sizeof test.radix);
    if (at == kernels[UNIQUE].numbers && bytes == sizeof test.unique)
        memcpy(&test.unique, value, sizeof test.unique);
    if (at == kernels[SCAN].numbers && bytes == sizeof test.scan)
        memcpy(&test.scan, value, sizeof test.scan);
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
        [UNIQUE] = (size_t)test.unique.state_at,
        [SCAN] = (size_t)test.scan.state_at};
    const cl_uint first_tile = which == RADIX    ? 0
                               : which == UNIQUE ? test.unique.first_tile
                               : offset != NULL  ? (cl_uint)(*offset / *local)
                                                 : 0;
    const size_t at = counters[which];
    cl_uint tiles[MOST / TILE + 1];
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

/* Sorts n keys with their positions, and checks that they are ordered and that none is lost. */
static void sort_once(const rig *r, size_t n, uint32_t most_key)
{
    const dmm_sort_desc desc = {.order.type = DMM_U16,
        .value_bytes = 4,
        .method = DMM_SORT_RADIX,
        .tuning = GPU(U, TILE / U)};
    uint16_t keys[MOST], from[MOST];
    uint32_t values[MOST];
    for (size_t i = 0; i < n; i++) {
        from[i] = keys[i] = (uint16_t)(random_next(&test.random) % (most_key + 1));
        values[i] = (uint32_t)i;
    }
    REQUIRE_OK(dmm_sort_host(r->ctx, &desc, keys, values, n));
    for (size_t i = 0; i < n; i++) {
        REQUIRE(values[i] < n && keys[i] == from[values[i]]);
        REQUIRE(i == 0 || keys[i - 1] < keys[i] ||
                (keys[i - 1] == keys[i] && values[i - 1] < values[i]));
    }
}

/* Packs runs of n keys, and compares them with runs found here. */
static void pack_once(const rig *r, size_t n, uint32_t length)
{
    const dmm_unique_desc desc = {.key_bytes = 2, .value_bytes = 4, .tuning = GPU(U, TILE / U)};
    uint16_t keys[MOST], from[MOST];
    uint32_t values[MOST];
    size_t runs = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        const int begins = i > 0 && random_next(&test.random) % length == 0;
        from[i] = keys[i] = (uint16_t)(i == 0 ? 0 : keys[i - 1] + begins);
        values[i] = (uint32_t)i;
    }
    REQUIRE_OK(dmm_unique_host(r->ctx, &desc, keys, values, n, &runs));
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && from[i] == from[i - 1])
            continue;
        REQUIRE(at < runs && keys[at] == from[i] && values[at] == i);
        at++;
    }
    REQUIRE(at == runs);
}

/* Scans n items in place, and compares them with sums, or maxima, found here. bytes: of an item. */
static void scan_once(const rig *r, size_t n, uint32_t bytes)
{
    const int adds = bytes != 2;
    const dmm_scan_desc desc = {.type = bytes == 1   ? DMM_U8
                                        : bytes == 2 ? DMM_U16
                                        : bytes == 4 ? DMM_U32
                                                     : DMM_U64,
        .op = adds ? DMM_SCAN_SUM : DMM_SCAN_MAX,
        .exclusive = bytes == 8,
        .tuning = GPU(U, TILE / U)};
    static uint64_t wanted[MOST], items[MOST];
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) { /* maxima rise in every tile */
        const uint64_t bits = random_next(&test.random);
        const uint64_t item = adds ? bits >> (64 - 8 * bytes) : bits % (100 + 40 * (uint64_t)i);
        const uint64_t before = total;
        memcpy((unsigned char *)items + i * bytes, &item, bytes); /* of little-endian hosts */
        total = adds ? total + item : total > item ? total : item;
        wanted[i] = desc.exclusive ? before : total;
    }
    REQUIRE_OK(dmm_scan_host(r->ctx, &desc, items, n));
    for (size_t i = 0; i < n; i++)
        REQUIRE(memcmp((unsigned char *)items + i * bytes, &wanted[i], bytes) == 0);
}

/* Sorts, packs, or scans in all orders; launch_items divides passes into launches. */
static void run_in_all_orders(void (*once)(const rig *, size_t, uint32_t), const uint32_t kinds[4])
{
    static const char *const sets[] = {"banks=16,units=2", "banks=16,units=2,launch_items=1024"};
    rig r;
    test.random = (random_source){7};
    test.groups = 0;
    for (size_t s = 0; s < by_size(1, 2, 2); s++) {
        rig_open(&r, sets[s]);
        for (uint64_t i = 0; i < by_size(1, 40, 5000); i++) {
            const size_t most = by_size(3 * TILE, MOST, MOST);
            const size_t n =
                i < NUM_ORDERS ? most : TILE + 1 + random_next(&test.random) % (most - TILE);
            test.order = i < NUM_ORDERS ? (order)((i + BACKWARD) % NUM_ORDERS) : SHUFFLED;
            test_note("set %zu, run %u, order %u, n=%zu", s, (unsigned)i, (unsigned)test.order, n);
            once(&r, n, kinds[i % 4]);
        }
        rig_close(&r);
    }
    REQUIRE(test.groups > 0);
}

static void groups_that_run_one_at_a_time_in_any_order_sort(void **state)
{
    static const uint32_t most_keys[] = {65535, 3, 255, 700};
    (void)state;
    run_in_all_orders(sort_once, most_keys);
}

static void groups_that_run_one_at_a_time_in_any_order_pack(void **state)
{
    static const uint32_t lengths[] = {1, 3, 1000, 50};
    (void)state;
    run_in_all_orders(pack_once, lengths);
}

static void groups_that_run_one_at_a_time_in_any_order_scan(void **state)
{
    static const uint32_t bytes[] = {8, 4, 2, 1};
    (void)state;
    run_in_all_orders(scan_once, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_sort),
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_pack),
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
