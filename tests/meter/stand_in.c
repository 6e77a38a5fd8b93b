/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL layer that stands in for a driver that takes SPIR-V, for which it builds the OpenCL C
 * in the file $STAND_IN_SOURCE instead, and has a built-in kernel, of_driver. For tests of
 * `dmm meter`.
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_layer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

enum { BYTES_MAX = 1 << 18 };

static cl_icd_dispatch layer, driver;
static unsigned char known_il[BYTES_MAX];
static size_t known_length;

static cl_int answer(const void *from, size_t bytes, size_t size, void *value, size_t *size_ret)
{
    if (value && size < bytes)
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, from, bytes);
    if (size_ret)
        *size_ret = bytes;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_device_info(
    cl_device_id device, cl_device_info what, size_t size, void *value, size_t *size_ret)
{
    static const char versions[] = "SPIR-V_1.0";
    if (what == CL_DEVICE_IL_VERSION)
        return answer(versions, sizeof versions, size, value, size_ret);
    return driver.clGetDeviceInfo(device, what, size, value, size_ret);
}

static cl_int CL_API_CALL get_program_info(
    cl_program program, cl_program_info what, size_t size, void *value, size_t *size_ret)
{
    if (what == CL_PROGRAM_IL)
        return answer(known_il, known_length, size, value, size_ret);
    return driver.clGetProgramInfo(program, what, size, value, size_ret);
}

static cl_program CL_API_CALL create_program_with_il(
    cl_context context, const void *il, size_t length, cl_int *status)
{
    static char text[BYTES_MAX];
    const char *path = getenv("STAND_IN_SOURCE"), *source = text;
    FILE *file = path ? fopen(path, "r") : NULL;
    known_length = length < BYTES_MAX ? length : BYTES_MAX;
    memcpy(known_il, il, known_length);
    if (file) {
        text[fread(text, 1, BYTES_MAX - 1, file)] = '\0';
        fclose(file);
    }
    return driver.clCreateProgramWithSource(context, 1, &source, NULL, status);
}

static cl_program CL_API_CALL create_program_with_built_in_kernels(cl_context context,
    cl_uint num_devices, const cl_device_id *devices, const char *names, cl_int *status)
{
    const char *text = "kernel void of_driver(global uint *a) { a[get_global_id(0)] += 3; }";
    (void)num_devices, (void)devices, (void)names;
    return driver.clCreateProgramWithSource(context, 1, &text, NULL, status);
}

EXPORTED cl_int CL_API_CALL clGetLayerInfo(
    cl_layer_info what, size_t size, void *value, size_t *size_ret)
{
    static const char name[] = "stand-in";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    return what == CL_LAYER_NAME ? answer(name, sizeof name, size, value, size_ret)
                                 : answer(&version, sizeof version, size, value, size_ret);
}

EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target,
    cl_uint *num_entries_ret, const cl_icd_dispatch **layer_ret)
{
    const size_t known = sizeof driver / sizeof(void *);
    memcpy(&driver, target, (num_entries < known ? num_entries : known) * sizeof(void *));
    layer = driver;
    layer.clGetDeviceInfo = get_device_info;
    layer.clGetProgramInfo = get_program_info;
    layer.clCreateProgramWithIL = create_program_with_il;
    layer.clCreateProgramWithBuiltInKernels = create_program_with_built_in_kernels;
    *num_entries_ret = (cl_uint)known;
    *layer_ret = &layer;
    return CL_SUCCESS;
}
