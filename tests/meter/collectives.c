/* SPDX-License-Identifier: MIT */
/*
 * collectives U E BANKS [WRONG]: runs all collectives of <dmm/group.h> in one kernel, in a group of
 * U work-items with E items each, on random, equal and falling items. With WRONG, an index map of
 * the text is wrong: work-item t reads its block at t*E without padding.
 */
#include <dmm/group.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kernels[] =
    "kernel __attribute__((reqd_work_group_size(A_U, 1, 1)))\n"
    "void f(global const uint *in, global uint *out)\n"
    "{\n"
    "    local a_room_word a[A_ROOM_WORDS];\n"
    "    local b_room_word b[B_ROOM_WORDS];\n"
    "    local c_room_word c[C_ROOM_WORDS];\n"
    "    local d_room_word d[D_ROOM_WORDS];\n"
    "    local e_room_word e[E_ROOM_WORDS];\n"
    "    uint r[A_E], from[A_E];\n"
    "    b_item p[A_E];\n"
    "    d_item s[A_E];\n"
    "    a_load(r, in, A_TILE - 1, 0, a);\n"
    "    a_sort_from(r, from, A_TILE - 1, a);\n"
    "    a_store(out, r, A_TILE - 1, a);\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    a_merge_from(r, from, out, A_TILE / 3, out + A_TILE / 3, A_TILE / 2, a);\n"
    "    a_merge_from(r, from, out, A_TILE / 3, out, A_TILE / 2, a);\n"
    "    b_load(p, (global const b_item *)in, A_TILE, (b_item)(0), b);\n"
    "    b_sort(p, A_TILE, b);\n"
    "    b_store((global b_item *)out, p, A_TILE, b);\n"
    "    c_load_stripes(r, in, A_TILE, 0);\n"
    "    for (uint i = 0; i < A_E; i++)\n"
    "        from[i] = r[i] & 1;\n"
    "    out[2 * A_TILE] = c_keep(r, from, c);\n"
    "    d_load(s, (global const d_item *)in, A_TILE, (d_item)(0), d);\n"
    "    s[0] = d_reduce(s, d);\n"
    "    d_scan_inclusive(s, d);\n"
    "    d_scan_exclusive(s, d);\n"
    "    d_store((global d_item *)out, s, A_TILE, d);\n"
    "    uint totals[E_BINS_OWN];\n"
    "    e_bins_clear(totals, e);\n"
    "    for (uint i = 0; i < A_E; i++)\n"
    "        e_bins_add(r[i] % 37, e);\n"
    "    e_bins_sum(totals, e);\n"
    "    out[2 * A_TILE + 1] = totals[0];\n"
    "}\n";

static void check(int status, const char *what)
{
    if (status == 0)
        return;
    fprintf(stderr, "collectives: %s: %d\n", what, status);
    exit(1);
}

/* Returns an instance's text. */
static char *source_of(dmm_group_desc desc, char **argv)
{
    char *text = NULL;
    desc.u = (uint32_t)strtoul(argv[1], NULL, 10);
    desc.E = (uint32_t)strtoul(argv[2], NULL, 10);
    desc.banks = (uint32_t)strtoul(argv[3], NULL, 10);
    check(dmm_group_source(&text, &desc), dmm_error_text(DMM_BAD_VALUE));
    return text;
}

/* Makes the index map of a text wrong, without a change of its length. */
static void spoil(char *text)
{
    static const char right[] = "*block = room + d_plane_block(t);";
    static const char wrong[] = "*block = room + t * D_E         ;";
    int found = 0;
    for (; *text != '\0'; text++)
        if (strncmp(text, right, sizeof right - 1) == 0) {
            memcpy(text, wrong, sizeof wrong - 1);
            found = 1;
        }
    check(!found, "nothing to spoil");
}

/* Runs the kernel on items of a kind. */
static void run(
    cl_context context, cl_command_queue queue, cl_kernel kernel, size_t u, size_t tile, int kind)
{
    const size_t words = 2 * tile + 2;
    cl_int status = CL_SUCCESS;
    cl_uint *items = malloc(words * sizeof *items), seed = 1;
    check(items == NULL, "memory");
    for (size_t i = 0; i < words; i++) {
        seed = seed * 1664525u + 1013904223u;
        items[i] = kind == 0 ? seed >> 4 : kind == 1 ? 7 : (cl_uint)(words - i);
    }
    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, words * 4, items, &status);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, words * 4, NULL, &status);
    check(status, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &u, &u, 0, NULL, NULL), "launch");
    check(clFinish(queue), "clFinish");
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    free(items);
}

int main(int argc, char **argv)
{
    static const dmm_operator affine = {
        .combine = "(dmm_item)(a.x * b.x, a.y * b.x + b.y)", .identity = "(dmm_item)(1, 0)"};
    const dmm_order pair = {.type = DMM_ITEM, .item = "typedef uint2 dmm_item;", .item_bytes = 8};
    dmm_group_desc descs[] = {{.kind = DMM_GROUP_SORT, .name = "a", .positions = 1},
        {.kind = DMM_GROUP_SORT, .name = "b", .order = pair}, {.name = "c"},
        {.name = "d", .order = pair, .own = &affine},
        {.kind = DMM_GROUP_COUNT, .name = "e", .bins = 37}};
    enum { INSTANCES = sizeof descs / sizeof descs[0] };
    const char *texts[INSTANCES + 1] = {NULL};
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_int status = CL_SUCCESS;
    check(argc < 4, "collectives U E BANKS [WRONG]");
    descs[1].order.less = "a.y < b.y";
    for (int i = 0; i < INSTANCES; i++) {
        char *const text = source_of(descs[i], argv);
        if (argc > 4 && i == 3)
            spoil(text);
        texts[i] = text;
    }
    texts[INSTANCES] = kernels;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    cl_program program = clCreateProgramWithSource(context, INSTANCES + 1, texts, NULL, &status);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "f", &status);
    check(status, "clCreateKernel");
    const size_t u = strtoul(argv[1], NULL, 10), tile = u * strtoul(argv[2], NULL, 10);
    for (int kind = 0; kind < 3; kind++)
        run(context, queue, kernel, u, tile, kind);
    for (int i = 0; i < INSTANCES; i++)
        dmm_group_source_free((char *)texts[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
