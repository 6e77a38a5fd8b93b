/* SPDX-License-Identifier: MIT */
/* ctest: wrap=all */
/*
 * A folder of compiled programs, while every OpenCL call and allocation fails once. What concerns
 * the folder alone costs nothing but time: the call succeeds all the same. Everything else comes
 * back as the failure's own status, and nothing is lost.
 */
#include "support/require.h"

#include <stdlib.h>
#include <unistd.h>

#include <dmm/cache.h>
#include <dmm/scan.h>

#include "support/faults.h"
#include "support/rig.h"

static rig shared;
static char folder[] = "faults-cache-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    dmm_cache_clear(folder);
    return rmdir(folder);
}

/* A context on an OpenCL context that is there already, and one program. */
static dmm_status build(const char *cache)
{
    const dmm_context_desc desc = {
        .context = shared.cl, .set = "form=cpu", .cache = cache, .cache_always = 1};
    const dmm_scan_desc scan_desc = {0};
    dmm_context *ctx = NULL;
    dmm_scan *scan = NULL;
    dmm_status status = dmm_context_create(&ctx, &desc);
    if (status == DMM_OK)
        status = dmm_scan_create(&scan, ctx, &scan_desc);
    REQUIRE((scan != NULL) == (status == DMM_OK));
    dmm_scan_free(scan);
    dmm_context_free(ctx);
    return status;
}

/* Returns how many failures were of no consequence. */
static unsigned fail_every_call_of_build(const char *cache, int full)
{
    unsigned harmless = 0;
    for (uint64_t k = 1;; k++) {
        REQUIRE_OK(dmm_cache_clear(folder));
        if (full)
            REQUIRE_OK(build(cache));
        faults_arm(k);
        const dmm_status status = build(cache);
        const fault_report report = faults_disarm();
        test_note("call %llu, %s, folder %s", (unsigned long long)k,
            report.failed != NULL ? report.failed : "none", full ? "full" : "empty");
        if (report.failed == NULL) {
            REQUIRE_OK(status);
            return harmless;
        }
        REQUIRE(status == DMM_OK || status == report.expected);
        harmless += status == DMM_OK;
    }
}

static void a_folder_that_fails_costs_nothing(void **state)
{
    (void)state;
    rig_open(&shared, NULL);
    const unsigned without = fail_every_call_of_build(NULL, 0);
    /* The kernels' number, they, the binary's size, the binary; the memory for the last two. */
    REQUIRE(fail_every_call_of_build(folder, 0) >= without + 4);
    /* The memory to read into, the program, its building. */
    REQUIRE(fail_every_call_of_build(folder, 1) >= without + 3);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_that_fails_costs_nothing),
        cmocka_unit_test(faults_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
