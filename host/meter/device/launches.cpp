/* SPDX-License-Identifier: MIT */
/* Launches and their records. See layer.h. */
#include "layer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fnmatch.h>
#include <sys/mman.h>

#include "../settings.h"

namespace meter
{

/* The pool of records of a device, and a queue to read it. */
struct Pool {
    cl_command_queue queue = nullptr;
    cl_mem memory = nullptr;
    uint64_t slots = 0;
    uint64_t *host = nullptr; /* on a CPU: the memory itself */
};

/* A launch whose records are not read yet. */
struct Pending {
    Launch launch;
    std::shared_ptr<Table> table; /* which the launch points to; null: its time alone is wanted */
    Pool pool;
    cl_event event;
    uint32_t banks;
    bool watched, own_pool;
    uint64_t regions, most; /* work-items that are metered, and records that each has place for */
};

static std::map<std::pair<cl_context, cl_device_id>, Pool> pools;
static std::vector<Pending> pending;
static std::map<cl_event, bool> user_events; /* that are not complete */
static uint64_t launches;

static void complain(cl_int status)
{
    std::fprintf(stderr, "dmm: meter: the records cannot be read: OpenCL error %d\n",
        static_cast<int>(status));
}

/* Returns memory of small pages, of which only those that records reach are ever filled. */
static uint64_t *host_memory(size_t bytes)
{
    void *memory = mmap(
        nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return nullptr;
#ifdef MADV_NOHUGEPAGE
    madvise(memory, bytes, MADV_NOHUGEPAGE);
#endif
    return static_cast<uint64_t *>(memory);
}

static Pool make_pool(cl_context context, cl_device_id device)
{
    Pool pool;
    cl_int status;
    cl_ulong most = 0;
    cl_device_type type = 0;
    driver.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    driver.clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr);
    const uint64_t bytes = std::min<uint64_t>(pool_bytes, most);
    pool.slots = bytes / 16;
    pool.queue = driver.clCreateCommandQueue(context, device, 0, &status);
    if (type & CL_DEVICE_TYPE_CPU)
        pool.host = host_memory(pool.slots * 16);
    pool.memory =
        driver.clCreateBuffer(context, CL_MEM_READ_WRITE | (pool.host ? CL_MEM_USE_HOST_PTR : 0),
            pool.slots * 16, pool.host, &status);
    return pool;
}

static void free_pool(Pool &pool)
{
    if (pool.memory)
        driver.clReleaseMemObject(pool.memory);
    if (pool.host)
        munmap(pool.host, pool.slots * 16);
    if (pool.queue)
        driver.clReleaseCommandQueue(pool.queue);
    pool = Pool();
}

/* Judges the records where they are. */
static void judge_in_place(const Pending &one)
{
    cl_int status;
    const auto *words =
        static_cast<const uint64_t *>(driver.clEnqueueMapBuffer(one.pool.queue, one.pool.memory,
            CL_TRUE, CL_MAP_READ, 0, one.pool.slots * 16, 0, nullptr, nullptr, &status));
    if (!words)
        return complain(status);
    const uint64_t slots = one.most + REGION_SLOTS;
    judge->judge(one.launch, words + 2 * slots, slots, one.most);
    driver.clEnqueueUnmapMemObject(
        one.pool.queue, one.pool.memory, const_cast<uint64_t *>(words), 0, nullptr, nullptr);
    driver.clFinish(one.pool.queue);
}

/* Reads the first `slots` slots of each of the regions. */
static std::vector<uint64_t> read_regions(const Pending &one, uint64_t regions, uint64_t slots)
{
    std::vector<uint64_t> words(2 * regions * slots);
    const size_t apart = 16 * (one.most + REGION_SLOTS);
    const size_t from[] = {0, 1, 0}, to[] = {0, 0, 0}, region[] = {16 * slots, regions, 1};
    const cl_int status = driver.clEnqueueReadBufferRect(one.pool.queue, one.pool.memory, CL_TRUE,
        from, to, region, apart, 0, 16 * slots, 0, words.data(), 0, nullptr, nullptr);
    if (status != CL_SUCCESS)
        complain(status);
    return words;
}

/* Writes how long the launch took, if its queue keeps times. */
static void write_time(const Pending &one)
{
    cl_ulong start = 0, end = 0;
    if (times != TIMES_NONE &&
        driver.clGetEventProfilingInfo(
            one.event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr) == CL_SUCCESS &&
        driver.clGetEventProfilingInfo(
            one.event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr) == CL_SUCCESS &&
        end >= start)
        readings->time(one.launch.kernel, end - start);
}

static void judge_one(Pending &one)
{
    const size_t *global = one.launch.global, *local = one.launch.local;
    const size_t sizes[] = {global[0], global[1], global[2], local[0], local[1], local[2]};
    readings->launch(one.launch.kernel, sizes, one.banks);
    write_time(one);
    if (!one.table)
        readings->done(one.launch.kernel, Source(), 0);
    if (!one.watched || !one.table)
        return;
    const uint64_t groups = one.launch.groups(), items = one.launch.group_items();
    if (one.launch.stride > 1)
        readings->sampled(one.launch.kernel, one.regions / items, groups);
    if (one.pool.host)
        return judge_in_place(one);
    const std::vector<uint64_t> heads = read_regions(one, one.regions, 1);
    uint64_t longest = 0;
    for (size_t i = 0; i < heads.size(); i += 2)
        longest = std::max(longest, std::min<uint64_t>(heads[i], one.most));
    judge->judge(
        one.launch, read_regions(one, one.regions, longest + 1).data(), longest + 1, one.most);
}

/* Judges the launches that have ended, in their order; all, if `wait`. */
static void drain(bool wait)
{
    Lock lock(mutex);
    while (!pending.empty()) {
        Pending &one = pending.front();
        cl_int status = CL_COMPLETE;
        driver.clGetEventInfo(
            one.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
        if (status > CL_COMPLETE && !wait)
            return;
        driver.clWaitForEvents(1, &one.event);
        judge_one(one);
        driver.clReleaseEvent(one.event);
        if (one.own_pool)
            free_pool(one.pool);
        pending.erase(pending.begin());
    }
}

/* Chooses the size of the work-groups where the caller leaves it open. */
static void choose_local(size_t *local, cl_kernel kernel, cl_device_id device, const size_t *global)
{
    size_t given[3] = {0}, most = 1;
    driver.clGetKernelWorkGroupInfo(
        kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof given, given, nullptr);
    driver.clGetKernelWorkGroupInfo(
        kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr);
    if (given[0] != 0) {
        std::copy(given, given + 3, local);
        return;
    }
    local[0] = std::min<size_t>(std::min<size_t>(most, 256), std::max<size_t>(global[0], 1));
    while (global[0] % local[0] != 0)
        local[0]--;
    local[1] = local[2] = 1;
}

static void find_arguments(Launch &launch, const Kernel &kernel)
{
    for (uint32_t i = 0; i < kernel.arguments.size(); i++) {
        const Argument &argument = kernel.arguments[i];
        const auto buffer = buffers.find(argument.memory);
        if (argument.local_bytes != 0)
            launch.arguments[i] = Region{argument.local_bytes, 0};
        else if (argument.memory && buffer != buffers.end())
            launch.arguments[i] = Region{buffer->second.bytes, buffer->second.address};
    }
}

/* Flushes what the launch waits for: the caller may do so only later. */
static void flush_before(cl_uint count, const cl_event *wait)
{
    for (cl_uint i = 0; i < count; i++) {
        cl_command_queue queue = nullptr;
        driver.clGetEventInfo(wait[i], CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
        if (queue)
            driver.clFlush(queue);
    }
}

/* Divides the pool among the work-items. If each would have too little, or DMM_METER_GROUPS says
 * so, some groups alone are metered, at equal distances. */
static void divide(Pending &one)
{
    constexpr uint64_t LITTLE = 256;
    const uint64_t groups = one.launch.groups(), items = one.launch.group_items();
    const uint64_t known = one.table->most_records.at(one.launch.kernel);
    const uint64_t place = one.pool.slots / ((known ? known : LITTLE) + REGION_SLOTS) / items;
    const uint64_t wanted =
        std::max<uint64_t>(std::min<uint64_t>(setting("DMM_METER_GROUPS", UINT32_MAX), place), 1);
    one.launch.stride = one.watched ? (groups + wanted - 1) / wanted : uint64_t{1} << 62;
    one.regions = (groups + one.launch.stride - 1) / one.launch.stride * items;
    const uint64_t slots = one.pool.slots / (one.regions + 1);
    one.most = slots > REGION_SLOTS ? slots - REGION_SLOTS : 0;
    if (known)
        one.most = std::min(one.most, known);
}

/* Writes what the kernel reads of its pool. A blocking write may return as soon as `head` can be
 * used again, before the kernel's queue sees it, as it does on Intel's CPU runtime: its event
 * tells. */
static void write_head(const Pending &one)
{
    const cl_ulong head[2 * HEAD_SLOTS] = {
        one.most, one.launch.stride, one.launch.group_items(), one.launch.number};
    cl_event written = nullptr;
    driver.clEnqueueWriteBuffer(
        one.pool.queue, one.pool.memory, CL_TRUE, 0, sizeof head, head, 0, nullptr, &written);
    if (!written)
        return;
    driver.clWaitForEvents(1, &written);
    driver.clReleaseEvent(written);
}

/* Fills what a launch needs. It has a pool of its own if it may wait for the caller. */
static Pending prepare(cl_command_queue queue, cl_kernel handle, const Kernel &kernel,
    cl_uint dimensions, const size_t *global, const size_t *local)
{
    Pending one = {};
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    driver.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
    driver.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
    one.table = kernel.table;
    one.banks = kernel.banks;
    one.launch.table = one.table.get();
    one.launch.kernel = kernel.name;
    one.launch.number = ++launches;
    for (cl_uint i = 0; i < 3; i++) {
        one.launch.global[i] = i < dimensions ? global[i] : 1;
        one.launch.local[i] = local && i < dimensions ? local[i] : 1;
    }
    if (!local)
        choose_local(one.launch.local, handle, device, one.launch.global);
    find_arguments(one.launch, kernel);
    const char *pattern = getenv("DMM_METER_KERNEL");
    one.watched = !pattern || fnmatch(pattern, kernel.name.c_str(), 0) == 0;
    one.own_pool = !user_events.empty() || !pending.empty();
    Pool &shared = pools[{context, device}];
    if (!one.own_pool && !shared.memory)
        shared = make_pool(context, device);
    one.pool = one.own_pool ? make_pool(context, device) : shared;
    divide(one);
    write_head(one);
    return one;
}

static void name_unmetered(const Kernel &kernel)
{
    static std::map<std::string, bool> named;
    if (!named[kernel.name])
        std::fprintf(stderr, "dmm: meter: kernel %s runs without the meter: %s\n",
            kernel.name.c_str(), kernel.reason.c_str());
    named[kernel.name] = true;
}

/* Keeps a launch until it has ended; now, if nothing that the caller does later can hold it up. */
static void await(Pending &one, cl_uint count, const cl_event *wait, cl_event *event)
{
    const bool waits = !user_events.empty() || !pending.empty();
    if (event) {
        driver.clRetainEvent(one.event);
        *event = one.event;
    }
    pending.push_back(std::move(one));
    if (waits)
        return;
    flush_before(count, wait);
    drain(true);
}

/* Runs a kernel as it is, for its time. */
static cl_int enqueue_timed(cl_command_queue queue, cl_kernel handle, cl_uint dimensions,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint count,
    const cl_event *wait, cl_event *event)
{
    Pending one = {};
    std::string name(1024, '\0');
    begin();
    driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, name.size(), &name[0], nullptr);
    one.launch.kernel = name.c_str();
    for (cl_uint i = 0; i < 3; i++) {
        one.launch.global[i] = global && i < dimensions ? global[i] : 1;
        one.launch.local[i] = local && i < dimensions ? local[i] : 1;
    }
    const cl_int status = driver.clEnqueueNDRangeKernel(
        queue, handle, dimensions, offset, global, local, count, wait, &one.event);
    if (status == CL_SUCCESS)
        await(one, count, wait, event);
    return status;
}

cl_command_queue CL_API_CALL create_command_queue(
    cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *status)
{
    if (times != TIMES_NONE)
        properties |= CL_QUEUE_PROFILING_ENABLE;
    return driver.clCreateCommandQueue(context, device, properties, status);
}

cl_command_queue CL_API_CALL create_command_queue_with_properties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *status)
{
    std::vector<cl_queue_properties> list = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE};
    for (const cl_queue_properties *each = properties; each && each[0] != 0; each += 2)
        if (each[0] == CL_QUEUE_PROPERTIES)
            list[1] |= each[1];
        else
            list.insert(list.end(), each, each + 2);
    list.push_back(0);
    const bool as_given = times == TIMES_NONE || (list[1] & CL_QUEUE_ON_DEVICE) != 0;
    return driver.clCreateCommandQueueWithProperties(
        context, device, as_given ? properties : list.data(), status);
}

cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel handle, cl_uint dimensions,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint count,
    const cl_event *wait, cl_event *event)
{
    drain(false);
    Lock lock(mutex);
    const auto found = kernels.find(handle);
    if (times == TIMES_ALONE)
        return enqueue_timed(queue, handle, dimensions, offset, global, local, count, wait, event);
    const bool metered = found != kernels.end() && found->second.table;
    if (found != kernels.end() && !metered)
        name_unmetered(found->second);
    if (!metered || !global || dimensions == 0 || dimensions > 3)
        return driver.clEnqueueNDRangeKernel(
            queue, handle, dimensions, offset, global, local, count, wait, event);
    begin();
    const Kernel &kernel = found->second;
    Pending one = prepare(queue, handle, kernel, dimensions, global, local);
    driver.clSetKernelArg(handle, static_cast<cl_uint>(kernel.arguments.size()),
        sizeof one.pool.memory, &one.pool.memory);
    const cl_int status = driver.clEnqueueNDRangeKernel(
        queue, handle, dimensions, offset, global, one.launch.local, count, wait, &one.event);
    if (status != CL_SUCCESS) {
        if (one.own_pool)
            free_pool(one.pool);
        return status;
    }
    await(one, count, wait, event);
    return CL_SUCCESS;
}

cl_int CL_API_CALL enqueue_task(
    cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *wait, cl_event *event)
{
    const size_t one = 1;
    return enqueue_kernel(queue, kernel, 1, nullptr, &one, &one, count, wait, event);
}

cl_event CL_API_CALL create_user_event(cl_context context, cl_int *status)
{
    cl_event event = driver.clCreateUserEvent(context, status);
    Lock lock(mutex);
    if (event)
        user_events[event] = true;
    return event;
}

cl_int CL_API_CALL set_user_event_status(cl_event event, cl_int to)
{
    {
        Lock lock(mutex);
        user_events.erase(event);
    }
    return driver.clSetUserEventStatus(event, to);
}

cl_int CL_API_CALL finish(cl_command_queue queue)
{
    const cl_int status = driver.clFinish(queue);
    drain(false);
    return status;
}

cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events)
{
    const cl_int status = driver.clWaitForEvents(count, events);
    drain(false);
    return status;
}

cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
    const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
    cl_int *status)
{
    {
        Lock lock(mutex);
        begin();
    }
    return driver.clCreateContext(properties, count, devices, notify, data, status);
}

cl_context CL_API_CALL create_context_from_type(const cl_context_properties *properties,
    cl_device_type type, void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
    void *data, cl_int *status)
{
    {
        Lock lock(mutex);
        begin();
    }
    return driver.clCreateContextFromType(
        properties, type_as_gpu(properties, type), notify, data, status);
}

} // namespace meter
