/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The modelled plain merge sort: it sorts, and it counts what a second reckoning counts. That one
 * merges whole lists first, notes which local word every item came from, lets every thread list its
 * probes and reads alone, and only then lays the threads of a warp side by side.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dmm-model/dmm-model.h>
#include <stdlib.h>
#include <string.h>

/* ---- The second reckoning ------------------------------------------------------------------ */

enum { WORDS_A_THREAD_MAX = 64 };

/* The words that one thread accesses, in order. */
typedef struct thread_words {
    uint32_t count;
    uint64_t word[WORDS_A_THREAD_MAX];
} thread_words;

/* The passes of w threads side by side: thread t accesses its k-th word in step k. */
static uint64_t passes_of(const thread_words *threads, uint32_t w)
{
    uint64_t passes = 0;
    for (uint32_t k = 0; k < WORDS_A_THREAD_MAX; k++) {
        uint32_t degree = 0, load[DMM_MODEL_LANES_MAX] = {0};
        for (uint32_t t = 0; t < w; t++) {
            bool fresh = k < threads[t].count;
            for (uint32_t s = 0; s < t && fresh; s++)
                fresh = k >= threads[s].count || threads[s].word[k] != threads[t].word[k];
            load[fresh ? threads[t].word[k] % w : 0] += fresh;
        }
        for (uint32_t bank = 0; bank < w; bank++)
            degree = load[bank] > degree ? load[bank] : degree;
        passes += degree;
    }
    return passes;
}

typedef struct source {
    uint64_t value;
    bool from_b;
    uint64_t index; /* within its list */
} source;

/* Merges two neighbouring lists whole, ties from the first. */
static void merge(source *out, const uint64_t *a, uint64_t na, uint64_t nb)
{
    const uint64_t *b = a + na;
    for (uint64_t i = 0, j = 0; i + j < na + nb;) {
        const bool from_b = i == na || (j < nb && b[j] < a[i]);
        out[i + j] = from_b ? (source){b[j], true, j} : (source){a[i], false, i};
        from_b ? j++ : i++;
    }
}

/* What a thread sees: items begin..end-1 of the merge, A's from word 0, B's behind them. */
typedef struct view {
    const source *merged;
    uint64_t begin, end, a_before, a_items, word;
} view;

static view view_of(const source *merged, uint64_t begin, uint64_t end, uint64_t word)
{
    view v = {merged, begin, end, 0, 0, word};
    for (uint64_t i = 0; i < end; i++)
        *(i < begin ? &v.a_before : &v.a_items) += !merged[i].from_b;
    return v;
}

/* The k-th item of A or of B in this view lies at: */
static uint64_t a_word(const view *v, uint64_t k)
{
    return v->word + k;
}
static uint64_t b_word(const view *v, uint64_t k)
{
    return v->word + v->a_items + k;
}

static uint64_t word_of(const view *v, const source *item)
{
    return item->from_b ? b_word(v, item->index - (v->begin - v->a_before))
                        : a_word(v, item->index - v->a_before);
}

/* The reads of a thread that merges items from..from+E-1 of the merge. */
static thread_words reads_of(const view *v, uint64_t from, uint32_t E)
{
    thread_words words = {0};
    for (uint32_t j = 0; j < E; j++)
        words.word[words.count++] = word_of(v, &v->merged[from + j]);
    return words;
}

/* The probes of that thread into A, or into B: halving, towards the known split point. */
static thread_words probes_of(const view *v, uint64_t from, bool into_b)
{
    const uint64_t diagonal = from - v->begin, b_items = v->end - v->begin - v->a_items;
    const uint64_t split = view_of(v->merged, v->begin, from, 0).a_items;
    uint64_t low = diagonal > b_items ? diagonal - b_items : 0;
    uint64_t high = diagonal < v->a_items ? diagonal : v->a_items;
    thread_words words = {0};
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        words.word[words.count++] = into_b ? b_word(v, diagonal - 1 - middle) : a_word(v, middle);
        if (middle < split)
            low = middle + 1;
        else
            high = middle;
    }
    return words;
}

typedef struct costs {
    uint64_t gather, search;
} costs;

/* One round: merges lists of half*E items in pairs, in place. */
static costs reckon_round(
    uint64_t *keys, uint64_t threads, uint64_t half, const dmm_model_merge_shape *shape)
{
    const uint64_t E = shape->E, u = shape->u, n = threads * E;
    source *merged = calloc(n, sizeof *merged);
    thread_words *words = calloc(3 * threads, sizeof *words);
    for (uint64_t first = 0; first < threads; first += 2 * half) {
        const uint64_t last = first + 2 * half < threads ? first + 2 * half : threads;
        const uint64_t middle = first + half < threads ? first + half : threads;
        source *list = merged + first * E;
        merge(list, keys + first * E, (middle - first) * E, (last - middle) * E);
        for (uint64_t t = first; t < last; t++) {
            const uint64_t tile = t / u * u;
            const view v = 2 * half <= u
                               ? view_of(list, 0, (last - first) * E, (first - tile) * E)
                               : view_of(list, (tile - first) * E, (tile - first + u) * E, 0);
            words[t] = reads_of(&v, (t - first) * E, shape->E);
            words[threads + t] = probes_of(&v, (t - first) * E, false);
            words[2 * threads + t] = probes_of(&v, (t - first) * E, true);
        }
    }
    costs sum = {0};
    for (uint64_t t = 0; t < threads; t += shape->w) {
        sum.gather += passes_of(words + t, shape->w);
        sum.search += passes_of(words + threads + t, shape->w);
        sum.search += passes_of(words + 2 * threads + t, shape->w);
    }
    for (uint64_t i = 0; i < n; i++)
        keys[i] = merged[i].value;
    free(words);
    free(merged);
    return sum;
}

static int by_value(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* ---- Inputs -------------------------------------------------------------------------------- */

typedef enum input { RANDOM, FEW_VALUES, EQUAL, SORTED, REVERSED, LARGEST, INPUTS } input;

static void fill(uint64_t *keys, uint64_t n, input kind)
{
    uint64_t x = 12345;
    for (uint64_t i = 0; i < n; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
        const uint64_t values[INPUTS] = {x >> 16, x >> 62, 7, i, n - i, UINT64_MAX - (x >> 63)};
        keys[i] = values[kind];
    }
}

/* ---- Tests --------------------------------------------------------------------------------- */

static void it_sorts_any_n(void **state)
{
    (void)state;
    const dmm_model_merge_shape shapes[] = {{8, 8, 5}, {4, 16, 1}, {32, 32, 40}, {2, 2, 3}};
    enum { MOST = 700 };
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (uint64_t n = 0; n <= MOST; n += n < 100 ? 1 : 37)
            for (input kind = 0; kind < INPUTS; kind++) {
                uint64_t keys[MOST + 1], expected[MOST];
                fill(keys, n, kind);
                keys[n] = 4711;
                memcpy(expected, keys, n * sizeof *keys);
                qsort(expected, n, sizeof *expected, by_value);
                dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
                uint32_t used;
                assert_int_equal(
                    dmm_model_plain_sort(rounds, &used, keys, n, &shapes[s]), DMM_MODEL_OK);
                assert_memory_equal(keys, expected, n * sizeof *keys);
                assert_int_equal(keys[n], 4711);
            }
}

static void it_counts_what_the_second_reckoning_counts(void **state)
{
    (void)state;
    const dmm_model_merge_shape shapes[] = {
        {8, 16, 5}, {8, 8, 12}, {16, 32, 15}, {32, 64, 16}, {4, 8, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (uint64_t tiles = 1; tiles <= 5; tiles++)
            for (input kind = 0; kind < INPUTS; kind++) {
                const dmm_model_merge_shape *shape = &shapes[s];
                const uint64_t threads = tiles * shape->u, n = threads * shape->E;
                uint64_t *keys = malloc(2 * n * sizeof *keys), *again = keys + n;
                fill(keys, n, kind);
                memcpy(again, keys, n * sizeof *keys);
                for (uint64_t t = 0; t < threads; t++)
                    qsort(again + t * shape->E, shape->E, sizeof *again, by_value);

                dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
                uint32_t used, r = 0;
                assert_int_equal(dmm_model_plain_sort(rounds, &used, keys, n, shape), DMM_MODEL_OK);
                for (uint64_t half = 1; half < threads; half *= 2, r++) {
                    const costs expected = reckon_round(again, threads, half, shape);
                    assert_int_equal(rounds[r].threads, 2 * half);
                    assert_int_equal(rounds[r].warps, threads / shape->w);
                    assert_int_equal(rounds[r].gather.passes, expected.gather);
                    assert_int_equal(rounds[r].search.passes, expected.search);
                    assert_int_equal(rounds[r].gather.steps, rounds[r].warps * shape->E);
                }
                assert_int_equal(used, r);
                assert_memory_equal(keys, again, n * sizeof *keys);
                free(keys);
            }
}

static void the_second_reckoning_tells_inputs_apart(void **state)
{
    (void)state;
    const dmm_model_merge_shape shape = {8, 16, 5};
    uint64_t random[80], worst[80];
    fill(random, 80, RANDOM);
    for (int t = 0; t < 16; t++)
        qsort(random + 5 * t, 5, sizeof *random, by_value);
    assert_int_equal(dmm_model_worst_merge(worst, 80, &shape), DMM_MODEL_OK);
    const costs low = reckon_round(random, 16, 1, &shape);
    assert_true(low.gather < reckon_round(worst, 16, 1, &shape).gather);
    const thread_words apart[2] = {{1, {0}}, {1, {1}}}, meet[2] = {{1, {0}}, {1, {2}}};
    const thread_words same[2] = {{1, {2}}, {1, {2}}}, late[2] = {{2, {0, 2}}, {1, {1}}};
    assert_int_equal(passes_of(apart, 2), 1);
    assert_int_equal(passes_of(meet, 2), 2);
    assert_int_equal(passes_of(same, 2), 1);
    assert_int_equal(passes_of(late, 2), 2);
}

static void stores_cost_gcd_of_w_and_E_whatever_the_keys(void **state)
{
    (void)state;
    const dmm_model_merge_shape coprime = {32, 64, 15}, even = {32, 64, 24};
    static uint64_t keys[2 * 64 * 24];
    dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint32_t used;
    for (input kind = 0; kind < INPUTS; kind++) {
        fill(keys, 2 * 64 * 15, kind);
        assert_int_equal(
            dmm_model_plain_sort(rounds, &used, keys, 2 * 64 * 15, &coprime), DMM_MODEL_OK);
        for (uint32_t r = 0; r < used; r++)
            assert_int_equal(rounds[r].store.conflicts, 0);
        fill(keys, 2 * 64 * 24, kind);
        assert_int_equal(
            dmm_model_plain_sort(rounds, &used, keys, 2 * 64 * 24, &even), DMM_MODEL_OK);
        for (uint32_t r = 0; r < used; r++)
            assert_int_equal(rounds[r].store.passes, 8 * rounds[r].store.steps);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const dmm_model_merge_shape good = {32, 64, 15}, narrow = {32, 16, 15}, none = {32, 64, 0};
    const dmm_model_merge_shape many = {32, 64, 65537}, twelve = {12, 48, 5};
    dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint32_t used = 99;
    uint64_t key = 7;
    assert_int_equal(dmm_model_plain_sort(NULL, &used, &key, 1, &good), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_plain_sort(rounds, NULL, &key, 1, &good), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_plain_sort(rounds, &used, NULL, 1, &good), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_plain_sort(rounds, &used, &key, 1, NULL), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_plain_sort(rounds, &used, &key, 1, &narrow), DMM_MODEL_BAD_VALUE);
    assert_int_equal(dmm_model_plain_sort(rounds, &used, &key, 1, &none), DMM_MODEL_BAD_VALUE);
    assert_int_equal(dmm_model_plain_sort(rounds, &used, &key, 1, &many), DMM_MODEL_BAD_VALUE);
    assert_int_equal(dmm_model_plain_sort(rounds, &used, &key, 1, &twelve), DMM_MODEL_BAD_VALUE);
    assert_int_equal(
        dmm_model_plain_sort(rounds, &used, &key, UINT64_MAX, &good), DMM_MODEL_TOO_LARGE);
    assert_int_equal(used, 99);
    assert_int_equal(key, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_sorts_any_n),
        cmocka_unit_test(it_counts_what_the_second_reckoning_counts),
        cmocka_unit_test(the_second_reckoning_tells_inputs_apart),
        cmocka_unit_test(stores_cost_gcd_of_w_and_E_whatever_the_keys),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("plain", tests, NULL, NULL);
}
