/* SPDX-License-Identifier: MIT */
/* A histogram of 64 grey values, as it is often taught: counters in local memory. */
kernel void histogram(global const uchar *pixels, uint n, global uint *counts)
{
    local uint bins[64];
    const uint t = get_local_id(0);
    if (t < 64)
        bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[pixels[i] >> 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 64)
        atomic_add(&counts[t], bins[t]);
}
