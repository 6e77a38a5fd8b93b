/* SPDX-License-Identifier: MIT */
/*
 * A CPU counts as a GPU, too, as in Oclgrind: programs that ask for a GPU run without one, and take
 * the kernels and the way to pass arrays that a GPU would get. See layer.h.
 */
#include "layer.h"

namespace meter
{

static bool is_cpu(cl_device_id device)
{
    cl_device_type type = 0;
    driver.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    return (type & CL_DEVICE_TYPE_CPU) != 0;
}

cl_int CL_API_CALL get_device_info(
    cl_device_id device, cl_device_info what, size_t size, void *value, size_t *size_ret)
{
    if (what == CL_DEVICE_IL_VERSION && lends_il(device))
        return answer(lent_versions.c_str(), lent_versions.size() + 1, size, value, size_ret);
    const cl_int status = driver.clGetDeviceInfo(device, what, size, value, size_ret);
    if (status == CL_SUCCESS && what == CL_DEVICE_TYPE && value && is_cpu(device))
        *static_cast<cl_device_type *>(value) |= CL_DEVICE_TYPE_GPU;
    return status;
}

/* True if the platform has CPUs, and must take them for GPUs. */
static bool lacks_gpus(cl_platform_id platform, cl_device_type type)
{
    return (type & CL_DEVICE_TYPE_GPU) != 0 && type != CL_DEVICE_TYPE_ALL &&
           driver.clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, nullptr, nullptr) ==
               CL_DEVICE_NOT_FOUND;
}

cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint count,
    cl_device_id *devices, cl_uint *count_ret)
{
    if (lacks_gpus(platform, type))
        type |= CL_DEVICE_TYPE_CPU;
    return driver.clGetDeviceIDs(platform, type, count, devices, count_ret);
}

/* Returns the platform that the properties name, or the first one. */
static cl_platform_id platform_of(const cl_context_properties *properties)
{
    for (; properties && properties[0]; properties += 2)
        if (properties[0] == CL_CONTEXT_PLATFORM)
            return reinterpret_cast<cl_platform_id>(properties[1]);
    cl_platform_id first = nullptr;
    driver.clGetPlatformIDs(1, &first, nullptr);
    return first;
}

cl_device_type type_as_gpu(const cl_context_properties *properties, cl_device_type type)
{
    return lacks_gpus(platform_of(properties), type) ? type | CL_DEVICE_TYPE_CPU : type;
}

} // namespace meter
