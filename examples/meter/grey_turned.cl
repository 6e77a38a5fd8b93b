/* SPDX-License-Identifier: MIT */
/* The same, whose sums begin in different banks. */
kernel void histogram(global const uchar *pixels, uint n, global uint *counts)
{
    local uint bins[64 * 32];
    const uint t = get_local_id(0);
    for (uint i = t; i < 64 * 32; i += get_local_size(0))
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[(pixels[i] >> 2) * 32 + t % 32]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint j = 0; j < 32 && t < 64; j++)
        sum += bins[t * 32 + (j + t) % 32];
    if (t < 64)
        atomic_add(&counts[t], sum);
}
