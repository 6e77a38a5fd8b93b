/* SPDX-License-Identifier: MIT */
/*
 * Index files: keys in a layout, behind a header that names it. dmm layout writes them, and dmm
 * layout and dmm search read them. All numbers are little-endian.
 *      0  8 bytes  0x89 "DMMIDX" 0x0a
 *      8  u32      version: 1
 *     12  u32      kind, a dmm_layout_kind
 *     16  u32      type of a key, a dmm_type
 *     20  u32      bytes of a key
 *     24  u32      B, keys of a node of a B-tree; else 1
 *     28  u32      1: sorted largest first, else 0
 *     32  u64      n, keys
 *     40  u64      bytes of all keys
 *     48  u64      FNV-1a of the keys
 *     56  u64      FNV-1a of the 56 bytes before
 *     64           keys
 */
#ifndef DMM_CLI_INDEX_FILE_H
#define DMM_CLI_INDEX_FILE_H

#include "array.h"
#include "layouts.h"

enum { CLI_INDEX_HEADER_BYTES = 64 };

/* True if the name ends in .index. */
bool cli_is_index(const char *path);

/* Checks a whole file in memory; *layout and *descending are what the header says. out: type,
 * item_bytes and count; the keys begin at byte CLI_INDEX_HEADER_BYTES. */
bool cli_parse_index(cli_array *out, cli_layout *layout, bool *descending, const char *file,
    size_t file_bytes, const char *path, cli_error *error);

/* Reads a file. */
bool cli_read_index(
    cli_array *out, cli_layout *layout, bool *descending, const char *path, cli_error *error);

/* Prints the header of a file with such keys. */
void cli_print_index(char out[CLI_INDEX_HEADER_BYTES], const cli_array *keys,
    const cli_layout *layout, bool descending);

#endif
