/* SPDX-License-Identifier: MIT */
/*
 * A simulation that has its own context, its own queue (out of order), its own kernels and buffers,
 * and uses dmm for one step: particles are sorted by their cell in a grid, so that neighbours are
 * adjacent. docs/embedding.md explains it.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dmm/dmm.h>

#define TRY(call)                       \
    if ((status = (call)) != DMM_OK) {  \
        fprintf(stderr, "%s: ", #call); \
        goto out;                       \
    }

enum { PARTICLES = 100000, SIDE = 64, CELLS = SIDE * SIDE, CELL_BITS = 12 };

/* The program's own kernels: the cell of each particle, and where each cell begins. */
static const char *const source =
    "kernel void find_cells(global const float2 *at, global uint *cell)"
    "{"
    "    const size_t i = get_global_id(0);"
    "    const uint2 c = convert_uint2(at[i] * 64.0f);"
    "    cell[i] = c.y * 64 + c.x;"
    "}"
    "kernel void find_begins(global const uint *cell, uint n, global uint *begin)"
    "{"
    "    const uint i = get_global_id(0);"
    "    const uint first = i > 0 ? cell[i - 1] + 1 : 0;"
    "    const uint last = i < n ? cell[i] : 64 * 64;"
    "    for (uint c = first; c <= last; c++)"
    "        begin[c] = i;"
    "}";

typedef struct simulation {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel find_cells, find_begins;
    cl_mem at, cell, begin, temp;
    dmm_context *dmm;
    dmm_sort *sort;
} simulation;

/* Sets up what the program had before dmm. */
static int open_simulation(simulation *s, cl_float2 *at)
{
    cl_uint n = PARTICLES;
    cl_int status = CL_SUCCESS;
    s->context = clCreateContext(NULL, 1, &s->device, NULL, NULL, &status);
    s->queue = clCreateCommandQueue(
        s->context, s->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
    s->program = clCreateProgramWithSource(s->context, 1, (const char **)&source, NULL, &status);
    TRY(clBuildProgram(s->program, 1, &s->device, "", NULL, NULL));
    s->find_cells = clCreateKernel(s->program, "find_cells", &status);
    s->find_begins = clCreateKernel(s->program, "find_begins", &status);
    s->at = clCreateBuffer(
        s->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, PARTICLES * sizeof *at, at, &status);
    s->cell =
        clCreateBuffer(s->context, CL_MEM_READ_WRITE, PARTICLES * sizeof(cl_uint), NULL, &status);
    s->begin =
        clCreateBuffer(s->context, CL_MEM_READ_WRITE, (CELLS + 1) * sizeof(cl_uint), NULL, &status);
    TRY(clSetKernelArg(s->find_cells, 0, sizeof s->at, &s->at));
    TRY(clSetKernelArg(s->find_cells, 1, sizeof s->cell, &s->cell));
    TRY(clSetKernelArg(s->find_begins, 0, sizeof s->cell, &s->cell));
    TRY(clSetKernelArg(s->find_begins, 1, sizeof n, &n));
    TRY(clSetKernelArg(s->find_begins, 2, sizeof s->begin, &s->begin));
out:
    return status;
}

static void print_line(void *user, const char *line)
{
    fprintf(user, "dmm: %s\n", line);
}

/* Creates dmm's objects from the program's, once. */
static dmm_status open_dmm(simulation *s)
{
    dmm_status status;
    uint64_t temp_bytes;
    const dmm_context_desc ours = {
        .context = s->context, .device = s->device, .log = print_line, .log_user = stderr};
    dmm_sort_desc desc = {0};
    desc.value_bytes = sizeof(cl_float2);
    desc.bits = (dmm_bits){0, CELL_BITS};
    desc.max_n = PARTICLES;
    TRY(dmm_context_create(&s->dmm, &ours));
    TRY(dmm_sort_create(&s->sort, s->dmm, &desc));
    TRY(dmm_sort_temp_bytes(&temp_bytes, s->sort, PARTICLES));
    s->temp = clCreateBuffer(s->context, CL_MEM_READ_WRITE, temp_bytes, NULL, &status);
out:
    return status;
}

/* One time step. Each of its three parts waits for the one before, and the host for none. */
static dmm_status enqueue_step(simulation *s, cl_event *done)
{
    const size_t n = PARTICLES, n_and_end = PARTICLES + 1;
    const dmm_sort_args args = {.keys_in = {s->cell, 0},
        .values_in = {s->at, 0},
        .keys_out = {s->cell, 0},
        .values_out = {s->at, 0},
        .temp = {s->temp, 0}};
    cl_event found = NULL, sorted = NULL;
    dmm_status status;
    TRY(clEnqueueNDRangeKernel(s->queue, s->find_cells, 1, NULL, &n, NULL, 0, NULL, &found));
    TRY(dmm_sort_enqueue(s->sort, s->queue, &args, n, 1, &found, &sorted));
    TRY(clEnqueueNDRangeKernel(
        s->queue, s->find_begins, 1, NULL, &n_and_end, NULL, 1, &sorted, done));
out:
    if (found)
        clReleaseEvent(found);
    if (sorted)
        clReleaseEvent(sorted);
    return status;
}

/* Releases objects of a dmm_context before it, and it before the OpenCL context. */
static void close_all(simulation *s, cl_event done)
{
    const cl_mem buffers[] = {s->at, s->cell, s->begin, s->temp};
    if (done)
        clReleaseEvent(done);
    dmm_sort_free(s->sort);
    dmm_context_free(s->dmm);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (s->find_cells)
        clReleaseKernel(s->find_cells);
    if (s->find_begins)
        clReleaseKernel(s->find_begins);
    if (s->program)
        clReleaseProgram(s->program);
    if (s->queue)
        clReleaseCommandQueue(s->queue);
    if (s->context)
        clReleaseContext(s->context);
}

/* True if each particle is in its cell, and each particle is there once. */
static int is_right(simulation *s, const cl_float2 *before, cl_event done)
{
    static cl_float2 at[PARTICLES];
    static cl_uint begin[CELLS + 1];
    double sum = 0;
    int right = 1;
    clEnqueueReadBuffer(s->queue, s->at, CL_TRUE, 0, sizeof at, at, 1, &done, NULL);
    clEnqueueReadBuffer(s->queue, s->begin, CL_TRUE, 0, sizeof begin, begin, 1, &done, NULL);
    for (cl_uint c = 0; c < CELLS; c++)
        for (cl_uint i = begin[c]; i < begin[c + 1]; i++)
            right &= (cl_uint)(at[i].s[0] * SIDE) == c % SIDE &&
                     (cl_uint)(at[i].s[1] * SIDE) == c / SIDE;
    for (cl_uint i = 0; i < PARTICLES; i++)
        sum += (double)before[i].s[0] - (double)at[i].s[0];
    return right && begin[0] == 0 && begin[CELLS] == PARTICLES && sum == 0;
}

int main(void)
{
    static cl_float2 at[PARTICLES];
    simulation s = {0};
    dmm_device best;
    cl_event done = NULL;
    dmm_status status;
    int right = 0;
    for (int i = 0; i < PARTICLES; i++)
        at[i] = (cl_float2){{(float)(rand() % 4096) / 4096, (float)(rand() % 4096) / 4096}};
    TRY(dmm_device_find(&best, NULL));
    s.device = best.id;
    TRY(open_simulation(&s, at));
    TRY(open_dmm(&s));
    TRY(enqueue_step(&s, &done));
    right = is_right(&s, at, done);
    printf("%d particles in %d cells: %s\n", PARTICLES, CELLS, right ? "right" : "WRONG");
out:
    if (status != DMM_OK)
        fprintf(stderr, "%s\n", dmm_status_string(status));
    close_all(&s, done);
    return status != DMM_OK || !right;
}
