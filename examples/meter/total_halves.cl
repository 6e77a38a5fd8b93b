/* SPDX-License-Identifier: MIT */
/* The same sum: each round adds the upper half of what is left to the lower half. */
kernel void total(global const uint *terms, global uint *sums)
{
    local uint tree[256];
    const uint t = get_local_id(0);
    tree[t] = terms[get_global_id(0)];
    for (uint apart = 128; apart > 0; apart /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < apart)
            tree[t] += tree[t + apart];
    }
    if (t == 0)
        sums[get_group_id(0)] = tree[0];
}
