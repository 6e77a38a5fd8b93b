/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * The caller's `less`: expressions that are no order at all must end and touch nothing outside
 * their spans; expressions that do not compile must be told so in the log.
 */
#include "support/require.h"

#include <string.h>

#include "support/forms.h"
#include "support/sort_case.h"

typedef struct hostile {
    const char *kind, *less;
    uint32_t value_bytes;
    dmm_tuning tuning;
} hostile;

static const hostile expressions[] = {
    {"u32", "1", 4, GPU_BY(32, 4, CF)},
    {"u32", "1", 12, CPU_BY(4, 64)},
    {"u16", "0", 3, GPU_BY(64, 2, PLAIN)},
    {"u32", "a <= b", 4, GPU_BY(16, 7, CF)},
    {"u64", "a >= b", 0, CPU_BY(4, 64)},
    {"u32", "((a * 2654435761u) ^ b) & 64", 3, GPU_BY(32, 4, CF)},
    {"u8", "((a * 31) ^ (b * 17)) % 5 < 2", 8, GPU_BY(64, 2, PLAIN)},
    {"f32", "a < b", 4, GPU_BY(32, 4, CF)}, /* inputs with NaNs */
    {"f32", "!(a > b)", 1, CPU_BY(4, 64)},
};

static void expressions_that_are_no_order_end_and_stay_inside_their_spans(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t e = 0; e < sizeof expressions / sizeof expressions[0]; e++) {
        const hostile *const h = &expressions[e];
        sort_setup setup = {kind_named(h->kind), h->value_bytes, 0, h->tuning};
        setup.k.order.less = h->less;
        setup.k.name = h->less;
        dmm_sort *sort = sort_build(&r, &setup);
        const uint64_t sizes[] = {129, 61, 5, 200, 517, 1025, 4099};
        const int last = (int)by_size(SHAPE_RANDOM, SHAPE_SORTED, SHAPE_SORTED);
        for (size_t i = 0; i < by_size(1, 7, 7); i++)
            for (int s = SHAPE_RANDOM; s <= last; s++) {
                const sort_case c = {.n = sizes[i],
                    .input = (shape)s,
                    .seed = i,
                    .in_place = s % 2,
                    .offset_items = 3,
                    .temp_given = 1,
                    .any_order = 1};
                sort_check(&r, sort, &setup, &c);
            }
        dmm_sort_free(sort);
    }
    rig_close(&r);
}

/* Creation with this order fails to build, and the log has the word in it. */
static void require_log(rig *r, const dmm_order *order, const char *word)
{
    dmm_sort_desc desc = {0};
    dmm_sort *sort = (dmm_sort *)&desc;
    desc.order = *order;
    r->log_bytes = 0;
    r->log[0] = '\0';
    test_note("less '%s', looking for '%s' in the log", order->less, word);
    REQUIRE_STATUS(DMM_BUILD_FAILED, dmm_sort_create(&sort, r->ctx, &desc));
    REQUIRE(sort == NULL);
    /* Oclgrind names the file of some errors only. */
    if (strstr(r->log, sizes_wanted() == SIZES_SMALL ? "error" : word) == NULL)
        fail_msg("the log is:\n%s", r->log);
}

static void a_less_that_does_not_compile_is_explained_in_the_log(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    require_log(&r, &(dmm_order){.less = "a <"}, "less");
    require_log(&r, &(dmm_order){.less = "a.key < b.key"}, "less:1");
    require_log(&r, &(dmm_order){.less = "a < c"}, "less:1");
    require_log(&r,
        &(dmm_order){.type = DMM_ITEM,
            .item_bytes = 8,
            .less = "a.key < b.key",
            .item = "typedef struct { uint key; } dmm_item;"},
        "dmm_item_bytes_must_be_its_sizeof");
    require_log(&r,
        &(dmm_order){.type = DMM_ITEM,
            .item_bytes = 4,
            .less = "a.key < b.key",
            .item = "typedef struct { uint key; };"},
        "dmm_item");
    rig_close(&r);
}

/* An expression may span lines, hold comments, and be long. */
static void a_less_of_several_lines_sorts(void **state)
{
    static rig r;
    sort_setup setup = {kind_named("item12"), 0, 0, usual_tuning()};
    const sort_case c = {.n = by_size(200, 1000, 1000), .input = SHAPE_BITS, .seed = 3};
    char item[8000];
    (void)state;
    snprintf(item, sizeof item,
        "/* %7000s */ typedef struct {\n  uint hi, tag;\n  int lo;\n} dmm_item;\n"
        "#define DEFINED_BY_THE_CALLER 1 // and a comment",
        "far to the right");
    setup.k.order.item = item;
    setup.k.order.less = "a.hi != b.hi // the first field decides\n ? a.hi < b.hi\n : a.lo < b.lo";
    rig_open(&r, NULL);
    dmm_sort *sort = sort_build(&r, &setup);
    sort_check(&r, sort, &setup, &c);
    dmm_sort_free(sort);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_that_are_no_order_end_and_stay_inside_their_spans),
        cmocka_unit_test(a_less_that_does_not_compile_is_explained_in_the_log),
        cmocka_unit_test(a_less_of_several_lines_sorts),
    };
    return cmocka_run_group_tests_name("sort_less", tests, NULL, NULL);
}
