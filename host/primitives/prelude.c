/* SPDX-License-Identifier: MIT */
/*
 * The caller's texts as a prelude.
 */
#include "primitives/prelude.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends texts, the last of them NULL. */
static char *append(char *prelude, const char *const *texts)
{
    size_t bytes = prelude != NULL ? strlen(prelude) + 1 : 0;
    for (size_t i = 0; texts[i] != NULL; i++)
        bytes += strlen(texts[i]);
    char *const longer = prelude != NULL ? realloc(prelude, bytes) : NULL;
    if (longer == NULL) {
        free(prelude);
        return NULL;
    }
    for (size_t i = 0; texts[i] != NULL; i++)
        strcat(longer, texts[i]);
    return longer;
}

char *dmm_prelude_new(void)
{
    return calloc(1, 1);
}

const char *dmm_prelude_type(dmm_type type)
{
    static const char *const names[] = {
        [DMM_U32] = "uint",
        [DMM_U8] = "uchar",
        [DMM_I8] = "char",
        [DMM_U16] = "ushort",
        [DMM_I16] = "short",
        [DMM_I32] = "int",
        [DMM_U64] = "ulong",
        [DMM_I64] = "long",
        [DMM_F16] = "ushort",
        [DMM_F32] = "float",
        [DMM_F64] = "double",
    };
    return names[type];
}

char *dmm_prelude_declare(char *prelude, const char *field, const char *text)
{
    return append(prelude, (const char *const[]){"#line 1 \"", field, "\"\n", text, "\n", NULL});
}

char *dmm_prelude_halves(char *prelude, dmm_type type)
{
    return type != DMM_F16 ? prelude
                           : append(prelude, (const char *const[]){DMM_PRELUDE_HALVES, NULL});
}

char *dmm_prelude_typedef(char *prelude, dmm_type type, const char *name)
{
    return append(dmm_prelude_halves(prelude, type),
        (const char *const[]){"typedef ", dmm_prelude_type(type), " ", name, ";\n", NULL});
}

char *dmm_prelude_size(char *prelude, const char *name, uint32_t bytes)
{
    char number[16];
    snprintf(number, sizeof number, "%u", (unsigned)bytes);
    return append(
        prelude, (const char *const[]){"typedef char ", name, "_bytes_must_be_its_sizeof[sizeof(",
                     name, ") == ", number, " ? 1 : -1];\n", NULL});
}

char *dmm_prelude_item(char *prelude, const char *field, dmm_type type, const char *item)
{
    return type == DMM_ITEM ? dmm_prelude_declare(prelude, field, item)
                            : dmm_prelude_typedef(prelude, type, "dmm_item");
}

char *dmm_prelude_function(char *prelude, const dmm_prelude_text *function)
{
    const char *const texts[] = {"static inline ", function->head, "\n{\n    return ",
        function->before, "\n#line 1 \"", function->field, "\"\n", function->text, "\n",
        function->after, ";\n}\n", NULL};
    return append(prelude, texts);
}

char *dmm_order_prelude(const dmm_order *order)
{
    char *const prelude = dmm_prelude_new();
    if (order->less == NULL)
        return prelude;
    return dmm_prelude_function(dmm_prelude_item(prelude, "item", order->type, order->item),
        &(dmm_prelude_text){"int dmm_item_less(const dmm_item a, const dmm_item b)", "less",
            order->less, "(", ") ? 1 : 0"});
}
