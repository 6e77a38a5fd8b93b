/* SPDX-License-Identifier: MIT */
/*
 * The caller's texts as a prelude of a program: an item type and functions of expressions. Messages
 * of a compiler name the field and the caller's own line: "select.where:1:7". Each function takes
 * the prelude so far, which it frees, and returns a longer one, to be freed. NULL: out of memory,
 * now or before.
 */
#ifndef DMM_PRIMITIVES_PRELUDE_H
#define DMM_PRIMITIVES_PRELUDE_H

#include <dmm/types.h>

/* Returns an empty prelude. */
char *dmm_prelude_new(void);

/* Returns the OpenCL C name of a built-in type; halves are their bits. */
const char *dmm_prelude_type(dmm_type type);

/* Appends the type dmm_item: as `item` declares it, or a built-in type (halves are their bits). */
char *dmm_prelude_item(char *prelude, const char *field, dmm_type type, const char *item);

/*
 * dmm_from_half and dmm_to_half, for texts that compute with halves, which they get as bits: exact,
 * and rounded to the nearest, ties to even, on devices without half floats and without subnormal
 * floats, too. May be there twice.
 */
#define DMM_PRELUDE_HALVES                                                                      \
    "#ifndef DMM_HALVES\n#define DMM_HALVES\n"                                                  \
    "static inline float dmm_from_half(const ushort bits)\n{\n"                                 \
    "    const uint size = (uint)(bits & 0x7fff) << 13;\n"                                      \
    "    const uint most = size + (size >= 0x0f800000u ? 0x70000000u : 0x38000000u);\n"         \
    "    const uint least = as_uint(as_float(size + 0x38800000u) - as_float(0x38800000u));\n"   \
    "    return as_float((size >= 0x00800000u ? most : least) | (uint)(bits & 0x8000) << "      \
    "16);\n}\n"                                                                                 \
    "static inline ushort dmm_to_half(const float number)\n{\n"                                 \
    "    const uint word = as_uint(number), size = word & 0x7fffffffu, sign = word >> 16 & "    \
    "0x8000u;\n"                                                                                \
    "    if (size > 0x7f800000u)\n        return (ushort)(sign | 0x7e00u | (size >> 13 & "      \
    "0x1ffu));\n"                                                                               \
    "    if (size >= 0x477ff000u)\n        return (ushort)(sign | 0x7c00u);\n"                  \
    "    if (size < 0x38800000u)\n"                                                             \
    "        return (ushort)(sign | (as_uint(as_float(size) + 0.5f) - 0x3f000000u));\n"         \
    "    return (ushort)(sign | (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13);\n}\n" \
    "#endif\n"

/* Appends them if the type is DMM_F16. */
char *dmm_prelude_halves(char *prelude, dmm_type type);

/* Appends "typedef TYPE NAME;" of a built-in type; of halves, also what computes with them. */
char *dmm_prelude_typedef(char *prelude, dmm_type type, const char *name);
/* Appends a text of the caller's. */
char *dmm_prelude_declare(char *prelude, const char *field, const char *text);
/* Appends a check, by the compiler, of a type's size; such a message names NAME. */
char *dmm_prelude_size(char *prelude, const char *name, uint32_t bytes);

/* A function that returns what an expression says. */
typedef struct dmm_prelude_text {
    const char *head;  /* such as "int dmm_item_less(const dmm_item a, const dmm_item b)" */
    const char *field; /* as messages name it */
    const char *text;  /* the caller's */
    const char *before, *after; /* what encloses the text */
} dmm_prelude_text;

/* Appends that function. */
char *dmm_prelude_function(char *prelude, const dmm_prelude_text *function);

/* Returns the prelude of an order, its item type and `less`: "" if the order needs none. */
char *dmm_order_prelude(const dmm_order *order);

#endif
