/* SPDX-License-Identifier: MIT */
/* Runs one trial: input, buffers, runs, check. */
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/tuning.h>

#include "core/opencl.h"
#include "tune.h"

enum { WIDEST = 8, LEAST_ITEMS = 1024 };

void trial_put_key(unsigned char *at, uint32_t key_bytes, uint32_t number)
{
    const uint64_t wide = key_bytes == 8 ? (uint64_t)number << 32 | number : number;
    memcpy(at, &wide, key_bytes); /* hosts are little-endian, as the devices are */
}

static dmm_status write_buffer(trial *t, cl_mem buffer, const void *data, size_t bytes)
{
    return clEnqueueWriteBuffer(t->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
}

static dmm_status write_input(trial *t)
{
    unsigned char *const keys = malloc(t->n * t->key_bytes);
    if (keys == NULL)
        return DMM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < t->n; i++)
        trial_put_key(keys + i * t->key_bytes, t->key_bytes, t->random[i]);
    dmm_status status = write_buffer(t, t->in, keys, t->n * t->key_bytes);
    if (status == DMM_OK && t->by_bytes != 0)
        status = write_buffer(t, t->by, t->by_data, t->by_bytes);
    free(keys);
    return status;
}

static dmm_status compare(trial *t, cl_mem buffer, const unsigned char *expected, size_t bytes)
{
    unsigned char *const found = malloc(bytes + 1);
    if (found == NULL)
        return DMM_OUT_OF_MEMORY;
    dmm_status status = DMM_OK;
    if (bytes != 0)
        status = clEnqueueReadBuffer(t->queue, buffer, CL_TRUE, 0, bytes, found, 0, NULL, NULL);
    if (status == DMM_OK && memcmp(found, expected, bytes) != 0)
        status = DMM_WRONG_RESULT;
    free(found);
    return status;
}

dmm_status trial_measure(trial *t, dmm_status (*once)(trial *t))
{
    const size_t space = (size_t)t->temp_bytes;
    dmm_status status = write_input(t);
    if (status == DMM_OK && space != 0)
        t->temp = clCreateBuffer(
            dmm_context_cl(t->session->context), CL_MEM_READ_WRITE, space, NULL, &status);
    /* The first run includes work that drivers defer. */
    for (uint32_t i = 0; status == DMM_OK && i <= t->repeats; i++) {
        const uint64_t start = tune_now_ns();
        status = once(t);
        if (status == DMM_OK)
            status = clFinish(t->queue);
        const uint64_t took = tune_now_ns() - start;
        if (i != 0 && took < t->best_ns)
            t->best_ns = took;
        if (i != 0 && t->enough_ns != 0 && took > t->enough_ns)
            break;
    }
    if (status == DMM_OK)
        status = compare(t, t->out, t->expected, t->expected_bytes);
    if (status == DMM_OK)
        status = compare(t, t->out_by, t->expected_by, t->expected_by_bytes);
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Fills in the numbers of D. Knuth's MMIX (<dmm/selftest.h>), of 24 bits so that some are equal. */
static void fill(trial *t)
{
    uint64_t state = t->n;
    for (uint64_t i = 0; i < t->n; i++) {
        state = 6364136223846793005u * state + 1442695040888963407u;
        t->random[i] = (uint32_t)(state >> 40) * 0x101u;
        t->order[i] = (uint64_t)t->random[i] << 32 | i;
    }
    qsort(t->order, t->n, sizeof *t->order, compare_numbers);
}

static dmm_status make_buffers(trial *t)
{
    const cl_context cl = dmm_context_cl(t->session->context);
    cl_mem *const buffers[] = {&t->in, &t->by, &t->out, &t->out_by};
    dmm_status status = DMM_OK;
    t->random = malloc(t->n * sizeof *t->random);
    t->order = malloc(t->n * sizeof *t->order);
    t->by_data = malloc(t->n * WIDEST);
    t->expected = malloc(t->n * WIDEST);
    t->expected_by = malloc(t->n * WIDEST);
    if (t->random == NULL || t->order == NULL || t->by_data == NULL || t->expected == NULL ||
        t->expected_by == NULL)
        return DMM_OUT_OF_MEMORY;
    for (size_t i = 0; status == DMM_OK && i < sizeof buffers / sizeof *buffers; i++)
        *buffers[i] = clCreateBuffer(cl, CL_MEM_READ_WRITE, t->n * WIDEST, NULL, &status);
    return status;
}

static void release(trial *t)
{
    const cl_mem buffers[] = {t->in, t->by, t->out, t->out_by, t->temp};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    free(t->random);
    free(t->order);
    free(t->by_data);
    free(t->expected);
    free(t->expected_by);
}

/* True if the library has used the parameters to be tried. */
static bool fits(const dmm_context *context)
{
    dmm_tuned row;
    for (size_t i = 0; dmm_context_tuned(&row, context, i) == DMM_OK; i++)
        if (row.misfits != 0)
            return false;
    return true;
}

bool trial_main(cli_session *session, char **operands, cli_error *error)
{
    const trial_word *word = trial_words;
    trial t = {.session = session, .best_ns = UINT64_MAX};
    while (word->word != NULL && strcmp(word->word, operands[1]) != 0)
        word++;
    t.item_bytes = t.key_bytes = (uint32_t)strtoul(operands[2], NULL, 10);
    t.n = strtoull(operands[3], NULL, 10);
    t.repeats = (uint32_t)strtoul(operands[4], NULL, 10);
    t.enough_ns = strtoull(operands[5], NULL, 10);
    if (word->word == NULL || t.n < LEAST_ITEMS || t.repeats < 1)
        return cli_fail(error, CLI_MISTAKE, NULL, "invalid operands of a trial");
    if (!cli_open_session(session, error))
        return false;
    t.queue = dmm_context_queue(session->context);
    dmm_status status = make_buffers(&t);
    if (status == DMM_OK) {
        fill(&t);
        status = word->run(&t);
    }
    release(&t);
    if (status == DMM_OK && !fits(session->context))
        status = DMM_BAD_PARAMETERS;
    if (status == DMM_OK)
        printf("trial %" PRIu64 "\n", t.best_ns);
    if (status == DMM_WRONG_RESULT)
        return cli_fail(error, CLI_CHECK_FAILED, NULL, "wrong results");
    return cli_check(session, status, NULL, error);
}
