/* SPDX-License-Identifier: MIT */
/* ctest: optimised */
/*
 * dmm_context_warm: what was built ahead of time is there, in the context and in its folder, and
 * many threads that want the same or different programs get them.
 */
#include "support/require.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/dmm.h>

#include "core/context.h"
#include "primitives/classes.h"
#include "support/rig.h"

static const dmm_sort_desc bad_sort = {.method = (dmm_sort_method)9};
static const dmm_scan_desc scan = {0};
static const dmm_scan_desc maxima = {.type = DMM_F32, .op = DMM_SCAN_MAX};

/* Every primitive by its default description, which is all zeros, and a scan more. */
#define COUNT_ROW(N, word) +1
enum { ALL = 1 DMM_PRIMITIVES(COUNT_ROW) };
static dmm_warm_item all[ALL];

static int list_all(void **state)
{
    static const uint64_t zeros[64];
    (void)state;
    for (int i = 0; i < ALL - 1; i++) {
        REQUIRE(dmm_class_of((dmm_primitive)i)->desc_bytes <= sizeof zeros);
        all[i] = (dmm_warm_item){(dmm_primitive)i, zeros};
    }
    REQUIRE(dmm_class_of((dmm_primitive)(ALL - 1)) == NULL); /* so these are all */
    all[ALL - 1] = (dmm_warm_item){DMM_PRIMITIVE_SCAN, &maxima};
    return 0;
}

static void the_programs_of_every_primitive_are_there_once(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 8; threads += 4) {
        rig r;
        test_note("%u threads", threads);
        rig_open(&r, NULL);
        REQUIRE_OK(dmm_context_warm(r.ctx, all, ALL, threads));
        const struct dmm_program_entry *const newest = r.ctx->programs.first;
        REQUIRE(newest != NULL);
        REQUIRE_OK(dmm_context_warm(r.ctx, all, ALL, 1));
        REQUIRE(r.ctx->programs.first == newest); /* nothing was built anew */
        rig_close(&r);
    }
}

static void the_same_program_for_many_threads_is_built_once(void **state)
{
    enum { TIMES = 16 };
    dmm_warm_item same[TIMES];
    uint32_t keys[] = {3, 1, 2};
    rig r;
    (void)state;
    for (int i = 0; i < TIMES; i++)
        same[i] = all[0];
    rig_open(&r, NULL);
    test_note("one description many times");
    REQUIRE_OK(dmm_context_warm(r.ctx, same, TIMES, TIMES));
    const struct dmm_program_entry *const newest = r.ctx->programs.first;
    REQUIRE_OK(dmm_context_warm(r.ctx, same, 1, 1));
    REQUIRE(r.ctx->programs.first == newest);
    REQUIRE_OK(dmm_scan_host(r.ctx, &scan, keys, 3));
    REQUIRE(keys[0] == 3 && keys[1] == 4 && keys[2] == 6);
    rig_close(&r);
}

static void the_first_failure_comes_back_and_the_rest_is_built(void **state)
{
    const dmm_order broken = {.type = DMM_U32, .less = "a <"};
    const dmm_sort_desc no_less = {.order = broken};
    const dmm_warm_item items[] = {{DMM_PRIMITIVE_SORT, &no_less}, {DMM_PRIMITIVE_SORT, &no_less},
        {DMM_PRIMITIVE_SORT, &bad_sort}, {(dmm_primitive)99, &scan}, {DMM_PRIMITIVE_SCAN, NULL},
        {DMM_PRIMITIVE_SCAN, &scan}};
    rig r;
    (void)state;
    rig_open(&r, NULL);
    test_note("failures");
    REQUIRE_STATUS(DMM_BUILD_FAILED, dmm_context_warm(r.ctx, items, 6, 4));
    REQUIRE(r.ctx->programs.first != NULL);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_context_warm(r.ctx, items + 2, 4, 4));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_context_warm(r.ctx, items + 3, 3, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_context_warm(r.ctx, items + 4, 2, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_context_warm(NULL, items, 1, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_context_warm(r.ctx, NULL, 1, 1));
    REQUIRE_OK(dmm_context_warm(r.ctx, NULL, 0, 1));
    rig_close(&r);
}

static void a_folder_is_filled_for_later_contexts(void **state)
{
    char folder[] = "warm-XXXXXX";
    dmm_context *ctx = NULL;
    uint64_t programs = 0, bytes = 0, later = 0;
    (void)state;
    test_note("folder");
    REQUIRE(mkdtemp(folder) != NULL);
    const dmm_context_desc desc = {.cache = folder, .cache_always = 1, .tuning = ""};
    for (int i = 0; i < 2; i++) {
        REQUIRE_OK(dmm_context_create(&ctx, &desc));
        REQUIRE_OK(dmm_context_warm(ctx, all + 6, 3, 2));
        dmm_context_free(ctx);
        REQUIRE_OK(dmm_cache_usage(folder, i == 0 ? &programs : &later, &bytes));
    }
    REQUIRE(programs >= 2 && later == programs);
    REQUIRE_OK(dmm_cache_clear(folder));
    REQUIRE(rmdir(folder) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_programs_of_every_primitive_are_there_once),
        cmocka_unit_test(the_same_program_for_many_threads_is_built_once),
        cmocka_unit_test(the_first_failure_comes_back_and_the_rest_is_built),
        cmocka_unit_test(a_folder_is_filled_for_later_contexts),
    };
    return cmocka_run_group_tests_name("warm", tests, list_all, NULL);
}
