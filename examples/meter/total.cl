/* SPDX-License-Identifier: MIT */
/* A sum by a tree, as it is often taught: in each round the terms lie twice as far apart. */
kernel void total(global const uint *terms, global uint *sums)
{
    local uint tree[256];
    const uint t = get_local_id(0);
    tree[t] = terms[get_global_id(0)];
    for (uint apart = 1; apart < 256; apart *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint at = 2 * apart * t;
        if (at < 256)
            tree[at] += tree[at + apart];
    }
    if (t == 0)
        sums[get_group_id(0)] = tree[0];
}
