/* SPDX-License-Identifier: MIT */
/*
 * collectives U E BANKS [WRONG]: runs all collectives of <dmm/group.h> in two kernels, in a group
 * of U work-items with E items each, on random, equal and falling items. With WRONG, an index map
 * of a text is wrong; `block`: work-item t reads its block at t*E without padding; `grid`: a matrix
 * is not padded; `turn`: a counter's column is not the work-item's; `plan`: moves are shifted.
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
    "}\n"
    "kernel __attribute__((reqd_work_group_size(A_U, 1, 1)))\n"
    "void g(global const uint *in, global uint *out)\n"
    "{\n"
    "    local a_room_word a[A_ROOM_WORDS];\n"
    "    local c_room_word c[C_ROOM_WORDS];\n"
    "    local d_room_word d[D_ROOM_WORDS];\n"
    "    local h_room_word h[H_ROOM_WORDS];\n"
    "    uint r[A_E], from[A_E];\n"
    "    d_item s[A_E];\n"
    "    h_load_stripes(r, in, A_TILE, 0);\n"
    "    h_sort_bits_from(r, from, A_TILE, 3, 5, h);\n"
    "    h_store_stripes(out, r, A_TILE);\n"
    "    for (uint i = 0; i < A_E; i++)\n"
    "        r[i] = in[get_local_id(0) * A_E + i] & 15;\n"
    "    h_rank(r, r, h);\n"
    "    h_store_stripes(out, r, A_TILE);\n"
    "    a_load(r, in, A_TILE, 0, a);\n"
    "    a_sort(r, A_TILE, a);\n"
    "    a_store(out, r, A_TILE, a);\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    a_load(r, out, A_TILE, 0, a);\n"
    "    out[2 * A_TILE] = a_unique(r, A_TILE, a);\n"
    "    out[2 * A_TILE] = a_set_union(r, out, A_TILE / 3, out, A_TILE / 2, a);\n"
    "    out[2 * A_TILE] = a_set_symmetric_difference(r, out, A_TILE / 3, out, A_TILE / 2, a);\n"
    "    c_load_stripes(r, in, A_TILE, 0);\n"
    "    for (uint i = 0; i < A_E; i++)\n"
    "        from[i] = r[i] & 1;\n"
    "    out[2 * A_TILE] = c_part(r, from, c);\n"
    "    c_transpose(r, c);\n"
    "    c_transpose_back(r, c);\n"
    "    d_load_stripes(s, (global const d_item *)in, A_TILE, (d_item)(0));\n"
    "    d_transpose(s, d);\n"
    "    d_transpose_back(s, d);\n"
    "    if (PLANS) {\n"
    "        c_permute(r, in + 2 * A_TILE, c);\n"
    "        d_permute(s, in + 2 * A_TILE, d);\n"
    "    }\n"
    "    c_store_stripes(out, r, A_TILE);\n"
    "    d_store_stripes((global d_item *)out, s, A_TILE);\n"
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

/* An error: in the text of an instance, a map and the wrong one, which is as long. */
typedef struct error {
    const char *name;
    int instance;
    const char *right, *wrong;
} error;

static const error errors[] = {
    {"block", 3, "*block = room + d_plane_block(t);", "*block = room + t * D_E         ;"},
    {"grid", 2, "return c_address(x, C_W_KEY, C_GROUP_LINE, C_GROUP_GCD);",
        "return (x                                             );"},
    {"turn", 5, "h_counter_address(d, mem.t, H_U)", "(d * H_U + mem.t * 2 % H_U)     "},
};

/* Makes the index map of a text wrong. */
static void spoil(char *text, const error *e)
{
    int found = 0;
    for (; *text != '\0'; text++)
        if (strncmp(text, e->right, strlen(e->right)) == 0) {
            memcpy(text, e->wrong, strlen(e->wrong));
            found = 1;
        }
    check(!found, "nothing to spoil");
}

/* Returns the moves of a random permutation; E is a power of two. With `wrong`, moves of different
 * steps change places. */
static cl_uint *plan(const dmm_group_desc *desc, int wrong)
{
    const size_t tile = (size_t)desc->u * desc->E;
    uint64_t *const index = malloc(tile * sizeof *index);
    cl_uint *const moves = malloc(tile * sizeof *moves), seed = 5;
    check(index == NULL || moves == NULL, "memory");
    for (size_t x = 0; x < tile; x++)
        index[x] = x;
    for (size_t x = tile; x > 1; x--) {
        seed = seed * 1664525u + 1013904223u;
        const size_t other = (seed >> 8) % x;
        const uint64_t last = index[x - 1];
        index[x - 1] = index[other];
        index[other] = last;
    }
    check(dmm_group_moves(moves, desc, index), "dmm_group_moves");
    const cl_uint first = moves[0];
    for (size_t x = 0; wrong && x + 1 < tile; x++)
        moves[x] = moves[x + 1];
    if (wrong)
        moves[tile - 1] = first;
    free(index);
    return moves;
}

/* Runs the kernel on items of a kind. */
static void run(cl_context context, cl_command_queue queue, cl_kernel kernel, size_t u, size_t tile,
    int kind, const cl_uint *moves)
{
    const size_t words = 3 * tile + 2;
    cl_int status = CL_SUCCESS;
    cl_uint *items = malloc(words * sizeof *items), seed = 1;
    check(items == NULL, "memory");
    for (size_t i = 0; i < words; i++) {
        seed = seed * 1664525u + 1013904223u;
        items[i] = kind == 0 ? seed >> 4 : kind == 1 ? 7 : (cl_uint)(words - i);
    }
    if (moves != NULL)
        memcpy(items + 2 * tile, moves, tile * sizeof *items);
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

/* Builds the program of the instances and the kernels. */
static cl_program build(cl_context context, cl_device_id device, dmm_group_desc *descs,
    int instances, char **argv, const error *e, int plans)
{
    const char *texts[8] = {plans ? "#define PLANS 1\n" : "#define PLANS 0\n"};
    cl_int status = CL_SUCCESS;
    for (int i = 0; i < instances; i++) {
        char *const text = source_of(descs[i], argv);
        if (e != NULL && i == e->instance)
            spoil(text, e);
        texts[i + 1] = text;
    }
    texts[instances + 1] = kernels;
    cl_program program =
        clCreateProgramWithSource(context, (cl_uint)instances + 2, texts, NULL, &status);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL), "clBuildProgram");
    for (int i = 0; i < instances; i++)
        dmm_group_source_free((char *)texts[i + 1]);
    return program;
}

int main(int argc, char **argv)
{
    static const dmm_operator affine = {
        .combine = "(dmm_item)(a.x * b.x, a.y * b.x + b.y)", .identity = "(dmm_item)(1, 0)"};
    const dmm_order pair = {.type = DMM_ITEM, .item = "typedef uint2 dmm_item;", .item_bytes = 8};
    dmm_group_desc descs[] = {{.kind = DMM_GROUP_SORT, .name = "a", .positions = 1},
        {.kind = DMM_GROUP_SORT, .name = "b", .order = pair}, {.name = "c"},
        {.name = "d", .order = pair, .own = &affine},
        {.kind = DMM_GROUP_COUNT, .name = "e", .bins = 37},
        {.kind = DMM_GROUP_RADIX, .name = "h", .positions = 1}};
    enum { INSTANCES = sizeof descs / sizeof descs[0] };
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_int status = CL_SUCCESS;
    const error *e = NULL;
    check(argc < 4, "collectives U E BANKS [WRONG]");
    const size_t u = strtoul(argv[1], NULL, 10), items = strtoul(argv[2], NULL, 10);
    for (size_t i = 0; argc > 4 && i < sizeof errors / sizeof errors[0]; i++)
        e = strcmp(errors[i].name, argv[4]) == 0 ? &errors[i] : e;
    descs[1].order.less = "a.y < b.y";
    descs[2].columns = items; /* rows as blocks */
    descs[3].columns = u;     /* columns as blocks */
    const int plans = (items & (items - 1)) == 0;
    dmm_group_desc planned = {.name = "c", .u = (uint32_t)u, .E = (uint32_t)items};
    planned.banks = (uint32_t)strtoul(argv[3], NULL, 10);
    cl_uint *const moves = plans ? plan(&planned, argc > 4 && e == NULL) : NULL;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    cl_program program = build(context, device, descs, INSTANCES, argv, e, plans);
    for (int k = 0; k < 2; k++) {
        cl_kernel kernel = clCreateKernel(program, k == 0 ? "f" : "g", &status);
        check(status, "clCreateKernel");
        for (int kind = 0; kind < 3; kind++)
            run(context, queue, kernel, u, u * items, kind, moves);
        clReleaseKernel(kernel);
    }
    free(moves);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
