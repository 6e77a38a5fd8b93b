/* SPDX-License-Identifier: MIT */
/*
 * The counters of lock-steps against a second judge, which compares every word with every other one
 * where the library keeps lists, on random steps. The judge is itself shown wrong readings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dmm-model/dmm-model.h>

#include "support/random.h"

typedef struct lock_step {
    uint32_t count;
    dmm_model_access accesses[DMM_MODEL_LANES_MAX];
} lock_step;

static int agree(dmm_model_reading a, dmm_model_reading b)
{
    return a.passes == b.passes && a.needed == b.needed && a.conflicts == b.conflicts &&
           a.worst == b.worst;
}

/* ---- The second judge ---------------------------------------------------------------------- */

enum { WORDS_MAX = 4096 };

typedef struct wanted_words {
    uint32_t count;
    uint64_t word[WORDS_MAX];
} wanted_words;

static int known(const wanted_words *words, uint64_t word)
{
    for (uint32_t i = 0; i < words->count; i++)
        if (words->word[i] == word)
            return 1;
    return 0;
}

/* The words of a phase: bytes from..to-1 of every access of lanes first..last-1. */
static void collect(wanted_words *words, const lock_step *step, const dmm_model_local *machine,
    uint32_t first, uint32_t last, uint32_t from, uint32_t to, int merge)
{
    words->count = 0;
    for (uint32_t i = 0; i < step->count; i++) {
        const dmm_model_access *at = &step->accesses[i];
        uint64_t before = UINT64_MAX;
        for (uint32_t byte = from; byte < to && byte < at->size_bytes; byte++) {
            const uint64_t word = (at->address_bytes + byte) / machine->word_bytes;
            const int mine = at->lane >= first && at->lane < last && word != before;
            if (mine && !(merge && known(words, word)))
                words->word[words->count++] = word;
            before = word;
        }
    }
}

static uint32_t degree_of(const wanted_words *words, uint32_t banks)
{
    uint32_t degree = 0;
    for (uint32_t i = 0; i < words->count; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < words->count; k++)
            same += words->word[k] % banks == words->word[i] % banks;
        degree = same > degree ? same : degree;
    }
    return degree;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Passes, needed and worst by comparison of all pairs; the machine is complete. */
static dmm_model_reading second_opinion(
    const dmm_model_local *machine, dmm_model_access_kind kind, const lock_step *step)
{
    const int merge = (kind == DMM_MODEL_READ && !machine->reads_conflict) ||
                      (kind == DMM_MODEL_WRITE && !machine->writes_conflict);
    const uint32_t part = least_of(16, machine->banks * machine->word_bytes);
    static wanted_words words;
    uint32_t widest = 0;
    for (uint32_t i = 0; i < step->count; i++)
        widest = widest > step->accesses[i].size_bytes ? widest : step->accesses[i].size_bytes;
    dmm_model_reading r = {0};
    for (uint32_t from = 0; from < widest; from += part) {
        const uint32_t bytes = least_of(part, widest - from);
        const uint32_t s = (bytes + machine->word_bytes - 1) / machine->word_bytes;
        const uint32_t phase = least_of(machine->lanes, machine->banks / s);
        for (uint32_t first = 0; first < machine->lanes; first += phase) {
            collect(&words, step, machine, first, first + phase, from, from + bytes, merge);
            const uint32_t degree = degree_of(&words, machine->banks);
            r.passes += degree;
            r.needed += words.count > 0;
            r.worst = degree > r.worst ? degree : r.worst;
        }
    }
    r.conflicts = r.passes - r.needed;
    return r;
}

/* Transactions, marking one segment or byte after the other as seen. */
static dmm_model_reading second_umm_opinion(uint32_t segment_bytes, const lock_step *step)
{
    static wanted_words segments, bytes;
    segments.count = bytes.count = 0;
    for (uint32_t i = 0; i < step->count; i++)
        for (uint32_t k = 0; k < step->accesses[i].size_bytes; k++) {
            const uint64_t byte = step->accesses[i].address_bytes + k;
            if (!known(&bytes, byte))
                bytes.word[bytes.count++] = byte;
            if (!known(&segments, byte / segment_bytes))
                segments.word[segments.count++] = byte / segment_bytes;
        }
    dmm_model_reading r = {.passes = segments.count, .worst = segments.count};
    r.needed = (bytes.count + segment_bytes - 1) / segment_bytes;
    r.conflicts = r.passes - r.needed;
    return r;
}

/* ---- Random steps -------------------------------------------------------------------------- */

static random_source random_state;

static uint32_t below(uint32_t limit)
{
    return (uint32_t)random_below(&random_state, limit);
}

static const uint32_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 20, 32};

/* A step of random lanes within few words, so that they meet often. */
static lock_step random_step(uint32_t lanes, bool same_size)
{
    lock_step step = {0};
    const uint32_t range_bytes = 1u << (3 + below(9));
    const uint32_t common = sizes[below(10)], density = below(5);
    for (uint32_t l = 0; l < lanes; l++) {
        if (below(4) > density)
            continue;
        const uint32_t size = same_size ? common : sizes[below(10)];
        const uint64_t at = below(range_bytes), aligned = at - at % common;
        step.accesses[step.count++] = (dmm_model_access){same_size ? aligned : at, size, l};
    }
    for (uint32_t i = step.count; i > 1; i--) { /* in any order */
        const uint32_t k = below(i);
        const dmm_model_access held = step.accesses[k];
        step.accesses[k] = step.accesses[i - 1];
        step.accesses[i - 1] = held;
    }
    return step;
}

/* ---- Tests --------------------------------------------------------------------------------- */

static void random_steps_read_as_the_second_judge_reads_them(void **state)
{
    (void)state;
    const uint32_t counts[] = {1, 2, 3, 8, 12, 16, 17, 32, 64};
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        random_state.state = seed;
        const dmm_model_local machine = {
            counts[below(9)], counts[below(9)], 1u << below(4), below(2) == 1, below(2) == 1};
        const dmm_model_access_kind kind = (dmm_model_access_kind)below(3);
        const lock_step step = random_step(machine.lanes, below(2) == 1);
        dmm_model_reading first;
        assert_int_equal(
            dmm_model_local_step(&first, &machine, kind, step.accesses, step.count), DMM_MODEL_OK);
        if (!agree(first, second_opinion(&machine, kind, &step)))
            fail_msg("seed %llu: %u banks, %u lanes, %u bytes a word, kind %d",
                (unsigned long long)seed, machine.banks, machine.lanes, machine.word_bytes,
                (int)kind);
    }
}

static void random_transactions_read_as_the_second_judge_reads_them(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        random_state.state = seed;
        const uint32_t segment_bytes = 1u << below(9);
        const lock_step step = random_step(64, below(2) == 1);
        dmm_model_reading first;
        assert_int_equal(
            dmm_model_global_step(&first, segment_bytes, step.accesses, step.count), DMM_MODEL_OK);
        if (!agree(first, second_umm_opinion(segment_bytes, &step)))
            fail_msg("seed %llu, segments of %u", (unsigned long long)seed, segment_bytes);
    }
}

static void the_second_judge_rejects_wrong_readings(void **state)
{
    (void)state;
    const dmm_model_local full = {.banks = 32, .lanes = 32, .word_bytes = 4},
                          fewer = {16, 32, 4, false, false};
    const lock_step step = {.count = 3, .accesses = {{0, 4, 0}, {64, 4, 1}, {64, 4, 2}}};
    const dmm_model_reading right = second_opinion(&full, DMM_MODEL_READ, &step);
    assert_true(agree(right, (dmm_model_reading){1, 1, 0, 1}));
    assert_false(agree(right, (dmm_model_reading){2, 1, 1, 1}));
    assert_false(agree(right, (dmm_model_reading){1, 1, 0, 2}));
    assert_false(agree(right, second_opinion(&full, DMM_MODEL_ATOMIC, &step)));
    assert_false(agree(right, second_opinion(&fewer, DMM_MODEL_READ, &step)));
    assert_false(agree(second_umm_opinion(32, &step), second_umm_opinion(128, &step)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_steps_read_as_the_second_judge_reads_them),
        cmocka_unit_test(random_transactions_read_as_the_second_judge_reads_them),
        cmocka_unit_test(the_second_judge_rejects_wrong_readings),
    };
    return cmocka_run_group_tests_name("model_judge", tests, NULL, NULL);
}
