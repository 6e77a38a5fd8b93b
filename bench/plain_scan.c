/* SPDX-License-Identifier: MIT */
/*
 * A loop for each type and operation.
 */
#include "plain_scan.h"

typedef void (*plain_loop)(const void *in, void *out, size_t n, int exclusive);

#define ADD(a, b)  ((a) + (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define DEFINE_LOOP(name, type, first, combine)                                      \
    static void name(const void *in_bytes, void *out_bytes, size_t n, int exclusive) \
    {                                                                                \
        const type *in = in_bytes;                                                   \
        type *out = out_bytes, running = first;                                      \
        for (size_t i = 0; i < n; i++) {                                             \
            const type before = running;                                             \
            running = (type)combine(running, in[i]);                                 \
            out[i] = exclusive ? before : running;                                   \
        }                                                                            \
    }
#define DEFINE_LOOPS(name, type, unsigned_type, least) \
    DEFINE_LOOP(add_##name, unsigned_type, 0, ADD)     \
    DEFINE_LOOP(most_##name, type, least, MOST)
DEFINE_LOOPS(u8, uint8_t, uint8_t, 0)
DEFINE_LOOPS(i8, int8_t, uint8_t, INT8_MIN)
DEFINE_LOOPS(u16, uint16_t, uint16_t, 0)
DEFINE_LOOPS(i16, int16_t, uint16_t, INT16_MIN)
DEFINE_LOOPS(u32, uint32_t, uint32_t, 0)
DEFINE_LOOPS(i32, int32_t, uint32_t, INT32_MIN)
DEFINE_LOOPS(u64, uint64_t, uint64_t, 0)
DEFINE_LOOPS(i64, int64_t, uint64_t, INT64_MIN)
DEFINE_LOOPS(f32, float, float, 0)
DEFINE_LOOPS(f64, double, double, 0)

static const plain_loop loops[][2] = {
    [DMM_U8] = {add_u8, most_u8},
    [DMM_I8] = {add_i8, most_i8},
    [DMM_U16] = {add_u16, most_u16},
    [DMM_I16] = {add_i16, most_i16},
    [DMM_U32] = {add_u32, most_u32},
    [DMM_I32] = {add_i32, most_i32},
    [DMM_U64] = {add_u64, most_u64},
    [DMM_I64] = {add_i64, most_i64},
    [DMM_F32] = {add_f32, most_f32},
    [DMM_F64] = {add_f64, most_f64},
};

void bench_plain_scan(const dmm_scan_desc *desc, const void *in, void *out, size_t n)
{
    loops[desc->type][desc->op](in, out, n, desc->exclusive);
}
