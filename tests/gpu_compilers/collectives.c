/* SPDX-License-Identifier: MIT */
#include "collectives.h"

#include <dmm/group.h>

#include <stdio.h>
#include <stdlib.h>

/* Kernels of a caller's, of which each uses one of the instances of build_collectives. */
static const char callers[] =
    "kernel __attribute__((reqd_work_group_size(A_U, 1, 1)))\n"
    "void dmm_group_sort(global uint *list)\n"
    "{\n"
    "    local a_room_word room[A_ROOM_WORDS];\n"
    "    uint r[A_E];\n"
    "    list += get_group_id(0) * A_TILE;\n"
    "    a_load(r, list, A_TILE, 0, room);\n"
    "    a_sort(r, A_TILE, room);\n"
    "    a_store(list, r, A_TILE, room);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(A_U, 1, 1)))\n"
    "void dmm_group_merge(global const uint *a, global const uint *b, uint na, global uint *out)\n"
    "{\n"
    "    local a_room_word room[A_ROOM_WORDS];\n"
    "    uint r[A_E];\n"
    "    a_merge(r, a, na, b, A_TILE - na, room);\n"
    "    a_store(out, r, A_TILE, room);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(B_U, 1, 1)))\n"
    "void dmm_group_scan(global float *list)\n"
    "{\n"
    "    local b_room_word room[B_ROOM_WORDS];\n"
    "    float r[B_E];\n"
    "    list += get_group_id(0) * B_TILE;\n"
    "    b_load(r, list, B_TILE, 0, room);\n"
    "    b_scan_inclusive(r, room);\n"
    "    b_store(list, r, B_TILE, room);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(B_U, 1, 1)))\n"
    "void dmm_group_keep(global const float *list, global float *out, global uint *number)\n"
    "{\n"
    "    local b_room_word room[B_ROOM_WORDS];\n"
    "    float r[B_E];\n"
    "    uint flags[B_E];\n"
    "    b_load_stripes(r, list, B_TILE, 0);\n"
    "    for (uint i = 0; i < B_E; i++)\n"
    "        flags[i] = r[i] > 0;\n"
    "    *number = b_keep(r, flags, room);\n"
    "    b_store_stripes(out, r, *number);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(C_U, 1, 1)))\n"
    "void dmm_group_count(global const uchar *labels, global uint *counts)\n"
    "{\n"
    "    local c_room_word room[C_ROOM_WORDS];\n"
    "    uint totals[C_BINS_OWN];\n"
    "    c_bins_clear(totals, room);\n"
    "    for (uint i = 0; i < C_E; i++)\n"
    "        c_bins_add(labels[get_local_id(0) + i * C_U] & 63, room);\n"
    "    c_bins_sum(totals, room);\n"
    "    for (uint i = 0; i < C_BINS_OWN; i++)\n"
    "        if (c_bins_of(i) < 64)\n"
    "            counts[c_bins_of(i)] = totals[i];\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(B_U, 1, 1)))\n"
    "void dmm_group_transpose(global float *list)\n"
    "{\n"
    "    local b_room_word room[B_ROOM_WORDS];\n"
    "    float r[B_E];\n"
    "    b_load_stripes(r, list, B_TILE, 0);\n"
    "    b_transpose(r, room);\n"
    "    b_store_stripes(list, r, B_TILE);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(B_U, 1, 1)))\n"
    "void dmm_group_permute(global float *list, global const uint *moves)\n"
    "{\n"
    "    local b_room_word room[B_ROOM_WORDS];\n"
    "    float r[B_E];\n"
    "    b_load_stripes(r, list, B_TILE, 0);\n"
    "    b_permute(r, moves, room);\n"
    "    b_store_stripes(list, r, B_TILE);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(A_U, 1, 1)))\n"
    "void dmm_group_unique(global uint *list, uint count, global uint *number)\n"
    "{\n"
    "    local a_room_word room[A_ROOM_WORDS];\n"
    "    uint r[A_E];\n"
    "    a_load(r, list, count, 0, room);\n"
    "    *number = a_unique(r, count, room);\n"
    "    a_store_stripes(list, r, *number);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(D_U, 1, 1)))\n"
    "void dmm_group_intersect(global const uint *a, uint na, global const uint *b, uint nb,\n"
    "    global uint *out, global uint *number)\n"
    "{\n"
    "    local d_room_word room[D_ROOM_WORDS];\n"
    "    uint r[D_E];\n"
    "    *number = d_set_intersection(r, a, na, b, nb, room);\n"
    "    d_store_stripes(out, r, *number);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(E_U, 1, 1)))\n"
    "void dmm_group_rank(global const uint *digits, global uint *out)\n"
    "{\n"
    "    local e_room_word room[E_ROOM_WORDS];\n"
    "    uint r[E_E];\n"
    "    e_load(r, digits, E_TILE, 0, room);\n"
    "    e_rank(r, r, room);\n"
    "    e_store(out, r, E_TILE, room);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(E_U, 1, 1)))\n"
    "void dmm_group_sort_bits(global uint *list)\n"
    "{\n"
    "    local e_room_word room[E_ROOM_WORDS];\n"
    "    uint r[E_E];\n"
    "    e_load_stripes(r, list, E_TILE, 0);\n"
    "    e_sort_bits(r, E_TILE, 0, 4, room);\n"
    "    e_store_stripes(list, r, E_TILE);\n"
    "}\n";

/* The same for the instances of build_lane_collectives. */
static const char lane_callers[] =
    "F_KERNEL_LANES(F_LANES * 2)\n"
    "void dmm_lanes_sort(global uint *list)\n"
    "{\n"
    "    uint r[F_E];\n"
    "    list += get_global_id(0) / F_LANES * F_TILE;\n"
    "    f_load_stripes(r, list, F_TILE, 0);\n"
    "    f_sort(r, F_TILE);\n"
    "    f_store(list, r, F_TILE);\n"
    "}\n"
    "F_KERNEL_LANES(F_LANES * 2)\n"
    "void dmm_lanes_scan(global uint *list)\n"
    "{\n"
    "    uint r[F_E];\n"
    "    list += get_global_id(0) / F_LANES * F_TILE;\n"
    "    f_load(r, list, F_TILE, 0);\n"
    "    r[0] = f_reduce(r);\n"
    "    f_scan_inclusive(r);\n"
    "    f_store(list, r, F_TILE);\n"
    "}\n"
    "F_KERNEL_LANES(F_LANES * 2)\n"
    "void dmm_lanes_rank(global const uint *digits, global uint *out)\n"
    "{\n"
    "    uint r[F_E], ranks[F_E];\n"
    "    digits += get_global_id(0) / F_LANES * F_TILE;\n"
    "    out += get_global_id(0) / F_LANES * F_TILE;\n"
    "    f_load_stripes(r, digits, F_TILE, 0);\n"
    "    f_rank(ranks, r);\n"
    "    *out = f_places(r, r);\n"
    "    for (uint i = 0; i < F_E; i++)\n"
    "        out[ranks[i]] = r[i];\n"
    "}\n"
    "G_KERNEL_LANES(G_U)\n"
    "void dmm_group_scan_lanes(global uint *list, global uint *total)\n"
    "{\n"
    "    local g_room_word room[G_ROOM_WORDS];\n"
    "    uint r[G_E];\n"
    "    list += get_group_id(0) * G_TILE;\n"
    "    g_load(r, list, G_TILE, 0, room);\n"
    "    *total = g_reduce(r, room);\n"
    "    g_scan_inclusive(r, room);\n"
    "    g_store(list, r, G_TILE, room);\n"
    "}\n"
    "G_KERNEL_LANES(H_U)\n"
    "void dmm_group_sort_bits_lanes(global uint *list)\n"
    "{\n"
    "    local h_room_word room[H_ROOM_WORDS];\n"
    "    uint r[H_E];\n"
    "    h_load_stripes(r, list, H_TILE, 0);\n"
    "    h_sort_bits(r, H_TILE, 0, 4, room);\n"
    "    h_store_stripes(list, r, H_TILE);\n"
    "}\n";

static void require(int right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "gpu_programs: collectives: %s\n", what);
    exit(1);
}

/* Builds the program of instances with these kernels, which call them. */
static void build(const dmm_context *ctx, const dmm_group_desc *descs, cl_uint instances,
    const char *text, const char *const *kernels)
{
    char *texts[8] = {NULL};
    cl_int status = CL_SUCCESS;
    for (cl_uint i = 0; i < instances; i++)
        require(dmm_group_source(&texts[i], &descs[i]) == DMM_OK, dmm_error_text(DMM_BAD_VALUE));
    texts[instances] = (char *)text;
    const cl_program handle = clCreateProgramWithSource(
        dmm_context_cl(ctx), instances + 1, (const char **)texts, NULL, &status);
    require(status == CL_SUCCESS, "no program");
    clBuildProgram(handle, 0, NULL, "-cl-std=CL1.2", NULL, NULL);
    for (; *kernels != NULL; kernels++)
        clCreateKernel(handle, *kernels, &status);
    for (cl_uint i = 0; i < instances; i++)
        dmm_group_source_free(texts[i]);
}

static const dmm_operator sum = {.combine = "a + b", .identity = "0"};

void build_collectives(const dmm_context *ctx)
{
    static const dmm_group_desc descs[] = {{.kind = DMM_GROUP_SORT, .name = "a"},
        {.name = "b", .order.type = DMM_F32, .own = &sum, .columns = 64},
        {.kind = DMM_GROUP_COUNT, .name = "c", .bins = 64},
        {.kind = DMM_GROUP_SORT, .name = "d", .positions = 1},
        {.kind = DMM_GROUP_RADIX, .name = "e"}};
    static const char *const kernels[] = {"dmm_group_sort", "dmm_group_merge", "dmm_group_scan",
        "dmm_group_keep", "dmm_group_count", "dmm_group_transpose", "dmm_group_permute",
        "dmm_group_unique", "dmm_group_intersect", "dmm_group_rank", "dmm_group_sort_bits", NULL};
    build(ctx, descs, sizeof descs / sizeof descs[0], callers, kernels);
}

void build_lane_collectives(const dmm_context *ctx)
{
    static const char *const kernels[] = {"dmm_lanes_sort", "dmm_lanes_scan", "dmm_lanes_rank",
        "dmm_group_scan_lanes", "dmm_group_sort_bits_lanes", NULL};
    const uint64_t lanes = dmm_context_device(ctx)->sync_width.value;
    const dmm_group_desc descs[] = {
        {.kind = DMM_GROUP_LANES, .name = "f", .own = &sum, .u = (uint32_t)lanes},
        {.name = "g", .own = &sum, .lanes = lanes},
        {.kind = DMM_GROUP_RADIX,
            .name = "h",
            .banks = (uint32_t)(lanes < 32 ? lanes : 32),
            .lanes = lanes}};
    if (lanes > 1)
        build(ctx, descs, sizeof descs / sizeof descs[0], lane_callers, kernels);
}
