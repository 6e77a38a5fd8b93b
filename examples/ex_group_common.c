/* SPDX-License-Identifier: MIT */
/*
 * Common neighbours of the two ends of each edge of a graph, from which triangles are counted: the
 * intersection of two sorted lists, a group an edge. Beside it the usual kernel: each work-item
 * looks up its items of one list in the other by a binary search in local memory, with conflicts
 * that depend on the graph.
 */
#include "ex_group.h"

enum { EDGES = 24, U = 64, E = 4, MOST = 120 };

static const char kernels[] =
    "#define U 64\n"
    "#define E 4\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_collectives(global const uint *lists, global const uint *lengths,\n"
    "    global uint *common, global uint *numbers)\n"
    "{\n"
    "    local near_room_word room[NEAR_ROOM_WORDS];\n"
    "    const uint edge = get_group_id(0);\n"
    "    global const uint *a = lists + 2 * edge * MOST, *b = a + MOST;\n"
    "    uint r[E];\n"
    "    const uint number = near_set_intersection(\n"
    "        r, a, lengths[2 * edge], b, lengths[2 * edge + 1], room);\n"
    "    near_store_stripes(common + edge * MOST, r, number);\n"
    "    if (get_local_id(0) == 0)\n"
    "        numbers[edge] = number;\n"
    "}\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_binary_searches(global const uint *lists, global const uint *lengths,\n"
    "    global uint *common, global uint *numbers)\n"
    "{\n"
    "    local uint list[MOST], number;\n"
    "    const uint edge = get_group_id(0), t = get_local_id(0);\n"
    "    global const uint *a = lists + 2 * edge * MOST, *b = a + MOST;\n"
    "    const uint na = lengths[2 * edge], nb = lengths[2 * edge + 1];\n"
    "    for (uint x = t; x < nb; x += U)\n"
    "        list[x] = b[x];\n"
    "    if (t == 0)\n"
    "        number = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint x = t; x < na; x += U) {\n"
    "        uint low = 0, high = nb;\n"
    "        while (low < high) {\n"
    "            const uint middle = (low + high) / 2;\n"
    "            if (list[middle] < a[x])\n"
    "                low = middle + 1;\n"
    "            else\n"
    "                high = middle;\n"
    "        }\n"
    "        if (low < nb && list[low] == a[x])\n"
    "            common[edge * MOST + atomic_inc(&number)] = a[x];\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (t == 0)\n"
    "        numbers[edge] = number;\n"
    "}\n";

static cl_uint lists[EDGES][2][MOST], lengths[EDGES][2], common[2][EDGES][MOST], numbers[2][EDGES];

/* Draws the neighbours of a vertex: a rising list. */
static cl_uint draw_list(cl_uint *list, unsigned *seed)
{
    const cl_uint length = 60 + draw(seed) % (MOST - 60);
    cl_uint vertex = 0;
    for (cl_uint x = 0; x < length; x++)
        list[x] = vertex += 1 + draw(seed) % 4;
    return length;
}

/* Returns the number of edges whose result is wrong; the usual kernel's is in any order. */
static unsigned check_edges(void)
{
    unsigned wrong = 0;
    for (int edge = 0; edge < EDGES; edge++) {
        cl_uint found = 0;
        for (cl_uint x = 0, y = 0; x < lengths[edge][0]; x++) {
            while (y < lengths[edge][1] && lists[edge][1][y] < lists[edge][0][x])
                y++;
            if (y < lengths[edge][1] && lists[edge][1][y] == lists[edge][0][x])
                wrong += common[0][edge][found++] != lists[edge][0][x];
        }
        wrong += numbers[0][edge] != found || numbers[1][edge] != found;
    }
    return wrong;
}

int main(void)
{
    const dmm_group_desc desc = {
        .kind = DMM_GROUP_SORT, .name = "near", .positions = 1, .u = U, .E = E};
    char *text = NULL, size[32];
    unsigned seed = 1;
    for (int edge = 0; edge < EDGES; edge++)
        for (int end = 0; end < 2; end++)
            lengths[edge][end] = draw_list(lists[edge][end], &seed);
    check(dmm_group_source(&text, &desc), "dmm_group_source");
    snprintf(size, sizeof size, "#define MOST %d\n", MOST);
    const program p = open_program((const char *[]){text, size, kernels}, 3);
    for (int way = 0; way < 2; way++) {
        const array arrays[] = {{lists, sizeof lists}, {lengths, sizeof lengths},
            {common[way], sizeof common[way]}, {numbers[way], sizeof numbers[way]}};
        run(&p, way == 0 ? "by_collectives" : "by_binary_searches", EDGES, U, arrays, 4);
    }
    close_program(&p);
    dmm_group_source_free(text);
    printf("edge 0: %u common neighbours\n", numbers[0][0]);
    return check_edges() != 0;
}
