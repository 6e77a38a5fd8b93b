/* SPDX-License-Identifier: MIT */
/*
 * The probe of rates, the cost of a launch, banks, lanes and limits.
 *
 * A stride that is a multiple of the number of banks sends all lanes to one bank, and no stride
 * costs more; lanes that go different ways take the time of both.
 */
#include "tune.h"

#include <stdio.h>
#include <string.h>

#include "core/opencl.h"

enum { OUT_BYTES = 1 << 24, TIMES = 7, LOCAL_WORDS = 4096, LOCAL_STEPS = 2000, LAUNCHES = 200 };

typedef struct probe {
    cl_context context;
    cl_command_queue queue;
    const dmm_device *device;
    cl_program program;
    cl_mem out;
} probe;

/* Returns the nanoseconds of one launch by the monotonic clock, the least of several; 0: it
 * failed. */
static double time_launch(const probe *p, cl_kernel kernel, size_t global, size_t local)
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
        const double ns = time_launch(p, copy, items / local * local, local);
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
        const double ns = time_launch(p, copy, groups * local, local);
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
        const double alone = time_launch(p, nothing, one, one);
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

/* ---- Banks and limits ------------------------------------------------------------------------ */

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
        ns = time_launch(p, kernel, global, local);
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
        printf("probe   banks: no stride costs more than another: not banked, or the probe cannot "
               "tell\n");
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
        "probe   lanes: ways that part cost nothing: none run in step, or the probe cannot tell\n");
}

/* Prints banks, their width and lanes; or that local memory is not separate memory. */
static void probe_banks(const probe *p)
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

/* Prints the largest group and the most local memory that really work. */
static void probe_limits(const probe *p)
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

/* ---------------------------------------------------------------------------------------------- */

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
