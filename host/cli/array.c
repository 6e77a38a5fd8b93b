/* SPDX-License-Identifier: MIT */
/* Arrays in memory. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

void cli_free_array(cli_array *array)
{
    free(array->block);
    *array = (cli_array){.count = 0};
}

bool cli_make_array(
    cli_array *out, dmm_type type, uint32_t item_bytes, size_t count, cli_error *error)
{
    uint32_t bytes = type == DMM_ITEM ? item_bytes : dmm_type_bytes(type);
    *out = (cli_array){.type = type, .item_bytes = bytes, .count = count};
    if (count > SIZE_MAX / bytes)
        return cli_fail_memory(error, NULL, SIZE_MAX);
    out->block = malloc(count > 0 ? count * bytes : 1);
    if (!out->block)
        return cli_fail_memory(error, NULL, (unsigned long long)count * bytes);
    out->data = out->block;
    return true;
}

bool cli_make_alike(cli_array *out, const cli_array *like, size_t count, cli_error *error)
{
    if (!cli_make_array(out, like->type, like->item_bytes, count, error))
        return false;
    memcpy(out->descr, like->descr, sizeof out->descr);
    return true;
}

bool cli_copy_array(cli_array *out, const cli_array *of, cli_error *error)
{
    if (!cli_make_alike(out, of, of->count, error))
        return false;
    if (of->count > 0)
        memcpy(out->data, of->data, of->count * of->item_bytes);
    return true;
}

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* True if the text has a variable of this name. */
static bool has_name(const char *text, const char *name)
{
    for (const char *at = text; (at = strstr(at, name)); at++)
        if ((at == text || !is_part_of_name(at[-1])) && !is_part_of_name(at[strlen(name)]))
            return true;
    return false;
}

bool cli_check_text(
    const char *option, const char *text, const char *name, dmm_type type, cli_error *error)
{
    return type != DMM_F16 || !text || strstr(text, "dmm_from_half") || !has_name(text, name) ||
           cli_fail(error, CLI_MISTAKE, option,
               "%s is a half, whose 16 bits the text gets: write dmm_from_half(%s) for the number",
               name, name);
}

void cli_swap_bytes(cli_array *array)
{
    unsigned char *item = array->data;
    uint32_t bytes = array->item_bytes;
    for (size_t i = 0; i < array->count; i++, item += bytes) {
        for (uint32_t j = 0; j < bytes / 2; j++) {
            unsigned char byte = item[j];
            item[j] = item[bytes - 1 - j];
            item[bytes - 1 - j] = byte;
        }
    }
}
