/* SPDX-License-Identifier: MIT */
/*
 * dmm_set_stream: both windows are uploaded, what can be combined is found by searches for their
 * last items, and dmm_set combines it. Meanwhile the windows are filled again, and the result
 * before is written.
 */
#include <dmm/set_stream.h>

#include <string.h>

#include "core/check.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/order.h"
#include "primitives/stream/stream.h"

enum { LEAST_ITEMS = 64, RANKS = 4 };

/* A list. Its window has its items taken .. taken + held - 1 of those read so far. */
typedef struct side {
    dmm_stream s; /* sizes of its items */
    dmm_array_pair items;
    dmm_buffer_pair on;
    uint64_t held, taken; /* taken: items of the window that are combined now */
    int has_ended;
    cl_mem ranks; /* lower and upper, of the last item of each side */
    uint64_t lower[2], upper[2];
} side;

typedef struct setting {
    const dmm_set_stream_args *args;
    dmm_stream s;
    dmm_set *set;
    dmm_search *search;
    uint64_t window; /* items of each list */
    side sides[2];
    dmm_array_pair out;
    dmm_buffer_pair on; /* the result */
    cl_mem lasts, count, temp;
    uint64_t found, written; /* items: of the window, of all */
    dmm_aside aside;
} setting;

/* Reads until the window is full or the list ends. */
static dmm_status fill(setting *m, uint32_t list)
{
    side *const l = &m->sides[list];
    const uint64_t key = l->s.key_bytes, value = l->s.value_bytes;
    uint64_t got = 0;
    l->held -= l->taken;
    memmove(l->items.keys, l->items.keys + l->taken * key, l->held * key);
    if (value != 0)
        memmove(l->items.values, l->items.values + l->taken * value, l->held * value);
    l->taken = 0;
    for (; l->held < m->window && !l->has_ended; l->held += got) {
        const dmm_status status = m->args->read(m->args->user, list, l->items.keys + l->held * key,
            value != 0 ? l->items.values + l->held * value : NULL, m->window - l->held, &got);
        if (status != DMM_OK)
            return status;
        if (got > m->window - l->held)
            return DMM_BAD_VALUE;
        l->has_ended = got == 0;
    }
    return DMM_OK;
}

/* Searches both windows for the last items of both. */
static dmm_status search(setting *m)
{
    dmm_status status = DMM_OK;
    const uint64_t key = m->s.key_bytes, half = 2 * sizeof(uint64_t);
    const cl_command_queue queue = m->s.ctx->queue;
    for (uint32_t i = 0; i < 2; i++)
        TRY(clEnqueueCopyBuffer(queue, m->sides[i].on.keys, m->lasts,
            (size_t)((m->sides[i].held - 1) * key), (size_t)(i * key), (size_t)key, 0, NULL, NULL));
    for (uint32_t i = 0; i < 2; i++) {
        side *const l = &m->sides[i];
        uint64_t ranks[RANKS];
        const dmm_search_args args = {.keys = {l->on.keys, 0},
            .queries = {m->lasts, 0},
            .out = {l->ranks, 0},
            .ends_out = {l->ranks, half}};
        TRY(dmm_search_enqueue(m->search, queue, &args, l->held, 2, 0, NULL, NULL));
        TRY(dmm_download(m->s.ctx, l->ranks, ranks, sizeof ranks, NULL));
        memcpy(l->lower, ranks, half);
        memcpy(l->upper, ranks + 2, half);
        for (uint32_t q = 0; q < 2; q++)
            FAIL_IF(l->lower[q] > l->upper[q] || l->upper[q] > l->held, DMM_WRONG_RESULT);
    }
out:
    return status;
}

/* Returns how many of a window's last items are equal. */
static uint64_t equals(const setting *m, uint32_t list)
{
    return m->sides[list].held - m->sides[list].lower[list];
}

/*
 * Returns the list whose window is used up: of those that go on, the one whose last item comes
 * first; if both are equal, the one with fewer of them.
 */
static uint32_t choose(const setting *m)
{
    const side *const a = &m->sides[0], *const b = &m->sides[1];
    if (a->has_ended || b->has_ended)
        return a->has_ended ? 1 : 0;
    if (a->lower[1] == a->held)
        return 0;
    if (b->lower[0] == b->held)
        return 1;
    return equals(m, 1) < equals(m, 0);
}

/*
 * Finds what is combined now. Cutting both lists behind equal items is right where as many of them
 * are before it in A as in B, or all of one list's are and at least as many of the other's.
 */
static dmm_status split(setting *m)
{
    dmm_status status = DMM_OK;
    side *const a = &m->sides[0], *const b = &m->sides[1];
    for (uint32_t i = 0; i < 2; i++) {
        TRY(dmm_stream_upload(
            &m->sides[i].s, &m->sides[i].items, &m->sides[i].on, m->sides[i].held));
        m->sides[i].taken = m->sides[i].held;
    }
    if ((a->has_ended && b->has_ended) || a->held == 0 || b->held == 0)
        goto out;
    TRY(search(m));
    const uint32_t used = choose(m);
    side *const other = &m->sides[1 - used];
    const uint64_t most = other->lower[used] + equals(m, used);
    other->taken = other->upper[used] < most ? other->upper[used] : most;
out:
    return status;
}

static dmm_status start(setting *m, cl_event *done)
{
    dmm_status status = DMM_OK;
    const side *const a = &m->sides[0], *const b = &m->sides[1];
    const dmm_set_args args = {.a_keys = {a->on.keys, 0},
        .a_values = {a->on.values, 0},
        .b_keys = {b->on.keys, 0},
        .b_values = {b->on.values, 0},
        .keys_out = {m->on.keys, 0},
        .values_out = {m->on.values, 0},
        .count_out = {m->count, 0},
        .temp = {m->temp, 0}};
    TRY(split(m));
    TRY(dmm_set_enqueue(m->set, m->s.ctx->queue, &args, a->taken, b->taken, 0, NULL, done));
    TRY(clFlush(m->s.ctx->queue));
out:
    return status;
}

static dmm_status write_found(void *user)
{
    const setting *const m = user;
    return m->args->write(m->args->user, m->out.keys, m->out.values, m->found);
}

/* Waits for the result, and writes it aside. */
static dmm_status finish(setting *m, uint64_t most, cl_event *done)
{
    dmm_status status = DMM_OK;
    TRY(clWaitForEvents(1, done));
    clReleaseEvent(*done);
    *done = NULL;
    TRY(dmm_aside_wait(&m->aside));
    TRY(dmm_download(m->s.ctx, m->count, &m->found, sizeof m->found, NULL));
    FAIL_IF(m->found > most, DMM_WRONG_RESULT);
    TRY(dmm_stream_download(&m->s, &m->on, &m->out, m->found));
    m->written += m->found;
    if (m->found != 0)
        dmm_aside_start(&m->aside, write_found, m);
out:
    return status;
}

static dmm_status combine(setting *m)
{
    dmm_status status = DMM_OK;
    cl_event done = NULL;
    TRY(fill(m, 0));
    TRY(fill(m, 1));
    for (int is_last = 0; !is_last;) {
        is_last = m->sides[0].has_ended && m->sides[1].has_ended;
        TRY(start(m, &done));
        const uint64_t most = m->sides[0].taken + m->sides[1].taken;
        for (uint32_t i = 0; i < 2 && !is_last; i++)
            TRY(fill(m, i));
        TRY(finish(m, most, &done));
    }
out:
    dmm_wait_and_release(done);
    if (status != DMM_OK)
        clFinish(m->s.ctx->queue);
    return status;
}

/* Creates the objects for the largest windows that the memory allows. Of a list: an array and a
 * buffer; as much for the result; temp. */
static dmm_status size(setting *m, const dmm_set_stream_desc *desc)
{
    dmm_status status = DMM_OK;
    const uint64_t memory = desc->memory_bytes != 0 ? desc->memory_bytes : (uint64_t)1 << 30;
    const uint64_t item = (uint64_t)m->s.key_bytes + m->s.value_bytes;
    const uint64_t buffer = m->s.ctx->device.max_buffer.value / item / 2;
    uint64_t most = desc->window_items != 0 ? desc->window_items : memory / (8 * item), temp = 0;
    FAIL_IF(desc->window_items > buffer, DMM_TOO_LARGE);
    most = most < buffer ? most : buffer;
    const dmm_set_desc set = {.order = desc->order,
        .op = desc->op,
        .value_bytes = desc->value_bytes,
        .guarantee = desc->guarantee,
        .max_n = 2 * most + 1,
        .tuning = desc->tuning};
    const dmm_search_desc search_desc = {.order = desc->order,
        .result = DMM_SEARCH_RANGE,
        .rank_bytes = sizeof(uint64_t),
        .guarantee = desc->guarantee,
        .max_n = most + 1};
    TRY(dmm_set_create(&m->set, m->s.ctx, &set));
    TRY(dmm_search_create(&m->search, m->s.ctx, &search_desc));
    for (m->window = most;; m->window -= m->window / 16 + 1) {
        FAIL_IF(m->window < LEAST_ITEMS && desc->window_items == 0, DMM_BAD_VALUE);
        TRY(dmm_set_temp_bytes(&temp, m->set, 2 * m->window));
        if (desc->window_items != 0 ||
            dmm_size_add(temp, dmm_size_mul(m->window, 8 * item)) <= memory)
            break;
    }
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
        const int keeps = i == 0 || desc->op == DMM_SET_UNION || desc->op == DMM_SET_SYMMETRIC;
        l->s = (dmm_stream){.ctx = m->s.ctx,
            .key_bytes = m->s.key_bytes,
            .value_bytes = keeps ? m->s.value_bytes : 0};
        TRY(dmm_stream_arrays(&l->s, m->window, &l->items));
        TRY(dmm_stream_buffers(&l->s, m->window, &l->on));
        TRY(dmm_upload(m->s.ctx, NULL, RANKS * sizeof(uint64_t), &l->ranks));
    }
    TRY(dmm_stream_arrays(&m->s, 2 * m->window, &m->out));
    TRY(dmm_stream_buffers(&m->s, 2 * m->window, &m->on));
    TRY(dmm_upload(m->s.ctx, NULL, 2 * (uint64_t)m->s.key_bytes, &m->lasts));
    TRY(dmm_upload(m->s.ctx, NULL, sizeof m->found, &m->count));
out:
    return status;
}

static void close_setting(setting *m)
{
    const cl_mem buffers[] = {m->lasts, m->count, m->temp, m->sides[0].ranks, m->sides[1].ranks};
    dmm_aside_wait(&m->aside);
    dmm_stream_free_arrays(&m->out);
    dmm_stream_free_buffers(&m->on);
    for (uint32_t i = 0; i < 2; i++) {
        dmm_stream_free_arrays(&m->sides[i].items);
        dmm_stream_free_buffers(&m->sides[i].on);
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
    if (ctx == NULL || desc == NULL || args == NULL || args->read == NULL || args->write == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_check_reserved(desc, sizeof *desc, 0));
    TRY(dmm_check_reserved(args, sizeof *args, 0));
    TRY(dmm_order_check(&desc->order, &ctx->device));
    m.s = (dmm_stream){.ctx = ctx,
        .key_bytes = dmm_order_key_bytes(&desc->order),
        .value_bytes = desc->value_bytes};
    TRY(open_setting(&m, desc));
    TRY(combine(&m));
    TRY(dmm_aside_wait(&m.aside));
    if (args->items != NULL)
        *args->items = m.written;
out:
    close_setting(&m);
    return status;
}
