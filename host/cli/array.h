/* SPDX-License-Identifier: MIT */
/*
 * The arrays that the command reads and writes: keys of one type, or values, which are opaque
 * bytes. The end of a file's name says how it is read and written (cli_file_formats lists the
 * ways).
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
    CLI_DESCR_BYTES = 40,      /* room for the type text of an .npy file, with its NUL */
    CLI_VALUE_BYTES_MAX = 256, /* of one value */
};

typedef enum cli_format { CLI_NO_FORMAT, CLI_NPY, CLI_BIN, CLI_TEXT_LINES } cli_format;

typedef struct cli_array {
    dmm_type type;       /* DMM_ITEM: values */
    uint32_t item_bytes; /* 1..CLI_VALUE_BYTES_MAX */
    size_t count;
    void *data;                  /* count items, aligned, keys in this machine's byte order */
    void *block;                 /* what to free; data lies within */
    char descr[CLI_DESCR_BYTES]; /* of values from an .npy file, kept for the output; or "" */
} cli_array;

/* By the name; CLI_NO_FORMAT where it says nothing that is known. */
cli_format cli_format_of(const char *path);

/* Reads keys. `type` DMM_ITEM: what the file says. */
bool cli_read_keys(cli_array *out, const char *path, dmm_type type, cli_error *error);

/* Reads `count` values. `value_bytes` (0: not given) is the size of one; an .npy file knows it. */
bool cli_read_values(
    cli_array *out, const char *path, uint64_t value_bytes, size_t count, cli_error *error);

/* Room for `count` items, not initialised. `item_bytes` matters for DMM_ITEM only. */
bool cli_make_array(
    cli_array *out, dmm_type type, uint32_t item_bytes, size_t count, cli_error *error);

/* As cli_make_array, with the type (and descr) of `like`. */
bool cli_make_alike(cli_array *out, const cli_array *like, size_t count, cli_error *error);

/* Sets *output to standard output if it is NULL and `input` is text, and checks its name.
 * `in_place` is what the command does to a file that is input and output, e.g. "sorts"; NULL: that
 * is no use. */
bool cli_choose_output(
    const char **output, const char *input, const char *in_place, cli_error *error);

/* True if `path` may name an output of such items. Cheap: a mistake is found before the work. */
bool cli_check_output_name(const char *path, bool opaque, cli_error *error);

/* Writes in the format of the output's name. */
bool cli_write_array(cli_output *output, const cli_array *array, cli_error *error);

/* Zeros are fine. */
void cli_free_array(cli_array *array);

#endif
