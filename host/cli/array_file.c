/* SPDX-License-Identifier: MIT */
/* Arrays from and to files of every format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "array.h"
#include "input.h"
#include "npy.h"
#include "option.h"
#include "progress.h"
#include "text.h"
#include "large/scratch.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are little-endian, and so are we");

enum { WRITE_BYTES = 1 << 24 };

cli_format cli_format_of(const char *path)
{
    static const struct {
        const char *ending;
        cli_format format;
    } table[] = {
        {".npy", CLI_NPY}, {".bin", CLI_BIN}, {".txt", CLI_TEXT_LINES}, {".csv", CLI_TEXT_LINES}};
    size_t length = strlen(path);
    const bool is_stream = strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (length > 4 && strcasecmp(path + length - 4, table[i].ending) == 0)
            return table[i].format;
    if (cli_global.format != CLI_NO_FORMAT && length > 0)
        return (cli_format)cli_global.format;
    return is_stream ? CLI_TEXT_LINES : CLI_NO_FORMAT;
}

/* Takes ownership of `file`, whose items begin at byte `at`; moves them if they would not be
 * aligned. */
static void adopt(cli_array *out, char *file, size_t at, size_t count)
{
    bool aligned = out->type == DMM_ITEM || at % out->item_bytes == 0;
    if (!aligned)
        memmove(file, file + at, count * out->item_bytes);
    out->block = file;
    out->data = file + (aligned ? at : 0);
    out->count = count;
}

static bool refuse_name(const char *path, cli_error *error)
{
    static const char *const others[] = {".parquet", ".arrow", ".feather", ".npz", ".h5"};
    const char *const dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof others / sizeof others[0]; i++)
        if (strcasecmp(dot, others[i]) == 0)
            return cli_fail(error, CLI_MISTAKE, path,
                "%s files are read in Python, and sorted there by the package dmm_cl; or save an "
                ".npy or a .csv",
                others[i]);
    return cli_fail(error, CLI_MISTAKE, path,
        "its name must end in .npy, .bin, .txt or .csv; or give --format, or - for text");
}

/* Reads the keys of an .npy file. Takes ownership of `file` on success. */
static bool take_npy_keys(cli_array *out, char *file, size_t bytes, dmm_type type, bool rows,
    const char *path, cli_error *error)
{
    cli_npy npy;
    if (!(rows ? cli_parse_npy_rows(&npy, file, bytes, CLI_ANY_COLUMNS, path, error)
               : cli_parse_npy(&npy, file, bytes, path, error)))
        return false;
    if (npy.type == DMM_ITEM)
        return cli_fail(error, CLI_MISTAKE, path,
            "its type %s is not one of u1 to u8, i1 to i8, f2 to f8, b1, M8 and m8", npy.descr);
    if (type != DMM_ITEM && type != npy.type)
        return cli_fail(error, CLI_MISTAKE, path, "it holds %s, but -t says %s",
            dmm_type_name(npy.type), dmm_type_name(type));
    out->type = npy.type;
    out->item_bytes = npy.item_bytes;
    out->columns = npy.columns;
    cli_keep_descr(out, &npy);
    adopt(out, file, npy.data_bytes_at, npy.count);
    if (npy.big_endian)
        cli_swap_bytes(out);
    return true;
}

static bool take_npy_values(cli_array *out, char *file, size_t bytes, uint64_t value_bytes,
    const char *path, cli_error *error)
{
    cli_npy npy;
    if (!cli_parse_npy(&npy, file, bytes, path, error))
        return false;
    if (value_bytes != 0 && value_bytes != npy.item_bytes)
        return cli_fail(error, CLI_MISTAKE, path,
            "its items have %u bytes, --value-bytes says %llu", npy.item_bytes,
            (unsigned long long)value_bytes);
    out->type = DMM_ITEM;
    out->item_bytes = npy.item_bytes;
    memcpy(out->descr, npy.descr, sizeof out->descr);
    adopt(out, file, npy.data_bytes_at, npy.count);
    return true;
}

/* Reads raw items of out->item_bytes. Takes ownership of `file` on success. */
static bool take_bin(cli_array *out, char *file, size_t bytes, const char *path, cli_error *error)
{
    if (bytes % out->item_bytes != 0)
        return cli_fail(error, CLI_MISTAKE, path, "its %zu bytes are not whole items of %u bytes",
            bytes, out->item_bytes);
    adopt(out, file, 0, bytes / out->item_bytes);
    return true;
}

bool cli_read_keys(cli_array *out, const char *path, dmm_type type, cli_error *error)
{
    char *file = NULL;
    size_t bytes = 0;
    bool ok = false;
    cli_format format = cli_format_of(path);
    *out = (cli_array){.count = 0};
    if (format == CLI_NO_FORMAT)
        return refuse_name(path, error);
    if (format == CLI_BIN && type == DMM_ITEM)
        return cli_fail(error, CLI_MISTAKE, path, "raw items need their type: give -t TYPE");
    if (!cli_read_file(&file, &bytes, path, error))
        return false;
    if (format == CLI_TEXT_LINES && cli_is_npy(file, bytes))
        format = CLI_NPY;
    if (format == CLI_TEXT_LINES) {
        ok = cli_parse_text(out, file, bytes, type, path, error);
        free(file);
        file = NULL;
    } else if (format == CLI_NPY) {
        ok = take_npy_keys(out, file, bytes, type, false, path, error);
    } else {
        *out = (cli_array){.type = type, .item_bytes = dmm_type_bytes(type)};
        ok = take_bin(out, file, bytes, path, error);
    }
    if (!ok)
        free(file);
    return ok;
}

bool cli_take_rows(cli_array *out, char *file, size_t bytes, const char *path, cli_error *error)
{
    *out = (cli_array){.count = 0};
    return file ? take_npy_keys(out, file, bytes, DMM_ITEM, true, path, error)
                : cli_read_rows(out, path, error);
}

bool cli_read_rows(cli_array *out, const char *path, cli_error *error)
{
    char *file = NULL;
    size_t bytes = 0;
    *out = (cli_array){.count = 0};
    if (!cli_read_file(&file, &bytes, path, error))
        return false;
    if (take_npy_keys(out, file, bytes, DMM_ITEM, true, path, error))
        return true;
    free(file);
    return false;
}

bool cli_read_values(
    cli_array *out, const char *path, uint64_t value_bytes, size_t count, cli_error *error)
{
    char *file = NULL;
    size_t bytes = 0;
    bool ok = false;
    cli_format format = cli_format_of(path);
    *out = (cli_array){.count = 0};
    const bool is_open = strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0;
    if (format != CLI_NPY && format != CLI_BIN && !is_open)
        return cli_fail(error, CLI_MISTAKE, path, "values are read from .npy or .bin files");
    if (value_bytes > CLI_VALUE_BYTES_MAX || (format == CLI_BIN && value_bytes == 0))
        return cli_fail(error, CLI_MISTAKE, path, "values need their size: --value-bytes 1 to %d",
            CLI_VALUE_BYTES_MAX);
    if (!cli_read_file(&file, &bytes, path, error))
        return false;
    if (format != CLI_NPY && format != CLI_BIN && !cli_is_npy(file, bytes)) {
        free(file);
        return cli_fail(error, CLI_MISTAKE, path,
            "values come as .npy here; raw ones with --format bin and --value-bytes");
    }
    format = format != CLI_BIN ? CLI_NPY : CLI_BIN;
    if (format == CLI_NPY) {
        ok = take_npy_values(out, file, bytes, value_bytes, path, error);
    } else {
        *out = (cli_array){.type = DMM_ITEM, .item_bytes = (uint32_t)value_bytes};
        ok = take_bin(out, file, bytes, path, error);
    }
    if (!ok) {
        free(file);
        return false;
    }
    return out->count == count || cli_fail(error, CLI_MISTAKE, path,
                                      "it holds %zu values for %zu keys", out->count, count);
}

bool cli_check_output_name(const char *path, bool opaque, cli_error *error)
{
    cli_format format = cli_format_of(path);
    if (opaque && format != CLI_NPY && format != CLI_BIN)
        return cli_fail(error, CLI_MISTAKE, path, "values are written to .npy or .bin files");
    return format != CLI_NO_FORMAT || refuse_name(path, error);
}

bool cli_choose_output(const char **output, cli_error *error)
{
    if (!*output)
        *output = "-";
    return cli_check_output_name(*output, false, error);
}

static bool write_npy_header(cli_output *output, const cli_array *array, cli_error *error)
{
    char header[CLI_NPY_HEADER_BYTES];
    char descr[CLI_DESCR_BYTES];
    if (array->descr[0])
        memcpy(descr, array->descr, sizeof descr);
    else if (array->type != DMM_ITEM)
        cli_npy_descr(descr, array->type);
    else
        snprintf(descr, sizeof descr, "|V%u", array->item_bytes);
    cli_print_npy_rows(header, descr, array->count, array->columns);
    return cli_write(output, header, sizeof header, error);
}

bool cli_write_head(cli_output *output, const cli_array *array, cli_error *error)
{
    return cli_format_of(output->name) != CLI_NPY || write_npy_header(output, array, error);
}

bool cli_rewrite_head(cli_output *output, const cli_array *array, cli_error *error)
{
    return cli_format_of(output->name) != CLI_NPY ||
           (cli_rewind(output, error) && write_npy_header(output, array, error));
}

bool cli_write_items(cli_output *output, const cli_array *array, cli_error *error)
{
    if (cli_format_of(output->name) == CLI_TEXT_LINES)
        return cli_write_lines(output, array, 0, array->count, error);
    return cli_write(output, array->data, array->count * array->item_bytes, error);
}

bool cli_write_array(cli_output *output, const cli_array *array, cli_error *error)
{
    cli_format format = cli_format_of(output->name);
    size_t bytes = array->count * array->item_bytes;
    if (format == CLI_TEXT_LINES)
        return cli_write_text(output, array, error);
    cli_progress_bytes("writing", bytes);
    if (!cli_write_head(output, array, error))
        return false;
    for (size_t at = 0; at < bytes; at += WRITE_BYTES) {
        size_t part = bytes - at < WRITE_BYTES ? bytes - at : WRITE_BYTES;
        if (!cli_write(output, (const char *)array->data + at, part, error))
            return false;
        cli_progress_step(at + part);
    }
    return true;
}

bool cli_open_pair(cli_pair *out, const char *keys, const char *values, cli_error *error)
{
    if (!cli_open_output(&out->keys, keys, error))
        return false;
    if (!values)
        return true;
    if (!cli_open_output(&out->values, values, error))
        return false;
    return !cli_same_output(&out->keys, &out->values) ||
           cli_fail(error, CLI_MISTAKE, out->values.shown, "each output needs a file of its own");
}

static bool make_rewind(cli_output *output, cli_error *error)
{
    cli_scratch scratch = CLI_SCRATCH_INIT;
    if (!output->name || cli_format_of(output->name) != CLI_NPY || cli_rewinds(output))
        return true;
    if (!cli_open_scratch(&scratch, NULL, "-", NULL, NULL, error))
        return false;
    cli_spool(output, scratch.fd);
    return true;
}

bool cli_make_rewind(cli_pair *pair, cli_error *error)
{
    return make_rewind(&pair->keys, error) && make_rewind(&pair->values, error);
}

bool cli_commit_pair(cli_pair *pair, cli_error *error)
{
    cli_output *const outputs[] = {&pair->keys, &pair->values};
    return cli_commit_outputs(outputs, pair->values.name ? 2 : 1, error);
}

bool cli_write_pair(
    cli_pair *pair, const cli_array *keys, const cli_array *values, cli_error *error)
{
    return cli_write_array(&pair->keys, keys, error) &&
           (!pair->values.name || cli_write_array(&pair->values, values, error)) &&
           cli_commit_pair(pair, error);
}

void cli_close_pair(cli_pair *pair)
{
    cli_close_output(&pair->keys);
    cli_close_output(&pair->values);
}
