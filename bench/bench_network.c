/* SPDX-License-Identifier: MIT */
/*
 * bench_network [options]: networks of n wires, planned once and run by dmm_network, beside
 * dmm_sort by method merge, which they are compared with, and by method network. AKS has perfect
 * halvers where no error is allowed, and is there for 2^8, 2^12 and 2^16 wires only: larger ones
 * are run in parts (dmm-lab network). The model reads and writes each key once.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm-model/network.h>
#include <dmm/network.h>

#include "sort_entrants.h"

static const struct {
    const char *name;
    dmm_model_network_kind kind;
} kinds[] = {{"bitonic", DMM_MODEL_BITONIC}, {"odd_even", DMM_MODEL_ODD_EVEN},
    {"merge_exchange", DMM_MODEL_MERGE_EXCHANGE}, {"pairwise", DMM_MODEL_PAIRWISE},
    {"aks", DMM_MODEL_AKS}};
enum { NUM_KINDS = sizeof kinds / sizeof kinds[0], NUM_SORTS = 2, MOST_WIRES = 1 << 20 };

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_network_args args = {.keys_in = {job->keys_in, 0}, .keys_out = {job->keys_out, 0}};
    return dmm_network_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

/* Creates a network of n wires; NULL if there is none of that kind. */
static dmm_network *make(bench_job *job, dmm_model_network_kind kind)
{
    const dmm_model_network_desc desc = {
        .kind = kind, .wires = (uint32_t)job->n, .perfect = kind == DMM_MODEL_AKS};
    dmm_model_network *model = NULL;
    dmm_model_network_step step;
    dmm_network *network = NULL;
    if (kind == DMM_MODEL_AKS && job->n != 1 << 8 && job->n != 1 << 12 && job->n != 1 << 16)
        return NULL;
    bench_require(dmm_model_network_create(&model, &desc), "model");
    const dmm_model_network_counts counts = dmm_model_network_count(model);
    dmm_comparator *const pairs = bench_allocate(counts.comparators * sizeof *pairs + 1);
    uint64_t *const ends = bench_allocate(counts.steps * sizeof *ends + 1), count = 0;
    for (uint64_t i = 0; dmm_model_network_next(&step, model); i++) {
        for (uint64_t j = 0; j < step.count; j++)
            pairs[count++] = (dmm_comparator){step.pairs[j].low, step.pairs[j].high};
        ends[i] = count;
    }
    const dmm_network_desc of = {.order = {.type = job->options.type},
        .wires = (uint32_t)job->n,
        .pairs = pairs,
        .ends = ends,
        .steps = counts.steps};
    bench_require(dmm_network_create(&network, job->ctx, &of), "create");
    dmm_model_network_free(model);
    free(pairs);
    free(ends);
    return network;
}

static void run(bench_job *job)
{
    static const bench_sort_method *const sorts[] = {&bench_sort_merge, &bench_sort_network};
    bench_entrant entrants[NUM_SORTS + NUM_KINDS] = {{0}};
    size_t count = NUM_SORTS;
    uint64_t temp_bytes = 0;
    if (job->options.value_bytes != 0 || job->n == 0 || job->n > MOST_WIRES)
        return;
    for (size_t at = 0; at < NUM_SORTS; at++) {
        const uint64_t bytes =
            bench_sort_create(&entrants[at], at, job, sorts[at], DMM_FORM_DEFAULT);
        temp_bytes = bytes > temp_bytes ? bytes : temp_bytes;
    }
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    for (size_t i = 0; i < NUM_KINDS; i++) {
        dmm_network *const network = make(job, kinds[i].kind);
        if (network != NULL)
            entrants[count++] = (bench_entrant){.who = "dmm",
                .method = kinds[i].name,
                .with = bench_heard(job),
                .item_bytes = 2.0 * dmm_type_bytes(job->options.type),
                .object = network,
                .enqueue = enqueue,
                .fault = bench_device_order_fault};
    }
    bench_contest(job, "networks", entrants, count);
    for (size_t at = 0; at < count; at++)
        if (at < NUM_SORTS)
            dmm_sort_free(entrants[at].object);
        else
            dmm_network_free(entrants[at].object);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"network", "random", "2^16", run};
    return bench_main(&word, argc, argv);
}
