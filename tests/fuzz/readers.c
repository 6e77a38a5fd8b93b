/* SPDX-License-Identifier: MIT */
/*
 * What reads files of others, fed with any bytes: headers and texts of arrays, tuning files, files
 * of plans, files of the cache, index files. An input's first byte chooses the reader, the rest is
 * the file.
 * A harness of libFuzzer (tests/fuzz/long.sh); mutate.c runs it from the corpus without that.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cl/hash.clh"
#include "cli/array.h"
#include "cli/index_file.h"
#include "cli/npy.h"
#include "cli/text.h"
#include "core/cache.h"
#include "core/tuning_rows.h"
#include "primitives/permute/permutation_plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum { NPY, NPY_ROWS, TEXT, TUNING, PLAN, CACHE, INDEX, READERS };

static const dmm_log no_log = {NULL, NULL};

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "readers: %s\n", what);
        abort();
    }
}

/* A copy that ends with NUL and, for the sanitizers, nothing behind it. */
static char *text_of(const uint8_t *data, size_t bytes)
{
    char *const text = malloc(bytes + 1);
    require(text != NULL, "no memory");
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    return text;
}

/* What a header promises is what the file has. */
static void read_npy(const uint8_t *data, size_t bytes, int rows)
{
    char *const file = text_of(data, bytes);
    cli_error error = {0};
    cli_npy npy;
    const bool ok = rows ? cli_parse_npy_rows(&npy, file, bytes, 2, "f", &error)
                         : cli_parse_npy(&npy, file, bytes, "f", &error);
    require(ok == (error.exit_code == CLI_OK), "a failure without an error");
    if (ok)
        require(npy.data_bytes_at <= bytes && npy.item_bytes > 0 &&
                    npy.count == (bytes - npy.data_bytes_at) / npy.item_bytes,
            "a header promises more than there is");
    free(file);
}

static void read_text(const uint8_t *data, size_t bytes)
{
    char *const text = text_of(data, bytes);
    const dmm_type type = bytes != 0 ? (dmm_type)(data[0] % (DMM_ITEM + 1)) : DMM_ITEM;
    cli_error error = {0};
    cli_array array = {0};
    const bool ok = cli_parse_text(&array, text, bytes, type, "f", &error);
    require(ok == (error.exit_code == CLI_OK), "a failure without an error");
    if (ok && array.count > 0) { /* every byte was written */
        unsigned sum = 0;
        for (size_t i = 0; i < array.count * array.item_bytes; i++)
            sum += ((unsigned char *)array.data)[i];
        require(sum < UINT32_MAX && array.count <= bytes, "more numbers than characters");
    }
    cli_free_array(&array);
    free(text);
}

static void read_tuning(const uint8_t *data, size_t bytes)
{
    char *const text = text_of(data, bytes);
    dmm_tuning_rows rows = {0};
    dmm_device device = {0};
    dmm_tuning_rows_read(&rows, text, "f", &device, &no_log);
    for (size_t i = 0; i < rows.count; i++)
        require(dmm_is_tuning_word(rows.rows[i].word), "a row without a primitive");
    dmm_tuning_rows_destroy(&rows);
    free(text);
}

static void write_file(const char *path, const uint8_t *data, size_t bytes)
{
    FILE *const file = fopen(path, "wb");
    require(file != NULL && fwrite(data, 1, bytes, file) == bytes && fclose(file) == 0,
        "cannot write a file");
}

enum { SUM_AT = 8, PLAN_HEADER_BYTES = 40 };

/* FNV-1a over words, as files of plans have it: so that mutants get past it. */
static void mend_plan(uint8_t *data, size_t bytes)
{
    uint64_t sum = DMM_FNV1A;
    memset(data + SUM_AT, 0, sizeof sum);
    for (size_t i = 0; i < bytes; i += sizeof(uint32_t)) {
        uint32_t word = 0;
        memcpy(&word, data + i, sizeof word);
        sum = dmm_fnv1a(sum, word);
    }
    memcpy(data + SUM_AT, &sum, sizeof sum);
}

/* A plan that is read permutes: its moves name every place of a tile once. */
static void read_plan(const uint8_t *data, size_t bytes)
{
    char path[64];
    dmm_plan_moves moves = {0};
    uint8_t *const file = (uint8_t *)text_of(data, bytes);
    if (bytes >= PLAN_HEADER_BYTES && bytes % sizeof(uint32_t) == 0)
        mend_plan(file, bytes);
    snprintf(path, sizeof path, "fuzz.%ld.plan", (long)getpid());
    write_file(path, file, bytes);
    free(file);
    if (dmm_plan_file_read(&moves, path, &no_log) == DMM_OK)
        require(moves.n <= moves.padded && moves.tile > 0 && moves.padded % moves.tile == 0,
            "a plan that does not add up");
    dmm_plan_moves_free(&moves);
    remove(path);
}

/* The cache hands out nothing but what was stored, and that whole. */
static void read_cache(const uint8_t *data, size_t bytes)
{
    static const char key[] = "fuzz", program[] = "a program of the driver";
    char folder[64], path[128];
    size_t got = 0;
    dmm_cache cache;
    snprintf(folder, sizeof folder, "fuzz.%ld.cache", (long)getpid());
    require(dmm_cache_open(&cache, folder, &no_log) == DMM_OK, "no cache");
    dmm_cache_write(&cache, key, (const unsigned char *)program, sizeof program);
    snprintf(path, sizeof path, "%s/%016llx.dmm", folder,
        (unsigned long long)dmm_fnv1a_bytes(DMM_FNV1A, key, strlen(key)));
    require(access(path, R_OK) == 0, "the cache's file has another name");
    uint8_t *const file = (uint8_t *)text_of(data, bytes);
    if (bytes > sizeof(uint64_t)) { /* a sum that is right, as a forger would write it */
        const uint64_t sum = dmm_fnv1a_bytes(DMM_FNV1A, file, bytes - sizeof sum);
        memcpy(file + bytes - sizeof sum, &sum, sizeof sum);
    }
    write_file(path, file, bytes);
    free(file);
    unsigned char *const read = dmm_cache_read(&cache, key, &got);
    if (read != NULL)
        require(got > 0 && got < bytes, "a program that is longer than its file");
    free(read);
    remove(path);
    dmm_cache_close(&cache);
    rmdir(folder);
}

/* An index that is read has the keys that its header promises, in a layout and of a type. Both
 * checksums are made right, as a forger would. */
static void read_index(const uint8_t *data, size_t bytes)
{
    enum { HEADER = CLI_INDEX_HEADER_BYTES, KEYS_SUM_AT = HEADER - 16, HEADER_SUM_AT = HEADER - 8 };
    char *const file = text_of(data, bytes);
    cli_error error = {0};
    cli_array keys = {0};
    cli_layout layout = {0};
    bool descending = false;
    if (bytes >= HEADER) {
        uint64_t sum = dmm_fnv1a_bytes(DMM_FNV1A, (uint8_t *)file + HEADER, bytes - HEADER);
        memcpy(file + KEYS_SUM_AT, &sum, sizeof sum);
        sum = dmm_fnv1a_bytes(DMM_FNV1A, (uint8_t *)file, HEADER_SUM_AT);
        memcpy(file + HEADER_SUM_AT, &sum, sizeof sum);
    }
    const bool ok = cli_parse_index(&keys, &layout, &descending, file, bytes, "f", &error);
    require(ok == (error.exit_code == CLI_OK), "a failure without an error");
    if (ok)
        require(keys.count == (bytes - HEADER) / keys.item_bytes && keys.type < DMM_ITEM &&
                    layout.kind <= DMM_LAYOUT_MVEB && layout.B >= 1 && layout.B <= 65535,
            "an index header promises what is not there");
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes == 0)
        return 0;
    const uint8_t reader = data[0] % READERS;
    data++;
    bytes--;
    if (reader == NPY || reader == NPY_ROWS)
        read_npy(data, bytes, reader == NPY_ROWS);
    else if (reader == TEXT)
        read_text(data, bytes);
    else if (reader == TUNING)
        read_tuning(data, bytes);
    else if (reader == PLAN)
        read_plan(data, bytes);
    else if (reader == INDEX)
        read_index(data, bytes);
    else
        read_cache(data, bytes);
    return 0;
}
