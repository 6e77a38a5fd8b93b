/* SPDX-License-Identifier: MIT */
/* Judges neighbours by the user's expression, one part of the keys after the other on the
 * device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/opencl.h"
#include "judge.h"
#include "progress.h"

enum { PART_ITEMS = 1 << 22, WORK_ITEMS = 1 << 14, NONE = 0x7fffffff };

/* Finds the least place whose key is less than the one before it. */
static const char kernel_format[] =
    "%s\n"
    "typedef %s judge_item;\n"
    "static int judge_less(const judge_item a, const judge_item b)\n"
    "{\n    return (\n#line 1 \"less\"\n%s\n) ? 1 : 0;\n}\n"
    "__kernel void judge(__global const judge_item *keys, const uint n, __global uint *first)\n"
    "{\n"
    "    for (uint i = 1 + (uint)get_global_id(0); i < n; i += (uint)get_global_size(0))\n"
    "        if (judge_less(keys[%s], keys[%s])) {\n"
    "            atomic_min(first, i);\n"
    "            break;\n"
    "        }\n"
    "}\n";

/* Objects of the judge on the device. */
typedef struct judge {
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem keys, first;
} judge;

/* Returns the type name that <dmm/types.h> promises to `less`. */
static const char *opencl_type(dmm_type type)
{
    static const char *const names[] = {[DMM_U8] = "uchar",
        [DMM_I8] = "char",
        [DMM_U16] = "ushort",
        [DMM_I16] = "short",
        [DMM_U32] = "uint",
        [DMM_I32] = "int",
        [DMM_U64] = "ulong",
        [DMM_I64] = "long",
        [DMM_F16] = "ushort",
        [DMM_F32] = "float",
        [DMM_F64] = "double"};
    return names[type];
}

static cl_int build(
    judge *j, const dmm_context *ctx, dmm_type type, const char *less, bool descending)
{
    cl_int status = CL_SUCCESS;
    const cl_device_id device = dmm_context_device(ctx)->id;
    const char *wide = type == DMM_F64 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable" : "";
    const size_t bytes = sizeof kernel_format + strlen(wide) + strlen(less) + 64;
    char *text = malloc(bytes);
    if (!text)
        return CL_OUT_OF_HOST_MEMORY;
    snprintf(text, bytes, kernel_format, wide, opencl_type(type), less, descending ? "i - 1" : "i",
        descending ? "i" : "i - 1");
    const char *source = text;
    j->program = clCreateProgramWithSource(dmm_context_cl(ctx), 1, &source, NULL, &status);
    free(text);
    if (status == CL_SUCCESS)
        status = clBuildProgram(j->program, 1, &device, NULL, NULL, NULL);
    if (status == CL_SUCCESS)
        j->kernel = clCreateKernel(j->program, "judge", &status);
    return status;
}

static cl_int allocate(judge *j, cl_context context, size_t bytes)
{
    cl_int status = CL_SUCCESS;
    j->keys = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
    if (status == CL_SUCCESS)
        j->first = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &status);
    return status;
}

/* Judges a part of at most PART_ITEMS keys; *first: first key out of order, or NONE. */
static cl_int judge_part(
    const judge *j, const void *keys, cl_uint count, size_t bytes, cl_uint *first)
{
    const size_t work_items = WORK_ITEMS;
    *first = NONE;
    cl_int status =
        clEnqueueWriteBuffer(j->queue, j->first, CL_TRUE, 0, sizeof *first, first, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status =
            clEnqueueWriteBuffer(j->queue, j->keys, CL_TRUE, 0, count * bytes, keys, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clSetKernelArg(j->kernel, 0, sizeof j->keys, &j->keys);
    if (status == CL_SUCCESS)
        status = clSetKernelArg(j->kernel, 1, sizeof count, &count);
    if (status == CL_SUCCESS)
        status = clSetKernelArg(j->kernel, 2, sizeof j->first, &j->first);
    if (status == CL_SUCCESS)
        status =
            clEnqueueNDRangeKernel(j->queue, j->kernel, 1, NULL, &work_items, NULL, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(
            j->queue, j->first, CL_TRUE, 0, sizeof *first, first, 0, NULL, NULL);
    return status;
}

/* Judges all keys. *at: first key out of order; keys->count: none. Adjacent parts share a key. */
static cl_int judge_all(const judge *j, const cli_array *keys, size_t *at)
{
    cl_int status = CL_SUCCESS;
    *at = keys->count;
    for (size_t from = 0; from + 1 < keys->count && status == CL_SUCCESS; from += PART_ITEMS - 1) {
        const size_t left = keys->count - from;
        const cl_uint count = (cl_uint)(left < PART_ITEMS ? left : PART_ITEMS);
        cl_uint first = NONE;
        status = judge_part(
            j, (const char *)keys->data + from * keys->item_bytes, count, keys->item_bytes, &first);
        if (status == CL_SUCCESS && first != NONE) {
            *at = from + first;
            break;
        }
        cli_progress_step(from + count);
    }
    return status;
}

bool cli_judge_less(cli_session *session, const cli_array *keys, const char *less, bool descending,
    cli_error *error)
{
    size_t at = keys->count;
    const size_t part = keys->count < PART_ITEMS ? keys->count : PART_ITEMS;
    judge j = {.queue = dmm_context_queue(session->context)};
    if (keys->count < 2)
        return true;
    cli_progress_items("checking", keys->count);
    cl_int status = build(&j, session->context, keys->type, less, descending);
    if (status == CL_SUCCESS)
        status = allocate(&j, dmm_context_cl(session->context), part * keys->item_bytes);
    if (status == CL_SUCCESS)
        status = judge_all(&j, keys, &at);
    if (j.keys)
        clReleaseMemObject(j.keys);
    if (j.first)
        clReleaseMemObject(j.first);
    if (j.kernel)
        clReleaseKernel(j.kernel);
    if (j.program)
        clReleaseProgram(j.program);
    if (!cli_check(session, status, "--check", error))
        return false;
    return at == keys->count || cli_fail(error, CLI_CHECK_FAILED, "--check",
                                    "key %zu (from 0) is less than the one before it: the result "
                                    "is wrong, or --less is no "
                                    "strict weak order",
                                    at);
}
