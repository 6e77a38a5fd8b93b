/* SPDX-License-Identifier: MIT */
/* Programs and kernels of the layer. See layer.h. */
#include "layer.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../settings.h"
#include "../source.h"
#include "cache.h"

namespace meter
{

static std::string device_text(cl_device_id device, cl_device_info what)
{
    size_t bytes = 0;
    if (driver.clGetDeviceInfo(device, what, 0, nullptr, &bytes) != CL_SUCCESS)
        return "";
    std::string text(bytes, '\0');
    driver.clGetDeviceInfo(device, what, bytes, &text[0], nullptr);
    return text.substr(0, text.find('\0'));
}

static Dialect dialect_of(cl_device_id device)
{
    Dialect dialect = {"120", device_text(device, CL_DEVICE_EXTENSIONS), false};
    int major = 1, minor = 2;
    if (std::sscanf(
            device_text(device, CL_DEVICE_VERSION).c_str(), "OpenCL %d.%d", &major, &minor) == 2)
        dialect.version = std::to_string(100 * major + 10 * minor);
    size_t bytes = 0;
    if (driver.clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &bytes) ==
        CL_SUCCESS) {
        std::vector<cl_name_version> features(bytes / sizeof(cl_name_version));
        driver.clGetDeviceInfo(
            device, CL_DEVICE_OPENCL_C_FEATURES, bytes, features.data(), nullptr);
        for (const cl_name_version &feature : features)
            dialect.extensions += std::string(" ") + feature.name;
    }
    cl_bool images = CL_FALSE;
    driver.clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr);
    dialect.images = images != CL_FALSE;
    return dialect;
}

static cl_context context_of(cl_program program)
{
    cl_context context = nullptr;
    driver.clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, nullptr);
    return context;
}

static cl_device_id first_device(cl_program program)
{
    size_t bytes = 0;
    driver.clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, nullptr, &bytes);
    std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id) + 1);
    driver.clGetProgramInfo(program, CL_PROGRAM_DEVICES, bytes, devices.data(), nullptr);
    return devices[0];
}

/* Returns the options of the driver's compiler: for IL with the last version of OpenCL C. */
static std::string build_options(const Program &program, const Dialect &dialect)
{
    const std::string options = driver_options(program.options);
    if (program.il.empty())
        return options;
    const char major = dialect.version[0];
    return options + (major == '3' ? " -cl-std=CL3.0" : major == '2' ? " -cl-std=CL2.0" : "");
}

/* Returns where the cache keeps a program's binary; empty: nowhere. PoCL reads a text with clang
 * before it finds the kernels that it has compiled, which takes most of a short run. For a binary
 * it compiles all kernels once more, for any size of groups: only a program that is built a second
 * time is worth that. Not -cl-opt-disable: it halves the compiling of most kernels, and takes
 * minutes for some (merges of items of 16 bytes). */
static std::string binary_path(
    cl_program handle, cl_device_id device, const std::string &text, const std::string &options)
{
    cl_uint count = 0;
    driver.clGetProgramInfo(handle, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, nullptr);
    const std::string version = device_text(device, CL_DEVICE_VERSION);
    if (count != 1 || version.find("PoCL") == std::string::npos)
        return "";
    return cache_path({"binary", version, device_text(device, CL_DRIVER_VERSION),
        device_text(device, CL_DEVICE_NAME), options, text});
}

static cl_program from_binary(
    cl_context context, cl_device_id device, const std::string &path, const std::string &options)
{
    std::vector<std::string> texts(1);
    if (path.empty() || !cache_read(path, &texts))
        return nullptr;
    const size_t bytes = texts[0].size();
    const auto *binary = reinterpret_cast<const unsigned char *>(texts[0].data());
    cl_int status;
    cl_program program =
        driver.clCreateProgramWithBinary(context, 1, &device, &bytes, &binary, nullptr, &status);
    if (!program ||
        driver.clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) == CL_SUCCESS)
        return program;
    driver.clReleaseProgram(program);
    return nullptr;
}

static void keep_binary(cl_program program, const std::string &path)
{
    size_t bytes = 0;
    if (path.empty() || driver.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes,
                            &bytes, nullptr) != CL_SUCCESS)
        return;
    std::string binary(bytes, '\0');
    char *to = &binary[0];
    if (bytes != 0 && driver.clGetProgramInfo(
                          program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) == CL_SUCCESS)
        cache_write(path, {binary});
}

/* Builds the instrumented program. False: it must be built unchanged, for program.reason. */
static bool instrument(cl_program handle, Program &program, cl_uint num_devices,
    const cl_device_id *devices, const char *options)
{
    const char *more = getenv("DMM_METER_BUILD_OPTIONS");
    program.options = (options ? options : "") + (" " + std::string(more ? more : ""));
    program.device = num_devices && devices ? devices[0] : first_device(handle);
    if (program.shadow)
        driver.clReleaseProgram(program.shadow);
    program.shadow = nullptr;
    program.table.reset();
    if (times == TIMES_ALONE) {
        program.reason = "without records, since the driver takes none";
        return false;
    }
    if (program.source.empty() && program.il.empty())
        return false;
    const Dialect dialect = dialect_of(program.device);
    Rewritten rewritten = program.il.empty() ? rewrite(program.source, program.options, dialect)
                                             : rewrite_il(program.il, program.options);
    program.reason = rewritten.reason;
    if (rewritten.text.empty()) {
        if (getenv("DMM_METER_VERBOSE"))
            std::fputs(rewritten.log.c_str(), stderr);
        return false;
    }
    cl_int status;
    const char *text = rewritten.text.c_str();
    const std::string options_of = build_options(program, dialect);
    const std::string path = binary_path(handle, program.device, rewritten.text, options_of);
    cl_program shadow = from_binary(context_of(handle), program.device, path, options_of);
    const bool kept = shadow != nullptr;
    if (!kept)
        shadow = driver.clCreateProgramWithSource(context_of(handle), 1, &text, nullptr, &status);
    if (!shadow)
        return false;
    status = kept ? CL_SUCCESS
                  : driver.clBuildProgram(
                        shadow, num_devices, devices, options_of.c_str(), nullptr, nullptr);
    if (status == CL_SUCCESS && !kept && rewritten.known)
        keep_binary(shadow, path);
    if (status != CL_SUCCESS) {
        program.reason = "the driver's compiler refuses the instrumented program";
        if (getenv("DMM_METER_VERBOSE")) {
            std::string log(1 << 16, '\0');
            driver.clGetProgramBuildInfo(
                shadow, program.device, CL_PROGRAM_BUILD_LOG, log.size(), &log[0], nullptr);
            std::fputs(log.c_str(), stderr);
        }
        driver.clReleaseProgram(shadow);
        return false;
    }
    program.shadow = shadow;
    program.banks = built_banks(program.options, program.source);
    program.table = std::make_shared<Table>(std::move(rewritten.table));
    program.table->source = Source(rewritten.source);
    return true;
}

cl_program CL_API_CALL create_program_with_source(
    cl_context context, cl_uint count, const char **strings, const size_t *lengths, cl_int *status)
{
    cl_program program = driver.clCreateProgramWithSource(context, count, strings, lengths, status);
    if (!program)
        return program;
    Lock lock(mutex);
    std::string source;
    for (cl_uint i = 0; i < count; i++)
        source +=
            lengths && lengths[i] ? std::string(strings[i], lengths[i]) : std::string(strings[i]);
    programs[program] = Program();
    programs[program].source = source;
    return program;
}

/* Notes why the kernels of a program will not be metered. */
static cl_program unmetered(cl_program program, const char *reason)
{
    Lock lock(mutex);
    if (program) {
        programs[program] = Program();
        programs[program].reason = reason;
    }
    return program;
}

cl_program CL_API_CALL create_program_with_binary(cl_context context, cl_uint count,
    const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries,
    cl_int *each_status, cl_int *status)
{
    return unmetered(driver.clCreateProgramWithBinary(
                         context, count, devices, lengths, binaries, each_status, status),
        "its program was made from a binary: turn off the cache that keeps it");
}

cl_program CL_API_CALL create_program_with_built_in_kernels(cl_context context, cl_uint count,
    const cl_device_id *devices, const char *names, cl_int *status)
{
    return unmetered(
        driver.clCreateProgramWithBuiltInKernels(context, count, devices, names, status),
        "it is built into the driver");
}

cl_program CL_API_CALL link_program(cl_context context, cl_uint num_devices,
    const cl_device_id *devices, const char *options, cl_uint count, const cl_program *inputs,
    void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *status)
{
    return unmetered(driver.clLinkProgram(context, num_devices, devices, options, count, inputs,
                         notify, data, status),
        "its program was linked from several parts");
}

cl_int CL_API_CALL build_program(cl_program handle, cl_uint num_devices,
    const cl_device_id *devices, const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
    void *data)
{
    {
        Lock lock(mutex);
        Program &program = programs[handle];
        if (instrument(handle, program, num_devices, devices, options)) {
            if (notify)
                notify(handle, data);
            return CL_SUCCESS;
        }
        program.original_built = true;
        if (program.is_stub)
            std::fprintf(stderr, "dmm: meter: a program in SPIR-V does not run: %s\n",
                program.reason.c_str());
    }
    return driver.clBuildProgram(handle, num_devices, devices, options, notify, data);
}

cl_int CL_API_CALL release_program(cl_program handle)
{
    Lock lock(mutex);
    cl_uint count = 0;
    driver.clGetProgramInfo(handle, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, nullptr);
    const auto found = programs.find(handle);
    if (count == 1 && found != programs.end()) {
        if (found->second.shadow)
            driver.clReleaseProgram(found->second.shadow);
        programs.erase(found);
    }
    return driver.clReleaseProgram(handle);
}

/* Builds the caller's own program, for those who ask for its binary. */
static void build_original(cl_program handle, Program &program)
{
    if (program.original_built)
        return;
    program.original_built = true;
    driver.clBuildProgram(handle, 1, &program.device, program.options.c_str(), nullptr, nullptr);
}

cl_int CL_API_CALL get_program_info(
    cl_program handle, cl_program_info what, size_t size, void *value, size_t *size_ret)
{
    Lock lock(mutex);
    const auto found = programs.find(handle);
    if (found != programs.end() && found->second.is_stub && what == CL_PROGRAM_IL)
        return answer(found->second.il.data(), found->second.il.size(), size, value, size_ret);
    if (found != programs.end() && found->second.shadow) {
        if (what == CL_PROGRAM_NUM_KERNELS || what == CL_PROGRAM_KERNEL_NAMES)
            return driver.clGetProgramInfo(found->second.shadow, what, size, value, size_ret);
        if (what == CL_PROGRAM_BINARIES || what == CL_PROGRAM_BINARY_SIZES)
            build_original(handle, found->second);
    }
    return driver.clGetProgramInfo(handle, what, size, value, size_ret);
}

cl_int CL_API_CALL get_program_build_info(cl_program handle, cl_device_id device,
    cl_program_build_info what, size_t size, void *value, size_t *size_ret)
{
    Lock lock(mutex);
    const auto found = programs.find(handle);
    const bool ours = found != programs.end() && found->second.shadow;
    return driver.clGetProgramBuildInfo(
        ours ? found->second.shadow : handle, device, what, size, value, size_ret);
}

static void remember(cl_kernel kernel, cl_program handle, const std::string &name)
{
    const Program &program = programs[handle];
    Kernel known = {handle, program.table, name, program.reason, program.banks, {}};
    if (known.table && known.table->arguments.count(name))
        known.arguments.resize(known.table->arguments.at(name));
    else
        known.table.reset();
    kernels[kernel] = known;
}

cl_kernel CL_API_CALL create_kernel(cl_program handle, const char *name, cl_int *status)
{
    Lock lock(mutex);
    cl_program shadow = programs[handle].shadow;
    cl_kernel kernel = driver.clCreateKernel(shadow ? shadow : handle, name, status);
    if (kernel)
        remember(kernel, handle, name);
    return kernel;
}

cl_int CL_API_CALL create_kernels_in_program(
    cl_program handle, cl_uint count, cl_kernel *out, cl_uint *count_ret)
{
    Lock lock(mutex);
    cl_program shadow = programs[handle].shadow;
    cl_uint made = 0;
    const cl_int status =
        driver.clCreateKernelsInProgram(shadow ? shadow : handle, count, out, &made);
    if (count_ret)
        *count_ret = made;
    for (cl_uint i = 0; out && status == CL_SUCCESS && i < made; i++) {
        std::string name(1024, '\0');
        driver.clGetKernelInfo(out[i], CL_KERNEL_FUNCTION_NAME, name.size(), &name[0], nullptr);
        remember(out[i], handle, name.c_str());
    }
    return status;
}

cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int *status)
{
    Lock lock(mutex);
    cl_kernel kernel = driver.clCloneKernel(source, status);
    const auto found = kernels.find(source);
    if (kernel && found != kernels.end())
        kernels[kernel] = Kernel(found->second);
    return kernel;
}

cl_int CL_API_CALL get_kernel_info(
    cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *size_ret)
{
    Lock lock(mutex);
    const cl_int status = driver.clGetKernelInfo(kernel, what, size, value, size_ret);
    const auto found = kernels.find(kernel);
    if (status != CL_SUCCESS || !value || found == kernels.end() || !found->second.table)
        return status;
    if (what == CL_KERNEL_NUM_ARGS)
        *static_cast<cl_uint *>(value) -= 1;
    if (what == CL_KERNEL_PROGRAM)
        *static_cast<cl_program *>(value) = found->second.program;
    return status;
}

cl_int CL_API_CALL set_kernel_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    Lock lock(mutex);
    const auto found = kernels.find(kernel);
    if (found != kernels.end() && found->second.table) {
        std::vector<Argument> &arguments = found->second.arguments;
        if (index >= arguments.size())
            return CL_INVALID_ARG_INDEX;
        arguments[index] = Argument();
        if (!value)
            arguments[index].local_bytes = size;
        else if (size == sizeof(cl_mem))
            std::memcpy(&arguments[index].memory, value, sizeof(cl_mem));
    }
    return driver.clSetKernelArg(kernel, index, size, value);
}

} // namespace meter
