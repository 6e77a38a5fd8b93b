/* SPDX-License-Identifier: MIT */
/*
 * The self-test: runs the blocking form of each primitive and compares with an answer computed on
 * the host in the plainest way. Each row of classes.h has its table of checks in this folder.
 */
#include "primitives/selftest/selftest.h"

#include <stdlib.h>
#include <string.h>

#include "core/refuse.h"
#include "primitives/order.h"

/* Few items for one group; some whole tiles and part of one; enough for several passes; and, for
 * some types, enough to reveal a driver that fails only in large reads or launches. */
static const uint64_t sizes[] = {1, 1021, 70001, DMM_TRIAL_ITEMS};
enum { NUM_SIZES = sizeof sizes / sizeof *sizes };

/* Fills the input with random bits, every other item one of sixteen values, so that there are ties;
 * floats include NaNs. Generator: D. Knuth's MMIX ("The Art of Computer Programming" 2, section
 * 3.3.4, table 1). */
static void fill(dmm_trial *t)
{
    uint64_t state = t->n;
    for (uint64_t i = 0; i < t->n; i++) {
        state = 6364136223846793005u * state + 1442695040888963407u;
        const uint64_t bits = state >> 32 | state << 32;
        const uint64_t item = i % 2 ? bits : (bits & 15) * 0x1111111111111111u;
        memcpy(t->input + i * t->bytes, &item, t->bytes);
    }
}

/* Returns an item's bits; hosts are little-endian, as the devices are. */
uint64_t dmm_trial_bits(const dmm_trial *t, uint64_t index)
{
    uint64_t bits = 0;
    memcpy(&bits, t->input + index * t->bytes, t->bytes);
    return bits;
}

/* Returns an item as a number whose order is that of <dmm/types.h>. */
uint64_t dmm_trial_code(const dmm_trial *t, uint64_t index)
{
    const uint64_t bits = dmm_trial_bits(t, index);
    const uint64_t sign = (uint64_t)1 << (8 * t->bytes - 1), all = sign | (sign - 1);
    const uint64_t infinity = t->type == DMM_F16   ? 0x7c00
                              : t->type == DMM_F32 ? 0x7f800000
                                                   : 0x7ff0000000000000;
    if (dmm_is_signed(t->type))
        return bits ^ sign;
    if (t->type < DMM_F16)
        return bits;
    const uint64_t ascending = bits & sign ? ~bits & all : bits | sign;
    return (ascending - (sign - 1 - infinity)) &
           all; /* moves NaNs of negative sign from first to last */
}

/* The items first .. end - 1 of the input in stable order: by counts of the codes' bytes, the least
 * byte first. The codes stand where the answer is not yet. */
void dmm_trial_expect_sorted(dmm_trial *t, uint64_t first, uint64_t end)
{
    uint64_t *const codes = (uint64_t *)(void *)t->answer;
    for (uint64_t i = first; i < end; i++) {
        t->expected_from[i] = (uint32_t)i;
        codes[i] = dmm_trial_code(t, i);
    }
    for (uint32_t shift = 0; shift < 8 * t->bytes; shift += 8) {
        uint64_t starts[257] = {first};
        for (uint64_t i = first; i < end; i++)
            starts[(codes[i] >> shift & 255) + 1]++;
        for (int digit = 1; digit < 256; digit++)
            starts[digit] += starts[digit - 1];
        for (uint64_t i = first; i < end; i++) {
            const uint32_t from = t->expected_from[i];
            t->spare[starts[codes[from] >> shift & 255]++] = from;
        }
        memcpy(
            t->expected_from + first, t->spare + first, (size_t)((end - first) * sizeof *t->spare));
    }
    for (uint64_t i = first; i < end; i++)
        memcpy(t->expected + i * t->bytes, t->input + t->expected_from[i] * t->bytes, t->bytes);
}

void dmm_trial_number_answer(dmm_trial *t)
{
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    for (uint64_t i = 0; i < t->n; i++)
        t->answer_from[i] = (uint32_t)i;
}

void dmm_trial_expect_item(dmm_trial *t, uint64_t place, uint64_t from)
{
    t->expected_from[place] = (uint32_t)from;
    memcpy(t->expected + place * t->bytes, t->input + from * t->bytes, t->bytes);
}

void dmm_trial_expect_no_origins(dmm_trial *t)
{
    memset(t->expected_from, 0, (size_t)(t->n * sizeof *t->expected_from));
    memset(t->answer_from, 0, (size_t)(t->n * sizeof *t->answer_from));
}

/* Returns the first place that is not as expected, or t->places. */
static uint64_t first_difference(const dmm_trial *t)
{
    uint64_t i = 0;
    while (i < t->places && t->answer_from[i] == t->expected_from[i] &&
           memcmp(t->answer + i * t->bytes, t->expected + i * t->bytes, t->bytes) == 0)
        i++;
    return i;
}

/* Receiver of the checks' lines, and the first failure. */
typedef struct listener {
    dmm_selftest_function line;
    void *user;
    dmm_status status;
} listener;

/* Returns 0 if a check that begins is to be left out. */
static int tell(listener *to, const dmm_selftest_line *line)
{
    if (!line->begins && to->status == DMM_OK && line->status != DMM_UNSUPPORTED)
        to->status = line->status;
    return to->line == NULL || to->line(to->user, line);
}

static void run(const dmm_check *c, dmm_trial *t, listener *to)
{
    dmm_selftest_line line = {c->primitive, dmm_type_name(t->type), t->n, DMM_OK, 0, 1};
    if (!tell(to, &line))
        return;
    fill(t);
    /* on a CPU, calls write here: what the check before has written must not count */
    memset(t->answer, 0xa5, (size_t)(t->n * t->bytes));
    memset(t->answer_from, 0xa5, (size_t)(t->n * sizeof *t->answer_from));
    t->places = t->n;
    line.status = c->run(t);
    line.position = line.status == DMM_OK ? first_difference(t) : 0;
    if (line.status == DMM_OK && line.position < t->places)
        line.status = DMM_WRONG_RESULT;
    line.begins = 0;
    tell(to, &line);
}

static void run_table(const dmm_check *table, dmm_trial *t, listener *to)
{
    for (const dmm_check *c = table; c->primitive != NULL; c++)
        for (int type = 0; type < DMM_ITEM; type++) {
            const size_t num_sizes = c->large & DMM_CHECKS(type) ? NUM_SIZES : NUM_SIZES - 1;
            t->type = (dmm_type)type;
            t->bytes = dmm_type_bytes(t->type);
            for (size_t s = 0; c->types & DMM_CHECKS(type) && s < num_sizes; s++) {
                t->n = sizes[s];
                run(c, t, to);
            }
        }
}

static void run_beyond(dmm_context *ctx, listener *to)
{
    dmm_selftest_line line = {
        "scan, beyond 2 GiB", dmm_type_name(DMM_U64), DMM_BEYOND_ITEMS, DMM_OK, 0, 1};
    if (!tell(to, &line))
        return;
    line.status = dmm_selftest_beyond(ctx, &line.position);
    line.begins = 0;
    tell(to, &line);
}

dmm_status dmm_selftest_run(
    dmm_context *ctx, const dmm_check *const *tables, dmm_selftest_function line, void *user)
{
    const size_t n = DMM_TRIAL_ITEMS;
    listener to = {line, user, DMM_OK};
    /* Three lists of items, then three of indices. */
    uint64_t *const items = malloc(3 * n * (sizeof(uint64_t) + sizeof(uint32_t)));
    if (items == NULL)
        return DMM_OUT_OF_MEMORY;
    uint32_t *const indices = (uint32_t *)(items + 3 * n);
    dmm_trial t = {.ctx = ctx,
        .input = (unsigned char *)items,
        .expected = (unsigned char *)(items + n),
        .answer = (unsigned char *)(items + 2 * n),
        .expected_from = indices,
        .answer_from = indices + n,
        .spare = indices + 2 * n};
    for (; *tables != NULL; tables++)
        run_table(*tables, &t, &to);
    free(items);
    return to.status;
}

#define CHECKS(N, word) dmm_##word##_checks,

dmm_status dmm_context_selftest(dmm_context *ctx, dmm_selftest_function line, void *user)
{
    static const dmm_check *const tables[] = {DMM_PRIMITIVES_AND_PLANS(CHECKS) NULL};
    if (ctx == NULL)
        return DMM_NULL_ARGUMENT;
    dmm_refuse_begin();
    const dmm_status runs =
        dmm_refuse_end(dmm_context_check_runs(ctx), &ctx->log, "dmm_context_selftest");
    if (runs != DMM_OK)
        return runs;
    listener to = {line, user, dmm_selftest_run(ctx, tables, line, user)};
    run_beyond(ctx, &to);
    return to.status;
}
