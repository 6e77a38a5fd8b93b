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

/* Appends "typedef TYPE NAME;" of a built-in type. */
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
