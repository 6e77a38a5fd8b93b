/* SPDX-License-Identifier: MIT */
/*
 * The file of a plan: a header of little-endian numbers, then the moves. The checksum covers
 * everything but itself.
 */
#include "primitives/permute/permutation_plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/hash.clh"
#include "core/check.h"
#include "core/os.h"
#include "core/size.h"

typedef struct file_header {
    char magic[8];
    uint64_t checksum;
    uint64_t n;
    uint32_t tile, banks, u, E;
} file_header;

static const char magic[8] = {'d', 'm', 'm', 'p', 'l', 'a', 'n', '1'};

/* FNV-1a over 32-bit words. */
static uint64_t sum(uint64_t so_far, const void *bytes, uint64_t count)
{
    const unsigned char *at = bytes;
    for (uint64_t i = 0; i < count; i += sizeof(uint32_t)) {
        uint32_t word = 0;
        memcpy(&word, at + i, sizeof word);
        so_far = dmm_fnv1a(so_far, word);
    }
    return so_far;
}

static uint64_t checksum(file_header header, const dmm_plan_moves *moves)
{
    header.checksum = 0;
    return sum(sum(DMM_FNV1A, &header, sizeof header), moves->moves,
        moves->padded * moves->num_moves * sizeof *moves->moves);
}

static dmm_status refuse(const dmm_log *log, const char *path, const char *why)
{
    dmm_log_line(log, "%s: %s", path, why);
    return DMM_BAD_FILE;
}

dmm_status dmm_plan_file_write(const dmm_plan_moves *moves, const char *path, const dmm_log *log)
{
    file_header header = {
        .n = moves->n, .tile = moves->tile, .banks = moves->banks, .u = moves->u, .E = moves->E};
    const size_t count = (size_t)(moves->padded * moves->num_moves);
    char why[DMM_FILE_WHY_BYTES];
    memcpy(header.magic, magic, sizeof magic);
    header.checksum = checksum(header, moves);
    const dmm_file_part parts[] = {
        {&header, sizeof header}, {moves->moves, count * sizeof *moves->moves}};
    const char *const failed = dmm_file_replace(path, DMM_FILE_ANY, parts, 2, why);
    return failed != NULL ? refuse(log, path, failed) : DMM_OK;
}

/* True if the moves of each tile are a permutation of its places. */
static int is_sound(const dmm_plan_moves *moves, unsigned char *seen)
{
    const uint32_t T = moves->tile;
    for (uint64_t at = 0; at < moves->padded * moves->num_moves; at += T) {
        memset(seen, 0, T);
        for (uint32_t x = 0; x < T; x++) {
            const uint32_t from = moves->moves[at + x] & 0xffff, to = moves->moves[at + x] >> 16;
            if (from >= T || to >= T || (seen[from] & 1) || (seen[to] & 2))
                return 0;
            seen[from] |= 1;
            seen[to] |= 2;
        }
    }
    return 1;
}

static dmm_status check_header(const file_header *header)
{
    const uint32_t T = header->tile;
    const int gpu = header->banks != 0;
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->n <= (uint64_t)1 << 31 &&
                   dmm_is_power_of_two(T) && T <= DMM_PLAN_MAX_TILE &&
                   (!gpu || (dmm_is_power_of_two(header->banks) && header->banks <= T &&
                                (uint64_t)header->u * header->E == T))
               ? DMM_OK
               : DMM_BAD_FILE;
}

/* True if exactly the plan's moves follow in the file. Checked before memory is allocated, so that
 * a header cannot request more memory than the file has bytes. */
static int has_moves(FILE *file, const dmm_plan_moves *moves)
{
    const uint64_t count = moves->padded * moves->num_moves;
    const uint64_t bytes = dmm_size_mul(count, sizeof *moves->moves);
    return dmm_file_bytes(file) == dmm_size_add(sizeof(file_header), bytes);
}

static dmm_status read_moves(dmm_plan_moves *out, FILE *file, const char *path, const dmm_log *log)
{
    dmm_status status = DMM_OK;
    file_header header;
    unsigned char *seen = NULL;
    if (fread(&header, sizeof header, 1, file) != 1 || check_header(&header) != DMM_OK)
        return refuse(log, path, "is not a plan of this version of dmm");
    out->n = header.n;
    out->tile = header.tile;
    out->banks = header.banks;
    out->u = header.u;
    out->E = header.E;
    TRY(dmm_plan_moves_count(out));
    if (!has_moves(file, out))
        return refuse(log, path, "has the wrong length for its plan");
    TRY(dmm_plan_moves_lay_out(out));
    const size_t count = (size_t)(out->padded * out->num_moves);
    FAIL_IF((seen = malloc(out->tile)) == NULL, DMM_OUT_OF_MEMORY);
    if (fread(out->moves, sizeof *out->moves, count, file) != count)
        status = refuse(log, path, "has the wrong length for its plan");
    else if (checksum(header, out) != header.checksum || !is_sound(out, seen))
        status = refuse(log, path, "is damaged: its checksum is wrong");
out:
    free(seen);
    return status;
}

dmm_status dmm_plan_file_read(dmm_plan_moves *moves, const char *path, const dmm_log *log)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return refuse(log, path, strerror(errno));
    const dmm_status status = read_moves(moves, file, path, log);
    fclose(file);
    if (status != DMM_OK)
        dmm_plan_moves_free(moves);
    return status;
}
