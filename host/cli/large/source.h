/* SPDX-License-Identifier: MIT */
/*
 * Inputs that are read piece by piece: keys or values, from files and pipes of every format.
 */
#ifndef DMM_CLI_SOURCE_H
#define DMM_CLI_SOURCE_H

#include <sys/types.h>
#include <sys/stat.h>

#include "array.h"

typedef struct cli_source {
    const char *path;
    int fd; /* -1: none */
    cli_format format;
    cli_array like;    /* type, item_bytes and descr of the items; like.count: all of them, or 0 */
    bool is_counted;   /* like.count is known */
    bool swaps;        /* the file is big-endian */
    uint64_t estimate; /* items, about: like.count, or by a text's size; 0: unknown */
    uint64_t first_at; /* offset of item 0 in the file */
    uint64_t read;     /* items */
    struct stat info;  /* as it was opened */
    const char *held;  /* what was read before the format was known: held_bytes of `text` */
    size_t held_bytes;
    bool rests; /* the file is closed until the next cli_source_skip */
    /* Text: the piece that has been read, and the numbers of its whole lines. */
    char *text; /* owned */
    size_t text_bytes, lines;
    bool has_ended;
    cli_array numbers;
    size_t taken; /* numbers taken so far */
} cli_source;

#define CLI_SOURCE_INIT \
    {                   \
        .fd = -1        \
    }

/* Opens a file alone, for who reads it otherwise. */
bool cli_open_file(cli_source *out, const char *path, cli_error *error);
/* Opens keys. Text and raw items need their type. */
bool cli_open_keys(cli_source *out, const char *path, dmm_type type, cli_error *error);
/* Opens values, as cli_read_values. */
bool cli_open_values(cli_source *out, const char *path, uint64_t value_bytes, cli_error *error);
/* Reads up to `most` items; *count: how many, 0 only at the end. */
bool cli_source_read(
    cli_source *source, void *items, uint64_t most, uint64_t *count, cli_error *error);
/* True if cli_source_skip can: it is a file whose items have one size. */
bool cli_source_skips(const cli_source *source);
/* Goes to item `items`, from the beginning. */
bool cli_source_skip(cli_source *source, uint64_t items, cli_error *error);
/* Closes a file that cli_source_skips, until that is called: for more files than can be open. */
void cli_source_rest(cli_source *source);
/* Closes a file that has been read: Windows replaces no open file. Fails if it has changed since it
 * was opened: in its size, or in its time of change. CLI_SOURCE_INIT is fine. */
bool cli_source_end(cli_source *source, cli_error *error);
/* CLI_SOURCE_INIT is fine. */
void cli_close_source(cli_source *source);

#endif
