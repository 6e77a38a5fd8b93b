/* SPDX-License-Identifier: MIT */
/*
 * A join of two sorted tables without repeated keys: the rows of both that have the same key. A
 * group merges a tile of both tables, after which equal keys are neighbours, and keeps their
 * places. Beside it the merge that is usual in kernels: each work-item finds its part by a binary
 * search in local memory and merges it item by item, with conflicts that depend on the keys.
 */
#include "ex_group.h"

#include <string.h>

enum { U = 64, E = 7, T = U * E, N = 3 * T, TILES = 2 * N / T };

static const char kernels[] =
    "#define U 64\n"
    "#define E 7\n"
    "#define T (U * E)\n"
    "#define N (3 * T)\n"
    "#define NONE 0xffffffffu\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_collectives(global const uint *a, global const uint *b, global uint2 *out,\n"
    "    global uint *numbers)\n"
    "{\n"
    "    local keys_room_word room[KEYS_ROOM_WORDS];\n"
    "    local pairs_room_word other[PAIRS_ROOM_WORDS];\n"
    "    local uint next_key[U + 1], next_from[U + 1];\n"
    "    const uint t = get_local_id(0), tile = get_group_id(0);\n"
    "    const uint a0 = keys_path(a, N, b, N, tile * T), b0 = tile * T - a0;\n"
    "    const uint na = keys_path(a, N, b, N, tile * T + T) - a0, nb = T - na;\n"
    "    uint key[E + 1], from[E + 1], matches[E];\n"
    "    uint2 rows[E];\n"
    "    keys_merge_from(key, from, a + a0, na, b + b0, nb, room);\n"
    "    next_key[t] = key[0];\n"
    "    next_from[t] = from[0];\n"
    "    if (t == 0) { /* an equal key behind the tile is of b */\n"
    "        next_key[U] = b0 + nb < N ? b[b0 + nb] : 0;\n"
    "        next_from[U] = b0 + nb < N ? T : 0;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    key[E] = next_key[t + 1];\n"
    "    from[E] = next_from[t + 1];\n"
    "    for (uint j = 0; j < E; j++) {\n"
    "        const int joins = from[j] < na && from[j + 1] >= na && key[j] == key[j + 1];\n"
    "        rows[j] = (uint2)(joins ? a0 + from[j] : NONE, b0 + from[j + 1] - na);\n"
    "    }\n"
    "    pairs_to_stripes(rows, other);\n"
    "    for (uint i = 0; i < E; i++)\n"
    "        matches[i] = rows[i].x != NONE;\n"
    "    const uint number = pairs_keep(rows, matches, other);\n"
    "    pairs_store_stripes(out + tile * T, rows, number);\n"
    "    if (t == 0)\n"
    "        numbers[tile] = number;\n"
    "}\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_serial_merges(global const uint *a, global const uint *b, global uint2 *out,\n"
    "    global uint *numbers)\n"
    "{\n"
    "    local uint part_a[T + 1], part_b[T + 1], number;\n"
    "    const uint t = get_local_id(0), tile = get_group_id(0);\n"
    "    const uint a0 = keys_path(a, N, b, N, tile * T), b0 = tile * T - a0;\n"
    "    const uint na = keys_path(a, N, b, N, tile * T + T) - a0, nb = T - na;\n"
    "    for (uint x = t; x < T; x += U) {\n"
    "        part_a[x] = x < na ? a[a0 + x] : NONE;\n"
    "        part_b[x] = b0 + x < N ? b[b0 + x] : NONE;\n"
    "    }\n"
    "    if (t == 0)\n"
    "        number = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    const uint diagonal = t * E;\n"
    "    uint low = max(diagonal, nb) - nb, high = min(diagonal, na);\n"
    "    while (low < high) {\n"
    "        const uint middle = (low + high) / 2;\n"
    "        if (part_a[middle] <= part_b[diagonal - 1 - middle])\n"
    "            low = middle + 1;\n"
    "        else\n"
    "            high = middle;\n"
    "    }\n"
    "    uint i = low, k = diagonal - low;\n"
    "    for (uint j = 0; j < E; j++) {\n"
    "        if (i < na && (k >= nb || part_a[i] <= part_b[k])) {\n"
    "            if (b0 + k < N && part_a[i] == part_b[k])\n"
    "                out[tile * T + atomic_inc(&number)] = (uint2)(a0 + i, b0 + k);\n"
    "            i++;\n"
    "        } else {\n"
    "            k++;\n"
    "        }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (t == 0)\n"
    "        numbers[tile] = number;\n"
    "}\n";

static cl_uint a[N], b[N], numbers[2][TILES];
static cl_uint2 out[2][TILES * T];

/* Draws a sorted table without repeated keys. */
static void draw_table(cl_uint *keys, unsigned seed)
{
    cl_uint key = 0;
    for (int x = 0; x < N; x++)
        keys[x] = key += 1 + draw(&seed) % 3;
}

/* Returns the number of wrong rows. */
static unsigned check_rows(int way)
{
    unsigned wrong = 0, joined = 0, found = 0;
    for (int x = 0, y = 0; x < N; x++) {
        while (y < N && b[y] < a[x])
            y++;
        joined += y < N && b[y] == a[x];
    }
    for (int tile = 0; tile < TILES; tile++)
        for (cl_uint i = 0; i < numbers[way][tile]; i++, found++) {
            const cl_uint2 rows = out[way][(cl_uint)tile * T + i];
            wrong += rows.s[0] >= N || rows.s[1] >= N || a[rows.s[0]] != b[rows.s[1]];
        }
    printf("%s: %u rows joined\n", way == 0 ? "by collectives" : "by serial merges", found);
    return wrong + (found != joined);
}

int main(void)
{
    const dmm_group_desc keys = {
        .kind = DMM_GROUP_SORT, .name = "keys", .positions = 1, .u = U, .E = E};
    const dmm_group_desc pairs = {.name = "pairs",
        .order = {.type = DMM_ITEM, .item = "typedef uint2 dmm_item;", .item_bytes = 8},
        .u = U,
        .E = E};
    char *merge = NULL, *keep = NULL;
    draw_table(a, 1);
    draw_table(b, 2);
    check(dmm_group_source(&merge, &keys), "dmm_group_source");
    check(dmm_group_source(&keep, &pairs), "dmm_group_source");
    const program p = open_program((const char *[]){merge, keep, kernels}, 3);
    for (int way = 0; way < 2; way++) {
        const array arrays[] = {{a, sizeof a}, {b, sizeof b}, {out[way], sizeof out[way]},
            {numbers[way], sizeof numbers[way]}};
        run(&p, way == 0 ? "by_collectives" : "by_serial_merges", TILES, U, arrays, 4);
    }
    close_program(&p);
    dmm_group_source_free(merge);
    dmm_group_source_free(keep);
    return check_rows(0) + check_rows(1) != 0;
}
