/* SPDX-License-Identifier: MIT */
/*
 * Operators that are given, as texts for each type.
 */
#include <stddef.h>
#include <string.h>

#include "cl/items_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "primitives/order.h"
#include "primitives/prelude.h"
#include "primitives/scan.h"

/* A position and its value, without bytes that nothing initializes. Of equal values the one at the
 * lesser position is taken; the identity's position is greater than all. pad: it fills 8 bytes. */
#define PLACED(type, pad) "typedef struct { ulong at; " type " value; " pad "} dmm_item;"
/* nan: "isnan(a.value) || " for floats: a NaN gives way to anything. */
#define FIRST(nan, before) \
    nan "b.value " before " a.value || (b.value == a.value && b.at < a.at) ? b : a"
#define NOWHERE(value) "(dmm_item){ULONG_MAX, " value "}"
#define PAIR(type)     "typedef struct { " type " least, greatest; } dmm_item;"
#define BOTH(min, max) "(dmm_item){" min "(a.least, b.least), " max "(a.greatest, b.greatest)}"

#define LAST "b.greatest != 0 ? b : a"
/* Expressions of maps. */
#define AND_1     "(dmm_item){item, 1}"
#define AND_PLACE "(dmm_item){i, item}"

/* The texts of an operator. */
typedef struct texts {
    const char *item, *combine, *identity;
} texts;

#define ROW(type, pad, nan, low, high, min, max)                                               \
    {                                                                                          \
        [DMM_OPERATOR_ARGMIN] = {PLACED(type, pad), FIRST(nan, "<"), NOWHERE(high)},           \
        [DMM_OPERATOR_ARGMAX] = {PLACED(type, pad), FIRST(nan, ">"), NOWHERE(low)},            \
        [DMM_OPERATOR_MINMAX] = {PAIR(type), BOTH(min, max), "(dmm_item){" high ", " low "}"}, \
    }
#define INTEGER(type, pad, low, high) ROW(type, pad, "", low, high, "min", "max")
/* fmin and fmax pass NaNs over, too. */
#define FLOAT(type, pad) \
    ROW(type, pad, "isnan(a.value) || ", "-INFINITY", "INFINITY", "fmin", "fmax")

/* Halves are their bits. */
#define HALF "dmm_from_half"
#define FIRST_HALF(before)                                                                 \
    "isnan(" HALF "(a.value)) || " HALF "(b.value) " before " " HALF "(a.value) || (" HALF \
    "(b.value) == " HALF "(a.value) && b.at < a.at) ? b : a"
#define PASSED_HALF(a, before, b) \
    "(isnan(" HALF "(" a ")) || " HALF "(" b ") " before " " HALF "(" a ") ? " b " : " a ")"

static const texts rows[][DMM_OPERATOR_MINMAX + 1] =
    {
        [DMM_U32] = INTEGER("uint", "uint pad; ", "0", "UINT_MAX"),
        [DMM_U8] = INTEGER("uchar", "uchar pad[7]; ", "0", "UCHAR_MAX"),
        [DMM_I8] = INTEGER("char", "uchar pad[7]; ", "CHAR_MIN", "CHAR_MAX"),
        [DMM_U16] = INTEGER("ushort", "ushort pad[3]; ", "0", "USHRT_MAX"),
        [DMM_I16] = INTEGER("short", "ushort pad[3]; ", "SHRT_MIN", "SHRT_MAX"),
        [DMM_I32] = INTEGER("int", "uint pad; ", "INT_MIN", "INT_MAX"),
        [DMM_U64] = INTEGER("ulong", "", "0", "ULONG_MAX"),
        [DMM_I64] = INTEGER("long", "", "LONG_MIN", "LONG_MAX"),
        [DMM_F16] =
            {
                [DMM_OPERATOR_ARGMIN] = {DMM_PRELUDE_HALVES PLACED("ushort", "ushort pad[3]; "),
                    FIRST_HALF("<"), NOWHERE("0x7c00")},
                [DMM_OPERATOR_ARGMAX] = {DMM_PRELUDE_HALVES PLACED("ushort", "ushort pad[3]; "),
                    FIRST_HALF(">"), NOWHERE("0xfc00")},
                [DMM_OPERATOR_MINMAX] = {DMM_PRELUDE_HALVES PAIR("ushort"),
                    "(dmm_item){" PASSED_HALF("a.least", "<", "b.least") ", " PASSED_HALF(
                        "a.greatest", ">", "b.greatest") "}",
                    "(dmm_item){0x7c00, 0xfc00}"},
            },
        [DMM_F32] = FLOAT("float", "uint pad; "),
        [DMM_F64] = FLOAT("double", ""),
};

dmm_status dmm_operator_given(
    dmm_operator *own, dmm_map *map, dmm_operator_name name, dmm_type type)
{
    dmm_status status = DMM_OK;
    dmm_refuse_begin();
    if (own == NULL || map == NULL)
        return DMM_NULL_ARGUMENT;
    const int is_pair = name == DMM_OPERATOR_MINMAX;
    FAIL_IF((unsigned)name > DMM_OPERATOR_DIFFERENCE,
        dmm_refuse(DMM_BAD_VALUE, "name: %d is no dmm_operator_name", (int)name));
    FAIL_IF((size_t)type >= sizeof rows / sizeof *rows,
        dmm_refuse(DMM_BAD_VALUE, "type: must be an integer or a float type"));
    if (name == DMM_OPERATOR_DIFFERENCE) { /* pairs of an item and 1; the later one is taken */
        *own = (dmm_operator){.item_bytes = 2 * dmm_type_bytes(type),
            .item = rows[type][DMM_OPERATOR_MINMAX].item,
            .combine = LAST,
            .identity = "(dmm_item){0, 0}",
            .exact = 1};
        *map = (dmm_map){.item = {type, 0},
            .expression = AND_1,
            .out = type == DMM_F16 ? "dmm_to_half(dmm_from_half(item) - dmm_from_half(total.least))"
                                   : "item - total.least",
            .result = {type, 0}};
        goto out;
    }
    const texts *const row = &rows[type][name];
    *own = (dmm_operator){.item_bytes = is_pair ? 2 * dmm_type_bytes(type) : sizeof(dmm_placed),
        .item = row->item,
        .combine = row->combine,
        .identity = row->identity,
        .commutes = 1,
        .exact = 1};
    *map =
        (dmm_map){.item = {type, 0}, .expression = is_pair ? "(dmm_item){item, item}" : AND_PLACE};
out:
    return status;
}

static int are_equal(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* True if the texts are an operator's. */
static int are_of(const texts *row, const dmm_operator *own)
{
    return are_equal(row->item, own->item) && are_equal(row->combine, own->combine) &&
           are_equal(row->identity, own->identity);
}

void dmm_operator_define(dmm_options *options, const dmm_operator *own, const dmm_map *map)
{
    const char *const expression = map != NULL ? map->expression : NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const dmm_type type = (dmm_type)i;
        const int is_least = are_of(&rows[i][DMM_OPERATOR_ARGMIN], own);
        if (is_least || are_of(&rows[i][DMM_OPERATOR_ARGMAX], own)) {
            dmm_options_define(options, "DMM_PLACED", is_least ? 1 : 2);
            dmm_options_define(options, "DMM_PLACED_BYTES", dmm_type_bytes(type));
            dmm_options_define(options, "DMM_PLACED_KIND", dmm_kind(type));
            dmm_options_define(
                options, "DMM_PLACED_IN_ORDER", (uint64_t)are_equal(expression, AND_PLACE));
        } else if (are_equal(rows[i][DMM_OPERATOR_MINMAX].item, own->item) &&
                   are_equal(own->combine, LAST) && are_equal(expression, AND_1)) {
            dmm_options_define(options, "DMM_SCAN_LAST", 1);
        } else {
            continue;
        }
        return;
    }
}
