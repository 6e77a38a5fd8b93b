/* SPDX-License-Identifier: MIT */
/*
 * A library to preload behind record.so: OpenCL's device has the facts of a GPU, and runs nothing.
 * So programs, parameters and launches are those that the GPU's owner gets, exchange between lanes
 * included, and are recorded without the GPU.
 *   DMM_PRETEND         v100, h200, gfx90a, gfx942, gfx1100, dg2 or pvc; v100:2 has 2 compute units
 *   DMM_PRETEND_READS   a folder that record.so has filled while the same program ran on a real
 *                       device: a read returns the bytes that the same read returned there
 *   DMM_PRETEND_DUMPS   a folder in which replay has written what the simulator has in a buffer: a
 *                       read of rows returns them; without it, zeros
 * Buffers and events are the driver's; programs are not built, and launches only mark the queue.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Queries of vendors: cl_nv_device_attribute_query, cl_amd_device_attribute_query and
 * cl_intel_required_subgroup_size. */
enum {
    WARP_SIZE_NV = 0x4003,
    WAVEFRONT_AMD = 0x4043,
    BANKS_AMD = 0x4048,
    SUB_GROUPS_INTEL = 0x4108
};
enum { MOST_SIZES = 2 };

typedef struct gpu {
    const char *key, *name, *vendor;
    cl_uint warp, wave, banks;         /* answers of vendors' queries; 0: the query is unknown */
    size_t sub_groups[MOST_SIZES + 1]; /* sizes of sub-groups, then 0 */
    size_t max_group;
    cl_ulong local_bytes;
    cl_uint units;
} gpu;

#define NVIDIA "NVIDIA Corporation"
#define AMD    "Advanced Micro Devices, Inc."
#define INTEL  "Intel(R) Corporation"

static const gpu gpus[] = {
    {"v100", "Tesla V100-SXM2-16GB", NVIDIA, 32, 0, 0, {0}, 1024, 48 << 10, 80},
    {"h200", "NVIDIA H200", NVIDIA, 32, 0, 0, {0}, 1024, 48 << 10, 132},
    {"gfx90a", "gfx90a:sramecc+:xnack-", AMD, 0, 64, 32, {0}, 256, 64 << 10, 104},
    {"gfx942", "gfx942:sramecc+:xnack-", AMD, 0, 64, 32, {0}, 256, 64 << 10, 304},
    {"gfx1100", "gfx1100", AMD, 0, 32, 32, {0}, 256, 64 << 10, 48},
    {"dg2", "Intel(R) Arc(TM) A770 Graphics", INTEL, 0, 0, 0, {8, 16}, 1024, 64 << 10, 512},
    {"pvc", "Intel(R) Data Center GPU Max 1550", INTEL, 0, 0, 0, {16, 32}, 1024, 128 << 10, 1024},
};

typedef struct kernel_stub {
    cl_uint references;
} kernel_stub;

static void fail(const char *what)
{
    fprintf(stderr, "pretend: %s\n", what);
    exit(2);
}

/* Returns the GPU; its units may be others. */
static const gpu *pretended(void)
{
    static gpu chosen;
    const char *const name = getenv("DMM_PRETEND");
    const size_t bytes = name != NULL ? strcspn(name, ":") : 0;
    for (size_t i = 0; chosen.key == NULL && i < sizeof gpus / sizeof gpus[0]; i++)
        if (strlen(gpus[i].key) == bytes && memcmp(gpus[i].key, name, bytes) == 0)
            chosen = gpus[i];
    if (chosen.key == NULL)
        fail("DMM_PRETEND names no GPU of pretend.c");
    if (name[bytes] == ':')
        chosen.units = (cl_uint)strtoul(name + bytes + 1, NULL, 10);
    return &chosen;
}

static void *next_of(const char *name)
{
    void *const function = dlsym(RTLD_NEXT, name);
    if (function == NULL)
        fail(name);
    return function;
}

#define REAL(type, name)                      \
    type real;                                \
    do {                                      \
        void *const address = next_of(name);  \
        memcpy(&real, &address, sizeof real); \
    } while (0)

static cl_int answer(const void *value, size_t value_bytes, size_t bytes, void *to, size_t *needed)
{
    if (needed != NULL)
        *needed = value_bytes;
    if (to == NULL)
        return CL_SUCCESS;
    if (bytes < value_bytes)
        return CL_INVALID_VALUE;
    memcpy(to, value, value_bytes);
    return CL_SUCCESS;
}

#define ANSWER(value)      answer(&(value), sizeof(value), bytes, to, needed)
#define ANSWER_TEXT(value) answer(value, strlen(value) + 1, bytes, to, needed)
#define ANSWER_IF(value)   ((value) != 0 ? ANSWER(value) : CL_INVALID_VALUE)

cl_int clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t bytes, void *to, size_t *needed)
{
    typedef cl_int (*function)(cl_device_id, cl_device_info, size_t, void *, size_t *);
    static const cl_device_type type = CL_DEVICE_TYPE_GPU;
    static const cl_ulong most_buffer = 8ull << 30;
    static const cl_bool no = CL_FALSE;
    const gpu *const g = pretended();
    REAL(function, "clGetDeviceInfo");
    switch (what) {
    case CL_DEVICE_NAME:
        return ANSWER_TEXT(g->name);
    case CL_DEVICE_VENDOR:
        return ANSWER_TEXT(g->vendor);
    case CL_DEVICE_TYPE:
        return ANSWER(type);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return ANSWER(g->local_bytes);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return ANSWER(g->max_group);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return ANSWER(g->units);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return ANSWER(most_buffer);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        return ANSWER(no);
    case CL_DEVICE_EXTENSIONS:
        return ANSWER_TEXT(g->sub_groups[0] != 0
                               ? "cl_khr_fp64 cl_khr_subgroup_ballot cl_khr_subgroup_shuffle "
                                 "cl_intel_required_subgroup_size"
                               : "cl_khr_fp64");
    case WARP_SIZE_NV:
        return ANSWER_IF(g->warp);
    case WAVEFRONT_AMD:
        return ANSWER_IF(g->wave);
    case BANKS_AMD:
        return ANSWER_IF(g->banks);
    case SUB_GROUPS_INTEL:
        return g->sub_groups[0] != 0
                   ? answer(g->sub_groups, MOST_SIZES * sizeof(size_t), bytes, to, needed)
                   : CL_INVALID_VALUE;
    default:
        return real(id, what, bytes, to, needed);
    }
}

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
    const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)program, (void)num_devices, (void)devices, (void)options;
    if (notify != NULL)
        notify(program, user);
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error)
{
    kernel_stub *const kernel = calloc(1, sizeof *kernel);
    (void)program, (void)name;
    if (kernel == NULL)
        fail("out of memory");
    kernel->references = 1;
    if (error != NULL)
        *error = CL_SUCCESS;
    return (cl_kernel)(void *)kernel;
}

cl_int clRetainKernel(cl_kernel kernel)
{
    ((kernel_stub *)(void *)kernel)->references++;
    return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    kernel_stub *const stub = (void *)kernel;
    if (--stub->references == 0)
        free(stub);
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint i, size_t bytes, const void *value)
{
    (void)kernel, (void)i, (void)bytes, (void)value;
    return CL_SUCCESS;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id id, cl_kernel_work_group_info what,
    size_t bytes, void *to, size_t *needed)
{
    const gpu *const g = pretended();
    const size_t any_group[3] = {0}, lanes = g->warp != 0   ? g->warp
                                             : g->wave != 0 ? g->wave
                                                            : g->sub_groups[0];
    const cl_ulong none = 0;
    (void)kernel, (void)id;
    switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return ANSWER(g->max_group);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return ANSWER(any_group);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return ANSWER(lanes);
    default:
        return ANSWER(none);
    }
}

static cl_int mark(cl_command_queue queue, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    typedef cl_int (*function)(cl_command_queue, cl_uint, const cl_event *, cl_event *);
    REAL(function, "clEnqueueMarkerWithWaitList");
    return real(queue, num_wait, wait, event);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
    return mark(queue, num_wait, wait, event);
}

/* Fills `data` with the bytes of the next read of the recording. */
static void read_again(void *data, size_t bytes)
{
    static FILE *calls;
    const char *const folder = getenv("DMM_PRETEND_READS");
    char path[4096], line[1 << 16], name[64] = "";
    size_t recorded = 0;
    memset(data, 0, bytes);
    if (folder == NULL)
        return;
    snprintf(path, sizeof path, "%s/calls", folder);
    if (calls == NULL && (calls = fopen(path, "r")) == NULL)
        fail(path);
    while (name[0] == '\0' && fgets(line, sizeof line, calls) != NULL)
        sscanf(line, "read %*u %*u %zu %63s", &recorded, name);
    if (name[0] == '\0' || recorded != bytes)
        fail("the recording has no such read");
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "rb");
    if (file == NULL || fread(data, 1, bytes, file) != bytes)
        fail(path);
    fclose(file);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t at,
    size_t bytes, void *data, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    (void)buffer, (void)blocking, (void)at;
    read_again(data, bytes);
    return mark(queue, num_wait, wait, event);
}

/* Copies the rows from what the replay has written for this read: one slice, to its beginning. */
cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    const size_t *buffer_origin, const size_t *host_origin, const size_t *region, size_t row_pitch,
    size_t slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, void *data,
    cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    static size_t dumps;
    const char *const folder = getenv("DMM_PRETEND_DUMPS");
    const size_t first = buffer_origin[0] + buffer_origin[1] * row_pitch;
    char path[4096];
    (void)buffer, (void)blocking, (void)host_origin, (void)slice_pitch, (void)host_slice_pitch;
    snprintf(path, sizeof path, "%s/dump%zu", folder != NULL ? folder : "", dumps++);
    FILE *const file = folder != NULL ? fopen(path, "rb") : NULL;
    if (folder != NULL && file == NULL)
        fail(path);
    for (size_t row = 0; row < region[1]; row++) {
        char *const to = (char *)data + row * host_row_pitch;
        memset(to, 0, region[0]);
        if (file != NULL && (fseek(file, (long)(first + row * row_pitch), SEEK_SET) != 0 ||
                                fread(to, 1, region[0], file) != region[0]))
            fail(path);
    }
    if (file != NULL)
        fclose(file);
    return mark(queue, num_wait, wait, event);
}
