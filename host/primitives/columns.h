/* SPDX-License-Identifier: MIT */
/* Ports of arrays of spans: field[c] of an args struct. */
#ifndef DMM_PRIMITIVES_COLUMNS_H
#define DMM_PRIMITIVES_COLUMNS_H

#include <dmm/take.h>

#include "core/object.h"

#define DMM_COLUMN_NAMES(field)                                                                   \
    ((const char *const[DMM_MAX_COLUMNS]){#field "[0]", #field "[1]", #field "[2]", #field "[3]", \
        #field "[4]", #field "[5]", #field "[6]", #field "[7]"})
#define DMM_COLUMN(type, field, c, direction, items, bytes)   \
    ((dmm_port){.name = DMM_COLUMN_NAMES(field)[c],           \
        .at = offsetof(type, field) + (c) * sizeof(dmm_span), \
        .access = (direction),                                \
        .n = (items),                                         \
        .item_bytes = (bytes)})
/* Span `field[c]` of an args struct, of n items of `bytes` bytes. */
#define DMM_COLUMN_READ(type, field, c, items, bytes) \
    DMM_COLUMN(type, field, c, DMM_READ, items, bytes)
#define DMM_COLUMN_WRITE(type, field, c, items, bytes) \
    DMM_COLUMN(type, field, c, DMM_WRITE, items, bytes)

#endif
