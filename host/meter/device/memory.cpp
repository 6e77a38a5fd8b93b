/* SPDX-License-Identifier: MIT */
/* Buffers, and what the host does with them. See layer.h. */
#include "layer.h"

namespace meter
{

static uint64_t buffers_made;

static void remember(cl_mem memory, cl_mem_flags flags, size_t bytes)
{
    Lock lock(mutex);
    begin();
    const uint64_t address = (++buffers_made % 0xffff + 1) << 48;
    buffers[memory] = Buffer{nullptr, address, bytes};
    readings->allocated(address, bytes);
    if (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR))
        readings->host(bytes, 0);
}

cl_mem CL_API_CALL create_buffer(
    cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *status)
{
    cl_mem memory = driver.clCreateBuffer(context, flags, bytes, host, status);
    if (memory)
        remember(memory, flags, bytes);
    return memory;
}

cl_mem CL_API_CALL create_buffer_with_properties(cl_context context,
    const cl_mem_properties *properties, cl_mem_flags flags, size_t bytes, void *host,
    cl_int *status)
{
    cl_mem memory =
        driver.clCreateBufferWithProperties(context, properties, flags, bytes, host, status);
    if (memory)
        remember(memory, flags, bytes);
    return memory;
}

cl_mem CL_API_CALL create_sub_buffer(
    cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *status)
{
    cl_mem memory = driver.clCreateSubBuffer(parent, flags, type, info, status);
    Lock lock(mutex);
    const auto found = buffers.find(parent);
    if (memory && found != buffers.end() && type == CL_BUFFER_CREATE_TYPE_REGION) {
        const auto *region = static_cast<const cl_buffer_region *>(info);
        buffers[memory] = Buffer{parent, found->second.address + region->origin, region->size};
    }
    return memory;
}

static void copied(uint64_t to_device, uint64_t from_device)
{
    Lock lock(mutex);
    begin();
    readings->host(to_device, from_device);
}

cl_int CL_API_CALL enqueue_read_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
    size_t offset, size_t size, void *to, cl_uint count, const cl_event *wait, cl_event *event)
{
    copied(0, size);
    return driver.clEnqueueReadBuffer(
        queue, memory, blocking, offset, size, to, count, wait, event);
}

cl_int CL_API_CALL enqueue_write_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
    size_t offset, size_t size, const void *from, cl_uint count, const cl_event *wait,
    cl_event *event)
{
    copied(size, 0);
    return driver.clEnqueueWriteBuffer(
        queue, memory, blocking, offset, size, from, count, wait, event);
}

void *CL_API_CALL enqueue_map_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint count, const cl_event *wait,
    cl_event *event, cl_int *status)
{
    if (flags & CL_MAP_READ)
        copied(0, size);
    if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        copied(size, 0);
    return driver.clEnqueueMapBuffer(
        queue, memory, blocking, flags, offset, size, count, wait, event, status);
}

} // namespace meter
