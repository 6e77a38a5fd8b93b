/* SPDX-License-Identifier: MIT */
/*
 * Records of 16 words each become 16 arrays of a word (an array of structs a struct of arrays), a
 * tile of 64 records at a time: a transpose in local memory. Beside it the kernel without padding,
 * whose conflicts are all that a bank can have.
 */
#include "ex_group.h"

enum { TILES = 16, U = 64, E = 16, RECORDS = U * TILES };

static const char kernels[] =
    "#define U 64\n"
    "#define E 16\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_collectives(global const uint *records, global uint *fields)\n"
    "{\n"
    "    local tile_room_word room[TILE_ROOM_WORDS];\n"
    "    const uint t = get_local_id(0), first = get_group_id(0) * U;\n"
    "    uint r[E];\n"
    "    tile_load_stripes(r, records + first * E, U * E, 0);\n"
    "    tile_transpose(r, room);\n"
    "    for (uint i = 0; i < E; i++)\n"
    "        fields[i * RECORDS + first + t] = r[i];\n"
    "}\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_columns(global const uint *records, global uint *fields)\n"
    "{\n"
    "    local uint tile[U * E];\n"
    "    const uint t = get_local_id(0), first = get_group_id(0) * U;\n"
    "    for (uint i = 0; i < E; i++)\n"
    "        tile[t + i * U] = records[first * E + t + i * U];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = 0; i < E; i++)\n"
    "        fields[i * RECORDS + first + t] = tile[t * E + i];\n"
    "}\n";

static cl_uint records[RECORDS][E], fields[2][E][RECORDS];

int main(void)
{
    const dmm_group_desc desc = {.name = "tile", .u = U, .E = E, .columns = E};
    char *text = NULL, size[32];
    unsigned seed = 1, wrong = 0;
    for (int x = 0; x < RECORDS; x++)
        for (int field = 0; field < E; field++)
            records[x][field] = draw(&seed);
    check(dmm_group_source(&text, &desc), "dmm_group_source");
    snprintf(size, sizeof size, "#define RECORDS %d\n", RECORDS);
    const program p = open_program((const char *[]){text, size, kernels}, 3);
    for (int way = 0; way < 2; way++) {
        const array arrays[] = {{records, sizeof records}, {fields[way], sizeof fields[way]}};
        run(&p, way == 0 ? "by_collectives" : "by_columns", TILES, U, arrays, 2);
    }
    close_program(&p);
    dmm_group_source_free(text);
    for (int x = 0; x < RECORDS; x++)
        for (int field = 0; field < E; field++)
            for (int way = 0; way < 2; way++)
                wrong += fields[way][field][x] != records[x][field];
    printf("%d records as %d arrays, %u wrong words\n", RECORDS, E, wrong);
    return wrong != 0;
}
