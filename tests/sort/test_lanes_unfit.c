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

/* What a GPU of Intel's reports; units = 0: the facts are the driver's, eus = 0: no such query. */
static struct {
    cl_uint units, eus;
} intel;

/* Builds that the library asked for, and what those with sub-groups end with. */
static struct {
    size_t with_lanes, others;
    cl_int ends; /* CL_SUCCESS: the driver decides */
} builds;

cl_int __real_clGetDeviceInfo(
    cl_device_id id, cl_device_info what, size_t bytes, void *out, size_t *out_bytes);
cl_int __wrap_clGetDeviceInfo(
    cl_device_id id, cl_device_info what, size_t bytes, void *out, size_t *out_bytes);
cl_int __wrap_clGetDeviceInfo(
    cl_device_id id, cl_device_info what, size_t bytes, void *out, size_t *out_bytes)
{
    static const char extensions[] =
        "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_required_subgroup_size";
    static const size_t widths[] = {8, 16};
    static const char vendor[] = "Intel(R) Corporation";
    static const cl_device_type type = CL_DEVICE_TYPE_GPU;
    const void *const said = what == CL_DEVICE_VENDOR                ? (const void *)vendor
                             : what == CL_DEVICE_TYPE                ? (const void *)&type
                             : what == CL_DEVICE_MAX_COMPUTE_UNITS   ? (const void *)&intel.units
                             : what == QUERY_EUS_PER_SUB_SLICE_INTEL ? (const void *)&intel.eus
                                                                     : NULL;
    const size_t said_bytes = what == CL_DEVICE_VENDOR ? sizeof vendor
                              : what == CL_DEVICE_TYPE ? sizeof type
                                                       : sizeof intel.units;
    if (what == QUERY_EUS_PER_SUB_SLICE_INTEL && intel.eus == 0)
        return CL_INVALID_VALUE;
    if (intel.units != 0 && said != NULL && out != NULL && bytes >= said_bytes) {
        memcpy(out, said, said_bytes);
        if (out_bytes != NULL)
            *out_bytes = said_bytes;
        return CL_SUCCESS;
    }
    if (what == CL_DEVICE_EXTENSIONS && out != NULL && bytes >= sizeof extensions) {
        memcpy(out, extensions, sizeof extensions);
        return CL_SUCCESS;
    }
    if (what != QUERY_SUB_GROUP_SIZES_INTEL || bytes < sizeof widths)
        return __real_clGetDeviceInfo(id, what, bytes, out, out_bytes);
    memcpy(out, widths, sizeof widths);
    *out_bytes = sizeof widths;
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
        intel.units = cases[i].units;
        intel.eus = cases[i].eus;
        REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.tuning = ""}));
        REQUIRE(dmm_context_device(ctx)->units.value == cases[i].counted);
        dmm_context_free(ctx);
    }
    intel.units = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(execution_units_of_intel_are_counted_by_local_memory),
        cmocka_unit_test(kernels_with_ballots_that_do_not_fit_are_replaced),
        cmocka_unit_test(other_failures_are_given_back)};
    return cmocka_run_group_tests_name("lanes_unfit", tests, NULL, NULL);
}
