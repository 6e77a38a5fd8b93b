/* SPDX-License-Identifier: MIT */
/*
 * The header of NumPy's .npy files, versions 1.0 to 3.0: a magic, a length, and a Python dictionary
 * with descr (the type), fortran_order and shape. Source: NumPy Enhancement Proposal 1, "A Simple
 * File Format for NumPy Arrays", and numpy.lib.format's manual.
 */
#ifndef DMM_CLI_NPY_H
#define DMM_CLI_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array.h"

enum { CLI_NPY_HEADER_BYTES = 128 }; /* header of files that the command writes */

typedef struct cli_npy {
    char descr[CLI_DESCR_BYTES]; /* as in the file, without quotes: "<u4" */
    dmm_type type;               /* DMM_ITEM if it is not one of our key types */
    bool is_renamed;             /* b1, M8 or m8: integers under a name to keep */
    uint32_t item_bytes;         /* 1..CLI_VALUE_BYTES_MAX */
    bool big_endian;
    size_t count;
    size_t columns;       /* columns of a two-dimensional array; 0: one dimension */
    size_t data_bytes_at; /* offset of the items; exactly count * item_bytes bytes follow */
} cli_npy;

/* True if these are the first bytes of an .npy. */
bool cli_is_npy(const char *file, size_t bytes);

/* Gives `out` the file's name of its type, if that is not the name of out->type. */
void cli_keep_descr(cli_array *out, const cli_npy *npy);

/* Parses the header of a whole file in memory. Accepts one-dimensional arrays only. */
bool cli_parse_npy(
    cli_npy *out, const char *file, size_t file_bytes, const char *path, cli_error *error);

enum { CLI_NPY_FIRST_BYTES = 12 };
/* Returns the bytes of a file's header, from its first CLI_NPY_FIRST_BYTES, or all it has; if these
 * are no header's, their number. */
size_t cli_npy_head_bytes(const char *first, size_t bytes);

/* As above, with the beginning of the file alone: held_bytes of file_bytes. */
bool cli_parse_npy_head(cli_npy *out, const char *file, size_t held_bytes, size_t file_bytes,
    const char *path, cli_error *error);

#define CLI_ANY_COLUMNS SIZE_MAX
/* As cli_parse_npy, for arrays of shape (n, columns), CLI_ANY_COLUMNS: of any number but 0;
 * out->count counts all numbers. */
bool cli_parse_npy_rows(cli_npy *out, const char *file, size_t file_bytes, size_t columns,
    const char *path, cli_error *error);

/* Prints a header of version 1.0, exactly CLI_NPY_HEADER_BYTES long, for `count` numbers of shape
 * (count / columns, columns); columns = 0: of one dimension. */
void cli_print_npy_rows(
    char out[CLI_NPY_HEADER_BYTES], const char *descr, size_t count, size_t columns);

/* Prints the descr of a key type, little-endian. */
void cli_npy_descr(char out[CLI_DESCR_BYTES], dmm_type type);

#endif
