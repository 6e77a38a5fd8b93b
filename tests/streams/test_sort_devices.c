/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_devices over one context and several: of the same device, with different kernels, of
 * sub-devices, and of every other device there is; tiny parts, every shape of input.
 */
#include "support/require.h"

#include <dmm/sort_devices.h>

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/rig.h"

enum { MOST = 4 };

static const uint64_t sizes[] = {0, 1, 2, 63, 64, 65, 300, 1111};

static void check(dmm_context *const *contexts, uint32_t num, const kind *k, uint32_t value_bytes,
    uint64_t part, uint64_t n, shape input)
{
    random_source random = {n + part};
    dmm_sort_devices_share shares[MOST] = {{0, 0}};
    char *const keys = malloc((size_t)(2 * n * (k->bytes + value_bytes) + 1));
    REQUIRE(keys != NULL);
    char *const values = keys + n * k->bytes, *const copy = values + n * value_bytes;
    const size_t bytes = (size_t)(n * (k->bytes + value_bytes));
    test_note("%u devices, %s%s, values of %u, n %llu, parts of %llu, %s", num, k->name,
        k->order.descending ? " descending" : "", value_bytes, (unsigned long long)n,
        (unsigned long long)part, shape_name(input));
    kind_fill(k, input, keys, n, &random);
    random_bytes(&random, values, (size_t)(n * value_bytes));
    memcpy(copy, keys, bytes);
    const dmm_sort_devices_desc desc = {
        .order = k->order, .value_bytes = value_bytes, .part_items = part};
    REQUIRE_OK(dmm_sort_devices_host(
        contexts, num, &desc, keys, value_bytes != 0 ? values : NULL, (size_t)n, shares));
    const rows before = {copy, value_bytes != 0 ? copy + n * k->bytes : NULL, n, value_bytes};
    const rows after = {keys, value_bytes != 0 ? values : NULL, n, value_bytes};
    REQUIRE_VERDICT(judge(k, &before, &after));
    uint64_t sorted = 0, merged = 0;
    for (uint32_t d = 0; d < num; d++) {
        sorted += shares[d].sorted_items;
        merged += shares[d].merged_items;
    }
    REQUIRE(sorted == n && merged == (part != 0 && n > part ? n : 0));
    free(keys);
}

static void check_all(
    dmm_context *const *contexts, uint32_t num, const kind *k, uint32_t value_bytes)
{
    static const uint64_t parts[] = {64, 1, 7, 37, 500, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t p = 0; p < by_size(1, 3, sizeof parts / sizeof *parts); p++) {
            const uint64_t part = parts[(i + p) % (sizeof parts / sizeof *parts)];
            const uint64_t n = part == 1 && sizes[i] > 65 ? 65 : sizes[i];
            check(contexts, num, k, value_bytes, part, n, (shape)((i + 2 * p) % SHAPE_COUNT));
        }
    for (shape input = SHAPE_RANDOM; input < SHAPE_COUNT; input++)
        check(contexts, num, k, value_bytes, 100, by_size(200, 1200, 5000), input);
}

static void open_contexts(dmm_context **contexts, uint32_t num, const dmm_context_desc *descs)
{
    for (uint32_t d = 0; d < num; d++) {
        test_note("context %u", d);
        REQUIRE_OK(dmm_context_create(&contexts[d], &descs[d]));
    }
}

static void close_contexts(dmm_context **contexts, uint32_t num)
{
    for (uint32_t d = 0; d < num; d++)
        dmm_context_free(contexts[d]);
}

static void several_contexts_sort_as_one(void **state)
{
    const kind pairs = kind_named("u32"), floats = kind_descending(kind_named("f32")),
               items = kind_named("item12");
    /* The second one has other kernels. */
    const dmm_context_desc descs[] = {
        {.tuning = ""}, {.tuning = "", .set = "form=gpu,u=32,E=4"}, {.tuning = ""}};
    dmm_context *contexts[3] = {NULL};
    (void)state;
    open_contexts(contexts, 3, descs);
    check_all(contexts, 1, &pairs, 4);
    check_all(contexts, 2, &pairs, 4);
    check_all(contexts, 3, &pairs, 4);
    if (sizes_wanted() != SIZES_SMALL) {
        check_all(contexts, 1, &floats, 0);
        check_all((dmm_context *const[]){contexts[0], contexts[2], contexts[0]}, 3, &items, 3);
    }
    close_contexts(contexts, 3);
}

static void sub_devices_sort_as_one_device(void **state)
{
    const cl_device_partition_property halves[] = {
        CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    const kind k = kind_named("u32");
    cl_device_id devices[2] = {NULL};
    dmm_context *contexts[2] = {NULL};
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    const cl_device_id whole = dmm_context_device(r.ctx)->id;
    if (clCreateSubDevices(whole, halves, 2, devices, NULL) == CL_SUCCESS) {
        const dmm_context_desc descs[] = {
            {.device = devices[0], .tuning = ""}, {.device = devices[1], .tuning = ""}};
        open_contexts(contexts, 2, descs);
        REQUIRE(dmm_context_device(contexts[0])->units.value == 1);
        check_all(contexts, 2, &k, 4);
        close_contexts(contexts, 2);
        clReleaseDevice(devices[0]);
        clReleaseDevice(devices[1]);
    } else {
        print_message("this device has no sub-devices of one unit\n");
    }
    rig_close(&r);
}

static void all_devices_sort_as_one(void **state)
{
    const kind k = kind_named("u32");
    dmm_device *devices = NULL;
    size_t count = 0;
    uint32_t num = 0;
    dmm_context *contexts[MOST] = {NULL};
    (void)state;
    REQUIRE_OK(dmm_device_list(&devices, &count));
    for (size_t i = 0; i < count && num < MOST; i++) {
        const dmm_context_desc desc = {.device = devices[i].id, .tuning = ""};
        if (devices[i].kind == DMM_KIND_SIMULATOR && count > 1)
            continue;
        open_contexts(&contexts[num], 1, &desc);
        num++;
    }
    print_message("%u devices\n", num);
    check_all(contexts, num, &k, 4);
    if (num > 1) /* enough parts for each device to take one */
        check(contexts, num, &k, 4, 1000, by_size(200, 100000, 1000000), SHAPE_BITS);
    close_contexts(contexts, num);
    dmm_device_list_free(devices);
}

static void wrong_arguments_are_refused(void **state)
{
    uint32_t keys[4] = {3, 2, 1, 0}, values[4] = {0};
    dmm_sort_devices_desc desc = {.order = {.type = DMM_U32}};
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    dmm_context *contexts[2] = {r.ctx, NULL};
    test_note("wrong arguments");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_devices_host(NULL, 1, &desc, keys, NULL, 4, NULL));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_sort_devices_host(contexts, 1, NULL, keys, NULL, 4, NULL));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_sort_devices_host(contexts, 2, &desc, keys, NULL, 4, NULL));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_sort_devices_host(contexts, 1, &desc, NULL, NULL, 4, NULL));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_sort_devices_host(contexts, 1, &desc, keys, values, 4, NULL));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_sort_devices_host(contexts, 0, &desc, keys, NULL, 4, NULL));
    REQUIRE_STATUS(
        DMM_TOO_LARGE, dmm_sort_devices_host(contexts, 1025, &desc, keys, NULL, 4, NULL));
    desc.value_bytes = 257;
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_sort_devices_host(contexts, 1, &desc, keys, values, 4, NULL));
    desc.value_bytes = 0;
    desc.order.type = (dmm_type)99;
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_sort_devices_host(contexts, 1, &desc, keys, NULL, 4, NULL));
    desc.order.type = DMM_U32;
    desc.reserved[3] = 1;
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_sort_devices_host(contexts, 1, &desc, keys, NULL, 4, NULL));
    desc.reserved[3] = 0;
    desc.part_items = 1;
    REQUIRE_OK(dmm_sort_devices_host(contexts, 1, &desc, keys, NULL, 4, NULL));
    for (uint32_t i = 0; i < 4; i++)
        REQUIRE(keys[i] == i);
    REQUIRE_STATUS(
        DMM_TOO_LARGE, dmm_sort_devices_host(contexts, 1, &desc, keys, NULL, 4097, NULL));
    rig_close(&r);
}

static void a_less_that_is_no_order_loses_nothing(void **state)
{
    kind k = kind_named("u32");
    uint32_t keys[500], count[500] = {0};
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    k.order.less = "((a * 2654435761u) ^ b) & 64";
    const dmm_sort_devices_desc desc = {.order = k.order, .part_items = 40};
    test_note("by '%s'", k.order.less);
    for (uint32_t i = 0; i < 500; i++)
        keys[i] = i;
    REQUIRE_OK(dmm_sort_devices_host(
        (dmm_context *const[]){r.ctx, r.ctx}, 2, &desc, keys, NULL, 500, NULL));
    for (uint32_t i = 0; i < 500; i++)
        REQUIRE(keys[i] < 500 && count[keys[i]]++ == 0);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_contexts_sort_as_one),
        cmocka_unit_test(sub_devices_sort_as_one_device),
        cmocka_unit_test(all_devices_sort_as_one),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(a_less_that_is_no_order_loses_nothing),
    };
    return cmocka_run_group_tests_name("sort_devices", tests, NULL, NULL);
}
