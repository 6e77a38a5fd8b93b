/* SPDX-License-Identifier: MIT */
/* Parses and prints the headers of index files. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cl/hash.clh"
#include "index_file.h"
#include "input.h"

enum { VERSION = 1, VERSION_AT = 8, SUM_AT = CLI_INDEX_HEADER_BYTES - 8, MOST_B = 65535 };
static const char magic[VERSION_AT + 1] = "\x89"
                                          "DMMIDX\n";

typedef struct header {
    char magic[VERSION_AT];
    uint32_t version, kind, type, item_bytes, B, descending;
    uint64_t count, bytes, sum, header_sum;
} header;
_Static_assert(sizeof(header) == CLI_INDEX_HEADER_BYTES, "the header has no padding");

bool cli_is_index(const char *path)
{
    static const char ending[] = ".index";
    const size_t length = strlen(path), end = sizeof ending - 1;
    return length > end && strcasecmp(path + length - end, ending) == 0;
}

/* Checks everything that does not depend on the keys. */
static bool check_header(const header *h, size_t file_bytes, const char *path, cli_error *error)
{
    const size_t bytes = file_bytes - sizeof *h;
    if (h->version != VERSION)
        return cli_fail(error, CLI_MISTAKE, path,
            "its index header is of version %u, this program reads version %d", h->version,
            VERSION);
    if (h->header_sum != dmm_fnv1a_bytes(DMM_FNV1A, h, SUM_AT))
        return cli_fail(error, CLI_MISTAKE, path, "its index header is damaged");
    if (h->kind > DMM_LAYOUT_MVEB || h->type >= DMM_ITEM || h->descending > 1 || h->B < 1 ||
        h->B > MOST_B || (h->B != 1 && h->kind != DMM_LAYOUT_BTREE) ||
        h->item_bytes != dmm_type_bytes((dmm_type)h->type))
        return cli_fail(error, CLI_MISTAKE, path,
            "its index header names no layout or no type that this program has");
    if (h->count > SIZE_MAX / h->item_bytes || h->bytes != h->count * h->item_bytes)
        return cli_fail(error, CLI_MISTAKE, path,
            "its index header contradicts itself: %llu keys of %u bytes, %llu bytes in all",
            (unsigned long long)h->count, h->item_bytes, (unsigned long long)h->bytes);
    if (h->bytes != bytes)
        return cli_fail(error, CLI_MISTAKE, path,
            "its index header says %llu bytes of keys, %zu bytes follow",
            (unsigned long long)h->bytes, bytes);
    return true;
}

bool cli_parse_index(cli_array *out, cli_layout *layout, bool *descending, const char *file,
    size_t file_bytes, const char *path, cli_error *error)
{
    header h;
    if (file_bytes < sizeof magic - 1 || memcmp(file, magic, sizeof magic - 1) != 0)
        return cli_fail(
            error, CLI_MISTAKE, path, "not an index file: it does not begin as dmm layout writes");
    if (file_bytes < sizeof h)
        return cli_fail(error, CLI_MISTAKE, path, "its index header is cut off");
    memcpy(&h, file, sizeof h);
    if (!check_header(&h, file_bytes, path, error))
        return false;
    if (h.sum != dmm_fnv1a_bytes(DMM_FNV1A, file + sizeof h, (size_t)h.bytes))
        return cli_fail(error, CLI_MISTAKE, path,
            "its keys are damaged: they have another checksum than its header says");
    *out =
        (cli_array){.type = (dmm_type)h.type, .item_bytes = h.item_bytes, .count = (size_t)h.count};
    *layout = (cli_layout){.kind = h.kind, .B = h.B, .checked = true};
    *descending = h.descending != 0;
    return true;
}

bool cli_read_index(
    cli_array *out, cli_layout *layout, bool *descending, const char *path, cli_error *error)
{
    char *file = NULL;
    size_t bytes = 0;
    *out = (cli_array){.count = 0};
    if (!cli_read_file(&file, &bytes, path, error))
        return false;
    if (!cli_parse_index(out, layout, descending, file, bytes, path, error)) {
        free(file);
        return false;
    }
    out->block = file;
    out->data = file + CLI_INDEX_HEADER_BYTES;
    return true;
}

void cli_print_index(char out[CLI_INDEX_HEADER_BYTES], const cli_array *keys,
    const cli_layout *layout, bool descending)
{
    const size_t bytes = keys->count * keys->item_bytes;
    header h = {.version = VERSION,
        .kind = layout->kind,
        .type = (uint32_t)keys->type,
        .item_bytes = keys->item_bytes,
        .B = layout->kind == DMM_LAYOUT_BTREE ? (uint32_t)layout->B : 1,
        .descending = descending,
        .count = keys->count,
        .bytes = bytes,
        .sum = dmm_fnv1a_bytes(DMM_FNV1A, keys->data, bytes)};
    memcpy(h.magic, magic, sizeof h.magic);
    h.header_sum = dmm_fnv1a_bytes(DMM_FNV1A, &h, SUM_AT);
    memcpy(out, &h, sizeof h);
}
