/* SPDX-License-Identifier: MIT */
/*
 * The worst input of a pairwise merge sort with plain reads: Berney 2023, section 4.2.
 *
 * See each list as a matrix with a row for every bank. Every column of w = qE + r words should end
 * in threads that read E words from bank w-E on, all in the same steps. The words before those,
 * r or E + r of them, are filled up with the sequence S of pairs
 *     s_i = i*r/d mod E/d,   y_i = s_i*d,   x_i = E - y_i,   i = 1..E/d-1,   d = gcd(w, E):
 * a thread's x_i words begin a column of one list, its y_i words fill up the other list's column
 * that x_{i-1} began. d such subproblems, every other one with A and B exchanged, make a warp.
 * The thesis leaves open what a thread reads first if neither of its lists begins in the last E
 * banks. Here that is always x_i: as many accesses are aligned, and more of the others collide.
 */
#include "model/shape.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WARP_ITEMS_MAX = 16384 }; /* limits the search for early shares to seconds */

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b ? gcd(b, a % b) : a;
}

bool dmm_shape_is_valid(const dmm_model_merge_shape *shape, uint32_t least, uint32_t most)
{
    const uint32_t w = shape->w, u = shape->u;
    return w >= 2 && w <= DMM_MODEL_LANES_MAX && (w & (w - 1)) == 0 && u >= w && u <= 65536 &&
           (u & (u - 1)) == 0 && shape->E >= least && shape->E <= most;
}

/* ---- One warp: the sequence T -------------------------------------------------------------- */

/* Appends `count` threads that read `first` items of one list, then the rest of the other. */
static dmm_model_share *append(
    dmm_model_share *end, uint32_t count, bool b_first, uint32_t first, uint32_t E)
{
    const dmm_model_share share = {
        b_first ? E - first : first, b_first ? first : E - first, b_first};
    for (; count > 0; count--)
        *end++ = share;
    return end;
}

/* Appends the w/d threads of one subproblem: the pairs S, and scans of E words between them. */
static dmm_model_share *append_subproblem(
    dmm_model_share *end, uint32_t w, uint32_t E, bool mirrored)
{
    const uint32_t d = gcd(w, E), q = w / E, r = w % E, pairs = E / d;
    uint32_t x_before = 0;
    for (uint32_t i = 1; i < pairs; i++) {
        const bool odd = i % 2;
        const uint32_t y = i * (r / d) % pairs * d, x = E - y;
        const bool filled_to_r = x_before + y == r; /* otherwise to E + r */
        end = append(end, 1, odd ^ mirrored, x, E);
        end = append(end, filled_to_r ? q : q - 1, !odd ^ mirrored, E, E);
        x_before = x;
    }
    return append(end, q, (pairs % 2 == 0) ^ mirrored, E, E);
}

dmm_model_status dmm_model_worst_warp(dmm_model_share *shares, uint32_t w, uint32_t E, int mirrored)
{
    if (!shares)
        return DMM_MODEL_NULL_ARGUMENT;
    if (w > DMM_MODEL_LANES_MAX || E < 2 || E > w)
        return DMM_MODEL_BAD_VALUE;
    dmm_model_share *end = shares;
    for (bool swapped = mirrored; end != shares + w; swapped = !swapped)
        end = append_subproblem(end, w, E, swapped);
    return DMM_MODEL_OK;
}

uint64_t dmm_model_worst_aligned(uint32_t w, uint32_t E)
{
    if (E < 2 || E > w)
        return 0;
    const uint64_t e = E, d = gcd(w, E), r = w % E;
    return E <= w / 2 ? e * e : (e * e + 2 * e * r + e * d - r * r - r * d) / 2;
}

/* ---- The full permutation: unmerging ------------------------------------------------------- */

/* Which member of the family is made. */
typedef struct draw {
    uint64_t seed;
    uint32_t share; /* percent of the warps that are worst */
    bool drawn;     /* false: the one of dmm_model_worst_merge */
} draw;

/* Returns the next number of a sequence (S. Vigna, splitmix64). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Shares of a round's threads, repeated after `period` threads. */
typedef struct round_plan {
    uint32_t period;
    dmm_model_share shares[2 * DMM_MODEL_LANES_MAX];
} round_plan;

static dmm_model_status plan_round(
    round_plan *plan, uint64_t threads, const dmm_model_merge_shape *shape)
{
    const uint32_t w = shape->w, E = shape->E;
    if (threads <= w) {
        plan->period = w;
        return dmm_worst_early(plan->shares, (uint32_t)threads, w, E);
    }
    plan->period = 2 * w;
    const dmm_model_status status = dmm_model_worst_warp(plan->shares, w, E, false);
    return status ? status : dmm_model_worst_warp(plan->shares + w, w, E, true);
}

/* One merge that is undone: the ends of its lists so far. */
typedef struct unmerging {
    const uint64_t *merged; /* items of thread 0 of all, in merged order */
    uint64_t *a, *b;
    const uint64_t *b_end;
    uint32_t w, E;
} unmerging;

/* Distributes the items of threads first..last-1 by a plan, in which `swapped` exchanges the two
 * warps of a pair. */
static void unmerge_planned(
    unmerging *u, const round_plan *plan, uint64_t first, uint64_t last, bool swapped)
{
    for (uint64_t t = first; t < last; t++) {
        const dmm_model_share planned = plan->shares[(t + (swapped ? u->w : 0)) % plan->period];
        const dmm_model_share share = u->b < u->b_end ? planned : (dmm_model_share){u->E, 0, false};
        const uint64_t *from = u->merged + t * u->E;
        memcpy(u->a, from + (share.b_first ? share.b : 0), share.a * sizeof *from);
        memcpy(u->b, from + (share.b_first ? 0 : share.a), share.b * sizeof *from);
        u->a += share.a;
        u->b += share.b;
    }
}

/* Distributes them at random, b_items of them to B. */
static void unmerge_random(
    unmerging *u, uint64_t first, uint64_t last, uint64_t b_items, uint64_t *random)
{
    const uint64_t *from = u->merged + first * u->E;
    for (uint64_t left = (last - first) * u->E; left > 0; left--) {
        const bool to_b = next_random(random) % left < b_items;
        *(to_b ? u->b++ : u->a++) = *from++;
        b_items -= to_b;
    }
}

/* Undoes one merge: threads first..last-1 distribute their items to list A and, behind it, list B.
 * Warps are drawn in pairs, whose lists end at bank 0 together; merges of up to w threads by the
 * warp. */
static void unmerge(uint64_t *lists, const uint64_t *merged, uint64_t first, uint64_t middle,
    uint64_t last, const round_plan *plan, const dmm_model_merge_shape *shape, const draw *d)
{
    const uint32_t w = shape->w, E = shape->E;
    unmerging u = {merged, lists + first * E, lists + middle * E, lists + last * E, w, E};
    for (uint64_t t = first, end; t < last; t = end) {
        end = last - t < plan->period ? last : t + plan->period;
        uint64_t random = d->seed ^ (last - first) << 48 ^ t / plan->period << 8;
        const uint64_t chance = next_random(&random);
        const uint64_t b_left = (uint64_t)(u.b_end - u.b), pair = (uint64_t)w * E;
        if (d->drawn && chance % 100 >= d->share)
            unmerge_random(&u, t, end, plan->period > w && b_left > pair ? pair : b_left, &random);
        else
            unmerge_planned(&u, plan, t, end, d->drawn && end - t == 2 * w && chance >> 63);
    }
}

/* Undoes all merges of the round that made lists of `merge_threads` threads' items each. */
static dmm_model_status unmerge_round(uint64_t *lists, const uint64_t *merged, uint64_t threads,
    uint64_t merge_threads, const dmm_model_merge_shape *shape, const draw *d)
{
    round_plan plan;
    const dmm_model_status status = plan_round(&plan, merge_threads, shape);
    if (status)
        return status;
    for (uint64_t first = 0; first < threads; first += merge_threads) {
        const uint64_t left = threads - first, half = merge_threads / 2;
        const uint64_t middle = first + (half < left ? half : left);
        const uint64_t last = first + (merge_threads < left ? merge_threads : left);
        unmerge(lists, merged, first, middle, last, &plan, shape, d);
    }
    return DMM_MODEL_OK;
}

/* Undoes all rounds. `ranks`: first the sorted order of the items of `threads` threads, then the
 * worst one. */
static dmm_model_status unmerge_all(
    uint64_t *ranks, uint64_t threads, const dmm_model_merge_shape *shape, const draw *d)
{
    const size_t bytes = (size_t)threads * shape->E * sizeof *ranks;
    uint64_t *scratch = malloc(bytes);
    if (!scratch)
        return DMM_MODEL_OUT_OF_MEMORY;
    dmm_model_status status = DMM_MODEL_OK;
    uint64_t merge_threads = 1;
    while (merge_threads < threads)
        merge_threads *= 2;
    uint64_t *merged = ranks, *lists = scratch;
    for (; merge_threads > 1; merge_threads /= 2) {
        status = unmerge_round(lists, merged, threads, merge_threads, shape, d);
        if (status)
            goto out;
        uint64_t *done = merged;
        merged = lists;
        lists = done;
    }
    if (merged != ranks)
        memcpy(ranks, merged, bytes);
out:
    free(scratch);
    return status;
}

/* Puts the items of each thread, which it sorts in registers, into a random order. */
static void shuffle_runs(uint64_t *ranks, uint64_t threads, uint32_t E, uint64_t seed)
{
    for (uint64_t t = 0; t < threads; t++, ranks += E)
        for (uint32_t i = E; i > 1; i--) {
            const uint64_t j = next_random(&seed) % i, kept = ranks[i - 1];
            ranks[i - 1] = ranks[j];
            ranks[j] = kept;
        }
}

static dmm_model_status make(
    uint64_t *ranks, uint64_t n, const dmm_model_merge_shape *shape, const draw *d)
{
    if (!ranks || !shape)
        return DMM_MODEL_NULL_ARGUMENT;
    if (!dmm_shape_is_valid(shape, 2, shape->w))
        return DMM_MODEL_BAD_VALUE;
    if (shape->w * shape->E > WARP_ITEMS_MAX || n > SIZE_MAX / sizeof *ranks)
        return DMM_MODEL_TOO_LARGE;
    for (uint64_t i = 0; i < n; i++)
        ranks[i] = i;
    const uint64_t tiles = n / ((uint64_t)shape->u * shape->E);
    const dmm_model_status status =
        tiles ? unmerge_all(ranks, tiles * shape->u, shape, d) : DMM_MODEL_OK;
    if (status == DMM_MODEL_OK && d->drawn)
        shuffle_runs(ranks, tiles * shape->u, shape->E, d->seed);
    return status;
}

dmm_model_status dmm_model_worst_merge(
    uint64_t *ranks, uint64_t n, const dmm_model_merge_shape *shape)
{
    return make(ranks, n, shape, &(draw){.drawn = false});
}

dmm_model_status dmm_model_worst_draw(
    uint64_t *ranks, uint64_t n, const dmm_model_merge_shape *shape, uint64_t seed, uint32_t share)
{
    if (share > 100)
        return DMM_MODEL_BAD_VALUE;
    return make(ranks, n, shape, &(draw){seed, share, true});
}
