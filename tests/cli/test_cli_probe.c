/* SPDX-License-Identifier: MIT */
/*
 * Results of the probe of `dmm tune` on times of imagined machines, whose banks are known, with and
 * without noise. (32 banks of 8 bytes under 64 lanes take the very times of 64 banks of 4 bytes.)
 */
#include "support/require.h"

#include "cli/tune/tune.h"
#include "support/random.h"

/* The most words that `lanes` lanes at a stride want of one bank; two words of a bank's width
 * count once. */
static unsigned conflicts(unsigned banks, unsigned bank_bytes, unsigned lanes, unsigned stride)
{
    unsigned most = 0;
    for (unsigned bank = 0; bank < banks; bank++) {
        unsigned wanted = 0, last = UINT32_MAX;
        for (unsigned lane = 0; lane < lanes; lane++) {
            const unsigned word = lane * stride * 4 / bank_bytes;
            wanted += word % banks == bank && word != last;
            last = word % banks == bank ? word : last;
        }
        most = wanted > most ? wanted : most;
    }
    return most;
}

/* noise: the most that a time is too long, in hundredths. */
static void make_times(double *times, unsigned banks, unsigned bank_bytes, unsigned lanes,
    uint64_t noise, random_source *random)
{
    for (unsigned i = 0; i < PROBE_STRIDES; i++)
        times[i] = 1000.0 * conflicts(banks, bank_bytes, lanes, 1u << i) *
                   (100.0 + (double)random_below(random, noise + 1));
}

static void banks_are_found_by_times(void **state)
{
    const struct {
        unsigned banks, bank_bytes, lanes;
    } machines[] = {
        {32, 4, 32}, {16, 4, 32}, {16, 4, 16}, {32, 4, 64}, {64, 4, 64}, {32, 8, 32}, {8, 4, 32}};
    random_source random = {1};
    (void)state;
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (uint64_t noise = 0; noise <= 20; noise += 5) {
            double times[PROBE_STRIDES], slowest = 0.0;
            unsigned bytes = 9;
            test_note("%u banks of %u bytes, %u lanes, noise %d", machines[m].banks,
                machines[m].bank_bytes, machines[m].lanes, (int)noise);
            make_times(times, machines[m].banks, machines[m].bank_bytes, machines[m].lanes, noise,
                &random);
            const unsigned banks = probe_banks_of(times, PROBE_STRIDES, &bytes, &slowest);
            REQUIRE(banks == machines[m].banks && slowest > times[0]);
            REQUIRE(bytes == machines[m].bank_bytes);
        }
}

static void what_has_no_banks_is_not_given_any(void **state)
{
    double times[PROBE_STRIDES] = {0.0}, slowest = 0.0;
    unsigned bytes = 0;
    random_source random = {2};
    (void)state;
    test_note("launches that failed");
    REQUIRE(probe_banks_of(times, PROBE_STRIDES, &bytes, &slowest) == 0);
    for (int run = 0; run < 100; run++) {
        test_note("flat times, run %d", run);
        for (int i = 0; i < PROBE_STRIDES; i++)
            times[i] = 1000.0 + (double)random_below(&random, 200);
        REQUIRE(probe_banks_of(times, PROBE_STRIDES, &bytes, &slowest) == 0);
    }
}

static void launches_stay_below_half_a_second(void **state)
{
    (void)state;
    test_note("a copy of 40 bytes in a nanosecond: 512 bytes take 12.8");
    REQUIRE(probe_launch_items(40.0) == 39062500);
    REQUIRE(probe_launch_items(1e-9) == 1024);
    REQUIRE(probe_launch_items(1e9) == UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banks_are_found_by_times),
        cmocka_unit_test(what_has_no_banks_is_not_given_any),
        cmocka_unit_test(launches_stay_below_half_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
