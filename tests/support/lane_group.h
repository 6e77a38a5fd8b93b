/* SPDX-License-Identifier: MIT */
/*
 * An emulated work-group of U work-items, an enumerator of the test, for kernels as C11 whose lanes
 * exchange data (cl/lanes.clh): each work-item is a fiber that runs until it calls a function of
 * its sub-group or a barrier, in an order drawn at random. Fails if the work-items of a sub-group
 * do not all call the same function. Include first.
 */
#ifndef DMM_TESTS_LANE_GROUP_H
#define DMM_TESTS_LANE_GROUP_H

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* ucontext.h */
#endif
#include "support/require.h"

#include <string.h>
#include <ucontext.h>

#include "support/random.h"

#if !defined(LANES)
#define LANES 32
#endif
enum { GROUPS = U / LANES, STACK_BYTES = 1 << 16 };

typedef enum halt { RUNS, SHUFFLES, BALLOTS, LANES_BARRIER, BARRIER, ENDS } halt;
typedef struct uint4 {
    unsigned x, y, z, w;
} uint4;

static struct fiber {
    ucontext_t context;
    halt halt;
    unsigned given, from, got; /* a shuffle's; given: a ballot's, too */
    uint4 ballot;
} fibers[U];
static char stacks[U][STACK_BYTES];
static ucontext_t scheduler;
static unsigned current; /* work-item that runs */
static void (*body)(void);
static random_source draw;

static void stop(halt why)
{
    fibers[current].halt = why;
    swapcontext(&fibers[current].context, &scheduler);
}

static uint4 sub_group_ballot(int yes)
{
    fibers[current].given = yes != 0;
    stop(BALLOTS);
    return fibers[current].ballot;
}

static unsigned sub_group_shuffle(unsigned own, unsigned from)
{
    fibers[current].given = own;
    fibers[current].from = from;
    stop(SHUFFLES);
    return fibers[current].got;
}

static void run_body(void)
{
    body();
    stop(ENDS);
}

/* Runs the work-items of a sub-group up to their next halt; returns it. */
static halt step_lanes(struct fiber *lanes)
{
    const unsigned turn = (unsigned)(random_next(&draw) % LANES);
    const unsigned step = (unsigned)(random_next(&draw) % LANES) | 1; /* odd: reaches each lane */
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned lane = (turn + i * step) % LANES;
        current = (unsigned)(lanes - fibers) + lane;
        swapcontext(&scheduler, &lanes[lane].context);
    }
    uint4 ballot = {0, 0, 0, 0};
    for (unsigned i = 0; i < LANES; i++) {
        REQUIRE(lanes[i].halt == lanes->halt);
        ballot.x |= i < 32 ? lanes[i].given << i : 0;
        ballot.y |= i < 32 ? 0 : lanes[i].given << (i - 32);
    }
    for (unsigned i = 0; i < LANES; i++) {
        REQUIRE(lanes->halt != SHUFFLES || lanes[i].from < LANES);
        lanes[i].got = lanes[lanes[i].from % LANES].given;
        lanes[i].ballot = ballot;
    }
    return lanes->halt;
}

/* Begins each work-item's fiber at run_body. */
static void begin_fibers(void)
{
    for (current = 0; current < U; current++) {
        fibers[current].halt = RUNS;
        REQUIRE(getcontext(&fibers[current].context) == 0);
        fibers[current].context.uc_stack.ss_sp = stacks[current];
        fibers[current].context.uc_stack.ss_size = STACK_BYTES;
        makecontext(&fibers[current].context, run_body, 0);
    }
}

/* Runs `all` as a work-group. */
static void run_group(void (*all)(void))
{
    unsigned ended = 0;
    body = all;
    begin_fibers();
    while (ended < GROUPS) { /* from one barrier of the group to the next one */
        const unsigned first = (unsigned)(random_next(&draw) % GROUPS);
        ended = 0;
        for (unsigned g = 0; g < GROUPS; g++) {
            halt why = RUNS;
            while (why != BARRIER && why != ENDS)
                why = step_lanes(fibers + (first + g) % GROUPS * LANES);
            ended += why == ENDS;
        }
        REQUIRE(ended == 0 || ended == GROUPS);
    }
}

/* What the kernels take from OpenCL C. A kernel that is not called is left out. */
#define global
#define local
#define kernel                         static
#define reqd_work_group_size(x, y, z)  /* an attribute of kernels alone */
#define CLK_LOCAL_MEM_FENCE            0
#define CLK_GLOBAL_MEM_FENCE           0
#define get_local_id(d)                ((size_t)(current + (d)))
#define get_global_id(d)               get_local_id(d)
#define get_sub_group_local_id()       (current % LANES)
#define get_sub_group_id()             (current / LANES)
#define sub_group_barrier(fence)       stop(LANES_BARRIER)
#define barrier(fence)                 stop(BARRIER)
#define min(a, b)                      ((a) < (b) ? (a) : (b))
#define max(a, b)                      ((a) > (b) ? (a) : (b))
#define popcount(x)                    __builtin_popcountll(x)
#define clz(x)                         (__builtin_clzll(x) - 64 + 8 * (int)sizeof(x))
#define atomic_inc(at)                 ((*(at))++)
#define atomic_or(at, value)           (*(at) |= (value))
#define atomic_xchg(at, value)         ((void)(*(at) = (value)))
#define atomic_cmpxchg(at, old, value) exchange(at, old, value)
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

/* atomic_cmpxchg of OpenCL C. */
static inline uint exchange(uint *at, uint old, uint value)
{
    const uint before = *at;
    *at = before == old ? value : before;
    return before;
}

#endif
