/* SPDX-License-Identifier: MIT */
/* Parses and prints .npy headers. Every step of the parser is bounded by `end`. */
#include <stdio.h>
#include <string.h>

#include "npy.h"

enum { MAGIC_BYTES = 6 };
static const char magic[MAGIC_BYTES + 1] = "\x93NUMPY";

typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static void skip_spaces(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n'))
        c->at++;
}

/* Consumes `symbol` if it is next, ignoring spaces. */
static bool take(cursor *c, char symbol)
{
    skip_spaces(c);
    if (c->at == c->end || *c->at != symbol)
        return false;
    c->at++;
    return true;
}

/* Parses a quoted string without escapes, shorter than `space`. */
static bool take_string(cursor *c, char *out, size_t space)
{
    size_t used = 0;
    skip_spaces(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    char quote = *c->at++;
    for (; c->at < c->end && *c->at != quote; c->at++) {
        if (used + 1 >= space || *c->at == '\\' || *c->at == '\0')
            return false;
        out[used++] = *c->at;
    }
    out[used] = '\0';
    return take(c, quote);
}

static bool take_word(cursor *c, const char *word)
{
    size_t bytes = strlen(word);
    skip_spaces(c);
    if ((size_t)(c->end - c->at) < bytes || memcmp(c->at, word, bytes) != 0)
        return false;
    c->at += bytes;
    return true;
}

/* Parses digits; after a 0 there are no others: Python 2 would take them as octal. */
static bool take_digits(cursor *c, size_t *out)
{
    size_t value = 0;
    const char *const first = c->at;
    if (c->at == c->end || *c->at < '0' || *c->at > '9')
        return false;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        size_t digit = (size_t)(*c->at - '0');
        if (value > (SIZE_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *out = value;
    return *first != '0' || c->at - first == 1;
}

/* Parses a number, with Python 2's optional L. */
static bool take_number(cursor *c, size_t *out)
{
    skip_spaces(c);
    if (!take_digits(c, out))
        return false;
    if (c->at < c->end && *c->at == 'L')
        c->at++;
    return true;
}

/* Parses a tuple of sizes and keeps the first two. A single size has a comma: in Python (5) is a
 * number. */
static bool take_shape(cursor *c, size_t kept[2], size_t *dimensions)
{
    size_t size;
    bool comma = true;
    *dimensions = 0;
    if (!take(c, '('))
        return false;
    while (!take(c, ')')) {
        if (!comma || !take_number(c, &size))
            return false;
        if (*dimensions < 2)
            kept[*dimensions] = size;
        (*dimensions)++;
        comma = take(c, ',');
    }
    return *dimensions != 1 || comma;
}

typedef struct fields {
    char descr[CLI_DESCR_BYTES];
    size_t shape[2], dimensions;
    bool has_descr, has_order, has_shape, by_columns;
} fields;

static bool take_field(cursor *c, fields *f)
{
    char name[16];
    bool *seen = NULL;
    bool ok = take_string(c, name, sizeof name) && take(c, ':');
    if (!ok)
        return false;
    if (strcmp(name, "descr") == 0) {
        seen = &f->has_descr;
        ok = take_string(c, f->descr, sizeof f->descr);
    } else if (strcmp(name, "fortran_order") == 0) {
        seen = &f->has_order;
        f->by_columns = take_word(c, "True");
        ok = f->by_columns || take_word(c, "False");
    } else if (strcmp(name, "shape") == 0) {
        seen = &f->has_shape;
        ok = take_shape(c, f->shape, &f->dimensions);
    }
    if (!seen || *seen || !ok)
        return false;
    *seen = true;
    return true;
}

static bool take_dictionary(cursor *c, fields *f)
{
    bool comma = true;
    if (!take(c, '{'))
        return false;
    while (!take(c, '}')) {
        if (!comma || !take_field(c, f))
            return false;
        comma = take(c, ',');
    }
    skip_spaces(c);
    return c->at == c->end && f->has_descr && f->has_order && f->has_shape;
}

/* Returns the key type for a kind letter and a size, as in u4; DMM_ITEM for none. */
static dmm_type key_type(char kind, size_t bytes)
{
    char name[8];
    if ((kind != 'u' && kind != 'i' && kind != 'f') || bytes > 8)
        return DMM_ITEM;
    snprintf(name, sizeof name, "%c%u", kind, (unsigned)bytes * 8);
    for (dmm_type type = DMM_U32; type < DMM_ITEM; type++)
        if (strcmp(dmm_type_name(type), name) == 0)
            return type;
    return DMM_ITEM;
}

/* Parses byte order, kind and size: "<u4", "|V12", "<M8[ns]". */
static bool understand_descr(cli_npy *npy, const char *descr)
{
    static const char letters[] = "<>|=[]0123456789abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    cursor c = {descr, descr + strlen(descr)};
    size_t bytes = 0;
    if (strspn(descr, letters) != strlen(descr))
        return false;
    npy->big_endian = take(&c, '>');
    (void)(npy->big_endian || take(&c, '<') || take(&c, '|') || take(&c, '='));
    if (c.at == c.end || !strchr("biufcSaUVMm", *c.at))
        return false;
    char kind = *c.at++;
    if (!take_digits(&c, &bytes) || bytes == 0 || bytes > CLI_VALUE_BYTES_MAX)
        return false;
    bytes *= kind == 'U' ? 4 : 1;
    bool has_unit = kind == 'M' || kind == 'm';
    if (bytes > CLI_VALUE_BYTES_MAX || (c.at < c.end && !has_unit))
        return false;
    npy->item_bytes = (uint32_t)bytes;
    npy->is_renamed = (kind == 'b' && bytes == 1) || (has_unit && bytes == 8);
    npy->type = kind == 'b' ? key_type('u', bytes == 1 ? 1 : 0)
                : has_unit  ? key_type('i', bytes == 8 ? 8 : 0)
                            : key_type(kind, bytes);
    snprintf(npy->descr, sizeof npy->descr, "%s", descr);
    return true;
}

/* Reads where the dictionary begins and how long it is; false if the file is too short for that, or
 * its version unknown. */
static bool read_length(const char *file, size_t file_bytes, size_t *begin, size_t *length)
{
    const unsigned char *b = (const unsigned char *)file;
    size_t length_bytes = file_bytes > MAGIC_BYTES && b[MAGIC_BYTES] == 1 ? 2 : 4;
    *begin = MAGIC_BYTES + 2 + length_bytes;
    *length = 0;
    if (file_bytes < *begin || b[MAGIC_BYTES] < 1 || b[MAGIC_BYTES] > 3 || b[MAGIC_BYTES + 1] != 0)
        return false;
    for (size_t i = 0; i < length_bytes; i++)
        *length |= (size_t)b[MAGIC_BYTES + 2 + i] << (8 * i);
    return true;
}

size_t cli_npy_head_bytes(const char *first, size_t bytes)
{
    size_t begin, length;
    return read_length(first, bytes, &begin, &length) ? begin + length : bytes;
}

/* Finds the dictionary in the file; false if the file is too short or its version unknown. */
static bool find_dictionary(cursor *c, const char *file, size_t file_bytes)
{
    size_t begin, length;
    if (!read_length(file, file_bytes, &begin, &length) || length > file_bytes - begin)
        return false;
    *c = (cursor){file + begin, file + begin + length};
    return true;
}

/* Checks that the file has exactly as many bytes as its header says. */
static bool check_size(const cli_npy *npy, size_t file_bytes, const char *path, cli_error *error)
{
    size_t bytes = file_bytes - npy->data_bytes_at;
    if (npy->count > bytes / npy->item_bytes)
        return cli_fail(error, CLI_MISTAKE, path,
            "it ends early: its header says %zu items of %u bytes, %zu bytes follow", npy->count,
            npy->item_bytes, bytes);
    if (npy->count * npy->item_bytes != bytes)
        return cli_fail(error, CLI_MISTAKE, path, "%zu more bytes follow its %zu items of %u bytes",
            bytes - npy->count * npy->item_bytes, npy->count, npy->item_bytes);
    return true;
}

/* Checks the shape. `columns` 0: one dimension; otherwise rows of that many numbers, row by row. */
static bool check_shape(const fields *f, size_t columns, const char *path, cli_error *error)
{
    if (columns == 0)
        return f->dimensions == 1 || cli_fail(error, CLI_MISTAKE, path,
                                         "it has %zu dimensions, not one: save array.ravel(), or "
                                         "one row; dmm sort --rows and "
                                         "--key sort two",
                                         f->dimensions);
    if (columns == CLI_ANY_COLUMNS) {
        if (f->dimensions != 2 || f->shape[1] == 0 || f->shape[0] > SIZE_MAX / f->shape[1])
            return cli_fail(
                error, CLI_MISTAKE, path, "it has no rows: its shape is not (n, columns)");
    } else if (f->dimensions != 2 || f->shape[1] != columns || f->shape[0] > SIZE_MAX / columns)
        return cli_fail(
            error, CLI_MISTAKE, path, "its shape is not (n, %zu), a row a point", columns);
    return !f->by_columns || f->shape[0] < 2 ||
           cli_fail(error, CLI_MISTAKE, path,
               "it is stored by columns: save numpy.ascontiguousarray(array)");
}

bool cli_is_npy(const char *file, size_t bytes)
{
    return bytes >= MAGIC_BYTES && memcmp(file, magic, MAGIC_BYTES) == 0;
}

void cli_keep_descr(cli_array *out, const cli_npy *npy)
{
    if (!npy->is_renamed)
        return;
    const bool has_order = strchr("<>|=", npy->descr[0]) != NULL;
    snprintf(out->descr, sizeof out->descr, "%c%s", npy->item_bytes == 1 ? '|' : '<',
        npy->descr + has_order);
}

/* The first held_bytes of a file are in memory. */
static bool parse(cli_npy *out, const char *file, size_t held_bytes, size_t file_bytes,
    size_t columns, const char *path, cli_error *error)
{
    cursor c;
    fields f = {.dimensions = 0};
    *out = (cli_npy){.count = 0};
    if (!cli_is_npy(file, held_bytes))
        return cli_fail(error, CLI_MISTAKE, path, "not a NumPy file: it does not begin with NUMPY");
    if (!find_dictionary(&c, file, held_bytes))
        return cli_fail(
            error, CLI_MISTAKE, path, "its NumPy header is cut off or of a new version");
    out->data_bytes_at = (size_t)(c.end - file);
    if (!take_dictionary(&c, &f))
        return cli_fail(error, CLI_MISTAKE, path,
            "its NumPy header is damaged, or its items have several fields");
    if (!check_shape(&f, columns, path, error))
        return false;
    if (!understand_descr(out, f.descr))
        return cli_fail(
            error, CLI_MISTAKE, path, "its items are of a NumPy type that is not supported here");
    out->columns = columns != 0 ? f.shape[1] : 0;
    out->count = columns != 0 ? f.shape[0] * f.shape[1] : f.shape[0];
    return check_size(out, file_bytes, path, error);
}

bool cli_parse_npy(
    cli_npy *out, const char *file, size_t file_bytes, const char *path, cli_error *error)
{
    return parse(out, file, file_bytes, file_bytes, 0, path, error);
}

bool cli_parse_npy_head(cli_npy *out, const char *file, size_t held_bytes, size_t file_bytes,
    const char *path, cli_error *error)
{
    return parse(out, file, held_bytes, file_bytes, 0, path, error);
}

bool cli_parse_npy_rows(cli_npy *out, const char *file, size_t file_bytes, size_t columns,
    const char *path, cli_error *error)
{
    return parse(out, file, file_bytes, file_bytes, columns, path, error);
}

void cli_npy_descr(char out[CLI_DESCR_BYTES], dmm_type type)
{
    unsigned bytes = dmm_type_bytes(type);
    snprintf(out, CLI_DESCR_BYTES, "%c%c%u", bytes == 1 ? '|' : '<', dmm_type_name(type)[0], bytes);
}

void cli_print_npy_rows(
    char out[CLI_NPY_HEADER_BYTES], const char *descr, size_t count, size_t columns)
{
    enum { BEGIN = MAGIC_BYTES + 4, LENGTH = CLI_NPY_HEADER_BYTES - BEGIN };
    char text[LENGTH], second[24] = "";
    if (columns != 0)
        snprintf(second, sizeof second, " %zu", columns);
    int used =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,%s), }",
            descr, columns != 0 ? count / columns : count, second);
    memcpy(out, magic, MAGIC_BYTES);
    out[MAGIC_BYTES] = 1;
    out[MAGIC_BYTES + 1] = 0;
    out[MAGIC_BYTES + 2] = LENGTH;
    out[MAGIC_BYTES + 3] = 0;
    memset(out + BEGIN, ' ', LENGTH);
    memcpy(out + BEGIN, text, (size_t)used);
    out[CLI_NPY_HEADER_BYTES - 1] = '\n';
}
