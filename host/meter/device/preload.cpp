/* SPDX-License-Identifier: MIT */
/*
 * The layer without a loader that knows layers: by LD_PRELOAD its functions stand before those of
 * the library that the program is linked to, a loader or a driver. DMM_METER_PRELOAD says so.
 */
#include "layer.h"

#include <cstdlib>
#include <dlfcn.h>

namespace meter
{

template <typename Function> static void find(Function *&function, const char *name)
{
    function = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

/* Finds the functions that the layer calls. */
__attribute__((constructor)) static void find_driver()
{
    if (!getenv("DMM_METER_PRELOAD"))
        return;
#define FIND(name) find(driver.name, #name)
    FIND(clBuildProgram);
    FIND(clCloneKernel);
    FIND(clCreateBuffer);
    FIND(clCreateBufferWithProperties);
    FIND(clCreateCommandQueue);
    FIND(clCreateCommandQueueWithProperties);
    FIND(clCreateContext);
    FIND(clCreateContextFromType);
    FIND(clCreateKernel);
    FIND(clCreateKernelsInProgram);
    FIND(clCreateProgramWithBinary);
    FIND(clCreateProgramWithBuiltInKernels);
    FIND(clCreateProgramWithIL);
    FIND(clCreateProgramWithSource);
    FIND(clCreateSubBuffer);
    FIND(clCreateUserEvent);
    FIND(clEnqueueMapBuffer);
    FIND(clEnqueueNDRangeKernel);
    FIND(clEnqueueReadBuffer);
    FIND(clEnqueueReadBufferRect);
    FIND(clEnqueueUnmapMemObject);
    FIND(clEnqueueWriteBuffer);
    FIND(clFinish);
    FIND(clFlush);
    FIND(clGetCommandQueueInfo);
    FIND(clGetContextInfo);
    FIND(clGetDeviceIDs);
    FIND(clGetDeviceInfo);
    FIND(clGetEventInfo);
    FIND(clGetEventProfilingInfo);
    FIND(clGetExtensionFunctionAddress);
    FIND(clGetExtensionFunctionAddressForPlatform);
    FIND(clGetKernelInfo);
    FIND(clGetKernelWorkGroupInfo);
    FIND(clGetPlatformIDs);
    FIND(clGetProgramBuildInfo);
    FIND(clGetProgramInfo);
    FIND(clLinkProgram);
    FIND(clReleaseCommandQueue);
    FIND(clReleaseEvent);
    FIND(clReleaseMemObject);
    FIND(clReleaseProgram);
    FIND(clRetainEvent);
    FIND(clSetKernelArg);
    FIND(clSetProgramSpecializationConstant);
    FIND(clSetUserEventStatus);
    FIND(clWaitForEvents);
#undef FIND
}

} // namespace meter

/* ---- What stands before the functions of the library ---- */

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(
    cl_device_id device, cl_device_info what, size_t size, void *value, size_t *size_ret)
{
    return meter::get_device_info(device, what, size, value, size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
    cl_uint count, cl_device_id *devices, cl_uint *count_ret)
{
    return meter::get_device_ids(platform, type, count, devices, count_ret);
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties,
    cl_uint count, const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
    cl_int *status)
{
    return meter::create_context(properties, count, devices, notify, data, status);
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties,
    cl_device_type type, void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
    void *data, cl_int *status)
{
    return meter::create_context_from_type(properties, type, notify, data, status);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **strings, const size_t *lengths, cl_int *status)
{
    return meter::create_program_with_source(context, count, strings, lengths, status);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
    const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries,
    cl_int *each_status, cl_int *status)
{
    return meter::create_program_with_binary(
        context, count, devices, lengths, binaries, each_status, status);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(
    cl_context context, const void *il, size_t length, cl_int *status)
{
    return meter::create_program_with_il(context, il, length, status);
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(
    cl_program handle, cl_uint number, size_t size, const void *value)
{
    return meter::set_program_specialization_constant(handle, number, size, value);
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(
    cl_platform_id platform, const char *name)
{
    return meter::get_extension_function_address_for_platform(platform, name);
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    return meter::get_extension_function_address(name);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context,
    cl_uint count, const cl_device_id *devices, const char *names, cl_int *status)
{
    return meter::create_program_with_built_in_kernels(context, count, devices, names, status);
}

CL_API_ENTRY cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
    const cl_device_id *devices, const char *options, cl_uint count, const cl_program *inputs,
    void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *status)
{
    return meter::link_program(
        context, num_devices, devices, options, count, inputs, notify, data, status);
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program handle, cl_uint num_devices,
    const cl_device_id *devices, const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
    void *data)
{
    return meter::build_program(handle, num_devices, devices, options, notify, data);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program handle)
{
    return meter::release_program(handle);
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(
    cl_program handle, cl_program_info what, size_t size, void *value, size_t *size_ret)
{
    return meter::get_program_info(handle, what, size, value, size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program handle, cl_device_id device,
    cl_program_build_info what, size_t size, void *value, size_t *size_ret)
{
    return meter::get_program_build_info(handle, device, what, size, value, size_ret);
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(
    cl_program handle, const char *name, cl_int *status)
{
    return meter::create_kernel(handle, name, status);
}

CL_API_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(
    cl_program handle, cl_uint count, cl_kernel *out, cl_uint *count_ret)
{
    return meter::create_kernels_in_program(handle, count, out, count_ret);
}

CL_API_ENTRY cl_kernel CL_API_CALL clCloneKernel(cl_kernel source, cl_int *status)
{
    return meter::clone_kernel(source, status);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelInfo(
    cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *size_ret)
{
    return meter::get_kernel_info(kernel, what, size, value, size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(
    cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    return meter::set_kernel_arg(kernel, index, size, value);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(
    cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *status)
{
    return meter::create_buffer(context, flags, bytes, host, status);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
    const cl_mem_properties *properties, cl_mem_flags flags, size_t bytes, void *host,
    cl_int *status)
{
    return meter::create_buffer_with_properties(context, properties, flags, bytes, host, status);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(
    cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *status)
{
    return meter::create_sub_buffer(parent, flags, type, info, status);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory,
    cl_bool blocking, size_t offset, size_t size, void *to, cl_uint count, const cl_event *wait,
    cl_event *event)
{
    return meter::enqueue_read_buffer(
        queue, memory, blocking, offset, size, to, count, wait, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory,
    cl_bool blocking, size_t offset, size_t size, const void *from, cl_uint count,
    const cl_event *wait, cl_event *event)
{
    return meter::enqueue_write_buffer(
        queue, memory, blocking, offset, size, from, count, wait, event);
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory,
    cl_bool blocking, cl_map_flags flags, size_t offset, size_t size, cl_uint count,
    const cl_event *wait, cl_event *event, cl_int *status)
{
    return meter::enqueue_map_buffer(
        queue, memory, blocking, flags, offset, size, count, wait, event, status);
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueue(
    cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *status)
{
    return meter::create_command_queue(context, device, properties, status);
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *status)
{
    return meter::create_command_queue_with_properties(context, device, properties, status);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel handle,
    cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local,
    cl_uint count, const cl_event *wait, cl_event *event)
{
    return meter::enqueue_kernel(
        queue, handle, dimensions, offset, global, local, count, wait, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueTask(
    cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *wait, cl_event *event)
{
    return meter::enqueue_task(queue, kernel, count, wait, event);
}

CL_API_ENTRY cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *status)
{
    return meter::create_user_event(context, status);
}

CL_API_ENTRY cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int to)
{
    return meter::set_user_event_status(event, to);
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue)
{
    return meter::finish(queue);
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *events)
{
    return meter::wait_for_events(count, events);
}
