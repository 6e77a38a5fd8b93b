/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL layer that meters: the loader (OPENCL_LAYERS) puts it between a program and the driver.
 * It builds each program with records of its accesses (build.h), passes one more argument to every
 * kernel, and judges the records of each launch (launch.h). Handles stay the driver's; the caller's
 * program is a name for the instrumented one. What cannot be instrumented is passed on unchanged.
 */
#include "layer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "../settings.h"

namespace meter
{

static cl_icd_dispatch layer;
cl_icd_dispatch driver;
std::recursive_mutex mutex;
std::map<cl_program, Program> programs;
std::map<cl_kernel, Kernel> kernels;
std::map<cl_mem, Buffer> buffers;
std::unique_ptr<Readings> readings;
std::unique_ptr<Judge> judge;
size_t pool_bytes;
uint32_t times;

void begin()
{
    if (readings)
        return;
    const Machine machine = machine_wanted();
    const bool digests = setting("DMM_METER_DIGEST", 0) != 0,
               calls = setting("DMM_METER_CALLS", 0) != 0;
    times = setting("DMM_METER_TIME", TIMES_NONE);
    pool_bytes = size_t(setting("DMM_METER_TRACE_MB", 512)) << 20;
    readings = std::make_unique<Readings>(
        getenv("DMM_METER_READINGS"), machine, setting("DMM_METER_RUNS", 0) != 0);
    judge = std::make_unique<Judge>(*readings, machine, pool_bytes, calls, digests);
}

static void fill_layer()
{
    layer.clGetDeviceInfo = get_device_info;
    layer.clGetDeviceIDs = get_device_ids;
    layer.clCreateContext = create_context;
    layer.clCreateContextFromType = create_context_from_type;
    layer.clCreateProgramWithSource = create_program_with_source;
    layer.clCreateProgramWithBinary = create_program_with_binary;
    layer.clCreateProgramWithIL = create_program_with_il;
    layer.clCreateProgramWithBuiltInKernels = create_program_with_built_in_kernels;
    layer.clGetExtensionFunctionAddress = get_extension_function_address;
    layer.clGetExtensionFunctionAddressForPlatform = get_extension_function_address_for_platform;
    layer.clSetProgramSpecializationConstant = set_program_specialization_constant;
    layer.clLinkProgram = link_program;
    layer.clBuildProgram = build_program;
    layer.clReleaseProgram = release_program;
    layer.clGetProgramInfo = get_program_info;
    layer.clGetProgramBuildInfo = get_program_build_info;
    layer.clCreateKernel = create_kernel;
    layer.clCreateKernelsInProgram = create_kernels_in_program;
    layer.clCloneKernel = clone_kernel;
    layer.clGetKernelInfo = get_kernel_info;
    layer.clSetKernelArg = set_kernel_arg;
    layer.clCreateBuffer = create_buffer;
    layer.clCreateBufferWithProperties = create_buffer_with_properties;
    layer.clCreateSubBuffer = create_sub_buffer;
    layer.clEnqueueReadBuffer = enqueue_read_buffer;
    layer.clEnqueueWriteBuffer = enqueue_write_buffer;
    layer.clEnqueueMapBuffer = enqueue_map_buffer;
    layer.clCreateCommandQueue = create_command_queue;
    layer.clCreateCommandQueueWithProperties = create_command_queue_with_properties;
    layer.clEnqueueNDRangeKernel = enqueue_kernel;
    layer.clEnqueueTask = enqueue_task;
    layer.clCreateUserEvent = create_user_event;
    layer.clSetUserEventStatus = set_user_event_status;
    layer.clFinish = finish;
    layer.clWaitForEvents = wait_for_events;
}

} // namespace meter

/* ---- What a loader looks up ---- */

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(
    cl_layer_info what, size_t size, void *value, size_t *size_ret)
{
    static const char name[] = "dmm meter";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (what == CL_LAYER_NAME)
        return meter::answer(name, sizeof name, size, value, size_ret);
    if (what == CL_LAYER_API_VERSION)
        return meter::answer(&version, sizeof version, size, value, size_ret);
    return CL_INVALID_VALUE;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target,
    cl_uint *num_entries_ret, const cl_icd_dispatch **layer_ret)
{
    using namespace meter;
    if (!target || !num_entries_ret || !layer_ret)
        return CL_INVALID_VALUE;
    const size_t known = sizeof driver / sizeof(void *);
    std::memcpy(&driver, target, std::min<size_t>(num_entries, known) * sizeof(void *));
    layer = driver;
    if (getenv("DMM_METER_READINGS"))
        fill_layer();
    *num_entries_ret = static_cast<cl_uint>(known);
    *layer_ret = &layer;
    return CL_SUCCESS;
}
