/* SPDX-License-Identifier: MIT */
/*
 * Building and keeping programs.
 */
#include "core/program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/version.h>

#include "cl/hash.clh"
#include "cl/workarounds.clh"
#include "core/check.h"
#include "core/embedded.h"
#include "core/opencl.h"

enum { SUM_TEXT_BYTES = 40 };
/* Larger answers of a driver are not believed. */
enum { MOST_LOG_BYTES = 1 << 24, MOST_BINARY_BYTES = 1 << 30, MOST_KERNELS = 256 };

struct dmm_program_entry {
    dmm_program_entry *next;
    cl_program program;
    char *key;
};

dmm_status dmm_programs_init(
    dmm_programs *programs, const dmm_device *device, const char *cache_folder)
{
    programs->first = NULL;
    programs->lanes = (uint32_t)device->lanes.value;
    atomic_init(&programs->most_u, 0);
    programs->own_builtins = strcmp(device->platform_name, DMM_OWN_BUILTINS_PLATFORM) == 0;
    snprintf(programs->identity, sizeof programs->identity, "dmm %s\n%s\n%s\n%s\n%s\n%s\n",
        DMM_VERSION, device->platform_name, device->name, device->vendor, device->driver,
        device->version);
    const dmm_status status = dmm_cache_open(&programs->cache, cache_folder, &programs->log);
    if (status != DMM_OK)
        return status;
    if (dmm_mutex_init(&programs->mutex)) {
        if (dmm_condition_init(&programs->built))
            return DMM_OK;
        dmm_mutex_destroy(&programs->mutex);
    }
    dmm_cache_close(&programs->cache);
    return DMM_OUT_OF_MEMORY;
}

void dmm_programs_destroy(dmm_programs *programs, int released)
{
    for (dmm_program_entry *entry = programs->first, *next; entry != NULL; entry = next) {
        next = entry->next;
        if (released)
            clReleaseProgram(entry->program);
        free(entry->key);
        free(entry);
    }
    dmm_condition_destroy(&programs->built);
    dmm_mutex_destroy(&programs->mutex);
    dmm_cache_close(&programs->cache);
}

static const dmm_embedded *embedded(const dmm_embedded *source, const char *name)
{
    while (source->name != NULL && strcmp(source->name, name) != 0)
        source++;
    assert(source->name != NULL);
    return source;
}

static const dmm_embedded *root_of(const dmm_program_desc *desc)
{
    return embedded(desc->sources != NULL ? desc->sources : dmm_embedded_sources, desc->root);
}

static const dmm_embedded *own_builtins(void)
{
    return embedded(dmm_embedded_sources, "cl/builtins.clh");
}

/* Returns the texts that differ between programs, joined: equal keys mean equal programs. */
static char *new_key(const dmm_program_desc *desc)
{
    const size_t bytes =
        desc->options->bytes + strlen(desc->root) + strlen(desc->prelude) + sizeof "\n\n";
    char *key = malloc(bytes);
    if (key != NULL)
        snprintf(key, bytes, "%s\n%s\n%s", desc->options->text, desc->root, desc->prelude);
    return key;
}

static void log_build(const dmm_programs *programs, cl_program program)
{
    size_t bytes = 0;
    char *text = NULL;
    if (clGetProgramBuildInfo(program, programs->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) !=
            CL_SUCCESS ||
        bytes > MOST_LOG_BYTES || (text = calloc(bytes + 1, 1)) == NULL)
        return;
    if (clGetProgramBuildInfo(program, programs->device, CL_PROGRAM_BUILD_LOG, bytes, text, NULL) ==
        CL_SUCCESS)
        dmm_log_text(&programs->log, text);
    free(text);
}

static cl_program create(
    const dmm_programs *programs, const dmm_program_desc *desc, dmm_status *status)
{
    const dmm_embedded *const root = root_of(desc), *const own = own_builtins();
    const char *texts[] = {"#ifdef DMM_OWN_BUILTINS\n#line 1 \"", own->name, "\"\n", own->text,
        "\n#endif\n", desc->prelude, "\n#line 1 \"", root->name, "\"\n", root->text};
    return clCreateProgramWithSource(
        programs->context, sizeof texts / sizeof texts[0], texts, NULL, status);
}

/* Returns the cache key of a compiled program: everything it depends on; the source by size and
 * checksum. */
static char *new_cache_key(
    const dmm_programs *programs, const dmm_program_desc *desc, const char *key)
{
    const dmm_embedded *const root = root_of(desc), *const own = own_builtins();
    const uint64_t sum = dmm_fnv1a_bytes(DMM_FNV1A, own->text, own->bytes);
    const size_t bytes = strlen(programs->identity) + SUM_TEXT_BYTES + strlen(key) + 1;
    char *text = malloc(bytes);
    if (text != NULL)
        snprintf(text, bytes, "%s%zu %016llx\n%s", programs->identity, root->bytes,
            (unsigned long long)dmm_fnv1a_bytes(sum, root->text, root->bytes), key);
    return text;
}

/* Loads a program that an earlier process has compiled; NULL if there is none or the driver rejects
 * it. */
static cl_program load(
    const dmm_programs *programs, const dmm_program_desc *desc, const char *cache_key)
{
    size_t bytes = 0;
    cl_int failed = CL_SUCCESS;
    unsigned char *const binary = dmm_cache_read(&programs->cache, cache_key, &bytes);
    const unsigned char *binaries[] = {binary};
    if (binary == NULL)
        return NULL;
    cl_program program = clCreateProgramWithBinary(
        programs->context, 1, &programs->device, &bytes, binaries, NULL, &failed);
    free(binary);
    if (failed != CL_SUCCESS)
        return NULL;
    if (clBuildProgram(program, 1, &programs->device, desc->options->text, NULL, NULL) ==
        CL_SUCCESS)
        return program;
    dmm_log_line(&programs->log, "a cached program does not load: rebuilding it");
    clReleaseProgram(program);
    return NULL;
}

/* Creates all kernels once: some drivers compile a kernel only then, and the binary is complete
 * only after that. */
static void create_all_kernels(cl_program program)
{
    cl_uint count = 0;
    if (clCreateKernelsInProgram(program, 0, NULL, &count) != CL_SUCCESS || count == 0 ||
        count > MOST_KERNELS)
        return;
    cl_kernel *const kernels = calloc(count, sizeof *kernels);
    if (kernels != NULL && clCreateKernelsInProgram(program, count, kernels, NULL) == CL_SUCCESS)
        for (cl_uint i = 0; i < count; i++)
            if (kernels[i] != NULL)
                clReleaseKernel(kernels[i]);
    free(kernels);
}

/* Stores the program's binary in the cache. A program for one device has one binary. */
static void keep(const dmm_programs *programs, cl_program program, const char *cache_key)
{
    size_t bytes = 0;
    create_all_kernels(program);
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) !=
            CL_SUCCESS ||
        bytes == 0 || bytes > MOST_BINARY_BYTES)
        return;
    unsigned char *binary = malloc(bytes);
    if (binary != NULL &&
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        dmm_cache_write(&programs->cache, cache_key, binary, bytes);
    free(binary);
}

static dmm_status build_with(const dmm_programs *programs, const dmm_program_desc *desc,
    const char *options, cl_program *out)
{
    dmm_status status = DMM_OK;
    cl_program program = create(programs, desc, &status);
    if (status != DMM_OK)
        return status;
    status = clBuildProgram(program, 1, &programs->device, options, NULL, NULL);
    if (status != CL_SUCCESS) {
        if (status == CL_BUILD_PROGRAM_FAILURE) {
            log_build(programs, program);
            status = DMM_BUILD_FAILED;
        }
        clReleaseProgram(program);
        program = NULL;
    }
    *out = program;
    return status;
}

/* Builds with our own declarations of built-in functions where they save time, but not with a text
 * of the caller's, which may call any. */
static dmm_status build_from_source(
    const dmm_programs *programs, const dmm_program_desc *desc, cl_program *out)
{
    if (programs->own_builtins && desc->prelude[0] == '\0') {
        char options[sizeof desc->options->text + sizeof DMM_OWN_BUILTINS_OPTIONS];
        snprintf(options, sizeof options, "%s" DMM_OWN_BUILTINS_OPTIONS, desc->options->text);
        const dmm_status status = build_with(programs, desc, options, out);
        if (status != DMM_BUILD_FAILED)
            return status;
        dmm_log_line(&programs->log, "building %s with the driver's declarations", desc->root);
    }
    return build_with(programs, desc, desc->options->text, out);
}

static dmm_status build(
    const dmm_programs *programs, const dmm_program_desc *desc, const char *key, cl_program *out)
{
    dmm_status status = DMM_OK;
    char *cache_key = NULL;
    if (programs->cache.folder == NULL)
        return build_from_source(programs, desc, out);
    FAIL_IF((cache_key = new_cache_key(programs, desc, key)) == NULL, DMM_OUT_OF_MEMORY);
    if ((*out = load(programs, desc, cache_key)) != NULL)
        goto out;
    TRY(build_from_source(programs, desc, out));
    keep(programs, *out, cache_key);
out:
    free(cache_key);
    return status;
}

static dmm_program_entry *find(const dmm_programs *programs, const char *key)
{
    dmm_program_entry *entry = programs->first;
    while (entry != NULL && strcmp(entry->key, key) != 0)
        entry = entry->next;
    return entry;
}

/* Unlinks the entry of a program that failed to build. */
static void remove_entry(dmm_programs *programs, dmm_program_entry *entry)
{
    dmm_program_entry **at = &programs->first;
    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    free(entry->key);
    free(entry);
}

/* Builds without the lock: threads that need the same program wait, others build meanwhile. */
static dmm_status build_entry(
    dmm_programs *programs, const dmm_program_desc *desc, char *key, cl_program *out)
{
    dmm_program_entry *const entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        free(key);
        return DMM_OUT_OF_MEMORY;
    }
    *entry = (dmm_program_entry){.next = programs->first, .key = key};
    programs->first = entry;
    dmm_mutex_unlock(&programs->mutex);
    cl_program program = NULL;
    const dmm_status status = build(programs, desc, key, &program);
    dmm_mutex_lock(&programs->mutex);
    *out = entry->program = program;
    if (status != DMM_OK)
        remove_entry(programs, entry);
    dmm_condition_broadcast(&programs->built);
    return status;
}

static dmm_status get_locked(
    dmm_programs *programs, const dmm_program_desc *desc, char *key, cl_program *out)
{
    dmm_program_entry *entry = NULL;
    while ((entry = find(programs, key)) != NULL && entry->program == NULL)
        dmm_condition_wait(&programs->built, &programs->mutex);
    if (entry == NULL)
        return build_entry(programs, desc, key, out);
    *out = entry->program;
    free(key);
    return DMM_OK;
}

dmm_status dmm_programs_get(dmm_programs *programs, const dmm_program_desc *desc, cl_program *out)
{
    *out = NULL;
    if (programs->context == NULL)
        return DMM_OK;
    char *key = new_key(desc);
    if (key == NULL)
        return DMM_OUT_OF_MEMORY;
    dmm_mutex_lock(&programs->mutex);
    const dmm_status status = get_locked(programs, desc, key, out);
    dmm_mutex_unlock(&programs->mutex);
    return status;
}

/* True if a kernel's group limit is not to be believed (cl/workarounds.clh). */
static int is_absurd(const dmm_programs *programs, cl_kernel kernel, size_t most, uint32_t u)
{
    size_t compiled[3] = {0};
    return clGetKernelWorkGroupInfo(kernel, programs->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
               sizeof compiled, compiled, NULL) == CL_SUCCESS &&
           dmm_is_absurd_limit(most, programs->lanes, compiled[0], u);
}

static void lower_most_u(dmm_programs *programs, size_t most)
{
    unsigned known = atomic_load(&programs->most_u);
    while ((known == 0 || known > most) &&
           !atomic_compare_exchange_weak(&programs->most_u, &known, (unsigned)most))
        ;
}

dmm_status dmm_programs_kernel(
    dmm_programs *programs, cl_program program, const char *name, uint32_t u, cl_kernel *out)
{
    dmm_status status = DMM_OK;
    size_t most = 0;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    FAIL_IF(status != DMM_OK, status);
    TRY(clGetKernelWorkGroupInfo(
        kernel, programs->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    if (most < u && is_absurd(programs, kernel, most, u))
        dmm_log_line(&programs->log,
            "%s: the driver says groups of at most %u, and compiled it for %u: not believed", name,
            (unsigned)most, u);
    else if (most < u) {
        dmm_log_line(&programs->log, "%s: the device runs it in groups of at most %u, not u=%u",
            name, (unsigned)most, u);
        lower_most_u(programs, most);
        FAIL_IF(1, DMM_BAD_PARAMETERS);
    }
    *out = kernel;
out:
    if (status != DMM_OK && kernel != NULL)
        clReleaseKernel(kernel);
    return status;
}

int dmm_programs_are_unfit(dmm_status status)
{
    return status == DMM_BAD_PARAMETERS || status == DMM_BUILD_FAILED ||
           status == CL_OUT_OF_RESOURCES || status == CL_INVALID_WORK_GROUP_SIZE;
}
