/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The counters of lock-steps against answers known from the definition or from vendors' manuals.
 * test_model_judge.c counts random steps a second time, in another way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dmm-model/dmm-model.h>

static const dmm_model_local usual = {0}; /* 32 banks of 4 bytes, 32 lanes */

/* ---- Steps --------------------------------------------------------------------------------- */

typedef struct lock_step {
    uint32_t count;
    dmm_model_access accesses[DMM_MODEL_LANES_MAX];
} lock_step;

/* Lane l accesses size_bytes at offset + l*stride_bytes. */
static lock_step strided(
    uint32_t lanes, uint64_t offset, uint64_t stride_bytes, uint32_t size_bytes)
{
    lock_step step = {.count = lanes};
    for (uint32_t l = 0; l < lanes; l++)
        step.accesses[l] = (dmm_model_access){offset + l * stride_bytes, size_bytes, l};
    return step;
}

/* A shorter name. */
#define local_step dmm_model_local_step

static dmm_model_reading judged(
    const dmm_model_local *machine, dmm_model_access_kind kind, const lock_step *step)
{
    dmm_model_reading reading;
    assert_int_equal(
        local_step(&reading, machine, kind, step->accesses, step->count), DMM_MODEL_OK);
    return reading;
}

static void expect(dmm_model_reading r, uint32_t passes, uint32_t needed, uint32_t worst)
{
    assert_int_equal(r.passes, passes);
    assert_int_equal(r.needed, needed);
    assert_int_equal(r.conflicts, passes - needed);
    assert_int_equal(r.worst, worst);
}

/* Expects of a strided step of one word or part a lane. */
static void expect_strided(const dmm_model_local *machine, dmm_model_access_kind kind,
    lock_step step, uint32_t passes, uint32_t needed, uint32_t worst)
{
    expect(judged(machine, kind, &step), passes, needed, worst);
}

static int agree(dmm_model_reading a, dmm_model_reading b)
{
    return a.passes == b.passes && a.needed == b.needed && a.conflicts == b.conflicts &&
           a.worst == b.worst;
}

/* ---- Local memory ----------------------------------------------------------- */

static void stride_s_costs_gcd_of_s_and_32_passes(void **state)
{
    (void)state;
    for (uint32_t s = 1; s <= 33; s++) {
        uint32_t gcd = s & (~s + 1); /* the power of two in s */
        gcd = gcd > 32 ? 32 : gcd;
        for (uint32_t kind = DMM_MODEL_READ; kind <= DMM_MODEL_ATOMIC; kind++)
            expect_strided(
                &usual, (dmm_model_access_kind)kind, strided(32, 4096, 4 * s, 4), gcd, 1, gcd);
    }
}

static void zero_means_32_banks_of_4_bytes_and_32_lanes(void **state)
{
    (void)state;
    const dmm_model_local given = {.banks = 32, .lanes = 32, .word_bytes = 4};
    for (uint32_t s = 0; s <= 40; s++) {
        const lock_step step = strided(32, 12, s, 8);
        assert_true(
            agree(judged(&usual, DMM_MODEL_READ, &step), judged(&given, DMM_MODEL_READ, &step)));
    }
    const lock_step lane_32 = {.count = 1, .accesses = {{0, 4, 32}}};
    dmm_model_reading r;
    assert_int_equal(
        local_step(&r, &usual, DMM_MODEL_READ, lane_32.accesses, 1), DMM_MODEL_BAD_VALUE);
}

static void one_word_read_by_all_is_a_broadcast(void **state)
{
    (void)state;
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 400, 0, 4), 1, 1, 1);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 400, 0, 8), 2, 2, 1);
    lock_step two_words = strided(32, 0, 0, 4); /* even lanes word 0, odd lanes word 32 */
    for (uint32_t l = 1; l < 32; l += 2)
        two_words.accesses[l].address_bytes = 128;
    expect_strided(&usual, DMM_MODEL_READ, two_words, 2, 1, 2);
}

static void all_lanes_to_one_bank_cost_32_passes(void **state)
{
    (void)state;
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 128, 4), 32, 1, 32);
    expect_strided(&usual, DMM_MODEL_WRITE, strided(32, 20, 128, 4), 32, 1, 32);
}

static void eight_byte_items_go_in_two_half_warps(void **state)
{
    (void)state;
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 8, 8), 2, 2, 1);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 16, 8), 4, 2, 2);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 24, 8), 2, 2, 1);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 128, 8), 32, 2, 16);
}

static void sixteen_byte_items_go_in_four_quarter_warps(void **state)
{
    (void)state;
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 16, 16), 4, 4, 1);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 32, 16), 8, 4, 2);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 128, 16), 32, 4, 8);
}

static void items_above_sixteen_bytes_are_split(void **state)
{
    (void)state;
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 16, 32), 8, 8, 1);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 32, 32), 16, 8, 2);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 16, 20), 4 + 4, 4 + 1, 4);
    expect_strided(&usual, DMM_MODEL_READ, strided(1, 0, 0, 65536), 4096, 4096, 1);
}

static void odd_sizes_are_rounded_up_to_words(void **state)
{
    (void)state;
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 12, 12), 4, 4, 1); /* 10 lanes a phase */
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 3, 3), 1, 1, 1);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 5, 5), 2, 2, 1);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 7, 7), 2, 2, 1);
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 0, 64, 13), 16, 4, 4);
}

static void items_narrower_than_a_word_share_it(void **state)
{
    (void)state;
    const dmm_model_access_kind kinds[] = {DMM_MODEL_READ, DMM_MODEL_WRITE};
    for (int k = 0; k < 2; k++) {
        expect_strided(&usual, kinds[k], strided(32, 0, 1, 1), 1, 1, 1);
        expect_strided(&usual, kinds[k], strided(32, 0, 2, 2), 1, 1, 1);
        expect_strided(&usual, kinds[k], strided(32, 0, 16, 1), 4, 1, 4); /* E = 16 packed bytes */
        expect_strided(&usual, kinds[k], strided(32, 0, 15, 1), 2, 1, 2);
    }
}

static void an_unaligned_word_may_cost_a_conflict(void **state)
{
    (void)state;
    expect_strided(&usual, DMM_MODEL_READ, strided(32, 2, 4, 4), 2, 1, 2); /* 33 words */
    expect_strided(&usual, DMM_MODEL_READ, strided(31, 2, 4, 4), 1, 1, 1);
}

static void atomics_on_one_word_are_serial(void **state)
{
    (void)state;
    expect_strided(&usual, DMM_MODEL_ATOMIC, strided(32, 64, 0, 4), 32, 1, 32);
    expect_strided(&usual, DMM_MODEL_ATOMIC, strided(32, 64, 4, 4), 1, 1, 1);
    expect_strided(&usual, DMM_MODEL_ATOMIC, strided(32, 64, 0, 8), 32, 2, 16);
    lock_step histogram = strided(32, 0, 4, 4); /* lanes 0, 1, 2 meet in one counter */
    histogram.accesses[1].address_bytes = histogram.accesses[2].address_bytes = 0;
    expect_strided(&usual, DMM_MODEL_ATOMIC, histogram, 3, 1, 3);
    histogram.accesses[2].address_bytes = 128; /* and another counter of that bank */
    expect_strided(&usual, DMM_MODEL_ATOMIC, histogram, 3, 1, 3);
}

static void on_intel_gen_writes_to_one_word_conflict(void **state)
{
    (void)state;
    const dmm_model_local gen = {16, 16, 4, true, false}, merging = {16, 16, 4, false, false};
    expect_strided(&gen, DMM_MODEL_WRITE, strided(16, 0, 0, 4), 16, 1, 16);
    expect_strided(&merging, DMM_MODEL_WRITE, strided(16, 0, 0, 4), 1, 1, 1);
    expect_strided(&gen, DMM_MODEL_READ, strided(16, 0, 0, 4), 1, 1, 1);
    expect_strided(&gen, DMM_MODEL_WRITE, strided(16, 0, 4, 4), 1, 1, 1);
    expect_strided(&gen, DMM_MODEL_WRITE, strided(16, 0, 1, 1), 4, 1, 4);
}

static void sixty_four_lanes_over_32_banks_are_two_halves(void **state)
{
    (void)state;
    const dmm_model_local wave = {.lanes = 64};
    expect_strided(&wave, DMM_MODEL_READ, strided(64, 0, 4, 4), 2, 2, 1);
    expect_strided(&wave, DMM_MODEL_READ, strided(64, 0, 8, 4), 4, 2, 2);
    expect_strided(&wave, DMM_MODEL_READ, strided(64, 0, 16, 16), 8, 8, 1);
    expect_strided(&wave, DMM_MODEL_READ, strided(64, 0, 128, 4), 64, 2, 32);
}

static void fewer_lanes_than_banks_are_one_phase(void **state)
{
    (void)state;
    const dmm_model_local narrow = {.banks = 32, .lanes = 8};
    expect_strided(&narrow, DMM_MODEL_READ, strided(8, 0, 8, 8), 1, 1, 1);
    expect_strided(&narrow, DMM_MODEL_READ, strided(8, 0, 128, 4), 8, 1, 8);
}

static void lanes_that_are_inactive_cost_nothing(void **state)
{
    (void)state;
    lock_step step = strided(32, 0, 128, 4);
    step.count = 3;
    expect_strided(&usual, DMM_MODEL_READ, step, 3, 1, 3);
    const lock_step ends = {.count = 2, .accesses = {{128, 8, 31}, {0, 8, 0}}};
    expect_strided(&usual, DMM_MODEL_READ, ends, 2, 2, 1); /* either half-warp has one */
    const lock_step upper = {.count = 1, .accesses = {{0, 16, 31}}};
    expect_strided(&usual, DMM_MODEL_READ, upper, 1, 1, 1);
    expect_strided(&usual, DMM_MODEL_READ, (lock_step){0}, 0, 0, 0);
    dmm_model_reading none = {7, 7, 7, 7};
    assert_int_equal(local_step(&none, &usual, DMM_MODEL_READ, NULL, 0), DMM_MODEL_OK);
    expect(none, 0, 0, 0);
}

static void sizes_may_differ_between_lanes(void **state)
{
    (void)state;
    /* Parts of 16 bytes in phases of 8 lanes; then lane 9 alone, in the phase of lanes 0 to 31. */
    const lock_step step = {.count = 3, .accesses = {{0, 4, 0}, {128, 4, 1}, {256, 20, 9}}};
    expect_strided(&usual, DMM_MODEL_READ, step, 2 + 1 + 1, 3, 2);
}

static void machines_of_other_widths_follow_the_same_rules(void **state)
{
    (void)state;
    const dmm_model_local twelve = {.banks = 12, .lanes = 12}, pair = {.banks = 2, .lanes = 4};
    const dmm_model_local wide = {.word_bytes = 8}, one = {.banks = 1, .lanes = 1, .word_bytes = 1};
    expect_strided(&twelve, DMM_MODEL_READ, strided(12, 0, 4 * 5, 4), 1, 1, 1);
    expect_strided(&twelve, DMM_MODEL_READ, strided(12, 0, 4 * 9, 4), 3, 1, 3);
    expect_strided(&pair, DMM_MODEL_READ, strided(4, 0, 16, 16), 8, 8, 1); /* parts of 8 bytes */
    expect_strided(&wide, DMM_MODEL_READ, strided(32, 0, 8, 8), 1, 1, 1);
    expect_strided(&one, DMM_MODEL_READ, strided(1, 0, 0, 5), 5, 5, 1);
}

typedef struct phases {
    uint32_t count, passes, words;
} phases;

static void note_phase(void *user, const uint16_t *words_of_bank, uint32_t banks)
{
    phases *seen = user;
    uint32_t most = 0;
    for (uint32_t bank = 0; bank < banks; bank++) {
        seen->words += words_of_bank[bank];
        most = words_of_bank[bank] > most ? words_of_bank[bank] : most;
    }
    seen->count++;
    seen->passes += most;
}

static void every_active_phase_is_shown(void **state)
{
    (void)state;
    const dmm_model_local wave = {.banks = 16, .lanes = 64};
    const lock_step steps[] = {
        strided(64, 0, 8, 8), strided(64, 0, 24, 20), strided(3, 4, 64, 4), {0}};
    const uint32_t words[] = {128, 64 * 5, 3, 0};
    for (size_t i = 0; i < 4; i++) {
        phases seen = {0};
        dmm_model_reading r;
        assert_int_equal(dmm_model_local_phases(&r, &wave, DMM_MODEL_READ, steps[i].accesses,
                             steps[i].count, note_phase, &seen),
            DMM_MODEL_OK);
        assert_int_equal(seen.count, r.needed);
        assert_int_equal(seen.passes, r.passes);
        assert_int_equal(seen.words, words[i]);
    }
}

/* ---- Global memory ------------------------------------------------------------------------- */

static void expect_segments(
    uint32_t segment_bytes, lock_step step, uint32_t passes, uint32_t needed)
{
    dmm_model_reading r;
    assert_int_equal(
        dmm_model_global_step(&r, segment_bytes, step.accesses, step.count), DMM_MODEL_OK);
    expect(r, passes, needed, passes);
}

static void transactions_are_the_segments_touched(void **state)
{
    (void)state;
    expect_segments(0, strided(32, 4096, 4, 4), 4, 4); /* coalesced; 0 means 32 bytes */
    expect_segments(128, strided(32, 4096, 4, 4), 1, 1);
    expect_segments(32, strided(32, 4096 + 4, 4, 4), 5, 4); /* off by a word */
    expect_segments(128, strided(32, 4096 + 4, 4, 4), 2, 1);
    expect_segments(32, strided(32, 0, 8, 4), 8, 4);
    expect_segments(32, strided(32, 0, 32, 4), 32, 4);
    expect_segments(32, strided(32, 64, 0, 4), 1, 1); /* one word for all */
    expect_segments(32, strided(256, 0, 1, 1), 8, 8);
    expect_segments(32, strided(2, 31, 0, 2), 2, 1); /* across a border */
    expect_segments(32, strided(4, 0, 8, 65536), 2049, 2049);
    expect_segments(1, strided(4, 0, 8, 3), 12, 12);
    expect_segments(32, (lock_step){0}, 0, 0);
    expect_segments(32, strided(1, UINT64_MAX - 8, 0, 8), 1, 1);
}

/* ---- Errors -------------------------------------------------------------------------------- */

static void bad_arguments_are_refused_and_write_nothing(void **state)
{
    (void)state;
    const struct {
        dmm_model_local machine;
        int kind;
        uint32_t count;
        dmm_model_access accesses[2];
        dmm_model_status dmm, umm;
    } cases[] = {
        {{.banks = 257}, 0, 1, {{0, 4, 0}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_OK},
        {{.lanes = 257}, 0, 1, {{0, 4, 0}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_OK},
        {{.word_bytes = 3}, 0, 1, {{0, 4, 0}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_OK},
        {{.word_bytes = 32}, 0, 1, {{0, 4, 0}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_OK},
        {{0}, 3, 1, {{0, 4, 0}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_OK},
        {{0}, -1, 1, {{0, 4, 0}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_OK},
        {{0}, 0, 1, {{0, 0, 0}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_BAD_VALUE},
        {{0}, 0, 1, {{0, 4, 256}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_BAD_VALUE},
        {{0}, 0, 1, {{0, 4, UINT32_MAX}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_BAD_VALUE},
        {{0}, 0, 2, {{0, 4, 5}, {8, 4, 5}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_BAD_VALUE},
        {{0}, 0, 1, {{UINT64_MAX, 4, 0}}, DMM_MODEL_BAD_VALUE, DMM_MODEL_BAD_VALUE},
        {{0}, 0, 1, {{0, DMM_MODEL_ACCESS_BYTES_MAX + 1, 0}}, DMM_MODEL_TOO_LARGE,
            DMM_MODEL_TOO_LARGE},
        {{.lanes = 1}, 0, 2, {{0, 4, 0}, {8, 4, 1}}, DMM_MODEL_TOO_LARGE, DMM_MODEL_OK},
    };
    const dmm_model_reading untouched = {91, 92, 93, 94};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dmm_model_reading r = untouched;
        assert_int_equal(local_step(&r, &cases[i].machine, (dmm_model_access_kind)cases[i].kind,
                             cases[i].accesses, cases[i].count),
            cases[i].dmm);
        assert_true(agree(r, untouched));
        assert_int_equal(
            dmm_model_global_step(&r, 32, cases[i].accesses, cases[i].count), cases[i].umm);
        assert_true(cases[i].umm == DMM_MODEL_OK || agree(r, untouched));
    }
    dmm_model_reading r;
    const dmm_model_access one = {0, 4, 0};
    assert_int_equal(local_step(NULL, &usual, DMM_MODEL_READ, &one, 1), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(local_step(&r, NULL, DMM_MODEL_READ, &one, 1), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(local_step(&r, &usual, DMM_MODEL_READ, NULL, 1), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_global_step(NULL, 32, &one, 1), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_global_step(&r, 32, NULL, 1), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_global_step(&r, 48, &one, 1), DMM_MODEL_BAD_VALUE);
    assert_int_equal(local_step(&r, &usual, DMM_MODEL_READ, &one, UINT32_MAX), DMM_MODEL_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stride_s_costs_gcd_of_s_and_32_passes),
        cmocka_unit_test(zero_means_32_banks_of_4_bytes_and_32_lanes),
        cmocka_unit_test(one_word_read_by_all_is_a_broadcast),
        cmocka_unit_test(all_lanes_to_one_bank_cost_32_passes),
        cmocka_unit_test(eight_byte_items_go_in_two_half_warps),
        cmocka_unit_test(sixteen_byte_items_go_in_four_quarter_warps),
        cmocka_unit_test(items_above_sixteen_bytes_are_split),
        cmocka_unit_test(odd_sizes_are_rounded_up_to_words),
        cmocka_unit_test(items_narrower_than_a_word_share_it),
        cmocka_unit_test(an_unaligned_word_may_cost_a_conflict),
        cmocka_unit_test(atomics_on_one_word_are_serial),
        cmocka_unit_test(on_intel_gen_writes_to_one_word_conflict),
        cmocka_unit_test(sixty_four_lanes_over_32_banks_are_two_halves),
        cmocka_unit_test(fewer_lanes_than_banks_are_one_phase),
        cmocka_unit_test(lanes_that_are_inactive_cost_nothing),
        cmocka_unit_test(sizes_may_differ_between_lanes),
        cmocka_unit_test(machines_of_other_widths_follow_the_same_rules),
        cmocka_unit_test(every_active_phase_is_shown),
        cmocka_unit_test(transactions_are_the_segments_touched),
        cmocka_unit_test(bad_arguments_are_refused_and_write_nothing),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
