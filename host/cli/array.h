/* SPDX-License-Identifier: MIT */
/*
 * Arrays that the command reads and writes: keys of one type, or values, which are opaque bytes. A
 * file's extension determines its format (cli_file_formats lists them).
 */
#ifndef DMM_CLI_ARRAY_H
#define DMM_CLI_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dmm/types.h>

#include "error.h"
#include "output.h"

enum {
    CLI_DESCR_BYTES = 40,      /* bytes of the type text of an .npy file, with its NUL */
    CLI_VALUE_BYTES_MAX = 256, /* bytes of one value */
};

typedef enum cli_format { CLI_NO_FORMAT, CLI_NPY, CLI_BIN, CLI_TEXT_LINES } cli_format;

typedef struct cli_array {
    dmm_type type;       /* DMM_ITEM: values */
    uint32_t item_bytes; /* 1..CLI_VALUE_BYTES_MAX */
    size_t count;
    void *data;                  /* count items, aligned, keys in this machine's byte order */
    void *block;                 /* what to free; data lies within */
    size_t columns;              /* numbers of a row of a two-dimensional .npy; 0: one dimension */
    char descr[CLI_DESCR_BYTES]; /* NumPy's type, kept: of values, or of integers such as M8 */
} cli_array;

/* Returns the format by the file's name; CLI_NO_FORMAT if the extension is unknown. */
cli_format cli_format_of(const char *path);

/* Reads keys. `type` DMM_ITEM: the type is in the file. */
bool cli_read_keys(cli_array *out, const char *path, dmm_type type, cli_error *error);

/* Reads the rows of a two-dimensional .npy: out->columns numbers each. */
bool cli_read_rows(cli_array *out, const char *path, cli_error *error);
/* As above, of a file in memory, which it owns on success, or to be read if that is NULL. */
bool cli_take_rows(cli_array *out, char *file, size_t bytes, const char *path, cli_error *error);

/* Reads `count` values. `value_bytes`: size of one; 0: not given (an .npy file has it). */
bool cli_read_values(
    cli_array *out, const char *path, uint64_t value_bytes, size_t count, cli_error *error);

/* Allocates `count` items, not initialized. `item_bytes` is used for DMM_ITEM only. */
bool cli_make_array(
    cli_array *out, dmm_type type, uint32_t item_bytes, size_t count, cli_error *error);

/* As cli_make_array, with the type (and descr) of `like`. */
bool cli_make_alike(cli_array *out, const cli_array *like, size_t count, cli_error *error);

/* Makes a copy of an array. */
bool cli_copy_array(cli_array *out, const cli_array *of, cli_error *error);

/* Sets *output to standard output if it is NULL, and checks its name. */
bool cli_choose_output(const char **output, cli_error *error);

/* True if `path` may name an output of such items. Called before the work, so that a mistake costs
 * nothing. */
bool cli_check_output_name(const char *path, bool opaque, cli_error *error);

/* Writes an array in the format of the output's name. */
bool cli_write_array(cli_output *output, const cli_array *array, cli_error *error);

/* Write such an array in pieces: what precedes the items, for array->count of them; then items. */
bool cli_write_head(cli_output *output, const cli_array *array, cli_error *error);
bool cli_write_items(cli_output *output, const cli_array *array, cli_error *error);
/* Replaces what precedes the items, or writes it if there are none: array->count turned out other
 * than cli_write_head was told. An output that cannot be rewound is an error. */
bool cli_rewrite_head(cli_output *output, const cli_array *array, cli_error *error);

/* True unless a text of OpenCL C, of an option, uses a half as if it were a number: it gets the
 * bits. `name` is a variable of the text, of this type. text NULL: true. */
bool cli_check_text(
    const char *option, const char *text, const char *name, dmm_type type, cli_error *error);

/* Reverses the bytes of each item. */
void cli_swap_bytes(cli_array *array);

/* A zeroed array is fine. */
void cli_free_array(cli_array *array);

typedef struct cli_pair {
    cli_output keys;
    cli_output values; /* closed if there are none */
} cli_pair;

#define CLI_PAIR_INIT                    \
    {                                    \
        CLI_OUTPUT_INIT, CLI_OUTPUT_INIT \
    }

/* Opens both outputs, which must be different files. `values` NULL: none. */
bool cli_open_pair(cli_pair *out, const char *keys, const char *values, cli_error *error);
/* Lets an .npy that goes to a pipe go to a scratch file first: its length comes last. */
bool cli_make_rewind(cli_pair *pair, cli_error *error);
/* Moves both, which are written, to their names. */
bool cli_commit_pair(cli_pair *pair, cli_error *error);
/* Writes both and moves them to their names. */
bool cli_write_pair(
    cli_pair *pair, const cli_array *keys, const cli_array *values, cli_error *error);
/* Removes incomplete files. CLI_PAIR_INIT is fine. */
void cli_close_pair(cli_pair *pair);

#endif
