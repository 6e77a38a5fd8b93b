/* SPDX-License-Identifier: MIT */
/* Sizes and names of the key types. */
#include <dmm/types.h>

typedef struct type_row {
    const char *name;
    uint32_t bytes;
} type_row;

static const type_row rows[] = {
    [DMM_U32] = {"u32", 4},
    [DMM_U8] = {"u8", 1},
    [DMM_I8] = {"i8", 1},
    [DMM_U16] = {"u16", 2},
    [DMM_I16] = {"i16", 2},
    [DMM_I32] = {"i32", 4},
    [DMM_U64] = {"u64", 8},
    [DMM_I64] = {"i64", 8},
    [DMM_F16] = {"f16", 2},
    [DMM_F32] = {"f32", 4},
    [DMM_F64] = {"f64", 8},
    [DMM_ITEM] = {"item", 0},
};

static const type_row *row_of(dmm_type type)
{
    const size_t i = (size_t)type;
    return i < sizeof rows / sizeof rows[0] ? &rows[i] : NULL;
}

uint32_t dmm_type_bytes(dmm_type type)
{
    const type_row *row = row_of(type);
    return row != NULL ? row->bytes : 0;
}

const char *dmm_type_name(dmm_type type)
{
    const type_row *row = row_of(type);
    return row != NULL ? row->name : NULL;
}
