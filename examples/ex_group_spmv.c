/* SPDX-License-Identifier: MIT */
/*
 * A sparse matrix times a vector by merge path: the ends of rows and the numbers of nonzeros are
 * merged in equal tiles, so that a group has the same work whether rows are empty or long (D.
 * Merrill, M. Garland, "Merge-Based Parallel Sparse Matrix-Vector Multiplication", SC 2016). A scan
 * that starts again at each row adds up the products; rows that several tiles share are finished by
 * the host here. Beside it, the usual kernel for rows in local memory: products are staged, and a
 * work-item adds up a row, with conflicts that depend on how long the rows are.
 */
#include "ex_group.h"

#include <string.h>

enum { U = 64, E = 7, T = U * E, ROWS = 600, MOST = 4000, MOST_TILES = (ROWS + MOST) / T + 1 };

static const char kernels[] =
    "#define U 64\n"
    "#define E 7\n"
    "#define T (U * E)\n"
    "typedef struct { uint row; uint sum; } part;\n"
    "\n"
    "/* sizes: rows, nonzeros. numbers: 0, 1, 2, ... */\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_collectives(global const uint *sizes, global const uint *ends,\n"
    "    global const uint *numbers, global const uint *columns, global const uint *values,\n"
    "    global const uint *x, global uint *y, global part *shared_rows)\n"
    "{\n"
    "    local path_room_word room[PATH_ROOM_WORDS];\n"
    "    local sums_room_word other[SUMS_ROOM_WORDS];\n"
    "    local rows_room_word third[ROWS_ROOM_WORDS];\n"
    "    const uint tile = get_group_id(0), t = get_local_id(0), all = sizes[0] + sizes[1];\n"
    "    const uint first = tile * T, end = min(first + T, all);\n"
    "    const uint r0 = path_path(ends, sizes[0], numbers, sizes[1], first), n0 = first - r0;\n"
    "    const uint na = path_path(ends, sizes[0], numbers, sizes[1], end) - r0;\n"
    "    uint item[E], from[E], row[E];\n"
    "    sums_item s[E];\n"
    "    path_merge_from(item, from, ends + r0, na, numbers + n0, end - first - na, room);\n"
    "    for (uint j = 0; j < E; j++)\n"
    "        row[j] = first + t * E + j < end && from[j] < na;\n"
    "    rows_scan_exclusive(row, third);\n"
    "    for (uint j = 0; j < E; j++) {\n"
    "        const int is_product = first + t * E + j < end && from[j] >= na;\n"
    "        s[j].row = row[j];\n"
    "        s[j].sum = is_product ? values[item[j]] * x[columns[item[j]]] : 0;\n"
    "    }\n"
    "    const sums_item last = sums_scan_inclusive(s, other);\n"
    "    for (uint j = 0; j < E; j++)\n"
    "        if (first + t * E + j < end && from[j] < na)\n"
    "            y[r0 + row[j]] = s[j].sum;\n"
    "    if (t == 0)\n"
    "        shared_rows[tile] = (part){r0 + na, last.row == na ? last.sum : 0};\n"
    "}\n"
    "\n"
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void by_staged_rows(global const uint *sizes, global const uint *ends,\n"
    "    global const uint *numbers, global const uint *columns, global const uint *values,\n"
    "    global const uint *x, global uint *y, global part *shared_rows)\n"
    "{\n"
    "    local uint products[T];\n"
    "    const uint row = get_group_id(0) * U + get_local_id(0), t = get_local_id(0);\n"
    "    const uint from = get_group_id(0) == 0 ? 0 : ends[min(get_group_id(0) * U, "
    "(size_t)sizes[0]) - 1];\n"
    "    const uint to = ends[min(get_group_id(0) * U + U, (size_t)sizes[0]) - 1];\n"
    "    const uint begin = row == 0 ? 0 : ends[min(row, sizes[0]) - 1];\n"
    "    const uint end = ends[min(row, sizes[0] - 1)];\n"
    "    uint sum = 0;\n"
    "    for (uint at = from; at < to; at += T) {\n"
    "        for (uint k = at + t; k < min(at + T, to); k += U)\n"
    "            products[k - at] = values[k] * x[columns[k]];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (uint k = max(begin, at); k < min(end, at + T); k++)\n"
    "            sum += products[k - at];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (row < sizes[0])\n"
    "        y[row] = sum;\n"
    "}\n";

typedef struct part {
    cl_uint row, sum;
} part;

static cl_uint sizes[2], ends[ROWS], numbers[MOST], columns[MOST], values[MOST], x[ROWS];
static cl_uint y[2][ROWS + 1];
static part shared_rows[MOST_TILES];

/* Draws a matrix some of whose rows are empty and one is long. */
static void draw_matrix(void)
{
    unsigned seed = 1;
    cl_uint count = 0;
    for (cl_uint row = 0; row < ROWS; row++) {
        cl_uint length = row == 99 ? 900 : row % 5 == 0 ? 0 : draw(&seed) % 8;
        for (; length > 0 && count < MOST; length--, count++) {
            columns[count] = draw(&seed) % ROWS;
            values[count] = draw(&seed) % 10;
        }
        ends[row] = count;
        x[row] = draw(&seed) % 10;
    }
    for (cl_uint k = 0; k < MOST; k++)
        numbers[k] = k;
    sizes[0] = ROWS;
    sizes[1] = count;
}

static unsigned check_product(int way)
{
    unsigned wrong = 0;
    for (cl_uint row = 0, k = 0; row < ROWS; row++) {
        cl_uint sum = 0;
        for (; k < ends[row]; k++)
            sum += values[k] * x[columns[k]];
        wrong += y[way][row] != sum;
    }
    return wrong;
}

int main(void)
{
    static const dmm_operator plus = {.combine = "a + b", .identity = "0"};
    static const dmm_operator by_rows = {
        .combine = "(dmm_item){b.row, a.row == b.row ? a.sum + b.sum : b.sum}",
        .identity = "(dmm_item){0xffffffffu, 0}"};
    static const dmm_order pairs = {.type = DMM_ITEM,
        .item = "typedef struct { uint row; uint sum; } dmm_item;",
        .item_bytes = 8};
    const dmm_group_desc descs[] = {
        {.kind = DMM_GROUP_SORT, .name = "path", .positions = 1, .u = U, .E = E},
        {.name = "rows", .own = &plus, .u = U, .E = E},
        {.name = "sums", .order = pairs, .own = &by_rows, .u = U, .E = E}};
    char *texts[3];
    draw_matrix();
    for (int i = 0; i < 3; i++)
        check(dmm_group_source(&texts[i], &descs[i]), "dmm_group_source");
    const program p = open_program((const char *[]){texts[0], texts[1], texts[2], kernels}, 4);
    const cl_uint tiles = (sizes[0] + sizes[1] + T - 1) / T;
    for (int way = 0; way < 2; way++) {
        const array arrays[] = {{sizes, sizeof sizes}, {ends, sizeof ends},
            {numbers, sizeof numbers}, {columns, sizeof columns}, {values, sizeof values},
            {x, sizeof x}, {y[way], sizeof y[way]}, {shared_rows, sizeof shared_rows}};
        run(&p, way == 0 ? "by_collectives" : "by_staged_rows",
            way == 0 ? tiles : (ROWS + U - 1) / U, U, arrays, 8);
        for (cl_uint tile = 0; way == 0 && tile < tiles; tile++)
            y[0][shared_rows[tile].row] += shared_rows[tile].sum;
    }
    close_program(&p);
    for (int i = 0; i < 3; i++)
        dmm_group_source_free(texts[i]);
    printf("%u nonzeros in %u tiles: row 99 gives %u\n", sizes[1], tiles, y[0][99]);
    return check_product(0) + check_product(1) != 0;
}
