/* SPDX-License-Identifier: MIT */
/* The driver's own functions are called by the names that the linker gives them: __real_NAME. */
#include "support/built.h"

#include "support/cover.h"
#include "support/require.h"

enum { MOST_BUILT = 256, MOST_SOURCE_BYTES = 1 << 20 };

cl_context __real_clCreateContext(const cl_context_properties *properties, cl_uint n,
    const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
    cl_int *status);
cl_int __real_clRetainContext(cl_context context);
cl_int __real_clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices,
    const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user);
cl_int __real_clGetProgramInfo(
    cl_program program, cl_program_info what, size_t bytes, void *value, size_t *needed);

static struct {
    cl_device_id device;
    cl_context context;
} kept;

/* Programs that were built; never released. */
static struct {
    uint64_t source, options; /* hashes */
    cl_program program;
} built[MOST_BUILT];
static size_t num_built;

/* Programs for which others stand. */
static struct {
    cl_program program, by;
} stood_for[MOST_BUILT];

cl_context built_context(
    const cl_context_properties *properties, cl_device_id device, cl_int *status)
{
    if (kept.context != NULL && kept.device == device) {
        *status = __real_clRetainContext(kept.context);
        return kept.context;
    }
    const cl_context context = __real_clCreateContext(properties, 1, &device, NULL, NULL, status);
    if (kept.context == NULL && context != NULL && __real_clRetainContext(context) == CL_SUCCESS) {
        kept.device = device;
        kept.context = context;
    }
    return context;
}

/* Returns a hash of the source; 0 for a program without source. */
static uint64_t source_of(cl_program program)
{
    static char text[MOST_SOURCE_BYTES];
    size_t bytes = 0;
    REQUIRE_OK(__real_clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, &bytes));
    return bytes > 1 ? cover_text(text) : 0;
}

static int is_of_kept_context(cl_program program)
{
    cl_context context = NULL;
    REQUIRE_OK(
        __real_clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, NULL));
    return context == kept.context;
}

static void stand_for(cl_program program, cl_program by)
{
    size_t i = 0;
    while (i < MOST_BUILT && stood_for[i].program != NULL)
        i++;
    REQUIRE(i < MOST_BUILT);
    stood_for[i].program = program;
    stood_for[i].by = by;
}

cl_int built_program(
    cl_program program, cl_uint n, const cl_device_id *devices, const char *options)
{
    const uint64_t source = source_of(program), text = cover_text(options);
    const int may_keep = source != 0 && is_of_kept_context(program);
    for (size_t i = 0; may_keep && i < num_built; i++)
        if (built[i].source == source && built[i].options == text) {
            stand_for(program, built[i].program);
            return CL_SUCCESS;
        }
    const cl_int status = __real_clBuildProgram(program, n, devices, options, NULL, NULL);
    if (status == CL_SUCCESS && may_keep && num_built < MOST_BUILT) {
        clRetainProgram(program);
        built[num_built].source = source;
        built[num_built].options = text;
        built[num_built++].program = program;
    }
    return status;
}

cl_program built_of(cl_program program)
{
    for (size_t i = 0; i < MOST_BUILT; i++)
        if (stood_for[i].program == program)
            return stood_for[i].by;
    return program;
}

void built_forget(cl_program program)
{
    for (size_t i = 0; i < MOST_BUILT; i++)
        if (stood_for[i].program == program)
            stood_for[i].program = NULL;
}
