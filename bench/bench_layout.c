/* SPDX-License-Identifier: MIT */
/*
 * bench_layout [options]: n sorted keys (u32 or u64) into search trees in place, by each kind and
 * method. The model is one pass, which reads and writes each key once. Beyond 2^22 keys without
 * involutions of B-trees and van Emde Boas trees, which take some ten times as long as cycles.
 */
#include <dmm/layout.h>
#include <dmm/sort.h>

#include <string.h>

#include "contest.h"
#include "model.h"

static const struct {
    const char *name;
    dmm_layout_desc desc;
} ways[] = {
    {"bst_involutions", {.kind = DMM_LAYOUT_BST, .method = DMM_LAYOUT_INVOLUTIONS}},
    {"bst_cycles", {.kind = DMM_LAYOUT_BST, .method = DMM_LAYOUT_CYCLES}},
    {"bst_hybrid", {.kind = DMM_LAYOUT_BST, .method = DMM_LAYOUT_HYBRID}},
    {"btree16_involutions", {.kind = DMM_LAYOUT_BTREE, .B = 16, .method = DMM_LAYOUT_INVOLUTIONS}},
    {"btree16_cycles", {.kind = DMM_LAYOUT_BTREE, .B = 16, .method = DMM_LAYOUT_CYCLES}},
    {"btree32_cycles", {.kind = DMM_LAYOUT_BTREE, .B = 32, .method = DMM_LAYOUT_CYCLES}},
    {"veb_involutions", {.kind = DMM_LAYOUT_VEB, .method = DMM_LAYOUT_INVOLUTIONS}},
    {"veb_cycles", {.kind = DMM_LAYOUT_VEB, .method = DMM_LAYOUT_CYCLES}},
    {"mveb_cycles", {.kind = DMM_LAYOUT_MVEB, .method = DMM_LAYOUT_CYCLES}},
};
enum { NUM_WAYS = sizeof ways / sizeof ways[0], MOST_MODULAR = 1 << 22 };

static int left_out(const dmm_layout_desc *desc, size_t n)
{
    return n > MOST_MODULAR && desc->method == DMM_LAYOUT_INVOLUTIONS &&
           desc->kind != DMM_LAYOUT_BST;
}

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_layout_args args = {.items = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_layout_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static const char *fault(bench_job *job, const bench_entrant *self)
{
    const dmm_layout_desc *const desc = &ways[self->which].desc;
    const uint32_t bytes = dmm_type_bytes(job->options.type);
    const unsigned char *const in = job->in.keys, *const out = job->out.keys;
    bench_job_fetch(job);
    for (uint64_t i = 0; i < job->n; i++)
        if (memcmp(out + i * bytes, in + dmm_layout_rank(desc->kind, desc->B, job->n, i) * bytes,
                bytes) != 0)
            return "an item is not where it belongs";
    return NULL;
}

static void run(bench_job *job)
{
    const dmm_type type = job->options.type;
    const dmm_sort_desc by_key = {.order = {.type = type}};
    bench_entrant entrants[NUM_WAYS] = {{0}};
    uint64_t most = 0;
    size_t count = 0;
    if (job->options.value_bytes != 0)
        return;
    for (size_t i = 0; i < NUM_WAYS; i++) {
        dmm_layout_desc desc = ways[i].desc;
        dmm_layout *layout = NULL;
        uint64_t bytes = 0;
        if (left_out(&desc, job->n))
            continue;
        desc.item_bytes = dmm_type_bytes(type);
        bench_require(dmm_layout_create(&layout, job->ctx, &desc), "create");
        bench_require(dmm_layout_temp_bytes(&bytes, layout, job->n), "temp");
        most = bytes > most ? bytes : most;
        entrants[count] = (bench_entrant){.who = "dmm",
            .method = ways[i].name,
            .beside = count,
            .with = bench_heard(job),
            .item_bytes = bench_pass_bytes(job, 1),
            .object = layout,
            .which = (int)i,
            .enqueue = enqueue,
            .restore = bench_restore_device,
            .fault = fault};
        count++;
    }
    bench_job_fill(job);
    bench_require(dmm_sort_host(job->ctx, &by_key, job->in.keys, NULL, job->n), "sort");
    bench_job_upload(job, most);
    bench_contest(job, "", entrants, count);
    for (size_t i = 0; i < count; i++)
        dmm_layout_free(entrants[i].object);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"layout", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
