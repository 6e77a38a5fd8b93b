/* SPDX-License-Identifier: MIT */
/*
 * Particles of a tile are sorted by their cell, and the masses in each cell added up, all in one
 * kernel: a sort of pairs by `less`, a scan by an operator that starts again where a cell begins,
 * and a compaction. Beside it, work-items that add to their cell's sum in local memory, one after
 * the other: its conflicts depend on where the particles are.
 */
#include "ex_group.h"

enum { TILES = 8, U = 64, E = 8, T = U * E, CELLS = 16 };

static const char kernels[] =
    "#define U 64\n"
    "#define E 8\n"
    "#define CELLS 16\n"
    "typedef struct { uint cell; uint mass; } particle;\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_collectives(global const particle *particles, global particle *sums)\n"
    "{\n"
    "    local by_cell_room_word room[BY_CELL_ROOM_WORDS];\n"
    "    local masses_room_word other[MASSES_ROOM_WORDS];\n"
    "    const uint tile = get_group_id(0), t = get_local_id(0);\n"
    "    const by_cell_item none = {0, 0};\n"
    "    by_cell_item r[E];\n"
    "    masses_item s[E];\n"
    "    uint ends[E];\n"
    "    by_cell_load(r, (global const by_cell_item *)particles + tile * U * E, U * E, none, "
    "room);\n"
    "    by_cell_sort(r, U * E, room);\n"
    "    for (uint j = 0; j < E; j++)\n"
    "        s[j] = (masses_item){r[j].cell, r[j].mass};\n"
    "    masses_scan_inclusive(s, other);\n"
    "    masses_to_stripes(s, other);\n"
    "    /* The last particle of a cell has the cell's sum: the next one is of another cell. */\n"
    "    local uint cells[U * E];\n"
    "    for (uint i = 0; i < E; i++)\n"
    "        cells[t + i * U] = s[i].cell;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = 0; i < E; i++) {\n"
    "        const uint x = t + i * U;\n"
    "        ends[i] = x + 1 == U * E || cells[min(x + 1, U * E - 1u)] != s[i].cell;\n"
    "    }\n"
    "    const uint number = masses_keep(s, ends, other);\n"
    "    for (uint i = 0; i < E; i++)\n"
    "        if (t + i * U < number)\n"
    "            sums[tile * CELLS + s[i].cell] = (particle){s[i].cell, s[i].mass};\n"
    "}\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_private_sums(global const particle *particles, global particle *sums)\n"
    "{\n"
    "    local uint own[U * CELLS];\n"
    "    const uint tile = get_group_id(0), t = get_local_id(0);\n"
    "    for (uint cell = 0; cell < CELLS; cell++)\n"
    "        own[t * CELLS + cell] = 0;\n"
    "    for (uint i = 0; i < E; i++) {\n"
    "        const particle p = particles[tile * U * E + t + i * U];\n"
    "        own[t * CELLS + p.cell] += p.mass;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (t < CELLS) {\n"
    "        uint sum = 0;\n"
    "        for (uint i = 0; i < U; i++)\n"
    "            sum += own[i * CELLS + t];\n"
    "        sums[tile * CELLS + t] = (particle){t, sum};\n"
    "    }\n"
    "}\n";

typedef struct particle {
    cl_uint cell, mass;
} particle;

static particle particles[TILES][T], sums[2][TILES][CELLS];

int main(void)
{
    static const char item[] = "typedef struct { uint cell; uint mass; } dmm_item;";
    static const dmm_operator by_segments = {
        .combine = "(dmm_item){b.cell, a.cell == b.cell ? a.mass + b.mass : b.mass}",
        .identity = "(dmm_item){0xffffffffu, 0}"};
    const dmm_order pairs = {.type = DMM_ITEM, .item = item, .item_bytes = 8};
    dmm_group_desc by_cell = {
        .kind = DMM_GROUP_SORT, .name = "by_cell", .order = pairs, .u = U, .E = E};
    const dmm_group_desc masses = {.kind = DMM_GROUP_ITEMS,
        .name = "masses",
        .order = pairs,
        .own = &by_segments,
        .u = U,
        .E = E};
    char *sort = NULL, *scan = NULL;
    unsigned seed = 1, wrong = 0;
    by_cell.order.less = "a.cell < b.cell";
    for (int tile = 0; tile < TILES; tile++)
        for (int x = 0; x < T; x++)
            particles[tile][x] = (particle){draw(&seed) % CELLS, draw(&seed) % 100};
    check(dmm_group_source(&sort, &by_cell), "dmm_group_source");
    check(dmm_group_source(&scan, &masses), "dmm_group_source");
    const program p = open_program((const char *[]){sort, scan, kernels}, 3);
    for (int way = 0; way < 2; way++) {
        const array arrays[] = {{particles, sizeof particles}, {sums[way], sizeof sums[way]}};
        run(&p, way == 0 ? "by_collectives" : "by_private_sums", TILES, U, arrays, 2);
    }
    close_program(&p);
    dmm_group_source_free(sort);
    dmm_group_source_free(scan);
    printf(
        "tile 0: cell 0 has mass %u, cell 1 has mass %u\n", sums[0][0][0].mass, sums[0][0][1].mass);
    for (int tile = 0; tile < TILES; tile++)
        for (int cell = 0; cell < CELLS; cell++)
            wrong += sums[0][tile][cell].mass != sums[1][tile][cell].mass;
    return wrong != 0;
}
