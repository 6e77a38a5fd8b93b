/* SPDX-License-Identifier: MIT */
/*
 * gpu_programs DEVICE FOLDER: writes the programs that the library would build on a GPU, without
 * the GPU: creates primitives of all kinds on a simulated driver that reports DEVICE's facts and
 * builds nothing. Each program's text goes to FOLDER/NUMBER.cl; options, purposes and used kernels
 * to FOLDER/index.json. DEVICE is a key in `gpus`; cpu: the CPU form of all primitives.
 */
#include <dmm/dmm.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives.h"
#include "lab/heap_levels.h"
#include "objects.h"

enum { WARP_SIZE_NV = 0x4003, WAVEFRONT_WIDTH_AMD = 0x4043, LOCAL_MEM_BANKS_AMD = 0x4048 };
enum { SUB_GROUP_SIZES_INTEL = 0x4108, MAX_PROGRAMS = 256 };

typedef struct gpu {
    const char *key, *name, *vendor;
    cl_uint warp, wavefront, banks; /* 0: not reported */
    size_t
        sub_groups; /* Intel's least sub-group, of those up to 32, and their extensions; 0: none */
    size_t max_group;
    cl_ulong local_bytes;
    cl_uint units;
    cl_device_fp_config fp64;
} gpu;

/* The facts that the drivers of these devices report. */
static const gpu gpus[] = {
    {"sm_90", "NVIDIA H200", "NVIDIA Corporation", 32, 0, 0, 0, 1024, 49152, 132, 63},
    {"gfx90a", "gfx90a:sramecc+:xnack-", "Advanced Micro Devices, Inc.", 0, 64, 32, 0, 256, 65536,
        104, 63},
    {"gfx1030", "gfx1030", "Advanced Micro Devices, Inc.", 0, 32, 32, 0, 256, 65536, 36, 63},
    {"gfx1030-wave64", "gfx1030", "Advanced Micro Devices, Inc.", 0, 64, 32, 0, 256, 65536, 36, 63},
    {"dg2", "Intel(R) Arc(TM) A770 Graphics", "Intel(R) Corporation", 0, 0, 0, 8, 1024, 65536, 512,
        0},
    {"tgllp", "Intel(R) Iris(R) Xe Graphics", "Intel(R) Corporation", 0, 0, 0, 8, 512, 65536, 96,
        0},
    {"pvc", "Intel(R) Data Center GPU Max 1550", "Intel(R) Corporation", 0, 0, 0, 16, 1024, 131072,
        1024, 63},
    {"cpu", "gpu_programs", "nobody", 0, 0, 0, 0, 4096, 65536, 8, 63},
};

static const gpu *device;
static const char *folder, *label; /* label: of the current primitive */
static FILE *out;

/* A recorded program. */
typedef struct program {
    cl_program handle;
    int number;
} program;

static program programs[MAX_PROGRAMS];
static int num_programs;

static void fail(const char *what)
{
    fprintf(stderr, "gpu_programs: %s: %s\n", label != NULL ? label : "start", what);
    exit(1);
}

static int is_cpu(void)
{
    return strcmp(device->key, "cpu") == 0;
}

static void write_text(const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', out);
}

cl_int __real_clGetDeviceInfo(cl_device_id, cl_device_info, size_t, void *, size_t *);
cl_int __wrap_clGetDeviceInfo(
    cl_device_id id, cl_device_info what, size_t bytes, void *to, size_t *used);

/* Returns `value` as the answer of an OpenCL query. */
static cl_int answer(const void *value, size_t value_bytes, size_t bytes, void *to, size_t *used)
{
    if (used != NULL)
        *used = value_bytes;
    if (to == NULL)
        return CL_SUCCESS;
    if (bytes < value_bytes)
        return CL_INVALID_VALUE;
    memcpy(to, value, value_bytes);
    return CL_SUCCESS;
}

cl_int __wrap_clGetPlatformInfo(cl_platform_id, cl_platform_info, size_t, void *, size_t *);

/* Each text is the vendor's, so the host makes no workaround for the driver that it runs on. */
cl_int __wrap_clGetPlatformInfo(
    cl_platform_id id, cl_platform_info what, size_t bytes, void *to, size_t *used)
{
    (void)id, (void)what;
    return answer(device->vendor, strlen(device->vendor) + 1, bytes, to, used);
}

cl_int __wrap_clGetDeviceInfo(
    cl_device_id id, cl_device_info what, size_t bytes, void *to, size_t *used)
{
    const cl_device_type type = is_cpu() ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
    const size_t sub_groups[] = {device->sub_groups, device->sub_groups * 2, 32};
    static const char extensions[] =
        "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_required_subgroup_size";
    const cl_ulong four_gib = (cl_ulong)1 << 32;
    const cl_bool unified = 0;
    const cl_uint asked_vendor = what == WARP_SIZE_NV          ? device->warp
                                 : what == WAVEFRONT_WIDTH_AMD ? device->wavefront
                                                               : device->banks;
    switch (what) {
    case CL_DEVICE_NAME:
        return answer(device->name, strlen(device->name) + 1, bytes, to, used);
    case CL_DEVICE_VENDOR:
        return answer(device->vendor, strlen(device->vendor) + 1, bytes, to, used);
    case CL_DEVICE_TYPE:
        return answer(&type, sizeof type, bytes, to, used);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return answer(&device->local_bytes, sizeof device->local_bytes, bytes, to, used);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return answer(&device->max_group, sizeof device->max_group, bytes, to, used);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return answer(&device->units, sizeof device->units, bytes, to, used);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return answer(&device->fp64, sizeof device->fp64, bytes, to, used);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: /* Intel's: github.com/intel/compute-runtime, issue 627 */
        return device->sub_groups ? answer(&four_gib, sizeof four_gib, bytes, to, used)
                                  : __real_clGetDeviceInfo(id, what, bytes, to, used);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        return answer(&unified, sizeof unified, bytes, to, used);
    case WARP_SIZE_NV:
    case WAVEFRONT_WIDTH_AMD:
    case LOCAL_MEM_BANKS_AMD:
        return asked_vendor == 0 ? CL_INVALID_VALUE
                                 : answer(&asked_vendor, sizeof asked_vendor, bytes, to, used);
    case SUB_GROUP_SIZES_INTEL:
        return device->sub_groups ? answer(sub_groups, sizeof sub_groups, bytes, to, used)
                                  : CL_INVALID_VALUE;
    case CL_DEVICE_EXTENSIONS:
        return device->sub_groups ? answer(extensions, sizeof extensions, bytes, to, used)
                                  : __real_clGetDeviceInfo(id, what, bytes, to, used);
    default:
        return __real_clGetDeviceInfo(id, what, bytes, to, used);
    }
}

static void write_source(cl_program handle, int number)
{
    char path[4096];
    size_t bytes = 0;
    if (clGetProgramInfo(handle, CL_PROGRAM_SOURCE, 0, NULL, &bytes) != CL_SUCCESS || bytes < 2)
        fail("a program has no source");
    char *const text = malloc(bytes);
    if (text == NULL ||
        clGetProgramInfo(handle, CL_PROGRAM_SOURCE, bytes, text, NULL) != CL_SUCCESS)
        fail("a program's source cannot be read");
    snprintf(path, sizeof path, "%s/%d.cl", folder, number);
    FILE *const file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        fail("a program's source cannot be written");
    free(text);
}

cl_int __wrap_clBuildProgram(cl_program handle, cl_uint num_devices, const cl_device_id *devices,
    const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user);

/* Records the program instead of building it. */
cl_int __wrap_clBuildProgram(cl_program handle, cl_uint num_devices, const cl_device_id *devices,
    const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)num_devices, (void)devices, (void)notify, (void)user;
    if (num_programs == MAX_PROGRAMS)
        fail("too many programs");
    programs[num_programs] = (program){handle, num_programs};
    write_source(handle, num_programs);
    fprintf(out, "%s{\"program\": %d, \"for\": ", num_programs != 0 ? ",\n" : "", num_programs);
    write_text(label);
    fputs(", \"options\": ", out);
    write_text(options);
    fputc('}', out);
    num_programs++;
    return CL_SUCCESS;
}

cl_kernel __wrap_clCreateKernel(cl_program handle, const char *name, cl_int *status);

/* Returns a kernel that must not be run. */
cl_kernel __wrap_clCreateKernel(cl_program handle, const char *name, cl_int *status)
{
    int i = num_programs - 1;
    while (i >= 0 && programs[i].handle != handle)
        i--;
    if (i < 0)
        fail("a kernel of an unknown program");
    fprintf(out, ",\n{\"program\": %d, \"for\": ", programs[i].number);
    write_text(label);
    fputs(", \"kernel\": ", out);
    write_text(name);
    fputc('}', out);
    *status = CL_SUCCESS;
    return (cl_kernel)(void *)&programs[i];
}

cl_int __wrap_clReleaseKernel(cl_kernel kernel);
cl_int __wrap_clReleaseKernel(cl_kernel kernel)
{
    (void)kernel;
    return CL_SUCCESS;
}

cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id id,
    cl_kernel_work_group_info what, size_t bytes, void *to, size_t *used);
cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id id,
    cl_kernel_work_group_info what, size_t bytes, void *to, size_t *used)
{
    (void)kernel, (void)id;
    return what == CL_KERNEL_WORK_GROUP_SIZE
               ? answer(&device->max_group, sizeof device->max_group, bytes, to, used)
               : CL_INVALID_VALUE;
}

static void log_line(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "%s: %s\n", label, line);
}

/* Creates a permutation by three transposes, which dmm_context_warm does not create. */
static dmm_status create_plan(dmm_context *ctx)
{
    const dmm_permutation_plan_desc desc = {
        .kind = DMM_PLAN_BIT_REVERSAL, .n = 1 << 16, .item_bytes = 4};
    dmm_permutation_plan *plan = NULL;
    const dmm_status status = dmm_permutation_plan_create(&plan, ctx, &desc);
    dmm_permutation_plan_free(plan);
    return status;
}

/* Creates an object of libdmm-lab. */
static dmm_status create_lab_object(dmm_context *ctx, size_t i)
{
    dmm_sort *sort = NULL;
    dmm_partition *partition = NULL;
    const int method = lab_objects[i].method;
    const dmm_status status =
        lab_objects[i].sort != NULL
            ? dmm_lab_sort_create(&sort, ctx, lab_objects[i].sort, (dmm_lab_sort_method)method)
            : dmm_lab_partition_create(
                  &partition, ctx, lab_objects[i].partition, (dmm_lab_partition_method)method);
    dmm_sort_free(sort);
    dmm_partition_free(partition);
    return status;
}

/* Creates the heap of `dmm-lab heap`. */
static dmm_status create_levels(dmm_context *ctx)
{
    dmm_levels_heap *heap = NULL;
    const dmm_status status = dmm_levels_create(&heap, ctx, 64, 4096, DMM_LEVELS_ABREAST);
    dmm_levels_free(heap);
    return status;
}

/* Some GPUs have no double, and the CPU form does not accept E = 15. */
static void require(dmm_status status)
{
    if (status != DMM_OK && status != DMM_UNSUPPORTED &&
        (status != DMM_BAD_PARAMETERS || !is_cpu()))
        fail(dmm_status_string(status));
}

int main(int argc, char **argv)
{
    char path[4096];
    dmm_context *ctx = NULL;
    const dmm_context_desc desc = {
        .log = getenv("VERBOSE") != NULL ? log_line : NULL, .ignore_environment = 1, .tuning = ""};
    for (size_t i = 0; argc == 3 && i < sizeof gpus / sizeof *gpus; i++)
        device = strcmp(gpus[i].key, argv[1]) == 0 ? &gpus[i] : device;
    if (device == NULL)
        fail("usage: gpu_programs DEVICE FOLDER");
    folder = argv[2];
    snprintf(path, sizeof path, "%s/index.json", folder);
    out = fopen(path, "w");
    if (out == NULL || dmm_context_create(&ctx, &desc) != DMM_OK)
        fail("cannot write index.json to FOLDER, or no OpenCL driver");
    fputs("[\n", out);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        label = objects[i].label;
        require(dmm_context_warm(ctx, &objects[i].item, 1, 1));
    }
    for (size_t i = 0; i < sizeof lab_objects / sizeof *lab_objects; i++) {
        label = lab_objects[i].label;
        require(create_lab_object(ctx, i));
    }
    label = "permutation_plan u32";
    if (create_plan(ctx) != DMM_OK)
        fail("no plan");
    label = "heap, levels";
    require(create_levels(ctx));
    label = "collectives";
    build_collectives(ctx);
    label = "collectives of lanes";
    build_lane_collectives(ctx);
    fputs("\n]\n", out);
    dmm_context_free(ctx);
    return fclose(out) != 0;
}
