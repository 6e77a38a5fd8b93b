/* SPDX-License-Identifier: MIT */
/*
 * Texts of the status codes: what happened and what to do about it.
 */
#include <stddef.h>

#include <dmm/types.h>

typedef struct code_text {
    dmm_status code;
    const char *text;
} code_text;

static const code_text ours[] = {
    {DMM_OK, "success"},
    {DMM_NULL_ARGUMENT, "a required pointer or span is missing"},
    {DMM_BAD_VALUE, "a field or argument is outside the range that its header documents"},
    {DMM_NO_PLATFORM,
        "no OpenCL platform: install an ICD, such as pocl-opencl-icd (CPU) or the GPU vendor's "
        "driver, and a loader (ocl-icd-libopencl1), and check that its .icd file is in "
        "/etc/OpenCL/vendors"},
    {DMM_NO_DEVICE, "no OpenCL device fits the request: `dmm devices` lists those that are there"},
    {DMM_OUT_OF_MEMORY, "the host is out of memory"},
    {DMM_BUILD_FAILED, "a kernel did not compile: the context's log callback has the build log"},
    {DMM_TEMP_TOO_SMALL, "the temp span is too small: ask the *_temp_bytes function for this n"},
    {DMM_TOO_LARGE, "too many items: more than max_n of the description, or than can be indexed"},
    {DMM_OVERLAP, "spans overlap: an output is either equal to its input or apart from it"},
    {DMM_WRONG_QUEUE, "the queue belongs to another context or device than the object"},
    {DMM_MISALIGNED, "offset_bytes is not a multiple of the item size (of 256 for temp)"},
    {DMM_SPAN_TOO_SMALL, "a buffer ends before offset_bytes plus the items of this call"},
    {DMM_UNSUPPORTED, "the device or the method does not support this combination"},
    {DMM_BAD_PARAMETERS, "the tuning parameters do not fit each other or the device: the log "
                         "says which; leave them 0 for defaults"},
    {DMM_BAD_SETTING,
        "a NAME=VALUE setting has an unknown name or a bad value: the log says which"},
    {DMM_BAD_DATA, "the data are not what the header asks for: the report says where"},
    {DMM_WRONG_RESULT, "the device computes wrong results: update its driver, or use another one"},
    {DMM_NOT_FINITE, "a coordinate is a NaN or infinite: the report says of which point first"},
    {DMM_BAD_FILE, "a file cannot be read or written, or is not what it should be: see the log"},
};

#define CL_TEXT(code, what)            \
    {                                  \
        code, #code " (OpenCL): " what \
    }

/* The ICD loader's code; CL/cl.h lacks it. */
enum { CL_PLATFORM_NOT_FOUND = -1001 };

static const code_text opencl[] = {
    CL_TEXT(CL_DEVICE_NOT_FOUND, "the platform has no such device"),
    CL_TEXT(CL_DEVICE_NOT_AVAILABLE, "the device is in use or switched off"),
    CL_TEXT(CL_COMPILER_NOT_AVAILABLE, "the driver has no compiler: install its full package"),
    CL_TEXT(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the device is out of memory: sort less at a time"),
    CL_TEXT(CL_OUT_OF_RESOURCES, "the device refused: out of memory, or an earlier kernel failed"),
    CL_TEXT(CL_OUT_OF_HOST_MEMORY, "the driver is out of host memory"),
    CL_TEXT(CL_PROFILING_INFO_NOT_AVAILABLE, "the queue was made without profiling"),
    CL_TEXT(CL_BUILD_PROGRAM_FAILURE, "a kernel did not compile"),
    CL_TEXT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an event waited for had failed"),
    CL_TEXT(CL_INVALID_VALUE, "the driver refused a value"),
    CL_TEXT(CL_INVALID_DEVICE, "the device is not of this context or platform"),
    CL_TEXT(CL_INVALID_CONTEXT, "the context is not valid, or an event is of another context"),
    CL_TEXT(CL_INVALID_COMMAND_QUEUE, "the queue is not valid"),
    CL_TEXT(CL_INVALID_MEM_OBJECT, "a span's buffer is not a buffer of this context"),
    CL_TEXT(CL_INVALID_KERNEL_NAME, "the program has no such kernel"),
    CL_TEXT(CL_INVALID_ARG_INDEX, "a kernel has fewer arguments than were set"),
    CL_TEXT(CL_INVALID_ARG_VALUE, "a kernel argument is not valid"),
    CL_TEXT(CL_INVALID_ARG_SIZE, "a kernel argument has the wrong size"),
    CL_TEXT(CL_INVALID_KERNEL_ARGS, "a kernel argument was not set"),
    CL_TEXT(CL_INVALID_WORK_GROUP_SIZE, "the device cannot run groups of u work-items: lower u"),
    CL_TEXT(CL_INVALID_EVENT_WAIT_LIST, "num_wait and wait do not agree, or an event is not valid"),
    CL_TEXT(CL_INVALID_EVENT, "an event is not valid"),
    CL_TEXT(CL_INVALID_BUFFER_SIZE, "a buffer larger than the device allows"),
    CL_TEXT(CL_INVALID_GLOBAL_WORK_SIZE, "more work-items than the device allows"),
    CL_TEXT(CL_PLATFORM_NOT_FOUND, "no platform: install an ICD, such as pocl-opencl-icd"),
};

static const char *find(const code_text *table, size_t count, dmm_status code)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].code == code)
            return table[i].text;
    return NULL;
}

const char *dmm_status_string(dmm_status status)
{
    if (status < 0) {
        const char *text = find(opencl, sizeof opencl / sizeof opencl[0], status);
        return text ? text : "an OpenCL error: CL/cl.h lists the codes by number";
    }
    const char *text = find(ours, sizeof ours / sizeof ours[0], status);
    return text ? text : "not a code of this version of dmm";
}
