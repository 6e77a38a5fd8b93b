/* SPDX-License-Identifier: MIT */
/* A transpose by tiles of 32 x 32, as it is often taught: reads and writes whole rows. */
kernel void transpose(global const float *in, global float *out, int width, int height)
{
    local float tile[32][32];
    const int x = get_local_id(0), left = get_group_id(0) * 32, top = get_group_id(1) * 32;
    for (int y = get_local_id(1); y < 32; y += 8)
        tile[y][x] = in[(top + y) * width + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = get_local_id(1); y < 32; y += 8)
        out[(left + y) * height + top + x] = tile[x][y];
}
