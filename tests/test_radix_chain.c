/* SPDX-License-Identifier: MIT */
/*
 * Chained radix passes and the chained scan of dmm_unique (cl/chain.clh) when groups run one at a
 * time and in any order: each launch is replaced by one a group, whose tile the test chooses. A
 * group whose predecessors have not begun must count their tiles itself; otherwise it would wait
 * for ever.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/sort.h>
#include <dmm/unique.h>

#include "cl/radix/radix_call.clh"
#include "cl/unique_call.clh"
#include "support/cover.h"
#include "support/forms.h"
#include "support/random.h"
#include "support/rig.h"

enum { U = 16, TILE = U * 8, MOST = 12 * TILE };
/* Arguments of dmm_radix_pass with the state and the call's numbers, and where the counters of
 * tiles are in the state; of dmm_unique_keep. */
enum { RADIX_STATE = 7, RADIX_NUMBERS = 10, RADIX_TILES_AT = 1 };
enum { UNIQUE_STATE = 5, UNIQUE_NUMBERS = 7, MOST_ARGS = 11 };

typedef enum order { AS_THEY_COME, FORWARD, BACKWARD, FIRST_IS_LAST, SHUFFLED, NUM_ORDERS } order;

static struct {
    order order;
    random_source random;
    uint64_t groups;           /* launched one at a time */
    cl_mem buffers[MOST_ARGS]; /* latest arguments */
    dmm_radix_call radix;
    dmm_unique_call unique;
} test;

cl_int __real_clSetKernelArg(cl_kernel kernel, cl_uint at, size_t bytes, const void *value);
cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint at, size_t bytes, const void *value);
cl_int __real_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint num_wait,
    const cl_event *wait, cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint num_wait,
    const cl_event *wait, cl_event *event);

cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint at, size_t bytes, const void *value)
{
    if (at < MOST_ARGS && bytes == sizeof *test.buffers && value != NULL)
        memcpy(&test.buffers[at], value, sizeof *test.buffers);
    if (at == RADIX_NUMBERS && bytes == sizeof test.radix)
        memcpy(&test.radix, value, sizeof test.radix);
    if (at == UNIQUE_NUMBERS && bytes == sizeof test.unique)
        memcpy(&test.unique, value, sizeof test.unique);
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

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    char name[64] = "";
    REQUIRE_OK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    const int sorts = strcmp(name, "dmm_radix_pass") == 0;
    if ((!sorts && strcmp(name, "dmm_unique_keep") != 0) || test.order == AS_THEY_COME)
        return __real_clEnqueueNDRangeKernel(
            queue, kernel, dimensions, offset, global, local, num_wait, wait, event);
    const size_t count = *global / *local;
    const cl_mem state = test.buffers[sorts ? RADIX_STATE : UNIQUE_STATE];
    const size_t at = (size_t)(sorts ? test.radix.state_at + RADIX_TILES_AT + test.radix.turn
                                     : test.unique.state_at);
    cl_uint tiles[MOST / TILE + 1];
    REQUIRE(count <= sizeof tiles / sizeof *tiles);
    make_order(tiles, sorts ? 0 : test.unique.first_tile, count);
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

/* Sorts, or packs, in all orders; launch_items divides passes into launches. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_sort),
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_pack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
