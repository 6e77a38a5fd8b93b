/* SPDX-License-Identifier: MIT */
/* ctest: wrap=clGetDeviceInfo,clBuildProgram */
/*
 * A device that claims sub-groups, which PoCL's compiler lacks: radix sorts and searches build
 * other kernels where those with ballots do not fit. Any other failure of a build is given back,
 * and nothing else is built. A GPU of Intel's counts execution units.
 */
#include "support/require.h"

#include <string.h>

#include <dmm/search.h>
#include <dmm/sort.h>

#include "support/random.h"
#include "support/rig.h"

enum { N = 5000, QUERY_SUB_GROUP_SIZES_INTEL = 0x4108, QUERY_EUS_PER_SUB_SLICE_INTEL = 0x4254 };

/* Builds that the library asked for, and what those with sub-groups end with. */
static struct {
    size_t with_lanes, others;
    cl_int ends; /* CL_SUCCESS: the driver decides */
} builds;

/* What the device claims to be. */
static struct {
    size_t widths[2];   /* of sub-groups */
    cl_uint units, eus; /* of a GPU of Intel's; units = 0: the driver's facts, eus = 0: no query */
} claim = {.widths = {8, 16}};

cl_int __real_clGetDeviceInfo(
    cl_device_id id, cl_device_info what, size_t bytes, void *out, size_t *out_bytes);
cl_int __wrap_clGetDeviceInfo(
    cl_device_id id, cl_device_info what, size_t bytes, void *out, size_t *out_bytes);
cl_int __wrap_clGetDeviceInfo(
    cl_device_id id, cl_device_info what, size_t bytes, void *out, size_t *out_bytes)
{
    static const char extensions[] =
        "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_required_subgroup_size";
    static const char intel[] = "Intel(R) Corporation";
    static const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
    const struct {
        cl_device_info what;
        const void *value;
        size_t bytes;
    } answers[] = {{CL_DEVICE_VENDOR, intel, sizeof intel}, {CL_DEVICE_TYPE, &gpu, sizeof gpu},
        {CL_DEVICE_MAX_COMPUTE_UNITS, &claim.units, sizeof claim.units},
        {QUERY_EUS_PER_SUB_SLICE_INTEL, &claim.eus, sizeof claim.eus}};
    if (what == QUERY_EUS_PER_SUB_SLICE_INTEL && claim.eus == 0)
        return CL_INVALID_VALUE;
    for (size_t i = 0; i < sizeof answers / sizeof *answers && claim.units != 0; i++)
        if (what == answers[i].what && out != NULL && bytes >= answers[i].bytes) {
            memcpy(out, answers[i].value, answers[i].bytes);
            if (out_bytes != NULL)
                *out_bytes = answers[i].bytes;
            return CL_SUCCESS;
        }
    if (what == CL_DEVICE_EXTENSIONS && out != NULL && bytes >= sizeof extensions) {
        memcpy(out, extensions, sizeof extensions);
        return CL_SUCCESS;
    }
    if (what != QUERY_SUB_GROUP_SIZES_INTEL || bytes < sizeof claim.widths)
        return __real_clGetDeviceInfo(id, what, bytes, out, out_bytes);
    memcpy(out, claim.widths, sizeof claim.widths);
    *out_bytes = sizeof claim.widths;
    return CL_SUCCESS;
}

typedef void on_built(cl_program program, void *user);
cl_int __real_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
    const char *options, on_built *built, void *user);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
    const char *options, on_built *built, void *user);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
    const char *options, on_built *built, void *user)
{
    const int has_lanes = strstr(options, "-D DMM_LANES_BY=") != NULL;
    *(has_lanes ? &builds.with_lanes : &builds.others) += 1;
    if (has_lanes && builds.ends != CL_SUCCESS)
        return builds.ends;
    return __real_clBuildProgram(program, count, devices, options, built, user);
}

static uint32_t keys[N], ranks[N];

static dmm_status sort(dmm_context *ctx)
{
    const dmm_sort_desc desc = {.order.type = DMM_U32, .method = DMM_SORT_RADIX};
    random_source random = {3};
    random_bytes(&random, keys, sizeof keys);
    const dmm_status status = dmm_sort_host(ctx, &desc, keys, NULL, N);
    for (size_t i = 1; i < N && status == DMM_OK; i++)
        REQUIRE(keys[i - 1] <= keys[i]);
    return status;
}

static dmm_status search(dmm_context *ctx)
{
    const dmm_search_desc desc = {.order.type = DMM_U32, .method = DMM_SEARCH_TEAMS};
    for (uint32_t i = 0; i < N; i++)
        keys[i] = 2 * i;
    const dmm_status status = dmm_search_host(ctx, &desc, keys, N, keys, N, ranks, NULL);
    for (uint32_t i = 0; i < N && status == DMM_OK; i++)
        REQUIRE(ranks[i] == i);
    return status;
}

static void try(dmm_status (*subject)(dmm_context *), cl_int ends)
{
    dmm_context *ctx = NULL;
    memset(&builds, 0, sizeof builds);
    builds.ends = ends;
    REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.set = "form=gpu", .tuning = ""}));
    REQUIRE(dmm_context_device(ctx)->sync_width.value == 16);
    const dmm_status status = subject(ctx);
    REQUIRE(builds.with_lanes > 0);
    REQUIRE(status == (ends == CL_OUT_OF_HOST_MEMORY ? ends : DMM_OK));
    if (ends != CL_SUCCESS) /* a driver may build kernels with sub-groups */
        REQUIRE((builds.others > 0) == (status == DMM_OK));
    dmm_context_free(ctx);
}

static void kernels_with_ballots_that_do_not_fit_are_replaced(void **state)
{
    (void)state;
    try(sort, CL_SUCCESS);
    try(search, CL_SUCCESS);
    try(sort, CL_OUT_OF_RESOURCES);
    try(search, CL_OUT_OF_RESOURCES);
}

static void other_failures_are_given_back(void **state)
{
    (void)state;
    try(sort, CL_OUT_OF_HOST_MEMORY);
    try(search, CL_OUT_OF_HOST_MEMORY);
}

static void execution_units_of_intel_are_counted_by_local_memory(void **state)
{
    static const struct {
        cl_uint units, eus;
        uint64_t counted;
    } cases[] = {{512, 16, 32}, {512, 0, 64}, {1024, 8, 128}, {4, 0, 1}, {100, 16, 6}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dmm_context *ctx = NULL;
        claim.units = cases[i].units;
        claim.eus = cases[i].eus;
        REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.tuning = ""}));
        REQUIRE(dmm_context_device(ctx)->units.value == cases[i].counted);
        dmm_context_free(ctx);
    }
    claim.units = 0;
}

/* Sub-groups have at most 16 lanes if the device has such, since wider ones have few registers. */
static void widths_are_near_sixteen(void **state)
{
    static const size_t widths[][3] = {/* and the one that is taken */
        {16, 32, 16}, {8, 16, 16}, {32, 64, 32}, {64, 32, 32}, {32, 8, 8}, {64, 128, 64},
        {128, 256, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        dmm_context *ctx = NULL;
        memcpy(claim.widths, widths[i], sizeof claim.widths);
        REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.set = "form=gpu", .tuning = ""}));
        REQUIRE(dmm_context_device(ctx)->sync_width.value == widths[i][2]);
        dmm_context_free(ctx);
    }
    memcpy(claim.widths, (size_t[]){8, 16}, sizeof claim.widths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(execution_units_of_intel_are_counted_by_local_memory),
        cmocka_unit_test(kernels_with_ballots_that_do_not_fit_are_replaced),
        cmocka_unit_test(other_failures_are_given_back), cmocka_unit_test(widths_are_near_sixteen)};
    return cmocka_run_group_tests_name("lanes_unfit", tests, NULL, NULL);
}
