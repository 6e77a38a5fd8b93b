/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose readings are known. Each is launched once with one group of 32, for 32 banks of 4
 * bytes, and touches its memory on lines that carry the mark of their answer:
 *   @ <space> <kind> <steps> <passes> <needed> <worst>
 * `words` is local memory of 33 * 32 words, which no kernel fills: Oclgrind clears it.
 */
#define ROW 32

/* Lane t reads word s*t: as many passes as lanes meet in one bank, gcd(s, 32). */
#define STRIDE(s)                                                  \
    kernel void stride_##s(global uint *out, local uint *words)    \
    {                                                              \
        uint t = get_local_id(0);                                  \
        out[t] = words[s * t];                                     \
    }
STRIDE(1) STRIDE(2) STRIDE(3) STRIDE(4) STRIDE(5) STRIDE(6) STRIDE(7) STRIDE(8) STRIDE(9)
STRIDE(10) STRIDE(11) STRIDE(12) STRIDE(13) STRIDE(14) STRIDE(15) STRIDE(16) STRIDE(17)
STRIDE(18) STRIDE(19) STRIDE(20) STRIDE(21) STRIDE(22) STRIDE(23) STRIDE(24) STRIDE(25)
STRIDE(26) STRIDE(27) STRIDE(28) STRIDE(29) STRIDE(30) STRIDE(31) STRIDE(32) STRIDE(33)

kernel void broadcast(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    out[t] = words[7]; /* @ local read 1 1 1 1 */
}

kernel void one_bank(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    words[ROW * t] = t; /* @ local write 1 32 1 32 */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = words[t]; /* @ local read 1 1 1 1 */
}

kernel void same_word(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    words[3] = t; /* @ local write 1 1 1 1 */
    out[t] = t;
}

/* Half-warps: two passes are needed, and enough. */
kernel void wide_8(global ulong *out, local ulong *words)
{
    uint t = get_local_id(0);
    out[t] = words[t]; /* @ local read 1 2 2 1 */
}

kernel void wide_8_stride_2(global ulong *out, local ulong *words)
{
    uint t = get_local_id(0);
    out[t] = words[2 * t]; /* @ local read 1 4 2 2 */
}

/* Quarter-warps. */
kernel void wide_16(global uint4 *out, local uint4 *words)
{
    uint t = get_local_id(0);
    out[t] = words[t]; /* @ local read 1 4 4 1 */
}

/* vload4 promises the alignment of a uint only: four reads of stride 4. */
kernel void vector_load(global uint4 *out, local uint *words)
{
    uint t = get_local_id(0);
    out[t] = vload4(t, words); /* @ local read 4 16 4 4 */
}

kernel void narrow(global uint *out, local uchar *bytes)
{
    uint t = get_local_id(0);
    out[t] = bytes[t]; /* @ local read 1 1 1 1 */
}

kernel void atomic_one_word(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    atomic_inc(words); /* @ local atomic 1 32 1 32 */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = words[0]; /* @ local read 1 1 1 1 */
}

kernel void atomic_own_word(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    out[t] = atomic_add(&words[t], t); /* @ local atomic 1 1 1 1 */
}

/* One half of the lanes after the other: two instructions, two steps. */
kernel void divergence(global uint *out, local uint *words)
{
    uint t = get_local_id(0), s;
    if (t % 2)
        s = words[t]; /* @ local read 1 1 1 1 */
    else
        s = words[ROW * t] * 3; /* @ local read 1 16 1 16 */
    out[t] = s;
}

/* A conflict hidden by a guard: in round j the lanes 0 to j meet in bank j, and 1 + 2 + ... + 32
 * is 528. The k-th reads of all lanes lie in different banks. */
kernel void hidden_guard(global uint *out, local uint *words)
{
    uint t = get_local_id(0), s = 0;
    for (uint j = 0; j < ROW; j++)
        if (j >= t)
            s += words[t * ROW + j]; /* @ local read 32 528 32 32 */
    out[t] = s;
}

/* None, though all lanes' k-th reads lie in bank k. */
kernel void staggered_guard(global uint *out, local uint *words)
{
    uint t = get_local_id(0), s = 0;
    for (uint j = 0; j < ROW; j++)
        if (j >= t)
            s += words[j * ROW + j - t]; /* @ local read 32 32 32 1 */
    out[t] = s;
}

/* Inner loops of different length: every round of the outer one begins anew. */
kernel void ragged_loops(global uint *out, local uint *words)
{
    uint t = get_local_id(0), s = 0;
    for (uint i = 0; i < 4; i++) {
        for (uint j = 0; j <= (t + i) % 4; j++)
            s += words[(4 * i + j) * ROW + t]; /* @ local read 16 16 16 1 */
        s ^= words[i * ROW + t]; /* @ local read 4 4 4 1 */
    }
    out[t] = s;
}

__attribute__((noinline)) uint look(local uint *words, uint at)
{
    return words[at]; /* @ local read 6 36 6 16 */
}

/* One instruction by two paths: called by the even lanes, and by all in each round of a loop. */
kernel void call_path(global uint *out, local uint *words)
{
    uint t = get_local_id(0), s = 0;
    if (t % 2 == 0)
        s = look(words, ROW * t); /* 16 lanes in one bank */
    for (uint i = 0; i < 5; i++)
        s += look(words, t * (i == 4 ? 16 : 1)); /* four rounds free, the fifth of stride 16 */
    out[t] = s;
}

/* What is between barriers stays there. */
kernel void rounds(global uint *out, local uint *words)
{
    uint t = get_local_id(0), s = 0;
    for (uint i = 0; i < 3; i++) {
        words[t] = s + t; /* @ local write 3 3 3 1 */
        barrier(CLK_LOCAL_MEM_FENCE);
        s += words[31 - t]; /* @ local read 3 3 3 1 */
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[t] = s;
}

/* 32 segments of 32 bytes where 4 would hold all; constant memory is not counted. */
constant uint table[4] = {1, 2, 3, 4};
kernel void scattered(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    words[t] = out[8 * t] + table[t % 4]; /* @ global read 1 32 4 32 */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = words[31 - t]; /* @ global write 1 4 4 4 */
}

kernel void no_local(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    out[t] = t; /* @ global write 1 4 4 4 */
}

/* More steps between two barriers than a small trace holds. */
kernel void long_loop(global uint *out, local uint *words)
{
    uint t = get_local_id(0), s = 0;
    for (uint i = 0; i < 8000; i++)
        s += words[(s + i * i) % ROW]; /* @ local read 8000 8000 8000 1 */
    out[t] = s;
}

/* ---- Pages of 4 KiB, by the marks: & <kind> <translations> <walks> <insertions>, for 64 nodes
 * under LRU. The buffer has 16 pages; a path has 5 nodes, of which 4 are common. ---- */

kernel void pages_side_by_side(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    for (uint j = 0; j < 512; j++)
        out[j * ROW + t] = t; /* & write 512 16 20 */
}

kernel void pages_by_lane(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    out[t * 512] = t; /* & write 16 16 20 */
    out[t] = t;       /* & write 1 0 0 */
}

kernel void pages_in_turn(global uint *out, local uint *words)
{
    uint t = get_local_id(0);
    for (uint j = 0; j < 32; j++)
        out[j % 16 * 1024 + t] = t; /* & write 32 16 20 */
}

kernel void pages_at_random(global uint *out, local uint *words)
{
    uint state = 1;
    if (get_local_id(0) == 0)
        for (uint j = 0; j < 4096; j++) {
            state = state * 1664525u + 1013904223u;
            out[(state >> 28) * 1024] = j; /* & write 4096 16 20 */
        }
}
