/* SPDX-License-Identifier: MIT */
/* ctest: full */
/* Latency: known times of Nakano's machines, and a simulation time unit by time unit. */
#include "support/require.h"

#include <stdbool.h>
#include <stdlib.h>

#include <dmm-model/pipeline.h>

#include "support/random.h"
#include "support/rig.h"

enum { WARPS_MAX = 24, STEPS_MAX = 12 };

typedef struct case_of_warps {
    uint32_t passes[WARPS_MAX * STEPS_MAX];
    uint64_t ends[WARPS_MAX];
    dmm_model_warps warps;
} case_of_warps;

/* Runs that many steps of so many passes in each warp. */
static uint64_t time_of(uint64_t warps, uint64_t steps, uint32_t passes, uint64_t latency)
{
    case_of_warps c;
    uint64_t time;
    for (uint64_t i = 0; i < warps * steps; i++)
        c.passes[i] = passes;
    for (uint64_t i = 0; i < warps; i++)
        c.ends[i] = (i + 1) * steps;
    c.warps = (dmm_model_warps){c.passes, c.ends, warps, 1};
    REQUIRE_OK(dmm_model_pipelined_time(&time, &c.warps, latency));
    return time;
}

static void known_times(void **state)
{
    (void)state;
    for (uint64_t l = 1; l <= 40; l++) {
        test_note("latency %llu", (unsigned long long)l);
        for (uint32_t passes = 1; passes <= 32; passes++) {
            REQUIRE(time_of(1, 1, passes, l) == passes + l - 1);
            REQUIRE(time_of(1, 5, passes, l) == 5 * (passes + l - 1));
            REQUIRE(time_of(16, 1, passes, l) == 16 * passes + l - 1);
        }
        /* p threads read n words side by side: n/w + l - 1 where p/w >= l, else (n/p) l and the
         * steps of the other warps of the last round */
        REQUIRE(time_of(16, 10, 1, l) == (l <= 16 ? 160 + l - 1 : 10 * l + 15));
    }
    REQUIRE(time_of(0, 0, 0, 3) == 0 && time_of(4, 0, 0, 3) == 0);
}

/* Time goes on one by one; each unit, the next of the warps that are ready is served. */
static uint64_t time_unit_by_unit(const dmm_model_warps *w, uint64_t latency)
{
    uint64_t next[WARPS_MAX], ready[WARPS_MAX], last = 0, asked[WARPS_MAX] = {0};
    for (uint64_t i = 0; i < w->warps; i++) {
        next[i] = i ? w->ends[i - 1] : 0;
        ready[i] = 0;
    }
    for (uint64_t now = 0, asks = 1;;) {
        uint64_t chosen = UINT64_MAX;
        bool left = false, moved = false;
        for (uint64_t g = 0; g < w->warps; g += w->group_warps) {
            uint64_t at_barrier = 0, latest = 0;
            for (uint64_t i = g; i < g + w->group_warps; i++) {
                at_barrier += next[i] < w->ends[i] && w->passes[next[i]] == 0 && ready[i] <= now;
                latest = latest < ready[i] ? ready[i] : latest;
            }
            for (uint64_t i = g; at_barrier == w->group_warps && i < g + w->group_warps; i++) {
                next[i]++;
                ready[i] = latest;
                asked[i] = 0;
                moved = true;
            }
        }
        if (moved)
            continue;
        for (uint64_t i = 0; i < w->warps; i++) {
            left = left || next[i] < w->ends[i];
            if (next[i] == w->ends[i] || w->passes[next[i]] == 0 || ready[i] > now)
                continue;
            if (chosen == UINT64_MAX || ready[i] < ready[chosen] ||
                (ready[i] == ready[chosen] && asked[i] < asked[chosen]))
                chosen = i;
        }
        if (chosen != UINT64_MAX) {
            now += w->passes[next[chosen]++];
            ready[chosen] = last = now + latency - 1;
            asked[chosen] = asks++;
        } else if (left) {
            now++;
        } else {
            return last;
        }
    }
}

/* Any number of steps between barriers, which all warps of a group share. */
static void make(case_of_warps *c, random_source *random, bool barriers)
{
    const uint64_t groups = 1 + random_below(random, 4);
    const uint32_t count = 1 + (uint32_t)random_below(random, 6);
    uint64_t used = 0;
    for (uint64_t g = 0; g < groups; g++) {
        const uint64_t stretches = barriers ? 1 + random_below(random, 4) : 1;
        for (uint32_t i = 0; i < count; i++) {
            for (uint64_t s = 0; s < stretches; s++) {
                for (uint64_t k = random_below(random, 3); k > 0; k--)
                    c->passes[used++] = 1 + (uint32_t)random_below(random, 5);
                if (s + 1 < stretches)
                    c->passes[used++] = 0;
            }
            c->ends[g * count + i] = used;
        }
    }
    c->warps = (dmm_model_warps){c->passes, c->ends, groups * count, count};
}

static void any_warps_take_the_time_of_the_simulation(void **state)
{
    random_source random = {6};
    (void)state;
    const uint64_t cases = by_size(2000, 2000, 100000);
    for (uint64_t i = 0; i < cases; i++) {
        case_of_warps c;
        uint64_t time, plain, passes = 0;
        const uint64_t latency = 1 + random_below(&random, 12);
        make(&c, &random, i % 2);
        test_note("case %llu, latency %llu", (unsigned long long)i, (unsigned long long)latency);
        REQUIRE_OK(dmm_model_pipelined_time(&time, &c.warps, latency));
        plain = time_unit_by_unit(&c.warps, latency);
        for (uint64_t k = 0; k < c.ends[c.warps.warps - 1]; k++)
            passes += c.passes[k];
        REQUIRE(time >= passes + (passes ? latency - 1 : 0));
        REQUIRE(time == plain);
    }
}

static void refusals_leave_the_time(void **state)
{
    const uint32_t passes[] = {1, 0, 1};
    const uint64_t ends[] = {2, 3}, falling[] = {3, 2};
    uint64_t time = 55;
    dmm_model_warps warps = {passes, ends, 2, 2};
    (void)state;
    REQUIRE(dmm_model_pipelined_time(NULL, &warps, 1) == DMM_MODEL_NULL_ARGUMENT);
    REQUIRE(dmm_model_pipelined_time(&time, NULL, 1) == DMM_MODEL_NULL_ARGUMENT);
    REQUIRE(dmm_model_pipelined_time(&time, &warps, 0) == DMM_MODEL_BAD_VALUE);
    REQUIRE(dmm_model_pipelined_time(&time, &warps, 1) == DMM_MODEL_BAD_DATA); /* one barrier */
    warps.group_warps = 0;
    REQUIRE(dmm_model_pipelined_time(&time, &warps, 1) == DMM_MODEL_BAD_VALUE);
    warps = (dmm_model_warps){passes, falling, 2, 1};
    REQUIRE(dmm_model_pipelined_time(&time, &warps, 1) == DMM_MODEL_BAD_DATA);
    warps = (dmm_model_warps){NULL, ends, 2, 1};
    REQUIRE(dmm_model_pipelined_time(&time, &warps, 1) == DMM_MODEL_NULL_ARGUMENT);
    REQUIRE(time == 55);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_times),
        cmocka_unit_test(any_warps_take_the_time_of_the_simulation),
        cmocka_unit_test(refusals_leave_the_time),
    };
    return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
