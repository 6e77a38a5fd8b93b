/* SPDX-License-Identifier: MIT */
/*
 * Permuting a tall matrix in banked memory: P. Afshani, N. Sitchinava, "Sorting and Permuting
 * without Bank Conflicts on GPUs", ESA 2015, section 3. Steps are carried out one by one, and each
 * is looked at: two labels that are sent to one row in a step would count as two passes.
 */
#include <dmm-model/tall.h>

#include <stdlib.h>
#include <string.h>

enum { SENDINGS = 2, MAX_SIDE = 1 << 16 }; /* the paper's alpha: times that each colour is sent */
#define SENT UINT32_MAX

typedef struct tall {
    uint32_t *labels; /* row i, column j at i*m + j: where the item there goes, in the same way */
    uint32_t *moved;  /* room for as many */
    uint32_t *hash;   /* a row's h */
    uint32_t *wanted; /* of a row: in how many labels' way it was in this step */
    uint32_t w, m;
    uint64_t random;
    dmm_model_tall_cost *cost;
} tall;

static uint32_t next_random(tall *t)
{
    uint64_t x = t->random += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(x >> 32);
}

/* Rows turn by random amounts; then blocks of m rows are transposed. */
static void preprocess(tall *t)
{
    for (uint32_t i = 0; i < t->w; i++) {
        const uint32_t shift = next_random(t) % t->m, block = i / t->m * t->m, row = i % t->m;
        for (uint32_t j = 0; j < t->m; j++)
            t->moved[(size_t)(block + (j + shift) % t->m) * t->m + row] =
                t->labels[(size_t)i * t->m + j];
    }
    memcpy(t->labels, t->moved, (size_t)t->w * t->m * sizeof *t->labels);
    t->cost->steps += 4 * (uint64_t)t->m; /* turning and transposing read and write each item */
}

/* Each row sends one label of colour k, if it holds one: returns how many were sent. */
static uint64_t send_colour(tall *t, uint32_t k)
{
    uint64_t sent = 0;
    memset(t->wanted, 0, t->w * sizeof *t->wanted);
    for (uint32_t i = 0; i < t->w; i++)
        for (uint32_t j = 0; j < t->m; j++) {
            uint32_t *label = &t->labels[(size_t)i * t->m + j];
            if (*label == SENT || (*label % t->m + t->m - t->hash[*label / t->m]) % t->m != k)
                continue;
            const uint32_t passes = ++t->wanted[*label / t->m];
            t->cost->worst = passes > t->cost->worst ? passes : t->cost->worst;
            *label = SENT;
            sent++;
            break;
        }
    t->cost->steps++;
    return sent;
}

/* ceil(log2(x)), at least 1. */
static uint64_t log_of(uint64_t x)
{
    uint64_t log = 1;
    while ((uint64_t)1 << log < x)
        log++;
    return log;
}

/* ceil(log_m(w)), cubed: of Lemma 2. */
static uint64_t cube(const tall *t)
{
    const uint64_t ratio = (log_of(t->w) + log_of(t->m) - 1) / log_of(t->m);
    return ratio * ratio * ratio;
}

static void run(tall *t)
{
    uint64_t left = (uint64_t)t->w * t->m;
    preprocess(t);
    while (left > (uint64_t)t->w * t->m / (8 * cube(t))) {
        for (uint32_t i = 0; i < t->w; i++)
            t->hash[i] = next_random(t) % t->m;
        for (uint32_t times = 0; times < SENDINGS; times++)
            for (uint32_t k = 0; k < t->m; k++)
                left -= send_colour(t, k);
        t->cost->steps +=
            t->m + 2 * log_of(t->w); /* h goes to all rows, and what is left is summed */
        t->cost->rounds++;
    }
    t->cost->left = left;
    t->cost->steps += left != 0 ? t->m * cube(t) : 0;
}

dmm_model_status dmm_model_tall_permute(
    dmm_model_tall_cost *out, const uint32_t *goals, uint32_t w, uint32_t m, uint64_t seed)
{
    if (out == NULL || goals == NULL)
        return DMM_MODEL_NULL_ARGUMENT;
    if (m < 2 || w < m || w % m != 0 || w > MAX_SIDE || (uint64_t)w * m >= SENT)
        return DMM_MODEL_BAD_VALUE;
    const size_t items = (size_t)w * m;
    uint32_t *room = malloc((2 * items + 2 * w) * sizeof *room);
    unsigned char *seen = calloc(items, 1);
    dmm_model_status status = room != NULL && seen != NULL ? DMM_MODEL_OK : DMM_MODEL_OUT_OF_MEMORY;
    for (size_t x = 0; x < items && status == DMM_MODEL_OK; x++) {
        status = goals[x] >= items || seen[goals[x]] ? DMM_MODEL_BAD_DATA : DMM_MODEL_OK;
        if (status == DMM_MODEL_OK)
            seen[goals[x]] = 1;
    }
    if (status == DMM_MODEL_OK) {
        tall t = {.labels = room,
            .moved = room + items,
            .hash = room + 2 * items,
            .wanted = room + 2 * items + w,
            .w = w,
            .m = m,
            .random = seed,
            .cost = out};
        *out = (dmm_model_tall_cost){0};
        memcpy(room, goals, items * sizeof *room);
        run(&t);
    }
    free(seen);
    free(room);
    return status;
}
