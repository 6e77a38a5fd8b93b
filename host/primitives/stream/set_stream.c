/* SPDX-License-Identifier: MIT */
/*
 * dmm_set_stream: both windows are uploaded, what can be combined is found by searches for their
 * last items, and dmm_set combines it. Meanwhile the windows are filled again, and the result
 * before is written.
 */
#include <dmm/set_stream.h>

#include "core/check.h"
#include "core/opencl.h"
#include "core/refuse.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/order.h"
#include "primitives/stream/pipeline.h"

/* A list. Its window has its items taken .. taken + held - 1 of those read so far. */
typedef struct side {
    const dmm_set_stream_args *args;
    uint32_t list;
    dmm_reader reader;
    dmm_stream s; /* sizes of its items */
    dmm_array_pair items;
    dmm_buffer_pair on[MOST_SETS];
    uint64_t held, taken; /* taken: items of the window that are combined now */
    cl_mem ranks;
    struct {
        uint64_t lower[2], upper[2];
    } at; /* places in `ranks`: begin and end, in the window, of the last item of each list */
} side;

typedef struct setting {
    const dmm_set_stream_args *args;
    dmm_stream s;
    dmm_set *set;
    dmm_search *search;
    uint64_t window; /* items of each list */
    side sides[2];
    dmm_array_pair out;
    dmm_buffer_pair on[MOST_SETS]; /* the result */
    cl_mem counts[MOST_SETS], lasts, temp;
    uint64_t found, written; /* items of `out`, of all */
    int is_last;             /* both lists have ended in their windows */
    dmm_aside aside;
} setting;

static dmm_status read_side(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    const side *const l = user;
    return l->args->read(l->args->user, l->list, keys, values, most, count);
}

/* Drops what has been combined, and reads until the window is full or the list ends. */
static dmm_status fill(setting *m, uint32_t list)
{
    side *const l = &m->sides[list];
    l->held -= l->taken;
    dmm_stream_move(&l->s, &l->items, 0, l->taken, l->held);
    l->taken = 0;
    return dmm_reader_fill(&l->reader, &l->s, &l->items, m->window, &l->held);
}

static dmm_status load(void *user, int *is_left)
{
    dmm_status status = DMM_OK;
    setting *const m = user;
    *is_left = !m->is_last;
    for (uint32_t i = 0; i < 2 && *is_left; i++)
        TRY(fill(m, i));
    m->is_last = m->sides[0].reader.has_ended && m->sides[1].reader.has_ended;
out:
    return status;
}

/* Searches both windows for the last items of both. */
static dmm_status search(setting *m, uint32_t set)
{
    dmm_status status = DMM_OK;
    const uint64_t key = m->s.key_bytes;
    dmm_chain chain = {.queue = m->s.ctx->queue};
    for (uint32_t i = 0; i < 2; i++)
        TRY(dmm_chain_copy(&chain,
            (dmm_span){m->sides[i].on[set].keys, (m->sides[i].held - 1) * key},
            (dmm_span){m->lasts, i * key}, key));
    for (uint32_t i = 0; i < 2; i++) {
        side *const l = &m->sides[i];
        const dmm_search_args args = {.keys = {l->on[set].keys, 0},
            .queries = {m->lasts, 0},
            .out = {l->ranks, 0},
            .ends_out = {l->ranks, sizeof l->at.lower}};
        TRY(dmm_stream_search(m->search, &chain, &args, l->held, 2));
        TRY(dmm_chain_read(&chain, (dmm_span){l->ranks, 0}, &l->at, sizeof l->at));
        for (uint32_t q = 0; q < 2; q++)
            FAIL_IF(l->at.lower[q] > l->at.upper[q] || l->at.upper[q] > l->held, DMM_WRONG_RESULT);
    }
out:
    return dmm_chain_end(&chain, status, NULL);
}

/* Returns how many of a window's last items are equal. */
static uint64_t equals(const setting *m, uint32_t list)
{
    return m->sides[list].held - m->sides[list].at.lower[list];
}

/*
 * Returns the list whose window is used up: of those that go on, the one whose last item comes
 * first; if both are equal, the one with fewer of them.
 */
static uint32_t choose(const setting *m)
{
    const side *const a = &m->sides[0], *const b = &m->sides[1];
    if (a->reader.has_ended || b->reader.has_ended)
        return a->reader.has_ended ? 1 : 0;
    if (a->at.lower[1] == a->held)
        return 0;
    if (b->at.lower[0] == b->held)
        return 1;
    return equals(m, 1) < equals(m, 0);
}

/*
 * Finds what is combined now. Cutting both lists behind equal items is right where as many of them
 * are before it in A as in B, or all of one list's are and at least as many of the other's.
 */
static dmm_status split(setting *m, uint32_t set)
{
    dmm_status status = DMM_OK;
    side *const a = &m->sides[0], *const b = &m->sides[1];
    a->taken = a->held;
    b->taken = b->held;
    if (m->is_last || a->held == 0 || b->held == 0)
        goto out;
    TRY(search(m, set));
    const uint32_t used = choose(m);
    side *const other = &m->sides[1 - used];
    const uint64_t most = other->at.lower[used] + equals(m, used);
    other->taken = other->at.upper[used] < most ? other->at.upper[used] : most;
out:
    return status;
}

static dmm_status upload(void *user, const dmm_turn *turn)
{
    setting *const m = user;
    const side *const a = &m->sides[0], *const b = &m->sides[1];
    const dmm_status status =
        dmm_stream_upload(&a->s, turn->transfers, &a->items, &a->on[turn->set], a->held);
    return status != DMM_OK
               ? status
               : dmm_stream_upload(&b->s, turn->transfers, &b->items, &b->on[turn->set], b->held);
}

static dmm_status start(void *user, const dmm_turn *turn, cl_event *done)
{
    setting *const m = user;
    const uint32_t set = turn->set;
    const side *const a = &m->sides[0], *const b = &m->sides[1];
    const dmm_set_args args = {.a_keys = {a->on[set].keys, 0},
        .a_values = {a->on[set].values, 0},
        .b_keys = {b->on[set].keys, 0},
        .b_values = {b->on[set].values, 0},
        .keys_out = {m->on[set].keys, 0},
        .values_out = {m->on[set].values, 0},
        .count_out = {m->counts[set], 0},
        .temp = {m->temp, 0}};
    const dmm_status status = split(m, set);
    if (status != DMM_OK)
        return status;
    return dmm_set_enqueue(m->set, m->s.ctx->queue, &args, a->taken, b->taken, 0, NULL, done);
}

static dmm_status write_found(void *user)
{
    const setting *const m = user;
    return m->args->write(m->args->user, m->out.keys, m->out.values, m->found);
}

/* Writes the result aside. */
static dmm_status finish(void *user, const dmm_turn *turn)
{
    dmm_status status = DMM_OK;
    setting *const m = user;
    cl_event copied = NULL;
    TRY(dmm_read(turn->transfers, m->counts[turn->set], &m->found, sizeof m->found));
    FAIL_IF(m->found > 2 * m->window, DMM_WRONG_RESULT);
    m->written += m->found;
    if (m->found == 0)
        goto out;
    TRY(dmm_stream_download(&m->s, turn->transfers, &m->on[turn->set], &m->out, m->found, &copied));
    dmm_aside_start(&m->aside, copied, write_found, m);
out:
    return status;
}

/* For each list, an array and a buffer of each set; as much for the result; temp. */
static dmm_status bytes_of_windows(const void *user, uint64_t items, uint64_t *out)
{
    const setting *const m = user;
    const dmm_status status = dmm_set_temp_bytes(out, m->set, 2 * items);
    const uint64_t each = 4 * (1 + m->s.sets) * ((uint64_t)m->s.key_bytes + m->s.value_bytes);
    *out = dmm_size_add(dmm_stream_temp(&m->s, *out), dmm_size_mul(items, each));
    return status;
}

/* Creates the objects for the largest windows that the memory allows. */
static dmm_status size(setting *m, const dmm_set_stream_desc *desc)
{
    dmm_status status = DMM_OK;
    const uint64_t item = (uint64_t)m->s.key_bytes + m->s.value_bytes;
    const uint64_t buffer = dmm_stream_buffer_items(&m->s) / 2;
    uint64_t memory = 0, temp = 0;
    TRY(dmm_stream_memory(m->s.ctx, desc->memory_bytes, &memory));
    FAIL_IF(desc->window_items > buffer, DMM_TOO_LARGE);
    uint64_t most = desc->window_items != 0 ? desc->window_items : memory / (8 * item);
    most = most < buffer ? most : buffer;
    const dmm_set_desc set = {.order = desc->order,
        .op = desc->op,
        .value_bytes = desc->value_bytes,
        .guarantee = desc->guarantee,
        .max_n = 2 * most + 1,
        .tuning = desc->tuning};
    const dmm_search_desc search_desc = {.order = desc->order,
        .result = DMM_RANK_RANGE,
        .rank_bytes = sizeof(uint64_t),
        .guarantee = desc->guarantee,
        .max_n = most + 1};
    TRY(dmm_set_create(&m->set, m->s.ctx, &set));
    TRY(dmm_search_create(&m->search, m->s.ctx, &search_desc));
    m->window = desc->window_items;
    TRY(dmm_stream_largest(most, memory, bytes_of_windows, m, &m->window));
    TRY(dmm_set_temp_bytes(&temp, m->set, 2 * m->window));
    TRY(dmm_upload(m->s.ctx, NULL, temp, &m->temp));
out:
    return status;
}

static dmm_status open_setting(setting *m, const dmm_set_stream_desc *desc)
{
    dmm_status status = DMM_OK;
    TRY(size(m, desc));
    for (uint32_t i = 0; i < 2; i++) {
        side *const l = &m->sides[i];
        *l = (side){.args = m->args, .list = i, .reader = {.user = l, .read = read_side}};
        const int keeps = i == 0 || desc->op == DMM_SET_UNION || desc->op == DMM_SET_SYMMETRIC;
        l->s = (dmm_stream){.ctx = m->s.ctx,
            .key_bytes = m->s.key_bytes,
            .value_bytes = keeps ? m->s.value_bytes : 0,
            .sets = m->s.sets};
        TRY(dmm_stream_arrays(&l->s, m->window, &l->items));
        TRY(dmm_stream_buffer_sets(&l->s, m->window, l->on));
        TRY(dmm_upload(m->s.ctx, NULL, sizeof l->at, &l->ranks));
    }
    TRY(dmm_stream_arrays(&m->s, 2 * m->window, &m->out));
    TRY(dmm_stream_buffer_sets(&m->s, 2 * m->window, m->on));
    for (uint32_t set = 0; set < m->s.sets; set++)
        TRY(dmm_upload(m->s.ctx, NULL, sizeof m->found, &m->counts[set]));
    TRY(dmm_upload(m->s.ctx, NULL, 2 * (uint64_t)m->s.key_bytes, &m->lasts));
out:
    return status;
}

static void close_setting(setting *m)
{
    const cl_mem buffers[] = {
        m->lasts, m->counts[0], m->counts[1], m->temp, m->sides[0].ranks, m->sides[1].ranks};
    dmm_aside_wait(&m->aside);
    dmm_stream_free_arrays(&m->out);
    dmm_stream_free_buffer_sets(m->on);
    for (uint32_t i = 0; i < 2; i++) {
        dmm_stream_free_arrays(&m->sides[i].items);
        dmm_stream_free_buffer_sets(m->sides[i].on);
    }
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    dmm_set_free(m->set);
    dmm_search_free(m->search);
}

dmm_status dmm_set_stream_host(
    dmm_context *ctx, const dmm_set_stream_desc *desc, const dmm_set_stream_args *args)
{
    dmm_status status = DMM_OK;
    setting m = {.args = args};
    dmm_refuse_begin();
    if (ctx == NULL || desc == NULL || args == NULL || args->read == NULL || args->write == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_check_reserved(desc, sizeof *desc, 0));
    TRY(dmm_check_reserved(args, sizeof *args, 0));
    TRY(dmm_order_check(&desc->order, &ctx->device));
    m.s = (dmm_stream){.ctx = ctx,
        .key_bytes = dmm_order_key_bytes(&desc->order),
        .value_bytes = desc->value_bytes,
        .sets = dmm_stream_sets(ctx, &desc->tuning)};
    TRY(open_setting(&m, desc));
    const dmm_pipeline p = {ctx, m.s.sets, &m.aside, &m, load, upload, start, finish};
    TRY(dmm_pipeline_run(&p));
    if (args->items_out != NULL)
        *args->items_out = m.written;
out:
    close_setting(&m);
    return status;
}
