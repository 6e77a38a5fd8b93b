/* SPDX-License-Identifier: MIT */
/*
 * The probe of banks, lanes and limits. A stride that is a multiple of the number of banks sends
 * all lanes to one bank, and no stride costs more; lanes that go different ways take the time of
 * both.
 */
#include <stdio.h>

#include "core/opencl.h"
#include "tune.h"

enum { STEPS = 1000, GROUPS = 8, MIN_LOCAL = 4096 };
/* Growth of a time, in hundredths, that is significant, and that makes a fact certain. */
enum { GROWS = 125, SURE = 180 };

static double time_with(
    const probe *p, const char *name, cl_uint argument, size_t global, size_t local)
{
    const cl_uint steps = STEPS;
    cl_int status = CL_SUCCESS;
    double ns = 0.0;
    cl_kernel kernel = clCreateKernel(p->program, name, &status);
    if (kernel != NULL && clSetKernelArg(kernel, 0, sizeof(cl_mem), &p->out) == CL_SUCCESS &&
        clSetKernelArg(kernel, 1, sizeof argument, &argument) == CL_SUCCESS &&
        clSetKernelArg(kernel, 2, sizeof steps, &steps) == CL_SUCCESS)
        ns = probe_time(p, kernel, global, local);
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return ns;
}

static int grows(double from, double to)
{
    return to * 100.0 > from * GROWS;
}

/* Prints a fact for the file if it is certain and new, else a remark. */
static void print_fact(
    const char *name, unsigned value, const dmm_fact *known, double low, double high)
{
    const int sure = high * 100.0 >= low * SURE;
    const int news = known->value != value;
    printf("%s %s=%u  # %s, %.1f times as long%s\n", sure && news ? "fact   " : "probe  ", name,
        value, sure ? "sure" : "unsure", high / low, news ? "" : "; as was known");
}

/*
 * With w banks of b bytes, and work enough to hide what one access waits, times double until stride
 * w * b / 4; banks of 8 bytes hold two neighbours, so that stride 2 costs what 1 does.
 */
unsigned probe_banks_of(const double *times, int strides, unsigned *bank_bytes, double *slowest)
{
    int last = 0;
    for (int i = 1; i < strides; i++)
        last = grows(times[last], times[i]) ? i : last;
    const int wide = !grows(times[0], times[1]) && grows(times[1], times[2]);
    const unsigned words = 1u << last, banks = wide ? words / 2 : words;
    *bank_bytes = wide ? 8 : grows(times[0], times[1]) ? 4 : 0;
    *slowest = times[last];
    return times[0] > 0.0 && banks >= 4 ? banks : 0;
}

static void find_banks(const probe *p, size_t group)
{
    const size_t global = group * GROUPS * (size_t)p->device->units.value;
    double times[PROBE_STRIDES] = {0.0}, slowest = 0.0;
    unsigned bank_bytes = 0;
    for (int i = 0; i < PROBE_STRIDES; i++)
        times[i] = time_with(p, "probe_stride", 1u << i, global, group);
    const unsigned banks = probe_banks_of(times, PROBE_STRIDES, &bank_bytes, &slowest);
    if (banks == 0) {
        printf("probe   banks: no stride costs more than another: not banked, or not to be told\n");
        return;
    }
    print_fact("banks", banks, &p->device->banks, times[0], slowest);
    if (bank_bytes != 0)
        print_fact("bank_bytes", bank_bytes, &p->device->bank_bytes, times[0], slowest);
}

/* Finds the least width of blocks that costs nothing. */
static void find_lanes(const probe *p, size_t group)
{
    const size_t global = group * GROUPS * (size_t)p->device->units.value;
    double before = time_with(p, "probe_branch", 1, global, group);
    for (cl_uint width = 2; width <= group / 2; width *= 2) {
        const double now = time_with(p, "probe_branch", width, global, group);
        if (now > 0.0 && grows(now, before)) {
            print_fact("lanes", width, &p->device->lanes, now, before);
            return;
        }
        before = now;
    }
    printf(
        "probe   lanes: ways that part cost nothing: none run in step, or it is not to be told\n");
}

void probe_banks(const probe *p)
{
    cl_device_local_mem_type type = CL_LOCAL;
    const size_t most = (size_t)p->device->max_group.value, group = most < 256 ? most : 256;
    clGetDeviceInfo(p->device->id, CL_DEVICE_LOCAL_MEM_TYPE, sizeof type, &type, NULL);
    if (p->device->kind == DMM_KIND_SIMULATOR) {
        printf("probe   banks, lanes, rates: a simulator has no times to tell them by\n");
        return;
    }
    if (p->device->kind == DMM_KIND_CPU || type != CL_LOCAL) {
        printf("probe   banks, lanes: not banked: local memory is a part of global memory\n");
        return;
    }
    find_banks(p, group);
    find_lanes(p, group);
}

/* True if a group of u work-items with that much local memory runs and computes the right result.
 * */
static int works(const probe *p, size_t u, size_t local_bytes)
{
    const cl_uint count = (cl_uint)(local_bytes / sizeof(cl_uint));
    cl_int status = CL_SUCCESS;
    cl_uint first = 0, expected = 0;
    cl_kernel kernel = clCreateKernel(p->program, "probe_group", &status);
    if (kernel == NULL)
        return 0;
    for (cl_uint j = 0; j < count; j += (cl_uint)u)
        expected += count - j;
    const int ran =
        clSetKernelArg(kernel, 0, sizeof(cl_mem), &p->out) == CL_SUCCESS &&
        clSetKernelArg(kernel, 1, local_bytes, NULL) == CL_SUCCESS &&
        clSetKernelArg(kernel, 2, sizeof count, &count) == CL_SUCCESS &&
        clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &u, &u, 0, NULL, NULL) == CL_SUCCESS &&
        clEnqueueReadBuffer(p->queue, p->out, CL_TRUE, 0, sizeof first, &first, 0, NULL, NULL) ==
            CL_SUCCESS;
    clReleaseKernel(kernel);
    return ran && first == expected;
}

void probe_limits(const probe *p)
{
    const size_t asked_group = (size_t)p->device->max_group.value;
    const size_t asked_local = (size_t)p->device->local_bytes.value / 4096 * 4096;
    size_t group = 1, local = asked_local;
    while (group * 2 <= asked_group)
        group *= 2;
    while (group > 1 && !works(p, group, MIN_LOCAL))
        group /= 2;
    while (local > MIN_LOCAL && !works(p, group < 64 ? group : 64, local))
        local /= 2;
    if (group * 2 <= asked_group)
        printf("fact    max_group=%zu  # the driver says %zu, which fails\n", group, asked_group);
    else
        printf("probe   groups of %zu work-items run, as the driver says\n", group);
    if (local < asked_local)
        printf("fact    local_bytes=%zu  # the driver says %zu, which fails\n", local, asked_local);
    else
        printf("probe   groups with %zu bytes of local memory run, as the driver says\n", local);
}
