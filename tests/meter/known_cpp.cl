/* SPDX-License-Identifier: MIT */
/* C++ for OpenCL, which makes generic pointers: a reference, `this`, what a lambda captures. */
template <typename T, unsigned ROW> struct tile {
    local T *words;
    T &at(unsigned row, unsigned column) const
    {
        return *(T *)&words[ROW * row + column];
    }
};

template <typename F> void each(unsigned n, F function)
{
    for (unsigned i = 0; i < n; i++)
        function(i);
}

kernel void columns(global unsigned *out, local unsigned *words)
{
    const tile<unsigned, 32> words_32{words};
    const unsigned t = get_local_id(0);
    unsigned sum = 0;
    each(4, [&](unsigned i) {
        sum += words_32.at(t, i); /* @ local read 4 128 4 32 */
    });
    out[t] = sum;
}

kernel void padded(global unsigned *out, local unsigned *words)
{
    const tile<unsigned, 33> words_33{words};
    const unsigned t = get_local_id(0);
    words_33.at(t, 0) = t; /* @ local write 1 1 1 1 */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = words_33.at(t, 1); /* @ local read 1 1 1 1 */
}
