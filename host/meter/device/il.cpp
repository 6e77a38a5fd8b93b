/* SPDX-License-Identifier: MIT */
/*
 * Programs in an intermediate language, SPIR-V. A driver that takes none gets the instrumented
 * program as it does any other, in OpenCL C: its devices take SPIR-V where llvm-spirv is installed.
 * See layer.h.
 */
#include "layer.h"

#include <cstring>

#include "translator.h"
#include "words.h"

namespace meter
{

const std::string lent_versions = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2";

static bool takes_il(cl_device_id device)
{
    size_t bytes = 0;
    return driver.clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, 0, nullptr, &bytes) == CL_SUCCESS &&
           bytes > 1;
}

bool lends_il(cl_device_id device)
{
    static const bool translates = !translator().empty();
    return translates && !takes_il(device);
}

cl_int answer(const void *from, size_t bytes, size_t size, void *value, size_t *size_ret)
{
    if (value && size < bytes)
        return CL_INVALID_VALUE;
    if (value)
        std::memcpy(value, from, bytes);
    if (size_ret)
        *size_ret = bytes;
    return CL_SUCCESS;
}

static std::vector<cl_device_id> devices_of(cl_context context)
{
    size_t bytes = 0;
    if (driver.clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, nullptr, &bytes) != CL_SUCCESS)
        return {};
    std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
    driver.clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices.data(), nullptr);
    return devices;
}

/* True if the layer must lend IL to all of the context's devices. */
static bool all_lack_il(cl_context context)
{
    const std::vector<cl_device_id> devices = devices_of(context);
    bool all = !devices.empty();
    for (cl_device_id device : devices)
        all = all && lends_il(device);
    return all;
}

using Create = cl_program(CL_API_CALL *)(cl_context, const void *, size_t, cl_int *);

/* Returns the driver's own function of the extension; null: it has none. */
static Create create_khr(cl_context context)
{
    cl_platform_id platform = nullptr;
    const std::vector<cl_device_id> devices = devices_of(context);
    if (devices.empty())
        return nullptr;
    driver.clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
    return reinterpret_cast<Create>(
        driver.clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR"));
}

static cl_program create(
    Create below, cl_context context, const void *il, size_t length, cl_int *status)
{
    const bool is_stub = il && length != 0 && all_lack_il(context);
    const char *text = "#error the driver takes no SPIR-V, and the meter cannot translate this\n";
    cl_int unused;
    cl_program program = nullptr;
    if (is_stub)
        program = driver.clCreateProgramWithSource(context, 1, &text, nullptr, status);
    else if (below)
        program = below(context, il, length, status);
    else
        *(status ? status : &unused) = CL_INVALID_OPERATION;
    if (!program)
        return program;
    Lock lock(mutex);
    programs[program] = Program();
    programs[program].il.assign(static_cast<const char *>(il), length);
    programs[program].is_stub = is_stub;
    return program;
}

cl_program CL_API_CALL create_program_with_il(
    cl_context context, const void *il, size_t length, cl_int *status)
{
    return create(driver.clCreateProgramWithIL, context, il, length, status);
}

static cl_program CL_API_CALL create_program_with_il_khr(
    cl_context context, const void *il, size_t length, cl_int *status)
{
    return create(create_khr(context), context, il, length, status);
}

/* Returns what takes the place of an extension's function; null: nothing does. */
static void *in_place_of(const char *name)
{
    return name && std::strcmp(name, "clCreateProgramWithILKHR") == 0
               ? reinterpret_cast<void *>(create_program_with_il_khr)
               : nullptr;
}

void *CL_API_CALL get_extension_function_address_for_platform(
    cl_platform_id platform, const char *name)
{
    void *found = in_place_of(name);
    return found ? found : driver.clGetExtensionFunctionAddressForPlatform(platform, name);
}

void *CL_API_CALL get_extension_function_address(const char *name)
{
    void *found = in_place_of(name);
    return found ? found : driver.clGetExtensionFunctionAddress(name);
}

/* ---- Specialization constants ---- */

/* Writes a value into the IL; the bytes of a constant are a whole number of words, a bool's are
 * one. */
static cl_int specialize(std::string *il, cl_uint number, size_t size, const void *value)
{
    std::map<uint32_t, bool> targets;
    cl_int status = CL_INVALID_SPEC_ID;
    each_instruction(*il, [&](size_t at, size_t count) {
        if (code_at(*il, at) == OP_DECORATE && count == 4 && word_at(*il, at + 2) == SPEC_ID &&
            word_at(*il, at + 3) == number)
            targets[word_at(*il, at + 1)] = true;
    });
    each_instruction(*il, [&](size_t at, size_t count) {
        const uint32_t code = code_at(*il, at);
        if (count < 3 || targets.count(word_at(*il, at + 2)) == 0)
            return;
        const bool truth = code == OP_SPEC_TRUE || code == OP_SPEC_FALSE;
        uint32_t words[2] = {0, 0};
        if (!truth && code != OP_SPEC_CONSTANT)
            return;
        const size_t most = truth ? 1 : 4 * (count - 3);
        if (size == 0 || size > most || (most == 8 && size != 8)) {
            status = CL_INVALID_VALUE;
            return;
        }
        std::memcpy(words, value, size);
        if (truth)
            set_word(il, at, 3u << 16 | (words[0] != 0 ? OP_SPEC_TRUE : OP_SPEC_FALSE));
        for (size_t i = 3; i < count; i++)
            set_word(il, at + i, words[i - 3]);
        status = CL_SUCCESS;
    });
    return status;
}

cl_int CL_API_CALL set_program_specialization_constant(
    cl_program handle, cl_uint number, size_t size, const void *value)
{
    Lock lock(mutex);
    const auto found = programs.find(handle);
    const bool is_il = found != programs.end() && !found->second.il.empty();
    cl_int status = CL_SUCCESS;
    if (!is_il || !found->second.is_stub)
        status = driver.clSetProgramSpecializationConstant(handle, number, size, value);
    if (!is_il || status != CL_SUCCESS)
        return status;
    return value ? specialize(&found->second.il, number, size, value) : CL_INVALID_VALUE;
}

} // namespace meter
