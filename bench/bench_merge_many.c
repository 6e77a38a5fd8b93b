/* SPDX-License-Identifier: MIT */
/*
 * bench_merge_many [options]: dmm_merge_many of 2, 8, 64 and 1000 sorted lists, and of one list of
 * half of the items among tiny ones, beside repeated dmm_merge of neighbours, dmm_sort of all items
 * by the same method, and a heap in C.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/merge.h>
#include <dmm/merge_many.h>
#include <dmm/sort.h>
#include <dmm/sort_segmented.h>

#include "contest.h"
#include "model.h"
#include "sort_entrants.h"

typedef struct contestants {
    dmm_merge_many *merge;
    dmm_merge *two;
    dmm_sort *sort;
    cl_mem spare;
    size_t lists;
    uint64_t *next; /* where each list of the heap goes on */
    size_t *heap;
} contestants;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const contestants *const m = self->object;
    const dmm_merge_many_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .offsets = {job->by_in, 0},
        .temp = {job->temp, 0}};
    return dmm_merge_many_enqueue(m->merge, job->queue, &args, job->n, m->lists, 0, NULL, event);
}

/* Enqueues one merge of lists l .. l + run - 1 with the next `run` ones. */
static dmm_status merge_pair(bench_job *job, const contestants *m, const cl_mem list[2], size_t l,
    size_t run, cl_event *event)
{
    const uint64_t *const offsets = job->by, bytes = dmm_type_bytes(job->options.type);
    const size_t middle = l + run < m->lists ? l + run : m->lists;
    const size_t end = middle + run < m->lists ? middle + run : m->lists;
    const dmm_merge_args args = {.a_keys = {list[0], offsets[l] * bytes},
        .b_keys = {list[0], offsets[middle] * bytes},
        .keys_out = {list[1], offsets[l] * bytes},
        .temp = {job->temp, 0}};
    return dmm_merge_enqueue(m->two, job->queue, &args, offsets[middle] - offsets[l],
        offsets[end] - offsets[middle], 0, NULL, event);
}

/* Keys alone: passes over neighbours, the last one into the output. */
static dmm_status enqueue_pairs(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const contestants *const m = self->object;
    size_t passes = 0;
    for (size_t run = 1; run < m->lists; run *= 2)
        passes++;
    cl_mem from = job->keys_in;
    dmm_status status = DMM_OK;
    for (size_t run = 1; run < m->lists; run *= 2) {
        const cl_mem to = passes-- % 2 != 0 ? job->keys_out : m->spare;
        for (size_t l = 0; l < m->lists && status == DMM_OK; l += 2 * run) {
            const int last = passes == 0 && l + 2 * run >= m->lists;
            status = merge_pair(job, m, (const cl_mem[]){from, to}, l, run, last ? event : NULL);
        }
        from = to;
    }
    return status;
}

static dmm_status enqueue_sort(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const contestants *const m = self->object;
    return bench_sort_enqueue(job, m->sort, event);
}

/* u32 keys: true if list a goes on with a lesser key than list b; ties: if it is earlier. */
static int goes_first(const contestants *m, const uint32_t *keys, size_t a, size_t b)
{
    const uint32_t x = keys[m->next[a]], y = keys[m->next[b]];
    return x < y || (x == y && a < b);
}

static void sift(const contestants *m, const uint32_t *keys, size_t size, size_t at)
{
    const size_t list = m->heap[at];
    for (size_t child; (child = 2 * at + 1) < size; at = child) {
        if (child + 1 < size && goes_first(m, keys, m->heap[child + 1], m->heap[child]))
            child++;
        if (!goes_first(m, keys, m->heap[child], list))
            break;
        m->heap[at] = m->heap[child];
    }
    m->heap[at] = list;
}

static int merge_by_heap(bench_job *job, const bench_entrant *self)
{
    const contestants *const m = self->object;
    const uint64_t *const offsets = job->by;
    const uint32_t *const keys = (const uint32_t *)(const void *)job->in.keys;
    uint32_t *const out = (uint32_t *)(void *)job->out.keys;
    size_t size = 0;
    for (size_t l = 0; l < m->lists; l++) {
        m->next[l] = offsets[l];
        if (offsets[l] < offsets[l + 1])
            m->heap[size++] = l;
    }
    for (size_t at = size; at-- > 0;)
        sift(m, keys, size, at);
    for (size_t i = 0; size > 0; i++) {
        const size_t list = m->heap[0];
        out[i] = keys[m->next[list]++];
        if (m->next[list] == offsets[list + 1])
            m->heap[0] = m->heap[--size];
        sift(m, keys, size, 0);
    }
    return 1;
}

/* Cuts lists of about equal lengths; 0: one of half of the items among tiny ones. */
static uint64_t *cut(contestants *m, size_t n, size_t lists)
{
    uint64_t *const offsets = bench_allocate(((lists != 0 ? lists : n) + 2) * sizeof *offsets);
    offsets[0] = 0;
    for (size_t l = 1; l <= lists; l++)
        offsets[l] = (uint64_t)((double)n * (double)l / (double)lists);
    m->lists = lists != 0 ? lists : 1001;
    for (size_t l = 1; lists == 0 && l <= m->lists; l++) {
        const size_t tiny = n / 2 / m->lists;
        offsets[l] = l == m->lists ? n : l <= 500 ? l * tiny : n / 2 + l * tiny;
    }
    return offsets;
}

static void sort_lists(bench_job *job, const contestants *m, const uint64_t *offsets)
{
    dmm_sort_segmented_desc desc = {0};
    desc.order.type = job->options.type;
    desc.value_bytes = job->options.value_bytes;
    desc.offset_type = DMM_U64;
    bench_require(dmm_sort_segmented_host(job->ctx, &desc, job->in.keys,
                      desc.value_bytes != 0 ? job->in.values : NULL, job->n, offsets, m->lists),
        "sort");
}

static uint64_t create(contestants *m, bench_job *job)
{
    dmm_sort_desc sort = {.method = DMM_SORT_MERGE};
    dmm_merge_desc two = {0};
    dmm_merge_many_desc many = {.offset_type = DMM_U64};
    uint64_t bytes[3] = {0}, most = 0;
    two.order.type = sort.order.type = many.order.type = job->options.type;
    sort.value_bytes = many.value_bytes = job->options.value_bytes;
    bench_require(dmm_sort_create(&m->sort, job->ctx, &sort), "sort");
    bench_require(dmm_merge_create(&m->two, job->ctx, &two), "merge");
    bench_heard(job);
    bench_require(dmm_merge_many_create(&m->merge, job->ctx, &many), "create");
    bench_require(dmm_merge_many_temp_bytes(&bytes[0], m->merge, job->n, 65536), "temp");
    bench_require(dmm_sort_temp_bytes(&bytes[1], m->sort, job->n), "temp");
    bench_require(dmm_merge_temp_bytes(&bytes[2], m->two, job->n), "temp");
    for (size_t i = 0; i < 3; i++)
        most = bytes[i] > most ? bytes[i] : most;
    return most;
}

static void run_one(bench_job *job, const char *title, size_t lists)
{
    contestants m = {.merge = NULL};
    cl_context context = NULL;
    cl_int error = CL_SUCCESS;
    const uint64_t temp_bytes = create(&m, job);
    const bench_parameters with = bench_heard(job);
    const int alone = job->options.value_bytes == 0;
    double passes = 0;
    bench_job_fill(job);
    uint64_t *const offsets = cut(&m, job->n, lists);
    sort_lists(job, &m, offsets);
    bench_job_upload(job, temp_bytes);
    bench_job_upload_by(job, offsets, (m.lists + 1) * sizeof *offsets);
    bench_heard(job);
    m.next = bench_allocate(m.lists * sizeof *m.next);
    m.heap = bench_allocate(m.lists * sizeof *m.heap);
    clGetCommandQueueInfo(job->queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    m.spare = clCreateBuffer(
        context, CL_MEM_READ_WRITE, job->n * dmm_type_bytes(job->options.type), NULL, &error);
    bench_require(error, "spare");
    for (size_t l = 1; l < lists; l *= 2)
        passes++;
    bench_entrant entrants[4] = {
        {.who = "dmm",
            .method = "merge_many",
            .with = with,
            .item_bytes = bench_pass_bytes(job, 1) * passes,
            .object = &m,
            .enqueue = enqueue,
            .fault = bench_device_order_fault},
        {.who = "dmm",
            .method = "sort_all",
            .object = &m,
            .enqueue = enqueue_sort,
            .fault = bench_device_order_fault},
        {.who = "dmm",
            .method = "merge_pairs",
            .object = &m,
            .enqueue = enqueue_pairs,
            .fault = bench_device_order_fault},
        {.who = "plain",
            .method = "heap",
            .object = &m,
            .call = merge_by_heap,
            .fault = bench_host_order_fault},
    };
    bench_contest(job, title, entrants,
        !alone                                                ? 2
        : job->options.type != DMM_U32 || !job->options.peers ? 3
                                                              : 4);
    clReleaseMemObject(m.spare);
    free(m.next);
    free(m.heap);
    dmm_merge_many_free(m.merge);
    dmm_merge_free(m.two);
    dmm_sort_free(m.sort);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    run_one(job, "lists=2", 2);
    run_one(job, "lists=8", 8);
    run_one(job, "lists=64", 64);
    run_one(job, "lists=1000", 1000);
    run_one(job, "skewed", 0);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"merge_many", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
