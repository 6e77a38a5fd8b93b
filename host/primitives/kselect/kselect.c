/* SPDX-License-Identifier: MIT */
/*
 * Selection by rank: parameters, kernels and parts; in the CPU form one pass for each digit
 * (cl/kselect/kselect_cpu.clh), enqueued without reading data back, or all in one launch for one
 * tile; or a sort of all items, the first of which are copied.
 */
#include "primitives/kselect/kselect.h"

#include <stdlib.h>

#include "cl/kselect/kselect_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/prelude.h"

enum { GPU_DIGIT_BITS = 8, CPU_DIGIT_BITS = 11 };
/* Counters of a bank's column, which a group shares; or of a byte in each work-item's own: then
 * groups are small, since they take more than 256 bytes of local memory a work-item. */
enum { GPU_COUNTER_BITS = 16, GPU_OWN_U = 64 };

/* True if all items are sorted: `less` has no digits. */
static int sorts_all(const dmm_kselect *select)
{
    return select->what.order.less != NULL;
}

/* Local memory of the GPU form: a word for each item of a tile; for each work-item two sums; and
 * counters. */
static dmm_status choose_parameters(dmm_kselect *select)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &select->object.ctx->device;
    const uint32_t word = (uint32_t)device->bank_bytes.value;
    const uint64_t bits = ((uint64_t)1 << GPU_DIGIT_BITS) * GPU_COUNTER_BITS;
    const uint64_t column = dmm_size_div_up(bits, 8ull * word) * word;
    const uint64_t columns = device->banks.value * column;
    dmm_footprint footprint = dmm_item_footprint(&select->layout, device);
    footprint.group_bytes = 2 * word;
    select->shares_columns = columns <= device->local_bytes.value / 2;
    if (select->shares_columns)
        footprint.fixed_bytes = (uint32_t)columns;
    else {
        footprint.group_bytes += 1u << GPU_DIGIT_BITS;
        footprint.gpu_u = GPU_OWN_U;
    }
    footprint.cpu_digit = CPU_DIGIT_BITS;
    footprint.gpu_digit = GPU_DIGIT_BITS;
    footprint.guarantee = select->what.guarantee;
    footprint.word = sorts_all(select) ? NULL : "topk";
    TRY(dmm_context_choose(&select->p, select->object.ctx, &select->what.tuning, &footprint));
    FAIL_IF(select->what.guarantee && select->p.plain_search, DMM_UNSUPPORTED);
out:
    return status;
}

static dmm_status choose(dmm_kselect *select)
{
    dmm_status status = DMM_OK;
    const dmm_kselect_desc *desc = &select->what;
    const dmm_device *device = &select->object.ctx->device;
    dmm_item_layout *item = &select->layout;
    TRY(dmm_item_layout_init(
        item, device, &desc->order, desc->value_bytes, desc->argsort, desc->max_n));
    FAIL_IF(sorts_all(select) && desc->unsorted && !desc->only_last,
        dmm_refuse(DMM_UNSUPPORTED, "unsorted: not with these keys, which are sorted"));
    if (!sorts_all(select))
        item->ties = 0; /* lists stay in order, so positions are not needed */
    TRY(choose_parameters(select));
    select->object.max_n = dmm_item_limit(item, desc->argsort, desc->max_n);
    select->sorts_many = select->p.cpu && !sorts_all(select) && !desc->unsorted &&
                         !desc->only_last && !desc->argsort && !item->by_position;
    select->digit_bits = select->p.digit;
    select->passes = (uint32_t)dmm_size_div_up(8 * item->key_bytes, select->digit_bits);
out:
    return status;
}

static dmm_status get_program(const dmm_kselect *select, cl_program *out)
{
    const dmm_kselect_desc *desc = &select->what;
    const char *const root = select->p.cpu ? "cl/kselect/kselect_cpu.cl" : "cl/kselect/kselect.cl";
    const dmm_device *device = &select->object.ctx->device;
    dmm_options options = {.bytes = 0};
    char *prelude = dmm_order_prelude(&desc->order);
    if (prelude == NULL)
        return DMM_OUT_OF_MEMORY;
    dmm_options_parameters(&options, &select->p, device);
    dmm_item_define(&options, &select->layout, &desc->order);
    dmm_values_define(&options, &select->layout, desc->argsort, 1);
    dmm_options_define(&options, "DMM_DIGIT_BITS", select->digit_bits);
    dmm_options_define(&options, "DMM_ONLY_LAST", desc->only_last != 0);
    if (select->shares_columns && !select->p.cpu) {
        dmm_options_define(&options, "DMM_COUNTER_BITS", GPU_COUNTER_BITS);
        dmm_options_define(&options, "DMM_COLUMNS", (uint32_t)device->banks.value);
    }
    const dmm_program_desc program = {.root = root, .options = &options, .prelude = prelude};
    const dmm_status status = dmm_programs_get(&select->object.ctx->programs, &program, out);
    free(prelude);
    return status;
}

/* Returns the number of counts of a pass whose digit has `bits` bits. */
static uint64_t num_counts_of(uint64_t groups, uint32_t bits)
{
    return groups * DMM_KSELECT_ROWS(bits) + 1;
}

static dmm_status build_kernels(dmm_kselect *select)
{
    dmm_status status = DMM_OK;
    cl_program program = NULL;
    const uint32_t u = select->p.u;
    const uint64_t counts = num_counts_of(select->p.most_groups, select->digit_bits);
    TRY(get_program(select, &program));
    TRY(dmm_object_kernel(select, program, "dmm_kselect_count", u, &select->count));
    TRY(dmm_object_kernel(select, program, "dmm_kselect_keep", u, &select->keep));
    TRY(dmm_object_kernel(select, program, "dmm_kselect_alone", u, &select->alone));
    if (!select->p.cpu) {
        TRY(dmm_object_kernel(select, program, "dmm_kselect_clear", u, &select->clear));
        goto out;
    }
    TRY(dmm_object_kernel(select, program, "dmm_kselect_least", u, &select->least));
    TRY(dmm_scan_part(select, &select->scan, select->layout.index_bytes, counts, 1));
out:
    return status;
}

/* Creates the sort. A sort of all items creates the positions if values do not move themselves;
 * selected items have values, or positions, already. */
static dmm_status build_sort(dmm_kselect *select)
{
    const dmm_kselect_desc *desc = &select->what;
    const int all = sorts_all(select);
    const dmm_sort_desc sort = {.order = desc->order,
        .value_bytes = select->layout.moved_bytes,
        .argsort = all && (select->layout.by_position || desc->argsort),
        .guarantee = desc->guarantee,
        .max_n = all || select->sorts_many || desc->max_k == 0 ? desc->max_n : desc->max_k,
        .tuning = desc->tuning};
    return all || !(desc->unsorted || desc->only_last)
               ? dmm_object_part(select, &select->sort, &dmm_sort_class, &sort)
               : DMM_OK;
}

dmm_status dmm_kselect_init(dmm_kselect *select)
{
    dmm_status status = DMM_OK;
    TRY(choose(select));
    TRY(dmm_values_kernel(select, &select->layout, &select->gather));
    if (!sorts_all(select))
        TRY(build_kernels(select));
    TRY(build_sort(select));
out:
    return status;
}

/* k items are few if their blocks hold at most 1/FEW_PART of all items, many if they are at least
 * 1/MANY_PART of them: a pass cannot drop much then, and a sort that leaves the rest takes less. */
enum { FEW_PART = 4, MANY_PART = 5 };

/* Returns the number of groups for n items. */
static uint64_t groups_of(const dmm_kselect *select, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, select->p.tile);
    return tiles < select->p.most_groups ? tiles : select->p.most_groups;
}

static uint64_t blocks_of(const dmm_kselect *select, uint64_t n)
{
    return select->least != NULL ? dmm_size_div_up(n, DMM_KSELECT_BLOCK) : 0;
}

/* True if a first pass over the least codes of blocks pays off; one tile is too small for it. */
static int uses_least(const dmm_kselect *select, uint64_t n, uint64_t k)
{
    return select->least != NULL && n > select->p.tile && k <= n / (DMM_KSELECT_BLOCK * FEW_PART);
}

static int is_sorted_whole(const dmm_kselect *select, uint64_t n, uint64_t k)
{
    return sorts_all(select) || (select->sorts_many && k >= n / MANY_PART);
}

/* Returns the most items that a sort needs temp for, of n items or fewer: temp is monotone. */
static uint64_t most_sorted(const dmm_kselect *select, uint64_t n, uint64_t k)
{
    const uint64_t whole = MANY_PART * (k + 1) - 1; /* the largest that is sorted whole for k */
    if (is_sorted_whole(select, n, k))
        return n;
    return select->sorts_many ? whole : k;
}

dmm_status dmm_kselect_check(const void *object, const dmm_sizes *sizes)
{
    const dmm_kselect *const select = object;
    const uint64_t max_k = select->what.max_k;
    const int is_too_large = sizes->n > select->object.max_n || (max_k != 0 && sizes->m > max_k);
    return is_too_large ? DMM_TOO_LARGE : DMM_OK;
}

uint64_t dmm_kselect_taken(const dmm_kselect *select, uint64_t k)
{
    return select->what.only_last && k != 0 ? 1 : k;
}

uint32_t dmm_kselect_value_bytes(const dmm_kselect *select)
{
    return select->what.argsort ? 0 : select->layout.value_bytes;
}

/* Lays out keys, one more than n because of dmm_call_items, and what moves with them. */
static void lay_out_list(
    const dmm_kselect *select, dmm_call *call, size_t keys, size_t values, uint64_t n)
{
    dmm_call_region(call, keys, n != 0 ? n + 1 : 0, select->layout.key_bytes);
    dmm_call_region(
        call, values, select->p.cpu || sorts_all(select) ? n : 0, select->layout.moved_bytes);
}

static void lay_out_sort(const dmm_kselect *select, dmm_call *call, uint64_t n)
{
    uint64_t bytes = 0;
    if (select->sort != NULL && dmm_sort_temp_bytes(&bytes, select->sort, n) != DMM_OK)
        bytes = UINT64_MAX;
    dmm_call_region(call, DMM_KSELECT_SORT, bytes, 1);
}

void dmm_kselect_lay_out(const void *object, dmm_call *call)
{
    const dmm_kselect *const select = object;
    const dmm_item_layout *const item = &select->layout;
    const uint64_t n = call->sizes.n, k = call->sizes.m, sorted = most_sorted(select, n, k);
    if (sorts_all(select)) {
        lay_out_list(select, call, DMM_KSELECT_KEYS_A, DMM_KSELECT_VALUES_A, sorted);
        lay_out_sort(select, call, sorted);
        return;
    }
    const uint64_t groups = groups_of(select, n), blocks = blocks_of(select, n);
    const uint64_t counts = groups != 0 ? num_counts_of(groups, select->digit_bits) : 0;
    const uint64_t most = select->passes > 1 ? n / DMM_KSELECT_SHRINK : 0;
    const uint64_t state = 2 * select->passes * DMM_KSELECT_STATE_WORDS;
    const uint64_t whole = select->sorts_many ? sorted : 0;
    lay_out_list(
        select, call, DMM_KSELECT_KEYS_A, DMM_KSELECT_VALUES_A, whole > most ? whole : most);
    lay_out_list(select, call, DMM_KSELECT_KEYS_B, DMM_KSELECT_VALUES_B, most / DMM_KSELECT_SHRINK);
    if (select->p.cpu)
        dmm_call_region(call, DMM_KSELECT_COUNTS, counts, item->index_bytes);
    else
        dmm_call_region(
            call, DMM_KSELECT_COUNTS, n != 0 ? dmm_kselect_words(select, n) : 0, sizeof(dmm_u32));
    dmm_call_region(call, DMM_KSELECT_STATE, counts != 0 ? state : 0, sizeof(cl_ulong));
    dmm_call_region(call, DMM_KSELECT_LEAST_CODES, blocks != 0 ? blocks + 1 : 0, item->key_bytes);
    dmm_call_region(call, DMM_KSELECT_POSITIONS,
        item->by_position ? dmm_kselect_taken(select, k) : 0, item->moved_bytes);
    dmm_call_part_region(call, DMM_KSELECT_SCAN, select->scan, (dmm_sizes){.n = counts});
    lay_out_sort(select, call, sorted);
}

/* Passes of the CPU form over one input. */
typedef struct select_passes {
    const dmm_kselect *select;
    dmm_call *call;
    dmm_item_spans in, out; /* out: keys, and values or positions */
    uint64_t n, k;
    uint32_t groups, pass, input;
} select_passes;

static dmm_item_spans list_spans(
    const dmm_kselect *select, const dmm_call *call, size_t keys, size_t values)
{
    return (dmm_item_spans){
        dmm_call_items(call, keys, select->layout.key_bytes), call->regions[values]};
}

static dmm_status launch(const select_passes *s, cl_kernel kernel)
{
    const dmm_kselect *const select = s->select;
    const dmm_call *const call = s->call;
    const dmm_item_layout *const item = &select->layout;
    const uint64_t first = call->sizes.first;
    const dmm_item_spans a = list_spans(select, call, DMM_KSELECT_KEYS_A, DMM_KSELECT_VALUES_A);
    const dmm_item_spans b = list_spans(select, call, DMM_KSELECT_KEYS_B, DMM_KSELECT_VALUES_B);
    const dmm_span counts = call->regions[DMM_KSELECT_COUNTS],
                   state = call->regions[DMM_KSELECT_STATE];
    const dmm_span least = dmm_call_items(call, DMM_KSELECT_LEAST_CODES, item->key_bytes);
    const uint64_t skipped_state =
        s->input == DMM_KSELECT_LEAST ? select->passes * DMM_KSELECT_STATE_WORDS : 0;
    const dmm_kselect_call c = {.in = dmm_list_from(item, s->in, first),
        .out = dmm_list_from(item, s->out, first),
        .a = dmm_list_from(item, a, first),
        .b = dmm_list_from(item, b, first),
        .counts_at = dmm_span_items(counts, item->index_bytes),
        .state_at = dmm_span_items(state, sizeof(cl_ulong)) + skipped_state,
        .least_at = dmm_span_items(least, item->key_bytes),
        .first = first,
        .end = first + s->n,
        .rank = s->k - 1,
        .groups = s->groups,
        .pass = s->pass,
        .passes = select->passes,
        .input = s->input};
    return dmm_call_launch(call, kernel,
        DMM_BUFFERS(s->in.keys.buffer, s->in.values.buffer, s->out.keys.buffer,
            s->out.values.buffer, a.keys.buffer, a.values.buffer, b.keys.buffer, b.values.buffer,
            counts.buffer, state.buffer, least.buffer),
        &c, sizeof c, (dmm_grid){0, s->groups, select->p.u});
}

static dmm_status scan_counts(const select_passes *s)
{
    const uint32_t bits = 8 * s->select->layout.key_bytes, passes = s->select->passes;
    const uint32_t left = passes - s->pass;
    const uint32_t width =
        DMM_KSELECT_HIGH(bits, left, passes) - DMM_KSELECT_LOW(bits, left, passes);
    return dmm_scan_counts(s->select->scan, s->call, s->call->regions[DMM_KSELECT_COUNTS],
        num_counts_of(s->groups, width), s->call->regions[DMM_KSELECT_SCAN]);
}

static dmm_status run_passes(select_passes *s)
{
    dmm_status status = DMM_OK;
    if (s->n <= s->select->p.tile)
        return launch(s, s->select->alone);
    for (s->pass = 0; s->pass < s->select->passes; s->pass++) {
        TRY(launch(s, s->select->count));
        TRY(scan_counts(s));
        TRY(launch(s, s->select->keep));
    }
out:
    return status;
}

/* Finds the least codes of blocks and, among these, the one at the rank. */
static dmm_status find_least(const select_passes *s)
{
    dmm_status status = DMM_OK;
    select_passes inner = *s;
    TRY(launch(s, s->select->least));
    inner.input = DMM_KSELECT_LEAST;
    inner.in = (dmm_item_spans){
        .keys = dmm_call_items(s->call, DMM_KSELECT_LEAST_CODES, s->select->layout.key_bytes)};
    inner.n = blocks_of(s->select, s->n);
    inner.groups = (uint32_t)groups_of(s->select, inner.n);
    TRY(run_passes(&inner));
out:
    return status;
}

static dmm_status run_cpu(
    const dmm_kselect *select, dmm_call *call, dmm_item_spans in, dmm_item_spans out)
{
    dmm_status status = DMM_OK;
    const uint64_t n = call->sizes.n, k = call->sizes.m;
    select_passes passes = {.select = select,
        .call = call,
        .in = in,
        .out = out,
        .n = n,
        .k = k,
        .groups = (uint32_t)groups_of(select, n),
        .input = DMM_KSELECT_ALL};
    if (uses_least(select, n, k)) {
        TRY(find_least(&passes));
        passes.input = DMM_KSELECT_FEW;
    }
    TRY(run_passes(&passes));
out:
    return status;
}

/* Sorts n items; the first `wanted` of them are right. */
static dmm_status sort_items(const dmm_kselect *select, dmm_call *call, dmm_item_spans in,
    dmm_item_spans out, uint64_t n, uint64_t wanted)
{
    const dmm_sort_args args = {.keys_in = in.keys,
        .values_in = in.values,
        .keys_out = out.keys,
        .values_out = out.values,
        .temp = call->regions[DMM_KSELECT_SORT]};
    return dmm_call_run(call, select->sort, &args, (dmm_sizes){.n = n, .m = wanted});
}

static dmm_status fetch_values(
    const dmm_kselect *select, dmm_call *call, dmm_span from, dmm_span positions, dmm_span to)
{
    const dmm_gathering gathering = {.positions = positions,
        .a = from,
        .b = from,
        .out = to,
        .first = call->sizes.first,
        .na = call->sizes.n,
        .n = dmm_kselect_taken(select, call->sizes.m)};
    return dmm_values_gather(call, select->gather, &select->layout, &gathering);
}

static dmm_status select_by_digits(
    const dmm_kselect *select, dmm_call *call, dmm_item_spans in, dmm_item_spans out)
{
    dmm_status status = DMM_OK;
    const uint64_t n = call->sizes.n, k = call->sizes.m;
    const int by_position = select->layout.by_position;
    const dmm_item_spans taken = {
        out.keys, by_position ? call->regions[DMM_KSELECT_POSITIONS] : out.values};
    TRY(select->p.cpu ? run_cpu(select, call, in, taken)
                      : dmm_kselect_gpu(select, call, in, taken, (uint32_t)groups_of(select, n)));
    if (select->sort != NULL)
        TRY(sort_items(select, call, taken, taken, k, k));
    if (by_position)
        TRY(fetch_values(select, call, in.values, taken.values, out.values));
out:
    return status;
}

static dmm_status select_by_sort(
    const dmm_kselect *select, dmm_call *call, dmm_item_spans in, dmm_item_spans out)
{
    dmm_status status = DMM_OK;
    const dmm_item_layout *const item = &select->layout;
    const uint64_t n = call->sizes.n, count = dmm_kselect_taken(select, call->sizes.m);
    const uint64_t skipped = call->sizes.m - count;
    if (count == n && !item->by_position)
        return sort_items(select, call, in, out, n, n);
    dmm_item_spans sorted = list_spans(select, call, DMM_KSELECT_KEYS_A, DMM_KSELECT_VALUES_A);
    TRY(sort_items(select, call, in, sorted, n, call->sizes.m));
    sorted.keys.offset_bytes += skipped * item->key_bytes;
    sorted.values.offset_bytes += skipped * item->moved_bytes;
    TRY(dmm_chain_copy(call->chain, sorted.keys, out.keys, count * item->key_bytes));
    if (item->by_position)
        TRY(fetch_values(select, call, in.values, sorted.values, out.values));
    else if (item->moved_bytes != 0)
        TRY(dmm_chain_copy(call->chain, sorted.values, out.values, count * item->moved_bytes));
out:
    return status;
}

dmm_status dmm_kselect_steps(
    const dmm_kselect *select, dmm_call *call, dmm_item_spans in, dmm_item_spans out)
{
    if (call->sizes.m == 0)
        return DMM_OK;
    return is_sorted_whole(select, call->sizes.n, call->sizes.m)
               ? select_by_sort(select, call, in, out)
               : select_by_digits(select, call, in, out);
}
