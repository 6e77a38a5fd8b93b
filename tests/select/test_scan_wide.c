/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Positions of 64 bits: items at the tail of an imagined list, so that positions pass 2^32 in
 * buffers of a few kilobytes (dmm_scan_enqueue_from); and, with DMM_TEST_SIZES=full where the
 * device can hold it, a buffer of that many bytes.
 */
#include "support/require.h"

#include "primitives/scan.h"
#include "support/forms.h"
#include "support/scan_case.h"

#define BEYOND UINT64_C(5000000000)

static void check_from(
    const rig *r, dmm_scan *scan, const scan_setup *setup, uint64_t first, uint64_t n)
{
    const scan_case c = {.n = n,
        .input = SHAPE_BITS,
        .seed = n,
        .in_place = n % 2,
        .offset_items = n % 3,
        .temp_given = n % 3 == 0};
    const uint64_t first_group = first / dmm_scan_share(scan, n).range;
    cl_event done = NULL;
    scan_run run = scan_prepare(r, scan, setup, &c);
    REQUIRE_OK(dmm_scan_enqueue_from(scan, r->queue, &run.args, first_group, n, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    scan_finish(&run);
}

static void positions_beyond_2_to_the_32_scan(void **state)
{
    static const uint64_t firsts[] = {
        0, (uint64_t)1 << 31, ((uint64_t)1 << 32) - 2048, (uint64_t)1 << 32, (uint64_t)5 << 40};
    static const scan_setup setups[] = {
        {{DMM_U32, DMM_SCAN_SUM, 0}, GPU(32, 8), BEYOND},
        {{DMM_U64, DMM_SCAN_MAX, 1}, {DMM_FORM_CPU, 0, 8, 64, DMM_TILE_SEARCH_DEFAULT}, BEYOND},
        {{DMM_U8, DMM_SCAN_SUM, 1}, GPU(64, 4), BEYOND},
    };
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t s = 0; s < sizeof setups / sizeof setups[0]; s++) {
        dmm_scan *scan = scan_build(&r, &setups[s]);
        const uint64_t T = scan->p.tile, sizes[] = {T + 1, 3 * T - 1, 20 * T + 5};
        REQUIRE(scan->layout.index_bytes == 8);
        for (size_t f = by_size(2, 0, 0); f < by_size(3, sizeof firsts / sizeof firsts[0], 5); f++)
            for (size_t i = 0; i < by_size(2, 3, 3); i++)
                check_from(&r, scan, &setups[s], firsts[f], sizes[i]);
        dmm_scan_free(scan);
    }
    rig_close(&r);
}

/* Ones, added up in bytes: item i becomes (i + 1) mod 256. Checked at its ends and around 2^32. */
static void a_buffer_of_more_than_2_to_the_32_items_scans(void **state)
{
    enum { WINDOW = 4096 };
    const uint64_t n = ((uint64_t)1 << 32) + 12345;
    const uint64_t windows[] = {0, n / 3, ((uint64_t)1 << 32) - WINDOW / 2, n - WINDOW};
    static unsigned char bytes[WINDOW];
    static rig r;
    const cl_uchar one = 1;
    cl_int failed = CL_SUCCESS;
    dmm_scan *scan = NULL;
    dmm_scan_desc desc = {0};
    (void)state;
    rig_open(&r, NULL);
    if (sizes_wanted() != SIZES_FULL || dmm_context_device(r.ctx)->max_buffer.value < n) {
        rig_close(&r);
        skip();
    }
    desc.type = DMM_U8;
    REQUIRE_OK(dmm_scan_create(&scan, r.ctx, &desc));
    const cl_mem buffer = clCreateBuffer(r.cl, CL_MEM_READ_WRITE, (size_t)n, NULL, &failed);
    REQUIRE_OK(failed);
    REQUIRE_OK(clEnqueueFillBuffer(r.queue, buffer, &one, 1, 0, (size_t)n, 0, NULL, NULL));
    const dmm_scan_args args = {.in = {buffer, 0}, .out = {buffer, 0}};
    REQUIRE_OK(dmm_scan_enqueue(scan, r.queue, &args, n, 0, NULL, NULL));
    for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++) {
        REQUIRE_OK(clEnqueueReadBuffer(
            r.queue, buffer, CL_TRUE, (size_t)windows[w], WINDOW, bytes, 0, NULL, NULL));
        for (uint64_t i = 0; i < WINDOW; i++) {
            test_note(
                "item %llu of %llu", (unsigned long long)(windows[w] + i), (unsigned long long)n);
            REQUIRE(bytes[i] == (unsigned char)(windows[w] + i + 1));
        }
    }
    clReleaseMemObject(buffer);
    dmm_scan_free(scan);
    rig_close(&r);
}

static void the_index_form_and_the_limit_follow_max_n(void **state)
{
    const uint64_t edge = (uint64_t)1 << 31;
    static rig r;
    uint64_t bytes = 0;
    scan_setup setup = {{DMM_U32, DMM_SCAN_SUM, 0}, GPU(32, 8), edge};
    (void)state;
    rig_open(&r, "banks=32");
    dmm_scan *narrow = scan_build(&r, &setup);
    setup.max_n = edge + 1;
    dmm_scan *wide = scan_build(&r, &setup);
    test_note("the edge of 32 bits");
    REQUIRE(narrow->layout.index_bytes == 4);
    REQUIRE(wide->layout.index_bytes == 8);
    REQUIRE_OK(dmm_scan_temp_bytes(&bytes, narrow, edge));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_scan_temp_bytes(&bytes, narrow, edge + 1));
    REQUIRE_OK(dmm_scan_temp_bytes(&bytes, wide, edge + 1));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_scan_temp_bytes(&bytes, wide, edge + 2));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_scan_temp_bytes(&bytes, wide, UINT64_MAX));
    dmm_scan_free(narrow);
    dmm_scan_free(wide);
    rig_close(&r);
}

/* Every item belongs to one group, no group is empty, and temp holds a total for each. */
static void ranges_cover_every_item_and_temp_bytes_never_fall(void **state)
{
    const scan_setup setup = {{DMM_U64, DMM_SCAN_SUM, 0},
        {DMM_FORM_CPU, 0, 8, 64, DMM_TILE_SEARCH_DEFAULT}, UINT64_MAX / 2};
    static rig r;
    (void)state;
    rig_open(&r, "units=3");
    dmm_scan *scan = scan_build(&r, &setup);
    uint64_t before = 0, bytes = 0;
    for (uint64_t n = 1; n < (uint64_t)1 << 62; n += 1 + n / 9, before = bytes) {
        const dmm_scan_shares shares = dmm_scan_share(scan, n);
        test_note("n=%llu", (unsigned long long)n);
        REQUIRE(shares.groups <= scan->p.most_groups && shares.range % scan->p.tile == 0);
        REQUIRE((shares.groups - 1) * shares.range < n);
        REQUIRE(n - (shares.groups - 1) * shares.range <= shares.range);
        REQUIRE_OK(dmm_scan_temp_bytes(&bytes, scan, n));
        REQUIRE(bytes >= before && (shares.groups == 1 || bytes >= 8 * (shares.groups - 1)));
    }
    dmm_scan_free(scan);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_beyond_2_to_the_32_scan),
        cmocka_unit_test(a_buffer_of_more_than_2_to_the_32_items_scans),
        cmocka_unit_test(the_index_form_and_the_limit_follow_max_n),
        cmocka_unit_test(ranges_cover_every_item_and_temp_bytes_never_fall),
    };
    return cmocka_run_group_tests_name("scan_wide", tests, NULL, NULL);
}
