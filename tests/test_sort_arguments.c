/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Arguments that dmm_sort rejects, the order of the checks, and that a rejected call touches
 * nothing.
 */
#include "support/require.h"

#include <string.h>

#include "core/context.h"
#include "support/any_call.h"
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
    REFUSED(DMM_UNSUPPORTED, .reserved = {0, 0, 0, 1});
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
        {.tuning.form = DMM_FORM_GPU, .bits = {0, 8}},
        {.tuning.form = DMM_FORM_GPU, .method = DMM_SORT_NETWORK},
    };
    static const dmm_sort_method chosen[] = {DMM_SORT_RADIX, DMM_SORT_MERGE, DMM_SORT_MERGE,
        DMM_SORT_MERGE, DMM_SORT_RADIX, DMM_SORT_NETWORK};
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
    dmm_sort *sort = NULL;
    uint64_t bytes = 17;
    uint32_t key = 1;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_create(NULL, shared.ctx, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_create(&sort, NULL, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_create(&sort, shared.ctx, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_temp_bytes(&bytes, NULL, 1));
    REQUIRE(bytes == 17);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_host(NULL, &desc, &key, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_host(shared.ctx, NULL, &key, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_sort_host(shared.ctx, &desc, NULL, NULL, 1));
    dmm_sort_free(NULL);
}

enum { N = 100, MAX_N = 1000 };

static dmm_status enqueue(const any_call *c, cl_event *event)
{
    return dmm_sort_enqueue(c->object, c->queue, c->args, c->n.first, c->num_wait, NULL, event);
}

static dmm_sort *build_for_arguments(uint32_t value_bytes)
{
    dmm_sort *sort = NULL;
    dmm_sort_desc desc = {0};
    desc.value_bytes = value_bytes;
    desc.max_n = MAX_N;
    desc.tuning = (dmm_tuning)GPU(16, 4);
    test_note("building");
    REQUIRE_OK(dmm_sort_create(&sort, shared.ctx, &desc));
    return sort;
}

static void arguments_are_checked_in_their_order_and_nothing_is_touched(void **state)
{
    uint64_t temp_bytes = 0;
    (void)state;
    dmm_sort *sort = build_for_arguments(4);
    zone keys = zone_create(&shared, NULL, 4 * N, 0), values = zone_create(&shared, NULL, 4 * N, 0);
    zone keys_out = zone_create(&shared, NULL, 4 * N, 4 * N);
    zone values_out = zone_create(&shared, NULL, 4 * N, 0);
    REQUIRE_OK(dmm_sort_temp_bytes(&temp_bytes, sort, N));
    zone temp = zone_create(&shared, NULL, temp_bytes, 0);
    dmm_sort_args args = {.temp = DMM_NONE};
    any_call call = {enqueue, sort, &args, {N, 0}, shared.queue, 0, NULL};

    any_call_before_spans(&call, &(call_counts){MAX_N + 1, 0}, 1);
    WRONG_SPAN(args.keys_in, &keys, 4);
    WRONG_SPAN(args.values_in, &values, 4);
    WRONG_SPAN(args.keys_out, &keys_out, 4);
    WRONG_SPAN(args.values_out, &values_out, 4);
    args.values_out = (dmm_span){keys_out.buffer, 4 * N - 4};
    WRONG(DMM_OVERLAP);
    args.values_out = zone_span(&values_out);
    WRONG_TEMP(args.temp, &temp);
    FREE_UNTOUCHED(&keys, &values, &keys_out, &values_out, &temp);
    dmm_sort_free(sort);
}

/* Spans of one buffer, in items of 4 bytes; the temp is apart. */
static void require_overlap(
    dmm_sort *sort, const zone *z, const uint64_t items[4], dmm_status expected)
{
    const dmm_sort_args args = {.keys_in = {z->buffer, 4 * items[0]},
        .values_in = {z->buffer, 4 * items[1]},
        .keys_out = {z->buffer, 4 * items[2]},
        .values_out = {z->buffer, 4 * items[3]}};
    test_note("keys_in %d values_in %d keys_out %d values_out %d", (int)items[0], (int)items[1],
        (int)items[2], (int)items[3]);
    REQUIRE_STATUS(expected, dmm_sort_enqueue(sort, shared.queue, &args, N, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
}

static void overlaps_are_refused_and_neighbours_are_not(void **state)
{
    dmm_sort *sort = build_for_arguments(4);
    zone z = zone_create(&shared, NULL, 4 * 4 * N, 0);
    (void)state;
    require_overlap(sort, &z, (uint64_t[]){0, N, 1, 2 * N}, DMM_OVERLAP);
    require_overlap(sort, &z, (uint64_t[]){1, 2 * N, 0, 3 * N}, DMM_OVERLAP);
    require_overlap(sort, &z, (uint64_t[]){0, N, 2 * N, N + 1}, DMM_OVERLAP);
    require_overlap(sort, &z, (uint64_t[]){0, N, 2 * N, 3 * N - 1}, DMM_OVERLAP);
    require_overlap(sort, &z, (uint64_t[]){0, N, 2 * N, 0}, DMM_OVERLAP);
    require_overlap(sort, &z, (uint64_t[]){0, N, N, 3 * N}, DMM_OVERLAP);
    require_overlap(sort, &z, (uint64_t[]){0, N, 0, 0}, DMM_OVERLAP);
    REQUIRE(zone_untouched(&shared, &z));
    require_overlap(sort, &z, (uint64_t[]){0, N, 2 * N, 3 * N}, DMM_OK);
    require_overlap(sort, &z, (uint64_t[]){0, N, 0, N}, DMM_OK);
    require_overlap(sort, &z, (uint64_t[]){0, 0, 2 * N, 3 * N}, DMM_OK); /* inputs are only read */
    require_overlap(sort, &z, (uint64_t[]){3 * N, 2 * N, 3 * N, N}, DMM_OK);
    zone_free(&z);
    dmm_sort_free(sort);
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
    enum { ALIGN_BYTES = 4096 };
    dmm_sort *sort = build_for_arguments(0);
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

/* Temp that shares bytes with a span, or with what an in-place call copies aside. */
static void temp_apart_from_every_span_is_required(void **state)
{
    enum { STEP_BYTES = 256 };
    uint64_t temp_bytes = 0;
    (void)state;
    test_note("temp overlaps");
    dmm_sort *sort = build_for_arguments(3);
    REQUIRE_OK(dmm_sort_temp_bytes(&temp_bytes, sort, N));
    zone z = zone_create(&shared, NULL, temp_bytes + 8 * STEP_BYTES, 0);
    dmm_sort_args args = {.temp = {z.buffer, 4 * STEP_BYTES}};
    args.keys_in = args.keys_out = (dmm_span){z.buffer, 0};
    /* Items of 3 bytes: the first multiple behind temp. */
    args.values_in = args.values_out =
        (dmm_span){z.buffer, (4 * STEP_BYTES + temp_bytes + 2) / 3 * 3};
    REQUIRE_STATUS(DMM_OK, dmm_sort_enqueue(sort, shared.queue, &args, N, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    args.values_in.offset_bytes -= 3;
    args.values_out.offset_bytes -= 3;
    REQUIRE_STATUS(DMM_OVERLAP, dmm_sort_enqueue(sort, shared.queue, &args, N, 0, NULL, NULL));
    args.values_in = args.values_out = (dmm_span){z.buffer, 3 * STEP_BYTES};
    REQUIRE_STATUS(DMM_OVERLAP, dmm_sort_enqueue(sort, shared.queue, &args, N, 0, NULL, NULL));
    zone_free(&z);
    dmm_sort_free(sort);
}

static void zero_items_need_no_spans(void **state)
{
    const dmm_sort_args none = {.temp = DMM_NONE};
    dmm_sort *sort = build_for_arguments(4);
    (void)state;
    any_call_of_nothing(&(any_call){enqueue, sort, &none, {0, 0}, shared.queue, 0, NULL});
    REQUIRE_OK(dmm_sort_host(shared.ctx, &(dmm_sort_desc){0}, NULL, NULL, 0));
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
        cmocka_unit_test(arguments_are_checked_in_their_order_and_nothing_is_touched),
        cmocka_unit_test(overlaps_are_refused_and_neighbours_are_not),
        cmocka_unit_test(overlaps_through_sub_buffers_are_seen),
        cmocka_unit_test(temp_apart_from_every_span_is_required),
        cmocka_unit_test(zero_items_need_no_spans),
    };
    return RUN_WITH_RIG("sort_arguments", "banks=16,sync_width=1", tests);
}
