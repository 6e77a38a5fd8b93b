/* SPDX-License-Identifier: MIT */
/*
 * Chained radix passes (cl/radix/radix_chain.clh) when groups run one at a time and in any order:
 * each pass is replaced by a launch a group, whose tile the test chooses. A group whose
 * predecessors have not begun must count their tiles itself; otherwise it would wait for ever.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/sort.h>

#include "cl/radix/radix_call.clh"
#include "support/cover.h"
#include "support/forms.h"
#include "support/random.h"
#include "support/rig.h"

enum { U = 16, TILE = U * 8, MOST = 12 * TILE };
/* Arguments of dmm_radix_pass, and where the counters of tiles are in the state. */
enum { STATE_ARG = 7, NUMBERS_ARG = 10, TILES_AT = 1 };

typedef enum order { AS_THEY_COME, FORWARD, BACKWARD, FIRST_IS_LAST, SHUFFLED, NUM_ORDERS } order;

static struct {
    order order;
    random_source random;
    uint64_t groups; /* launched one at a time */
    cl_mem state;    /* latest arguments */
    dmm_radix_call numbers;
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
    if (at == STATE_ARG && bytes == sizeof test.state && value != NULL)
        memcpy(&test.state, value, sizeof test.state);
    if (at == NUMBERS_ARG && bytes == sizeof test.numbers)
        memcpy(&test.numbers, value, sizeof test.numbers);
    return __real_clSetKernelArg(kernel, at, bytes, value);
}

/* Fills in the tiles of `count` groups in the order in which they run. */
static void make_order(cl_uint *tiles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t later = (i + 1) % count;
        tiles[i] = (cl_uint)(test.order == BACKWARD        ? count - 1 - i
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
    if (strcmp(name, "dmm_radix_pass") != 0 || test.order == AS_THEY_COME)
        return __real_clEnqueueNDRangeKernel(
            queue, kernel, dimensions, offset, global, local, num_wait, wait, event);
    const size_t count = *global / *local;
    const size_t at = (size_t)(test.numbers.state_at + TILES_AT + test.numbers.turn);
    cl_uint tiles[MOST / TILE + 1];
    REQUIRE(count <= sizeof tiles / sizeof *tiles);
    make_order(tiles, count);
    if (num_wait > 0)
        REQUIRE_OK(clWaitForEvents(num_wait, wait));
    for (size_t i = 0; i < count; i++, test.groups++) {
        REQUIRE_OK(clEnqueueWriteBuffer(queue, test.state, CL_TRUE, at * sizeof *tiles,
            sizeof *tiles, &tiles[i], 0, NULL, NULL));
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

/* Sorts in all orders; launch_items divides passes into launches. */
static void groups_that_run_one_at_a_time_in_any_order_sort(void **state)
{
    static const char *const sets[] = {"banks=16,units=2", "banks=16,units=2,launch_items=1024"};
    static const uint32_t most_keys[] = {65535, 3, 255, 700};
    rig r;
    (void)state;
    test.random = (random_source){7};
    for (size_t s = 0; s < by_size(1, 2, 2); s++) {
        rig_open(&r, sets[s]);
        for (uint64_t i = 0; i < by_size(1, 40, 5000); i++) {
            const size_t most = by_size(3 * TILE, MOST, MOST);
            const size_t n =
                i < NUM_ORDERS ? most : TILE + 1 + random_next(&test.random) % (most - TILE);
            test.order = i < NUM_ORDERS ? (order)((i + BACKWARD) % NUM_ORDERS) : SHUFFLED;
            test_note("set %zu, run %u, order %u, n=%zu", s, (unsigned)i, (unsigned)test.order, n);
            sort_once(&r, n, most_keys[i % 4]);
        }
        rig_close(&r);
    }
    REQUIRE(test.groups > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_that_run_one_at_a_time_in_any_order_sort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
