/* SPDX-License-Identifier: MIT */
/*
 * The largest four of each row of a matrix, with their columns, by collectives in a kernel of the
 * program's own; and the same by a bitonic sort in local memory, as it is often taught. Run it in
 * `dmm meter` to see the bank conflicts of both.
 */
#include "ex_group.h"

#include <string.h>

enum { ROWS = 24, U = 64, E = 8, COLUMNS = U * E, K = 4 };

static const char kernels[] =
    "#define U 64\n"
    "#define E 8\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_collectives(global const float *matrix, global float *most, global uint *columns)\n"
    "{\n"
    "    local row_room_word room[ROW_ROOM_WORDS];\n"
    "    const uint row = get_group_id(0), t = get_local_id(0);\n"
    "    float r[E];\n"
    "    uint from[E];\n"
    "    row_load(r, matrix + row * U * E, U * E, 0, room);\n"
    "    row_sort_from(r, from, U * E, room);\n"
    "    for (uint j = 0; j < E; j++)\n"
    "        if (t * E + j < 4) {\n"
    "            most[row * 4 + t * E + j] = r[j];\n"
    "            columns[row * 4 + t * E + j] = from[j];\n"
    "        }\n"
    "}\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_bitonic_sort(global const float *matrix, global float *most, global uint *columns)\n"
    "{\n"
    "    local float key[U * E];\n"
    "    local uint from[U * E];\n"
    "    const uint row = get_group_id(0), t = get_local_id(0);\n"
    "    for (uint x = t; x < U * E; x += U) {\n"
    "        key[x] = matrix[row * U * E + x];\n"
    "        from[x] = x;\n"
    "    }\n"
    "    for (uint size = 2; size <= U * E; size *= 2)\n"
    "        for (uint stride = size / 2; stride > 0; stride /= 2) {\n"
    "            barrier(CLK_LOCAL_MEM_FENCE);\n"
    "            for (uint i = t; i < U * E / 2; i += U) {\n"
    "                const uint x = 2 * i - (i & (stride - 1)), y = x + stride;\n"
    "                const int rises = (x & size) != 0;\n"
    "                const float a = key[x], b = key[y];\n"
    "                const uint c = from[x], d = from[y];\n"
    "                if ((a > b || (a == b && c < d)) == rises) {\n"
    "                    key[x] = b;\n"
    "                    key[y] = a;\n"
    "                    from[x] = d;\n"
    "                    from[y] = c;\n"
    "                }\n"
    "            }\n"
    "        }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (t < 4) {\n"
    "        most[row * 4 + t] = key[t];\n"
    "        columns[row * 4 + t] = from[t];\n"
    "    }\n"
    "}\n";

static float matrix[ROWS][COLUMNS], most[2][ROWS][K];
static cl_uint columns[2][ROWS][K];

int main(void)
{
    const dmm_group_desc desc = {.kind = DMM_GROUP_SORT,
        .name = "row",
        .order = {.type = DMM_F32, .descending = 1},
        .positions = 1,
        .u = U,
        .E = E};
    char *text = NULL;
    unsigned seed = 1;
    for (int row = 0; row < ROWS; row++)
        for (int x = 0; x < COLUMNS; x++)
            matrix[row][x] = (float)(draw(&seed) % 5000) / 8;
    check(dmm_group_source(&text, &desc), "dmm_group_source");
    const program p = open_program((const char *[]){text, kernels}, 2);
    for (int way = 0; way < 2; way++) {
        const array arrays[] = {{matrix, sizeof matrix}, {most[way], sizeof most[way]},
            {columns[way], sizeof columns[way]}};
        run(&p, way == 0 ? "by_collectives" : "by_bitonic_sort", ROWS, U, arrays, 3);
    }
    close_program(&p);
    dmm_group_source_free(text);
    printf("row 0: %.3f in column %u, then %.3f, %.3f, %.3f\n", (double)most[0][0][0],
        columns[0][0][0], (double)most[0][0][1], (double)most[0][0][2], (double)most[0][0][3]);
    return memcmp(most[0], most[1], sizeof most[0]) != 0 ||
           memcmp(columns[0], columns[1], sizeof columns[0]) != 0;
}
