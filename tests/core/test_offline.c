/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * Contexts of recorded facts, in a process without OpenCL: every primitive is created for devices
 * that are not there, and says how much temp it needs. That the bytes are those of a device with
 * these facts is in test_arguments.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/dmm.h>

#include "support/right_calls.h"

static const dmm_device devices[] = {
    {.name = "defaults"},
    {.name = "a GPU of 32 lanes",
        .vendor = "NVIDIA Corporation",
        .units = {132, DMM_SOURCE_QUERY},
        .sync_width = {32, DMM_SOURCE_QUERY},
        .local_bytes = {49152, DMM_SOURCE_QUERY},
        .max_group = {1024, DMM_SOURCE_QUERY},
        .max_buffer = {(uint64_t)20 << 30, DMM_SOURCE_QUERY},
        .fp64 = {1, DMM_SOURCE_QUERY}},
    {.name = "a GPU of 64 lanes",
        .vendor = "Advanced Micro Devices, Inc.",
        .sync_width = {64, DMM_SOURCE_QUERY},
        .local_bytes = {65536, DMM_SOURCE_QUERY},
        .units = {64, DMM_SOURCE_QUERY}},
    {.name = "a CPU", .kind = DMM_KIND_CPU, .units = {8, DMM_SOURCE_QUERY}},
};

static dmm_context *open_device(const dmm_device *facts, const char *set)
{
    dmm_context *ctx = NULL;
    REQUIRE_OK(dmm_context_create(
        &ctx, &(dmm_context_desc){.facts = facts, .set = set, .ignore_environment = 1}));
    return ctx;
}

static void defaults_are_those_of_the_vendor(void **state)
{
    (void)state;
    test_note("defaults");
    dmm_context *ctx = open_device(&devices[2], "units=7");
    const dmm_device *const device = dmm_context_device(ctx);
    REQUIRE(device->kind == DMM_KIND_GPU && device->id == NULL && device->platform == NULL);
    REQUIRE(device->lanes.value == 64 && device->lanes.source == DMM_SOURCE_TABLE);
    REQUIRE(device->banks.value == 32 && device->max_group.source == DMM_SOURCE_DEFAULT);
    REQUIRE(device->units.value == 7 && device->units.source == DMM_SOURCE_OVERRIDE);
    REQUIRE(device->local_bytes.value == 65536);
    REQUIRE(dmm_context_cl(ctx) == NULL && dmm_context_queue(ctx) == NULL);
    dmm_context_free(ctx);
}

static void every_primitive_is_created_and_asked(void **state)
{
    const dmm_primitive last = DMM_PRIMITIVE_TOPK_SEGMENTED;
    (void)state;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        size_t refused = 0;
        dmm_context *const ctx = open_device(&devices[d], "");
        for (size_t i = 0; i < num_right_calls; i++) {
            const right_call *const r = &right_calls[i];
            dmm_warm_item warm = {.desc = r->desc};
            void *object = NULL;
            uint64_t bytes = UINT64_MAX;
            test_note("%s on %s", r->word, devices[d].name);
            const dmm_status status = r->public->create(&object, ctx, r->desc);
            if (status == DMM_BAD_PARAMETERS) { /* a u of the table, below these banks */
                refused++;
                continue;
            }
            REQUIRE_OK(status);
            REQUIRE_OK(r->public->temp_bytes(&bytes, object, r->sizes));
            REQUIRE(bytes < 1 << 24);
            r->public->free(object);
            while (warm.primitive <= last && dmm_class_of(warm.primitive) != r->class)
                warm.primitive++;
            if (warm.primitive <= last)
                REQUIRE_OK(dmm_context_warm(ctx, &warm, 1, 1));
        }
        dmm_context_free(ctx);
        test_note("%s: refused %zu", devices[d].name, refused);
        REQUIRE(refused < num_right_calls / 3);
    }
}

/* The one number of the header's example that can be known here: two lists of keys and of values,
 * and little more. */
static void a_sort_of_a_planned_gpu_says_its_temp(void **state)
{
    const uint64_t n = (uint64_t)1 << 30;
    dmm_context *const ctx = open_device(&devices[1], NULL);
    const dmm_sort_desc desc = {.value_bytes = 4};
    dmm_sort *sort = NULL;
    uint64_t bytes = 0;
    (void)state;
    test_note("a sort of 2^30 pairs");
    REQUIRE_OK(dmm_sort_create(&sort, ctx, &desc));
    REQUIRE(dmm_sort_chosen(sort) == DMM_SORT_RADIX); /* by lanes that exchange data */
    REQUIRE_OK(dmm_sort_temp_bytes(&bytes, sort, n));
    REQUIRE(bytes >= 8 * n && bytes < 9 * n);
    dmm_sort_free(sort);
    dmm_context_free(ctx);
}

/* Where launches decide, on many multiprocessors, radix passes pay from fewer items on. */
static void auto_depends_on_n_and_on_units(void **state)
{
    static const struct {
        const char *set;
        uint64_t max_n;
        dmm_sort_method chosen;
    } rows[] = {{"units=2", 1 << 16, DMM_SORT_MERGE}, {"units=2", 1 << 17, DMM_SORT_RADIX},
        {"units=80", 1 << 14, DMM_SORT_MERGE}, {"units=80", 1 << 15, DMM_SORT_RADIX}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dmm_context *const ctx = open_device(&devices[1], rows[i].set);
        dmm_sort *sort = NULL;
        test_note("auto: %s, %u", rows[i].set, (unsigned)rows[i].max_n);
        REQUIRE_OK(dmm_sort_create(
            &sort, ctx, &(dmm_sort_desc){.order.type = DMM_U32, .max_n = rows[i].max_n}));
        REQUIRE(dmm_sort_chosen(sort) == rows[i].chosen);
        dmm_sort_free(sort);
        dmm_context_free(ctx);
    }
}

static dmm_status read_nothing(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    (void)user, (void)keys, (void)values, (void)most;
    *count = 0;
    return DMM_OK;
}

static dmm_status write_nothing(void *user, const void *keys, const void *values, uint64_t count)
{
    (void)user, (void)keys, (void)values, (void)count;
    return DMM_OK;
}

static dmm_status store_nothing(void *user, uint64_t at_bytes, const void *data, uint64_t bytes)
{
    (void)user, (void)at_bytes, (void)data, (void)bytes;
    return DMM_OK;
}

static dmm_status load_nothing(void *user, uint64_t at_bytes, void *data, uint64_t bytes)
{
    (void)user, (void)at_bytes, (void)data, (void)bytes;
    return DMM_OK;
}

static void nothing_runs(void **state)
{
    uint32_t keys[4] = {3, 1, 2, 0};
    dmm_context *const ctx = open_device(&devices[0], NULL);
    const dmm_sort_desc desc = {.value_bytes = 0};
    const dmm_permutation_plan_desc reversal = {
        .kind = DMM_PLAN_BIT_REVERSAL, .n = 64, .item_bytes = 4};
    const dmm_sort_stream_desc large = {.run_items = 1 << 18};
    const dmm_sort_stream_args nothing = {
        .read = read_nothing, .write = write_nothing, .store = store_nothing, .load = load_nothing};
    dmm_sort_stream_plan runs;
    dmm_permutation_plan *plan = NULL;
    (void)state;
    test_note("calls without a device");
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_sort_host(ctx, &desc, keys, NULL, 4));
    REQUIRE(strstr(dmm_error_text(DMM_UNSUPPORTED), "dmm_sort: the dmm_context has facts") != NULL);
    REQUIRE(keys[0] == 3 && keys[3] == 0);
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_context_selftest(ctx, NULL, NULL));
    REQUIRE_OK(dmm_sort_stream_plan_host(&runs, ctx, &large, 1 << 20));
    REQUIRE(runs.runs == 4);
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_sort_stream_host(ctx, &large, &nothing));
    REQUIRE_OK(dmm_permutation_plan_create(&plan, ctx, &reversal));
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_permutation_plan_save(plan, "never"));
    dmm_permutation_plan_free(plan);
    dmm_context_free(ctx);
}

static void wrong_facts_are_refused(void **state)
{
    static const dmm_device wrong[] = {
        {.kind = (dmm_device_kind)5},
        {.banks = {24, DMM_SOURCE_QUERY}},
        {.banks = {256, DMM_SOURCE_QUERY}},
        {.sync_width = {128, DMM_SOURCE_QUERY}},
        {.units = {1 << 20, DMM_SOURCE_QUERY}},
        {.fp64 = {63, DMM_SOURCE_QUERY}},
    };
    dmm_context *ctx = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_note("wrong facts %zu", i);
        REQUIRE_REFUSED(
            DMM_BAD_VALUE, &ctx, dmm_context_create(&ctx, &(dmm_context_desc){.facts = &wrong[i]}));
        REQUIRE(strstr(dmm_error_text(DMM_BAD_VALUE), "dmm_context_create: facts: ") != NULL);
    }
    REQUIRE_REFUSED(DMM_BAD_VALUE, &ctx,
        dmm_context_create(&ctx, &(dmm_context_desc){.facts = &devices[0], .device_text = "0"}));
    REQUIRE_REFUSED(DMM_NO_PLATFORM, &ctx, dmm_context_create(&ctx, NULL)); /* no OpenCL here */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_vendor),
        cmocka_unit_test(every_primitive_is_created_and_asked),
        cmocka_unit_test(a_sort_of_a_planned_gpu_says_its_temp),
        cmocka_unit_test(auto_depends_on_n_and_on_units),
        cmocka_unit_test(nothing_runs),
        cmocka_unit_test(wrong_facts_are_refused),
    };
    setenv("DMM_OPENCL_LIBRARY", "/nonexistent/libOpenCL.so", 1);
    return cmocka_run_group_tests_name("offline", tests, NULL, NULL);
}
