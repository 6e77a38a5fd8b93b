/* SPDX-License-Identifier: MIT */
#include <dmm-model/programs.h>

#include <stdbool.h>
#include <stddef.h>

#include "cl/hash.clh"

/* Distance of neighbours in the sorted input of the searches: keys stand for all numbers. */
#define PROGRAM_KEY_STRIDE UINT64_C(3)

enum { BATCH = 1024 };

/* The accesses of a traced program, handed on a batch at a time. */
typedef struct trace {
    uint64_t *memory;
    dmm_model_trace_visit *visit;
    void *user;
    uint64_t used;
    uint64_t addresses[BATCH];
} trace;

static void flush(trace *t)
{
    if (t->used)
        t->visit(t->user, t->addresses, t->used);
    t->used = 0;
}

static inline uint64_t *note(trace *t, uint64_t i)
{
    if (t->used == BATCH)
        flush(t);
    t->addresses[t->used++] = i * sizeof *t->memory;
    return &t->memory[i];
}

static uint64_t next_random(uint64_t *state)
{
    return dmm_mix(*state += DMM_GOLDEN);
}

/* A number below `bound` < 2^32, in a few operations; biased by bound / 2^32 at most. Larger bounds
 * take a remainder. */
static inline uint64_t program_below(uint64_t *state, uint64_t bound)
{
    const uint64_t number = next_random(state);
    return bound >> 32 ? number % bound : (number >> 32) * bound >> 32;
}

#define NAME(word) run_##word
#define TRACE      uint64_t *const memory
#define PASS       memory
#define AT(i)      memory[i]
#include "model/program_body.h"

#define NAME(word) trace_##word
#define TRACE      trace *const noted
#define PASS       noted
#define AT(i)      (*note(noted, i))
#include "model/program_body.h"

static const struct {
    const char *name;
    uint64_t arrays;
} programs[DMM_MODEL_PROGRAMS] = {
    {"sequential scan", 1},
    {"random scan", 2},
    {"permute", 1},
    {"heapify", 1},
    {"introsort", 1},
    {"binary search", 1},
    {"heapsort", 1},
};

const char *dmm_model_program_name(dmm_model_program program)
{
    return (unsigned)program < DMM_MODEL_PROGRAMS ? programs[program].name : NULL;
}

uint64_t dmm_model_program_words(dmm_model_program program, uint64_t n)
{
    return (unsigned)program < DMM_MODEL_PROGRAMS ? programs[program].arrays * n : 0;
}

static dmm_model_status check(const void *memory, dmm_model_program program)
{
    if (!memory)
        return DMM_MODEL_NULL_ARGUMENT;
    return (unsigned)program < DMM_MODEL_PROGRAMS ? DMM_MODEL_OK : DMM_MODEL_BAD_VALUE;
}

dmm_model_status dmm_model_program_fill(
    uint64_t *memory, dmm_model_program program, uint64_t n, uint64_t seed)
{
    dmm_model_status status = check(memory, program);
    if (status != DMM_MODEL_OK)
        return status;
    const bool sorted = program == DMM_MODEL_BINARY_SEARCH;
    for (uint64_t i = 0; i < n; i++)
        memory[i] = sorted ? i * PROGRAM_KEY_STRIDE : next_random(&seed);
    if (program == DMM_MODEL_RANDOM_SCAN) {
        for (uint64_t i = 0; i < n; i++)
            memory[n + i] = i;
        run_permute(memory + n, n, seed);
    }
    return DMM_MODEL_OK;
}

/* Depends on the order of the first words, the middle and the last. */
static uint64_t digest(const uint64_t *memory, uint64_t n)
{
    return n ? memory[0] ^ memory[n / 2] * 3 ^ memory[n - 1] * 5 : 0;
}

dmm_model_status dmm_model_program_run(
    uint64_t *result, uint64_t *memory, dmm_model_program program, uint64_t n, uint64_t seed)
{
    dmm_model_status status = check(result ? memory : NULL, program);
    if (status == DMM_MODEL_OK)
        *result = run_run(memory, program, n, seed) ^ digest(memory, n);
    return status;
}

dmm_model_status dmm_model_program_trace(uint64_t *result, uint64_t *memory,
    dmm_model_program program, uint64_t n, uint64_t seed, dmm_model_trace_visit *visit, void *user)
{
    trace t = {.memory = memory, .visit = visit, .user = user};
    dmm_model_status status = check(result && visit ? memory : NULL, program);
    if (status != DMM_MODEL_OK)
        return status;
    *result = trace_run(&t, program, n, seed) ^ digest(memory, n);
    flush(&t);
    return DMM_MODEL_OK;
}
