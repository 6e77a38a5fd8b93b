/* SPDX-License-Identifier: MIT */
/*
 * The usual transpose, by as many threads as there are processors: 8 x 8 words in registers, whole
 * lines written past the cache. Each thread turns bands of 16 rows.
 */
#include "peers/peers.h"
#include "peers/plain_scatter.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace
{

constexpr std::size_t side = 16; /* words of a line */

/* A matrix and its transpose. */
struct matrices {
    const std::uint32_t *in;
    std::uint32_t *out;
    std::size_t rows, cols;
};

/* Turns height x width words from (row, col) on. */
void turn_part(
    const matrices &m, std::size_t row, std::size_t col, std::size_t height, std::size_t width)
{
    for (std::size_t c = col; c < col + width; c++)
        for (std::size_t r = row; r < row + height; r++)
            m.out[c * m.rows + r] = m.in[r * m.cols + c];
}

#if defined(__x86_64__)

/* Loads words c .. c + 3 of rows r and r + 4. */
__attribute__((target("avx"))) __m256 load_halves(const float *at, std::size_t stride)
{
    return _mm256_insertf128_ps(
        _mm256_castps128_ps256(_mm_loadu_ps(at)), _mm_loadu_ps(at + 4 * stride), 1);
}

__attribute__((target("avx"))) void load_turned(const float *at, std::size_t stride, __m256 to[8])
{
    for (int half = 0; half < 2; half++) {
        const float *const from = at + 4 * half;
        const __m256 a = load_halves(from, stride), b = load_halves(from + stride, stride);
        const __m256 c = load_halves(from + 2 * stride, stride);
        const __m256 d = load_halves(from + 3 * stride, stride);
        const __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);
        const __m256 ef = _mm256_unpackhi_ps(a, b), gh = _mm256_unpackhi_ps(c, d);
        to[4 * half] = _mm256_shuffle_ps(ab, cd, 0x44);
        to[4 * half + 1] = _mm256_shuffle_ps(ab, cd, 0xee);
        to[4 * half + 2] = _mm256_shuffle_ps(ef, gh, 0x44);
        to[4 * half + 3] = _mm256_shuffle_ps(ef, gh, 0xee);
    }
}

/* Turns 16 rows x 8 columns. */
__attribute__((target("avx"))) void turn_columns(
    const matrices &m, std::size_t row, std::size_t col)
{
    const auto *const at = reinterpret_cast<const float *>(m.in) + row * m.cols + col;
    __m256 upper[8], lower[8];
    load_turned(at, m.cols, upper);
    load_turned(at + 8 * m.cols, m.cols, lower);
    for (std::size_t i = 0; i < 8; i++) {
        auto *const to = reinterpret_cast<float *>(m.out) + (col + i) * m.rows + row;
        _mm256_stream_ps(to, upper[i]);
        _mm256_stream_ps(to + 8, lower[i]);
    }
}

bool has_vectors(const matrices &m)
{
    const auto address = reinterpret_cast<std::uintptr_t>(m.out) | m.rows * sizeof *m.out;
    return __builtin_cpu_supports("avx") && address % 32 == 0;
}

#else

void turn_columns(const matrices &, std::size_t, std::size_t)
{
}

bool has_vectors(const matrices &)
{
    return false;
}

#endif

void turn_band(const matrices &m, std::size_t row, bool vectors)
{
    const std::size_t height = std::min(side, m.rows - row);
    std::size_t col = 0;
    if (vectors && height == side)
        for (; m.cols - col >= 8; col += 8)
            turn_columns(m, row, col);
    turn_part(m, row, col, height, m.cols - col);
}

} // namespace

int peer_plain_transpose(
    const std::uint32_t *in, std::uint32_t *out, std::size_t rows, std::size_t cols)
{
    const matrices m = {in, out, rows, cols};
    const bool vectors = has_vectors(m);
    plain::team all(rows * cols);
    all.run([&](std::size_t t) {
        const std::size_t bands = (rows + side - 1) / side;
        for (std::size_t band = bands * t / all.size; band < bands * (t + 1) / all.size; band++)
            turn_band(m, band * side, vectors);
    });
    return 1;
}
