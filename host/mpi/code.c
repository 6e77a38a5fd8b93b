/* SPDX-License-Identifier: MIT */
/* Keys as unsigned numbers of the same order. Little-endian hosts. */
#include <string.h>

#include "code.h"

dmm_key_code dmm_key_code_of(const dmm_order *order)
{
    dmm_key_code code = {.bytes = dmm_type_bytes(order->type),
        .descending = order->descending,
        .zero_equal = order->zero_equal};
    uint64_t infinity = 0;
    switch (order->type) {
    case DMM_F16:
        infinity = 0x7C00;
        break;
    case DMM_F32:
        infinity = 0x7F800000;
        break;
    case DMM_F64:
        infinity = 0x7FFULL << 52;
        break;
    case DMM_I8:
    case DMM_I16:
    case DMM_I32:
    case DMM_I64:
        break;
    default:
        code.all = UINT64_MAX >> (64 - 8 * code.bytes);
        return code;
    }
    code.all = UINT64_MAX >> (64 - 8 * code.bytes);
    code.sign = 1ULL << (8 * code.bytes - 1);
    code.is_float = infinity != 0;
    code.nans = infinity != 0 ? (code.all >> 1) - infinity : 0;
    return code;
}

/* Negative floats grow with falling bits. NaNs of one sign come before all other keys then; the
 * subtraction, which wraps, moves them to the end. */
uint64_t dmm_key_code_at(const dmm_key_code *code, const void *keys, uint64_t at)
{
    uint64_t word = 0;
    memcpy(&word, (const char *)keys + at * code->bytes, code->bytes);
    if (code->zero_equal && word == code->sign)
        word = 0;
    if (code->is_float && (word & code->sign))
        word = ~word & code->all;
    else
        word ^= code->sign;
    return ((code->descending ? code->all - word : word) - code->nans) & code->all;
}
