/* SPDX-License-Identifier: MIT */
/* The probe: rates, and the cost of a launch. */
#include "tune.h"

#include <stdio.h>
#include <string.h>

#include "core/opencl.h"

enum { OUT_BYTES = 1 << 24, TIMES = 7, LOCAL_WORDS = 4096, LOCAL_STEPS = 2000, LAUNCHES = 200 };

double probe_time(const probe *p, cl_kernel kernel, size_t global, size_t local)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < TIMES; i++) {
        const uint64_t start = tune_now_ns();
        if (clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) !=
                CL_SUCCESS ||
            clFinish(p->queue) != CL_SUCCESS)
            return 0.0;
        const uint64_t took = tune_now_ns() - start;
        best = i != 0 && took < best ? took : best; /* the first one may build */
    }
    return (double)best;
}

static size_t group_of(const probe *p)
{
    return p->device->max_group.value < 256 ? (size_t)p->device->max_group.value : 256;
}

/* No kernel of dmm takes longer for an item than a copy of so many bytes. */
enum { SLOWEST_ITEM = 512 };

unsigned probe_launch_items(double copied_per_ns)
{
    const double half_a_second = 5e8, items = half_a_second * copied_per_ns / SLOWEST_ITEM;
    return items < 1024 ? 1024 : items < UINT32_MAX ? (unsigned)items : UINT32_MAX;
}

static void probe_global(const probe *p)
{
    const size_t items = OUT_BYTES / 16, local = group_of(p);
    cl_int status = CL_SUCCESS;
    cl_mem from = clCreateBuffer(p->context, CL_MEM_READ_WRITE, OUT_BYTES, NULL, &status);
    cl_kernel copy = clCreateKernel(p->program, "probe_copy", &status);
    if (from != NULL && copy != NULL &&
        clSetKernelArg(copy, 0, sizeof(cl_mem), &p->out) == CL_SUCCESS &&
        clSetKernelArg(copy, 1, sizeof(cl_mem), &from) == CL_SUCCESS) {
        const double ns = probe_time(p, copy, items / local * local, local);
        if (ns > 0.0)
            printf("rate    global_copy=%.1f  # GB/s, read and written, of %d MiB\n",
                2.0 * OUT_BYTES / ns, OUT_BYTES >> 20);
        if (ns > 0.0 && p->device->kind == DMM_KIND_GPU && p->device->unified.value != 0)
            printf("fact    launch_items=%u  # less than half a second, for a GPU that may draw "
                   "the screen\n",
                probe_launch_items(OUT_BYTES / ns));
    }
    if (copy != NULL)
        clReleaseKernel(copy);
    if (from != NULL)
        clReleaseMemObject(from);
}

static void probe_local(const probe *p)
{
    const cl_uint steps = LOCAL_STEPS;
    const size_t local = group_of(p), groups = (size_t)p->device->units.value * 4;
    cl_int status = CL_SUCCESS;
    cl_kernel copy = clCreateKernel(p->program, "probe_local_copy", &status);
    if (copy != NULL && clSetKernelArg(copy, 0, sizeof(cl_mem), &p->out) == CL_SUCCESS &&
        clSetKernelArg(copy, 1, sizeof steps, &steps) == CL_SUCCESS) {
        const double ns = probe_time(p, copy, groups * local, local);
        const double bytes = 4.0 * LOCAL_WORDS * (double)steps * (double)groups;
        if (ns > 0.0)
            printf("rate    local_copy=%.1f  # GB/s, read and written, of all units\n", bytes / ns);
    }
    if (copy != NULL)
        clReleaseKernel(copy);
}

/* Measures a launch with its wait, and consecutive launches. */
static void probe_launch(const probe *p)
{
    const size_t one = 1;
    cl_int status = CL_SUCCESS;
    cl_kernel nothing = clCreateKernel(p->program, "probe_nothing", &status);
    if (nothing != NULL && clSetKernelArg(nothing, 0, sizeof(cl_mem), &p->out) == CL_SUCCESS) {
        const double alone = probe_time(p, nothing, one, one);
        const uint64_t start = tune_now_ns();
        for (int i = 0; i < LAUNCHES && status == CL_SUCCESS; i++)
            status = clEnqueueNDRangeKernel(p->queue, nothing, 1, NULL, &one, &one, 0, NULL, NULL);
        if (clFinish(p->queue) == CL_SUCCESS && status == CL_SUCCESS && alone > 0.0)
            printf("rate    launch=%.1f launch_in_row=%.1f  # microseconds\n", alone / 1e3,
                (double)(tune_now_ns() - start) / 1e3 / LAUNCHES);
    }
    if (nothing != NULL)
        clReleaseKernel(nothing);
}

static dmm_status build(probe *p)
{
    const char *text = probe_source;
    cl_int status = CL_SUCCESS;
    p->program = clCreateProgramWithSource(p->context, 1, &text, NULL, &status);
    if (status == CL_SUCCESS)
        status = clBuildProgram(p->program, 1, &p->device->id, "-cl-std=CL1.2", NULL, NULL);
    if (status == CL_SUCCESS)
        p->out = clCreateBuffer(p->context, CL_MEM_READ_WRITE, OUT_BYTES, NULL, &status);
    return status;
}

bool probe_main(cli_session *session, cli_error *error)
{
    probe p = {.device = NULL};
    if (!cli_open_session(session, error))
        return false;
    p.context = dmm_context_cl(session->context);
    p.queue = dmm_context_queue(session->context);
    p.device = dmm_context_device(session->context);
    const dmm_status status = build(&p);
    if (status == DMM_OK) {
        probe_banks(&p);
        fflush(stdout); /* the rest may crash a driver */
        if (p.device->kind != DMM_KIND_SIMULATOR) {
            probe_global(&p);
            probe_local(&p);
            probe_launch(&p);
        }
        fflush(stdout);
        probe_limits(&p);
    }
    if (p.out != NULL)
        clReleaseMemObject(p.out);
    if (p.program != NULL)
        clReleaseProgram(p.program);
    return cli_check(session, status, NULL, error);
}
