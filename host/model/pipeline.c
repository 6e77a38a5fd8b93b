/* SPDX-License-Identifier: MIT */
/*
 * The warps that wait for an answer stand in a queue, in the order in which they were served. Every
 * step takes the same time from its last pass to its answer, so that is the order of the answers,
 * too, and the head of the queue is ready first. Warps at a barrier leave the queue, and return
 * when the last of their group has arrived, whose answer is then the latest of all.
 */
#include <dmm-model/pipeline.h>

#include <stdbool.h>
#include <stdlib.h>

typedef struct pipeline {
    const dmm_model_warps *warps;
    uint64_t latency;
    uint64_t *next;    /* step of each warp that is served next */
    uint64_t *ready;   /* time of its last answer */
    uint64_t *queue;   /* ring of warps, with a place for each */
    uint64_t *arrived; /* warps of each group at its barrier, and those that have ended */
    uint64_t head, length;
    uint64_t parked; /* warps at barriers */
} pipeline;

static bool at_end(const pipeline *p, uint64_t warp)
{
    return p->next[warp] == p->warps->ends[warp];
}

static void append(pipeline *p, uint64_t warp)
{
    p->queue[(p->head + p->length++) % p->warps->warps] = warp;
}

static void proceed(pipeline *p, uint64_t warp, uint64_t time);

/* All warps of a group stand at a barrier: they go on at that time, past all barriers at which they
 * stand together. */
static void release(pipeline *p, uint64_t group, uint64_t time)
{
    const uint64_t count = p->warps->group_warps, first = group * count;
    p->arrived[group] = 0;
    p->parked -= count;
    for (bool together = true; together;) {
        for (uint64_t i = first; i < first + count; i++) {
            p->next[i]++;
            together = together && !at_end(p, i) && p->warps->passes[p->next[i]] == 0;
        }
    }
    for (uint64_t i = first; i < first + count; i++)
        proceed(p, i, time);
}

/* The warp has its answer at that time: it queues for its next step, or stands at a barrier. */
static void proceed(pipeline *p, uint64_t warp, uint64_t time)
{
    const uint64_t group = warp / p->warps->group_warps;
    p->ready[warp] = time;
    if (at_end(p, warp))
        return;
    if (p->warps->passes[p->next[warp]] != 0) {
        append(p, warp);
        return;
    }
    p->parked++;
    if (++p->arrived[group] == p->warps->group_warps)
        release(p, group, time);
}

static uint64_t serve_all(pipeline *p)
{
    uint64_t free_at = 0, last = 0;
    for (uint64_t warp = 0; warp < p->warps->warps; warp++)
        proceed(p, warp, 0);
    while (p->length > 0) {
        const uint64_t warp = p->queue[p->head];
        p->head = (p->head + 1) % p->warps->warps;
        p->length--;
        if (free_at < p->ready[warp])
            free_at = p->ready[warp];
        free_at += p->warps->passes[p->next[warp]++];
        last = free_at + p->latency - 1;
        proceed(p, warp, last);
    }
    return last;
}

static bool start(pipeline *p)
{
    const size_t count = (size_t)p->warps->warps;
    if (p->warps->warps > SIZE_MAX / sizeof(uint64_t))
        return false;
    p->next = malloc(count * sizeof *p->next);
    p->ready = malloc(count * sizeof *p->ready);
    p->queue = malloc(count * sizeof *p->queue);
    p->arrived = calloc((size_t)(count / p->warps->group_warps), sizeof *p->arrived);
    if (!p->next || !p->ready || !p->queue || !p->arrived)
        return false;
    for (uint64_t i = 0; i < count; i++)
        p->next[i] = i ? p->warps->ends[i - 1] : 0;
    return true;
}

dmm_model_status dmm_model_pipelined_time(
    uint64_t *time, const dmm_model_warps *warps, uint64_t latency)
{
    if (!time || !warps || (warps->warps && !warps->ends))
        return DMM_MODEL_NULL_ARGUMENT;
    if (latency == 0 ||
        (warps->warps && (warps->group_warps == 0 || warps->warps % warps->group_warps != 0)))
        return DMM_MODEL_BAD_VALUE;
    for (uint64_t i = 1; i < warps->warps; i++)
        if (warps->ends[i] < warps->ends[i - 1])
            return DMM_MODEL_BAD_DATA;
    if (warps->warps && warps->ends[warps->warps - 1] && !warps->passes)
        return DMM_MODEL_NULL_ARGUMENT;
    if (warps->warps == 0) {
        *time = 0;
        return DMM_MODEL_OK;
    }
    pipeline p = {.warps = warps, .latency = latency};
    dmm_model_status status = DMM_MODEL_OUT_OF_MEMORY;
    if (start(&p)) {
        const uint64_t end = serve_all(&p);
        status = p.parked ? DMM_MODEL_BAD_DATA : DMM_MODEL_OK;
        if (status == DMM_MODEL_OK)
            *time = end;
    }
    free(p.next);
    free(p.ready);
    free(p.queue);
    free(p.arrived);
    return status;
}
