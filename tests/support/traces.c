/* SPDX-License-Identifier: MIT */
#include "support/traces.h"

#include <stdlib.h>

#include <dmm-model/translation.h>

#include "support/require.h"

typedef struct maker {
    random_source *random;
    uint64_t pages; /* pages of the whole tree */
    uint32_t W;
    uint64_t a, b, c; /* numbers of this trace */
    trace_case *out;
} maker;

static uint64_t any_page(maker *m, uint32_t t)
{
    (void)t;
    return random_below(m->random, m->pages);
}

static uint64_t neighbours(maker *m, uint32_t t)
{
    return m->a + t / (1 + m->b % 4);
}

/* One page more than the cache has nodes, in turn: LRU misses every one. */
static uint64_t in_turn(maker *m, uint32_t t)
{
    return m->a + t % (m->W + m->b % 3) * (1 + m->c % 8);
}

static uint64_t with_stride(maker *m, uint32_t t)
{
    return m->a + t * m->c;
}

/* Mostly a few pages, now and then any. */
static uint64_t few_and_any(maker *m, uint32_t t)
{
    if (random_below(m->random, 1 + m->b % 8) == 0)
        return any_page(m, t);
    return m->a + random_below(m->random, 1 + m->c % 8) * m->b;
}

static uint64_t a_walk(maker *m, uint32_t t)
{
    (void)t;
    m->a += random_below(m->random, 2 * (m->b % 6) + 3) - (m->b % 6) - 1;
    return m->a;
}

/* From any page down its siblings, then up: paths that share all but their end. */
static uint64_t combs(maker *m, uint32_t t)
{
    if (t % (1 + m->b % 12) == 0)
        m->a = random_next(m->random);
    return m->a - m->a % m->out->K + random_below(m->random, m->out->K);
}

/* Halving steps, as a binary search makes them. */
static uint64_t searches(maker *m, uint32_t t)
{
    if (t == 0 || m->b <= 1) {
        m->a = 0;
        m->b = m->pages;
    }
    m->b /= 2;
    if (random_next(m->random) & 1)
        m->a += m->b;
    return m->a + m->b / 2;
}

/* Two interleaved scans, far from each other. */
static uint64_t two_scans(maker *m, uint32_t t)
{
    return t % 2 ? m->a + t / 2 : m->a + m->pages / 2 - t / 2;
}

static const struct {
    const char *name;
    uint64_t (*page)(maker *, uint32_t);
} kinds[] = {
    {"random", any_page},
    {"neighbours", neighbours},
    {"in turn", in_turn},
    {"with stride", with_stride},
    {"few and any", few_and_any},
    {"walk", a_walk},
    {"combs", combs},
    {"searches", searches},
    {"two scans", two_scans},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void start(trace_case *c, uint32_t K, uint32_t d, uint32_t length)
{
    *c = (trace_case){"random", K, d, length, malloc(length * sizeof *c->addresses)};
    REQUIRE(c->addresses);
}

void trace_make_random(
    trace_case *c, random_source *random, uint32_t K, uint32_t d, uint32_t length)
{
    uint64_t pages = 1;
    start(c, K, d, length);
    for (uint32_t l = 0; l < d; l++)
        pages *= K;
    for (uint32_t t = 0; t < length; t++)
        c->addresses[t] = random_below(random, pages) * TRACE_PAGE_BYTES;
}

/* The adversary: of some random pages, the one whose translation would insert most. */
static void make_against(maker *m, dmm_model_eviction by)
{
    enum { TRIES = 6 };
    const dmm_model_translation machine = {.page_bytes = TRACE_PAGE_BYTES,
        .fanout = m->out->K,
        .depth = m->out->d,
        .nodes = m->W > m->out->d ? m->W : m->out->d + 1,
        .eviction = by};
    const uint64_t range = m->pages < m->W ? m->pages : m->W + 1;
    for (uint32_t t = 0; t < m->out->length; t++) {
        uint64_t worst = 0, page = 0;
        for (uint32_t i = 0; i < TRIES; i++) {
            dmm_model_translation_counts counts;
            const uint64_t tried = random_below(m->random, range) * (m->pages / range);
            m->out->addresses[t] = tried * TRACE_PAGE_BYTES;
            REQUIRE_OK(dmm_model_translate(&counts, NULL, &machine, m->out->addresses, t + 1));
            if (i == 0 || counts.insertions > worst) {
                worst = counts.insertions;
                page = tried;
            }
        }
        m->out->addresses[t] = page * TRACE_PAGE_BYTES;
    }
}

void trace_make(trace_case *c, random_source *random, uint32_t W, uint32_t length)
{
    static const uint32_t fanouts[] = {2, 2, 4, 8, 16, 512};
    const uint32_t K = fanouts[random_below(random, 6)];
    const uint32_t d = 1 + (uint32_t)random_below(random, K == 2 ? 12 : K == 512 ? 4 : 6);
    const uint64_t kind = random_below(random, KINDS + 1);
    maker m = {.random = random, .pages = 1, .W = 2 + (uint32_t)random_below(random, W), .out = c};
    start(c, K, d, 1 + (uint32_t)random_below(random, length));
    for (uint32_t l = 0; l < d; l++)
        m.pages *= K;
    m.a = random_below(random, m.pages);
    m.b = random_below(random, m.pages);
    m.c = 1 + random_below(random, random_below(random, 2) ? m.pages : 2 * K);
    if (kind == KINDS) {
        c->name = "adversary";
        c->length = c->length < 60 ? c->length : 60;
        make_against(&m, random_below(random, 2) ? DMM_MODEL_LRU : DMM_MODEL_ISLRU);
        return;
    }
    c->name = kinds[kind].name;
    for (uint32_t t = 0; t < c->length; t++)
        c->addresses[t] = kinds[kind].page(&m, t) % m.pages * TRACE_PAGE_BYTES;
}

void trace_free(trace_case *c)
{
    free(c->addresses);
}
