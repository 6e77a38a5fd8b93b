/* SPDX-License-Identifier: MIT */
/*
 * The parts of the layer: layer.cpp is what a loader calls, devices.cpp lists devices, programs.cpp
 * builds instrumented programs and their kernels, il.cpp takes programs in SPIR-V, memory.cpp
 * follows buffers, launches.cpp runs kernels and reads their records.
 */
#ifndef DMM_METER_LAYER_H
#define DMM_METER_LAYER_H

#undef CL_TARGET_OPENCL_VERSION /* the rest of the project asks for 1.2 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl_layer.h>

#include <map>
#include <memory>
#include <mutex>

#include "build.h"

namespace meter
{

struct Program {
    std::string source, il, options, reason = "it was not made from source";
    std::shared_ptr<Table> table; /* null: not instrumented */
    cl_program shadow = nullptr;  /* the instrumented one */
    cl_device_id device = nullptr;
    bool original_built = false;
    bool is_stub = false; /* the driver takes no IL: its own program is one that does not build */
    uint32_t banks = 0;
};

struct Argument {
    cl_mem memory = nullptr;
    size_t local_bytes = 0;
};

struct Kernel {
    cl_program program;
    std::shared_ptr<Table> table;
    std::string name, reason;
    uint32_t banks;
    std::vector<Argument> arguments;
};

struct Buffer {
    cl_mem parent;
    uint64_t address;
    size_t bytes;
};

/* All of the layer's state is under one lock. */
using Lock = std::lock_guard<std::recursive_mutex>;
extern cl_icd_dispatch driver; /* the functions below the layer */
extern std::recursive_mutex mutex;
extern std::map<cl_program, Program> programs;
extern std::map<cl_kernel, Kernel> kernels;
extern std::map<cl_mem, Buffer> buffers;
extern std::unique_ptr<Readings> readings;
extern std::unique_ptr<Judge> judge;
extern size_t pool_bytes; /* for the records of a launch */
extern uint32_t times;    /* that are wanted (settings.h) */

/* Begins the readings, if they have not begun. */
void begin();

/* Returns the devices for a context of that type (devices.cpp). */
cl_device_type type_as_gpu(const cl_context_properties *properties, cl_device_type type);

/* True if the layer lets a device take IL that takes none of itself (il.cpp). */
bool lends_il(cl_device_id device);
/* The CL_DEVICE_IL_VERSION of such a device. */
extern const std::string lent_versions;

/* Answers a clGet...Info with these bytes. */
cl_int answer(const void *from, size_t bytes, size_t size, void *value, size_t *size_ret);

/* ---- What takes the place of the driver's functions ---- */

void *CL_API_CALL get_extension_function_address_for_platform(
    cl_platform_id platform, const char *name);
void *CL_API_CALL get_extension_function_address(const char *name);
cl_int CL_API_CALL set_program_specialization_constant(
    cl_program handle, cl_uint number, size_t size, const void *value);

cl_int CL_API_CALL get_device_info(
    cl_device_id device, cl_device_info what, size_t size, void *value, size_t *size_ret);
cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint count,
    cl_device_id *devices, cl_uint *count_ret);
cl_program CL_API_CALL create_program_with_source(
    cl_context context, cl_uint count, const char **strings, const size_t *lengths, cl_int *status);
cl_program CL_API_CALL create_program_with_binary(cl_context context, cl_uint count,
    const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries,
    cl_int *each_status, cl_int *status);
cl_program CL_API_CALL create_program_with_il(
    cl_context context, const void *il, size_t length, cl_int *status);
cl_program CL_API_CALL create_program_with_built_in_kernels(cl_context context, cl_uint count,
    const cl_device_id *devices, const char *names, cl_int *status);
cl_program CL_API_CALL link_program(cl_context context, cl_uint num_devices,
    const cl_device_id *devices, const char *options, cl_uint count, const cl_program *inputs,
    void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *status);
cl_int CL_API_CALL build_program(cl_program handle, cl_uint num_devices,
    const cl_device_id *devices, const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
    void *data);
cl_int CL_API_CALL release_program(cl_program handle);
cl_int CL_API_CALL get_program_info(
    cl_program handle, cl_program_info what, size_t size, void *value, size_t *size_ret);
cl_int CL_API_CALL get_program_build_info(cl_program handle, cl_device_id device,
    cl_program_build_info what, size_t size, void *value, size_t *size_ret);
cl_kernel CL_API_CALL create_kernel(cl_program handle, const char *name, cl_int *status);
cl_int CL_API_CALL create_kernels_in_program(
    cl_program handle, cl_uint count, cl_kernel *out, cl_uint *count_ret);
cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int *status);
cl_int CL_API_CALL get_kernel_info(
    cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *size_ret);
cl_int CL_API_CALL set_kernel_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value);
cl_mem CL_API_CALL create_buffer(
    cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *status);
cl_mem CL_API_CALL create_buffer_with_properties(cl_context context,
    const cl_mem_properties *properties, cl_mem_flags flags, size_t bytes, void *host,
    cl_int *status);
cl_mem CL_API_CALL create_sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
    const void *info, cl_int *status);
cl_int CL_API_CALL enqueue_read_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
    size_t offset, size_t size, void *to, cl_uint count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL enqueue_write_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
    size_t offset, size_t size, const void *from, cl_uint count, const cl_event *wait,
    cl_event *event);
void *CL_API_CALL enqueue_map_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint count, const cl_event *wait,
    cl_event *event, cl_int *status);
cl_command_queue CL_API_CALL create_command_queue(cl_context context, cl_device_id device,
    cl_command_queue_properties properties, cl_int *status);
cl_command_queue CL_API_CALL create_command_queue_with_properties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *status);
cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel handle, cl_uint dimensions,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint count,
    const cl_event *wait, cl_event *event);
cl_int CL_API_CALL enqueue_task(
    cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *wait, cl_event *event);
cl_event CL_API_CALL create_user_event(cl_context context, cl_int *status);
cl_int CL_API_CALL set_user_event_status(cl_event event, cl_int to);
cl_int CL_API_CALL finish(cl_command_queue queue);
cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events);
cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
    const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
    cl_int *status);
cl_context CL_API_CALL create_context_from_type(const cl_context_properties *properties,
    cl_device_type type, void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
    void *data, cl_int *status);

} // namespace meter

#endif
