/* SPDX-License-Identifier: MIT */
/*
 * Building and keeping programs.
 */
#include "core/program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/embedded.h"

enum { MAX_SOURCES = 16, LINE_TEXT_BYTES = 64 };

struct dmm_program_entry {
    dmm_program_entry *next;
    cl_program program;
    char *key;
};

void dmm_options_define(dmm_options *options, const char *name, uint64_t value)
{
    const size_t room = sizeof options->text - options->bytes;
    const int written = snprintf(options->text + options->bytes, room, "%s-D %s=%llu",
        options->bytes == 0 ? "-cl-std=CL1.2 " : " ", name, (unsigned long long)value);
    assert(written > 0 && (size_t)written < room);
    options->bytes += (size_t)written;
}

dmm_status dmm_programs_init(dmm_programs *programs)
{
    programs->first = NULL;
    return pthread_mutex_init(&programs->mutex, NULL) == 0 ? DMM_OK : DMM_OUT_OF_MEMORY;
}

void dmm_programs_destroy(dmm_programs *programs)
{
    for (dmm_program_entry *entry = programs->first, *next; entry != NULL; entry = next) {
        next = entry->next;
        clReleaseProgram(entry->program);
        free(entry->key);
        free(entry);
    }
    pthread_mutex_destroy(&programs->mutex);
}

static const dmm_embedded *embedded(const char *name)
{
    const dmm_embedded *source = dmm_embedded_sources;
    while (source->name != NULL && strcmp(source->name, name) != 0)
        source++;
    assert(source->name != NULL);
    return source;
}

/* The texts that differ between programs, joined: equal keys mean equal programs. */
static char *new_key(const dmm_program_desc *desc)
{
    size_t bytes = desc->options->bytes + strlen(desc->prelude) + 2;
    for (const char *const *name = desc->sources; *name != NULL; name++)
        bytes += strlen(*name) + 1;
    char *key = malloc(bytes);
    if (key == NULL)
        return NULL;
    size_t at = (size_t)sprintf(key, "%s\n", desc->options->text);
    for (const char *const *name = desc->sources; *name != NULL; name++)
        at += (size_t)sprintf(key + at, "%s\n", *name);
    strcpy(key + at, desc->prelude);
    return key;
}

static void log_build(const dmm_programs *programs, cl_program program)
{
    size_t bytes = 0;
    char *text = NULL;
    if (clGetProgramBuildInfo(program, programs->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) !=
            CL_SUCCESS ||
        (text = calloc(bytes + 1, 1)) == NULL)
        return;
    if (clGetProgramBuildInfo(program, programs->device, CL_PROGRAM_BUILD_LOG, bytes, text, NULL) ==
        CL_SUCCESS)
        dmm_log_text(&programs->log, text);
    free(text);
}

static cl_program create(
    const dmm_programs *programs, const dmm_program_desc *desc, dmm_status *status)
{
    const char *texts[2 * MAX_SOURCES + 1] = {desc->prelude};
    char lines[MAX_SOURCES][LINE_TEXT_BYTES];
    cl_uint count = 1;
    for (size_t i = 0; desc->sources[i] != NULL; i++) {
        assert(i < MAX_SOURCES);
        snprintf(lines[i], LINE_TEXT_BYTES, "\n#line 1 \"%s\"\n", desc->sources[i]);
        texts[count++] = lines[i];
        texts[count++] = embedded(desc->sources[i])->text;
    }
    return clCreateProgramWithSource(programs->context, count, texts, NULL, status);
}

static dmm_status build(const dmm_programs *programs, const dmm_program_desc *desc, cl_program *out)
{
    dmm_status status = DMM_OK;
    cl_program program = create(programs, desc, &status);
    if (status != DMM_OK)
        return status;
    status = clBuildProgram(program, 1, &programs->device, desc->options->text, NULL, NULL);
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

static dmm_status get_locked(
    dmm_programs *programs, const dmm_program_desc *desc, char *key, cl_program *out)
{
    dmm_status status = DMM_OK;
    dmm_program_entry *entry = programs->first;
    while (entry != NULL && strcmp(entry->key, key) != 0)
        entry = entry->next;
    if (entry != NULL) {
        *out = entry->program;
        free(key);
        return DMM_OK;
    }
    FAIL_IF((entry = calloc(1, sizeof *entry)) == NULL, DMM_OUT_OF_MEMORY);
    TRY(build(programs, desc, &entry->program));
    entry->key = key;
    entry->next = programs->first;
    programs->first = entry;
    *out = entry->program;
out:
    if (status != DMM_OK) {
        free(entry);
        free(key);
    }
    return status;
}

dmm_status dmm_programs_get(dmm_programs *programs, const dmm_program_desc *desc, cl_program *out)
{
    char *key = new_key(desc);
    if (key == NULL)
        return DMM_OUT_OF_MEMORY;
    pthread_mutex_lock(&programs->mutex);
    const dmm_status status = get_locked(programs, desc, key, out);
    pthread_mutex_unlock(&programs->mutex);
    return status;
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
    if (most < u) {
        dmm_log_line(&programs->log, "%s: the device runs it in groups of at most %zu, not u=%u",
            name, most, u);
        FAIL_IF(1, DMM_BAD_PARAMETERS);
    }
    *out = kernel;
out:
    if (status != DMM_OK && kernel != NULL)
        clReleaseKernel(kernel);
    return status;
}
