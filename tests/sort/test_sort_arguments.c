/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/* Descriptions and arguments that dmm_sort rejects; those that its ports say: test_arguments.c. */
#include "support/require.h"

#include <string.h>

#include "core/context.h"
#include "support/shared.h"
#include "support/zone.h"
#include "support/forms.h"
#include "support/sort_case.h"

static dmm_sort *refused;

#define REFUSED(expected, ...) \
    REQUIRE_REFUSED(           \
        expected, &refused, dmm_sort_create(&refused, shared.ctx, &(dmm_sort_desc){__VA_ARGS__}))
#define ITEM(bytes, text, expression) \
    .order = {.type = DMM_ITEM, .item_bytes = bytes, .item = text, .less = expression}

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    static const char item[] = "typedef uint dmm_item;";
    (void)state;
    REFUSED(DMM_BAD_VALUE, .order = {.type = (dmm_type)12});
    REFUSED(DMM_BAD_VALUE, .order = {.type = (dmm_type)1000});
    REFUSED(DMM_BAD_VALUE, .order = {.zero_equal = 1});
    REFUSED(DMM_BAD_VALUE, .order = {.item_bytes = 4});
    REFUSED(DMM_BAD_VALUE, .order = {.item = item});
    REFUSED(DMM_BAD_VALUE, ITEM(4, NULL, "a < b"));
    REFUSED(DMM_BAD_VALUE, ITEM(4, item, NULL));
    REFUSED(DMM_BAD_VALUE, ITEM(0, item, "a < b"));
    REFUSED(DMM_BAD_VALUE, ITEM(257, item, "a < b"));
    REFUSED(DMM_BAD_VALUE, .value_bytes = 257);
    REFUSED(DMM_BAD_VALUE, .value_bytes = UINT32_MAX);
    REFUSED(DMM_BAD_VALUE, .argsort = 1);
    REFUSED(DMM_BAD_VALUE, .argsort = 1, .value_bytes = 2);
    REFUSED(DMM_BAD_VALUE, .argsort = 1, .value_bytes = 16);
    REFUSED(DMM_BAD_VALUE, .method = (dmm_sort_method)3);
    REFUSED(DMM_BAD_VALUE, .method = (dmm_sort_method)6);
    REFUSED(DMM_BAD_VALUE, .method = (dmm_sort_method)7);
    REFUSED(DMM_BAD_VALUE, .tuning = {.form = (dmm_form)3});
    REFUSED(DMM_BAD_VALUE, .tuning = {.search = (dmm_tile_search)3});
}

static void parameters_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 8}); /* fewer than the banks */
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 2048, .E = 1});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 4096, .E = 1});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 1u << 31});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .E = 33});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .E = UINT32_MAX});
    REFUSED(DMM_BAD_PARAMETERS, .value_bytes = 256, .order = {.type = DMM_U64},
        .tuning = {DMM_FORM_GPU, .u = 1024, .E = 1u << 30});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_CPU, .tile = 100});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_CPU, .E = 7});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_CPU, .E = 16, .tile = 8});
    REFUSED(
        DMM_UNSUPPORTED, .guarantee = 1, .tuning = {DMM_FORM_GPU, .search = DMM_TILE_SEARCH_PLAIN});
}

static void less_on_f64_keys_needs_a_device_with_double(void **state)
{
    dmm_fact *const fp64 = &shared.ctx->device.fp64;
    const dmm_fact before = *fp64;
    (void)state;
    fp64->value = 0;
    REFUSED(DMM_UNSUPPORTED, .order = {.type = DMM_F64, .less = "a < b"});
    *fp64 = before;
}

/* On a device without ballots. */
static void auto_chooses_a_method_that_the_caller_can_ask_for(void **state)
{
    static const dmm_sort_desc descs[] = {
        {.tuning.form = DMM_FORM_CPU},
        {.tuning.form = DMM_FORM_CPU, .max_n = 1 << 10},
        {.tuning.form = DMM_FORM_CPU, .guarantee = 1},
        {.tuning.form = DMM_FORM_GPU},
        {.tuning.form = DMM_FORM_GPU, .guarantee = 1},
        {.tuning.form = DMM_FORM_GPU, .bits = {0, 8}},
        {.tuning.form = DMM_FORM_GPU, .method = DMM_SORT_NETWORK},
    };
    static const dmm_sort_method chosen[] = {DMM_SORT_RADIX, DMM_SORT_MERGE, DMM_SORT_RADIX,
        DMM_SORT_MERGE, DMM_SORT_MERGE, DMM_SORT_RADIX, DMM_SORT_NETWORK};
    (void)state;
    for (size_t i = 0; i < sizeof descs / sizeof descs[0]; i++) {
        dmm_sort *sort = NULL;
        test_note("description %d", (int)i);
        REQUIRE_OK(dmm_sort_create(&sort, shared.ctx, &descs[i]));
        REQUIRE(dmm_sort_chosen(sort) == chosen[i]);
        dmm_sort_free(sort);
    }
    REQUIRE(dmm_sort_chosen(NULL) == DMM_SORT_AUTO);
}

static void missing_pointers_are_refused(void **state)
{
    const dmm_sort_desc desc = {0};
    uint32_t key = 1;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_host(NULL, &desc, &key, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_host(shared.ctx, NULL, &key, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_host(shared.ctx, &desc, NULL, NULL, 1));
    REQUIRE_OK(dmm_sort_host(shared.ctx, &desc, NULL, NULL, 0));
}

static cl_mem sub_buffer(const zone *z, size_t origin_bytes, size_t bytes)
{
    cl_int failed = CL_SUCCESS;
    const cl_buffer_region region = {origin_bytes, bytes};
    const cl_mem part = clCreateSubBuffer(
        z->buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &failed);
    REQUIRE_OK(failed);
    return part;
}

/* Sub-buffers must begin at a multiple of the device's alignment: 4096 bytes suit every device. */
static void overlaps_through_sub_buffers_are_seen(void **state)
{
    enum { ALIGN_BYTES = 4096, N = 100 };
    const dmm_sort_desc desc = {.max_n = N, .tuning = GPU(16, 4)};
    dmm_sort *sort = NULL;
    REQUIRE_OK(dmm_sort_create(&sort, shared.ctx, &desc));
    zone z = zone_create(&shared, NULL, 4 * ALIGN_BYTES, 0);
    const cl_mem part = sub_buffer(&z, ALIGN_BYTES, 2 * ALIGN_BYTES);
    const dmm_span in_part = {part, 0};
    dmm_sort_args args = {.keys_in = in_part, .keys_out = {z.buffer, ALIGN_BYTES + 4}};
    (void)state;
    test_note("sub-buffers");
    REQUIRE_STATUS(DMM_OVERLAP, dmm_sort_enqueue(sort, shared.queue, &args, N, 0, NULL, NULL));
    args.keys_out.offset_bytes = ALIGN_BYTES - 4 * N + 4;
    REQUIRE_STATUS(DMM_OVERLAP, dmm_sort_enqueue(sort, shared.queue, &args, N, 0, NULL, NULL));
    args.keys_out.offset_bytes = ALIGN_BYTES; /* the same bytes, but not the same buffer */
    REQUIRE_STATUS(DMM_OVERLAP, dmm_sort_enqueue(sort, shared.queue, &args, N, 0, NULL, NULL));
    REQUIRE(zone_untouched(&shared, &z));
    args.keys_out.offset_bytes = ALIGN_BYTES - 4 * N;
    REQUIRE_STATUS(DMM_OK, dmm_sort_enqueue(sort, shared.queue, &args, N, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    clReleaseMemObject(part);
    zone_free(&z);
    dmm_sort_free(sort);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(parameters_that_do_not_fit_are_refused),
        cmocka_unit_test(less_on_f64_keys_needs_a_device_with_double),
        cmocka_unit_test(auto_chooses_a_method_that_the_caller_can_ask_for),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(overlaps_through_sub_buffers_are_seen),
    };
    return RUN_WITH_RIG("sort_arguments", "banks=16,sync_width=1", tests);
}
