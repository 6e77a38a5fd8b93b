/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Arguments that dmm_partition rejects, the order of the checks, that a rejected call touches
 * nothing; and temp.
 */
#include "support/require.h"

#include "primitives/partition.h"
#include "support/any_call.h"
#include "support/forms.h"
#include "support/partition_case.h"

static dmm_partition *refused;

#define REFUSED(expected, ...)          \
    REQUIRE_REFUSED(expected, &refused, \
        dmm_partition_create(&refused, shared.ctx, &(dmm_partition_desc){__VA_ARGS__}))

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_UNSUPPORTED, .reserved = {0, 0, 0, 1});
    REFUSED(DMM_BAD_VALUE, .ways = 65537);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = (dmm_partition_by)4);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .order = {.type = (dmm_type)12});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .order = {.type = DMM_ITEM});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .order = {.type = DMM_ITEM, .item_bytes = 257});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .value_bytes = 257);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .label_bytes = 3);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .label_bytes = 8);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_SPLITTERS, .label_bytes = 4);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_SPLITTERS,
        .order = {.type = DMM_ITEM, .item_bytes = 4, .item = "typedef uint dmm_item;"});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .bits = {0, 1});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .expression = "0");
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_BITS);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {3, 3});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {31, 33});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {0, 17});
    REFUSED(DMM_UNSUPPORTED, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {0, 1},
        .order = {.type = DMM_F32});
    REFUSED(DMM_UNSUPPORTED, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {0, 1},
        .order = {.less = "a < b"});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .method = (dmm_partition_method)2);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .tuning.form = (dmm_form)3);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .tuning = {.form = (dmm_form)3});
    REFUSED(DMM_BAD_PARAMETERS, .ways = 2, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .ways = 2, .tuning = {DMM_FORM_CPU, .tile = 100});
    REFUSED(DMM_BUILD_FAILED, .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "key +");
    REFUSED(DMM_BUILD_FAILED, .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "value");
    REFUSED(DMM_BUILD_FAILED, .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "value",
        .value_bytes = 3);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_create(NULL, shared.ctx, NULL));
    dmm_partition *partition = NULL;
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_create(&partition, shared.ctx, NULL));
    dmm_partition_free(NULL);
    REQUIRE_OK(dmm_partition_create(&partition, shared.ctx, &(dmm_partition_desc){0}));
    REQUIRE(partition->desc.ways == 2);
    dmm_partition_free(partition);
}

static partition_setup the_setup(void)
{
    return (partition_setup){
        .k = kind_named("u32"), .ways = 5, .value_bytes = 4, .tuning = GPU(16, 7)};
}

enum { N = 300, ITEMS = N - 8 }; /* spans hold N, calls are for fewer */

/* A call with one thing wrong in its arguments. */
typedef struct mistake {
    const char *name;
    dmm_status status;
    void (*make)(dmm_partition_args *args);
} mistake;

#define MISTAKE(name, change)                         \
    static void make_##name(dmm_partition_args *args) \
    {                                                 \
        change;                                       \
    }
MISTAKE(no_items, args->items_in.buffer = NULL)
MISTAKE(odd_items, args->items_in.offset_bytes += 2)
MISTAKE(late_items, args->items_in.offset_bytes += 1 << 20)
MISTAKE(no_values, args->values_in.buffer = NULL)
MISTAKE(no_labels, args->by.buffer = NULL)
MISTAKE(no_items_out, args->items_out.buffer = NULL)
MISTAKE(odd_values_out, args->values_out.offset_bytes += 2)
MISTAKE(no_offsets, args->offsets.buffer = NULL)
MISTAKE(odd_offsets, args->offsets.offset_bytes += 4)
MISTAKE(odd_report, args->report.offset_bytes += 4)
MISTAKE(late_report, args->report.offset_bytes += 1 << 20)
MISTAKE(late_count, args->count = args->by; args->count.offset_bytes += 1 << 20)
MISTAKE(items_over_values, args->items_out = args->values_in)
MISTAKE(items_over_labels, args->items_out = args->by)
MISTAKE(offsets_over_labels, args->offsets = args->by)
MISTAKE(report_over_offsets, args->report = args->offsets)
MISTAKE(report_is_count, args->count = args->report)
MISTAKE(shifted, args->items_out = args->items_in; args->items_out.offset_bytes += 4)
MISTAKE(temp_over_items_out, args->temp = args->items_out)
MISTAKE(temp_over_items, args->temp = args->items_in; args->temp.offset_bytes += 8)

#define ROW(status, name)          \
    {                              \
#name, status, make_##name \
    }

static void wrong_arguments_are_refused_and_nothing_is_touched(void **state)
{
    static const mistake mistakes[] = {ROW(DMM_NULL_ARGUMENT, no_items),
        ROW(DMM_MISALIGNED, odd_items), ROW(DMM_SPAN_TOO_SMALL, late_items),
        ROW(DMM_NULL_ARGUMENT, no_values), ROW(DMM_NULL_ARGUMENT, no_labels),
        ROW(DMM_NULL_ARGUMENT, no_items_out), ROW(DMM_MISALIGNED, odd_values_out),
        ROW(DMM_NULL_ARGUMENT, no_offsets), ROW(DMM_MISALIGNED, odd_offsets),
        ROW(DMM_MISALIGNED, odd_report), ROW(DMM_SPAN_TOO_SMALL, late_report),
        ROW(DMM_SPAN_TOO_SMALL, late_count), ROW(DMM_OVERLAP, items_over_values),
        ROW(DMM_OVERLAP, items_over_labels), ROW(DMM_OVERLAP, offsets_over_labels),
        ROW(DMM_OVERLAP, report_over_offsets), ROW(DMM_OVERLAP, report_is_count),
        ROW(DMM_OVERLAP, shifted), ROW(DMM_OVERLAP, temp_over_items_out),
        ROW(DMM_OVERLAP, temp_over_items)};
    const partition_setup setup = the_setup();
    const partition_case c = {.n = N, .seed = 1, .any_result = 1};
    (void)state;
    dmm_partition *const partition = partition_build(&shared, &setup);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        cl_event event = (cl_event)(void *)&shared;
        partition_run run = partition_prepare(&shared, partition, &setup, &c);
        dmm_partition_args args = run.args;
        mistakes[i].make(&args);
        test_note("%s", mistakes[i].name);
        REQUIRE_STATUS(mistakes[i].status,
            dmm_partition_enqueue(partition, shared.queue, &args, ITEMS, 0, NULL, &event));
        REQUIRE(event == NULL);
        REQUIRE(
            zone_untouched(&shared, &run.items_out) && zone_untouched(&shared, &run.values_out));
        REQUIRE(zone_untouched(&shared, &run.offsets) && zone_untouched(&shared, &run.report));
        partition_finish(&run);
    }
    dmm_partition_free(partition);
}

static dmm_status enqueue(const any_call *c, cl_event *event)
{
    return dmm_partition_enqueue(
        c->object, c->queue, c->args, c->n.first, c->num_wait, NULL, event);
}

static void arguments_are_checked_before_their_spans_and_temp_after_them(void **state)
{
    const partition_setup setup = the_setup();
    const partition_case c = {.n = N, .seed = 2, .temp_given = 1, .any_result = 1};
    const dmm_partition_args none = {.temp = DMM_NONE};
    (void)state;
    dmm_partition *const partition = partition_build(&shared, &setup);
    partition_run run = partition_prepare(&shared, partition, &setup, &c);
    any_call call = {enqueue, partition, &none, {N, 0}, shared.queue, 0, NULL};
    any_call_before_spans(&call, &(call_counts){UINT64_MAX, 0}, 1);
    call.args = &run.args;
    WRONG_TEMP(run.args.temp, &run.temp);
    partition_finish(&run);
    dmm_partition_free(partition);
}

static void temp_bytes_never_fall_as_n_grows(void **state)
{
    (void)state;
    for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
        partition_setup setup = the_setup();
        setup.max_n = UINT64_MAX / 2;
        setup.ways = form == DMM_FORM_GPU ? 5 : 1000;
        setup.tuning = (dmm_tuning){.form = (dmm_form)form};
        dmm_partition *const partition = partition_build(&shared, &setup);
        uint64_t before = 0, bytes = 0;
        for (uint64_t n = 0; n < (uint64_t)1 << 50; n += 1 + n / 17, before = bytes) {
            REQUIRE_OK(dmm_partition_temp_bytes(&bytes, partition, n));
            REQUIRE(bytes >= before);
        }
        REQUIRE_STATUS(
            DMM_TOO_LARGE, dmm_partition_temp_bytes(&bytes, partition, UINT64_MAX / 2 + 1));
        REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_temp_bytes(NULL, partition, 1));
        dmm_partition_free(partition);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(wrong_arguments_are_refused_and_nothing_is_touched),
        cmocka_unit_test(arguments_are_checked_before_their_spans_and_temp_after_them),
        cmocka_unit_test(temp_bytes_never_fall_as_n_grows),
    };
    return RUN_WITH_RIG("partition_arguments", "banks=16", tests);
}
