/* SPDX-License-Identifier: MIT */
/*
 * Selection by rank: a pass a digit (cl/select.clh), all behind one another without a look at the
 * data by the host; or a sort of all items, of which the first ones are copied.
 */
#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "primitives/select.h"

enum { STATE_WORDS = 4 };
/* DMM_AT_ of cl/select.clh */
enum { AT_ALL, AT_LEAST, AT_FEW };
/* k items are few if their blocks hold at most such a part of all. */
enum { FEW_PART = 4 };

/* Groups that share n items. */
static uint64_t groups_of(const dmm_select *select, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, select->p.tile);
    return tiles < select->p.most_groups ? tiles : select->p.most_groups;
}

static uint64_t blocks_of(const dmm_select *select, uint64_t n)
{
    return select->least != NULL ? dmm_size_div_up(n, DMM_SELECT_BLOCK) : 0;
}

/* Does it pay to look at the least of blocks first? A tile alone is read too soon. */
static int looks_first(const dmm_select *select, uint64_t n, uint64_t k)
{
    return select->least != NULL && n > select->p.tile && k <= n / (DMM_SELECT_BLOCK * FEW_PART);
}

/* Where everything of a call lies in temp. */
typedef struct select_layout {
    dmm_temp temp;
    uint64_t keys[2], values[2]; /* the lists that candidates move to; or all items, sorted */
    uint64_t counts, state, least, positions, scan, sort;
} select_layout;

static void lay_out_lists(select_layout *l, const dmm_select *select, uint64_t n)
{
    const dmm_item_layout *item = &select->layout;
    for (int i = 0; i < 2; i++) {
        const uint64_t most =
            dmm_select_sorts_all(select) ? (i == 0 ? n : 0)
            : select->passes > 1
                ? n / (i == 0 ? DMM_SELECT_SHRINK : DMM_SELECT_SHRINK * DMM_SELECT_SHRINK)
                : 0;
        /* One more, since the caller's temp may begin between two multiples of key_bytes. */
        l->keys[i] = dmm_temp_region(&l->temp, most != 0 ? most + 1 : 0, item->key_bytes);
        l->values[i] = dmm_temp_region(&l->temp, most, item->moved_bytes);
    }
}

static select_layout lay_out(const dmm_select *select, uint64_t n, uint64_t k)
{
    const dmm_item_layout *item = &select->layout;
    const uint64_t groups = dmm_select_sorts_all(select) ? 0 : groups_of(select, n);
    const uint64_t counts = groups != 0 ? dmm_select_num_counts(groups, select->digit_bits) : 0;
    const uint64_t taken = select->desc.only_last && k != 0 ? 1 : k, blocks = blocks_of(select, n);
    uint64_t scan_bytes = 0, sort_bytes = 0;
    select_layout l = {.temp = {0}};
    if (select->scan != NULL)
        dmm_scan_temp_bytes(&scan_bytes, select->scan, counts);
    if (select->sort != NULL)
        dmm_sort_temp_bytes(&sort_bytes, select->sort, dmm_select_sorts_all(select) ? n : k);
    lay_out_lists(&l, select, n);
    l.counts = dmm_temp_region(&l.temp, counts, item->index_bytes);
    l.state = dmm_temp_region(
        &l.temp, counts != 0 ? 2 * select->passes * STATE_WORDS : 0, sizeof(cl_ulong));
    l.least = dmm_temp_region(&l.temp, blocks != 0 ? blocks + 1 : 0, item->key_bytes);
    l.positions = dmm_temp_region(
        &l.temp, item->by_position && !dmm_select_sorts_all(select) ? taken : 0, item->moved_bytes);
    l.scan = dmm_temp_region(&l.temp, scan_bytes, 1);
    l.sort = dmm_temp_region(&l.temp, sort_bytes, 1);
    return l;
}

static int is_too_large(const dmm_select *select, uint64_t n, uint64_t k)
{
    return n > select->max_n || (select->desc.max_k != 0 && k > select->desc.max_k);
}

dmm_status dmm_select_temp_bytes(uint64_t *out, const dmm_select *select, uint64_t n, uint64_t k)
{
    const uint64_t taken = k < n ? k : n;
    if (is_too_large(select, n, taken))
        return DMM_TOO_LARGE;
    *out = lay_out(select, n, taken).temp.bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status check_args(const dmm_select *select, cl_command_queue queue,
    const dmm_select_args *args, uint64_t n, uint64_t k, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const dmm_item_layout *item = &select->layout;
    const uint32_t value_in = select->desc.argsort ? 0 : item->value_bytes;
    const uint64_t taken = select->desc.only_last && k != 0 ? 1 : k;
    TRY(dmm_check_queue(queue, select->ctx->cl, select->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(is_too_large(select, n, k), DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->in.keys, n, item->key_bytes));
    if (value_in != 0)
        TRY(dmm_check_span(args->in.values, n, value_in));
    TRY(dmm_check_span(args->out.keys, taken, item->key_bytes));
    if (item->value_bytes != 0)
        TRY(dmm_check_span(args->out.values, taken, item->value_bytes));
    const dmm_extent inputs[] = {
        {args->in.keys, n * item->key_bytes}, {args->in.values, n * value_in}};
    const dmm_extent outputs[] = {{args->out.keys, taken * item->key_bytes},
        {args->out.values, taken * item->value_bytes},
        {args->temp, lay_out(select, n, k).temp.bytes}};
    TRY(dmm_check_overlaps(inputs, 2, outputs, 3, 0));
out:
    return status;
}

/* A call, laid out. */
typedef struct select_call {
    const dmm_select_args *args;
    const select_layout *layout;
    dmm_item_spans in;
    uint64_t first, n, k;
    cl_uint groups, pass, looks;
} select_call;

static dmm_item_spans list_spans(const dmm_select *select, const select_layout *l, int i)
{
    return (dmm_item_spans){dmm_temp_items(&l->temp, l->keys[i], select->layout.key_bytes),
        dmm_temp_span(&l->temp, l->values[i])};
}

/* What was selected: keys, and beside them values, or positions. */
static dmm_item_spans selected(const dmm_select *select, const select_call *c)
{
    return (dmm_item_spans){c->args->out.keys,
        select->layout.by_position ? dmm_temp_span(&c->layout->temp, c->layout->positions)
                                   : c->args->out.values};
}

/* Keys, of which there is one more for dmm_temp_items. */
static dmm_span least_span(const dmm_select *select, const select_call *c)
{
    return select->least != NULL
               ? dmm_temp_items(&c->layout->temp, c->layout->least, select->layout.key_bytes)
               : DMM_NONE;
}

static dmm_status launch(
    const dmm_select *select, dmm_chain *chain, cl_kernel kernel, const select_call *c)
{
    const dmm_item_layout *item = &select->layout;
    const dmm_item_spans lists[4] = {c->in, selected(select, c), list_spans(select, c->layout, 0),
        list_spans(select, c->layout, 1)};
    const dmm_span counts = dmm_temp_span(&c->layout->temp, c->layout->counts);
    const dmm_span state = dmm_temp_span(&c->layout->temp, c->layout->state);
    const cl_ulong counts_at = dmm_span_items(counts, item->index_bytes);
    const cl_ulong state_at = dmm_span_items(state, sizeof(cl_ulong)) +
                              (c->looks == AT_LEAST ? select->passes * STATE_WORDS : 0);
    const dmm_span least = least_span(select, c);
    const cl_ulong least_at = dmm_span_items(least, item->key_bytes);
    const cl_ulong wide[] = {c->first, c->first + c->n, c->k - 1};
    cl_ulong keys[4], values[4];
    cl_uint narrow[3];
    for (int i = 0; i < 4; i++) {
        keys[i] = dmm_span_items(lists[i].keys, item->key_bytes) - c->first;
        values[i] = dmm_span_items(lists[i].values, item->moved_bytes) - c->first;
    }
    const dmm_arg args[] = {DMM_ARG_SPAN(lists[0].keys, keys[0]),
        DMM_ARG_SPAN(lists[0].values, values[0]), DMM_ARG_SPAN(lists[1].keys, keys[1]),
        DMM_ARG_SPAN(lists[1].values, values[1]), DMM_ARG_SPAN(lists[2].keys, keys[2]),
        DMM_ARG_SPAN(lists[2].values, values[2]), DMM_ARG_SPAN(lists[3].keys, keys[3]),
        DMM_ARG_SPAN(lists[3].values, values[3]), DMM_ARG_SPAN(counts, counts_at),
        DMM_ARG_SPAN(state, state_at), dmm_index_arg(item, &wide[0], &narrow[0]),
        dmm_index_arg(item, &wide[1], &narrow[1]), dmm_index_arg(item, &wide[2], &narrow[2]),
        DMM_ARG(c->groups), DMM_ARG(c->pass), DMM_ARG(select->passes),
        DMM_ARG_SPAN(least, least_at), DMM_ARG(c->looks)};
    return dmm_chain_launch(
        chain, kernel, args, sizeof args / sizeof *args, (dmm_grid){0, c->groups, select->p.u});
}

/* The bits are shared out as in dmm_select_list. */
static dmm_status scan_counts(const dmm_select *select, dmm_chain *chain, const select_call *c)
{
    const uint32_t bits = 8 * select->layout.key_bytes, left = select->passes - c->pass;
    const uint32_t width = bits * left / select->passes - bits * (left - 1) / select->passes;
    const dmm_span counts = dmm_temp_span(&c->layout->temp, c->layout->counts);
    const dmm_scan_args args = {
        .in = counts, .out = counts, .temp = dmm_temp_span(&c->layout->temp, c->layout->scan)};
    cl_event done = NULL;
    const dmm_status status = dmm_scan_enqueue(select->scan, chain->queue, &args,
        dmm_select_num_counts(c->groups, width), 1, &chain->last, &done);
    if (status == DMM_OK)
        dmm_chain_advance(chain, done);
    return status;
}

static dmm_status sort_items(const dmm_select *select, dmm_chain *chain, const select_call *c,
    dmm_item_spans in, dmm_item_spans out, uint64_t n)
{
    const int first = chain->last == NULL;
    const dmm_sort_args args = {.keys_in = in.keys,
        .values_in = in.values,
        .keys_out = out.keys,
        .values_out = out.values,
        .temp = dmm_temp_span(&c->layout->temp, c->layout->sort)};
    cl_event done = NULL;
    const dmm_status status = dmm_sort_enqueue(select->sort, chain->queue, &args, n,
        first ? chain->num_wait : 1, first ? chain->wait : &chain->last, &done);
    if (status == DMM_OK)
        dmm_chain_advance(chain, done);
    return status;
}

static dmm_status fetch_values(const dmm_select *select, dmm_chain *chain, const select_call *c,
    dmm_span positions, uint64_t count)
{
    const dmm_span from = c->args->in.values;
    const dmm_gathering gathering = {.positions = positions,
        .a = from,
        .b = from,
        .out = c->args->out.values,
        .first = c->first,
        .na = c->n,
        .n = count};
    return dmm_values_gather(select->gather, &select->layout, chain, &gathering);
}

static dmm_status run_passes(const dmm_select *select, dmm_chain *chain, select_call *c)
{
    dmm_status status = DMM_OK;
    for (c->pass = 0; c->pass < select->passes; c->pass++) {
        TRY(launch(select, chain, select->count, c));
        TRY(scan_counts(select, chain, c));
        TRY(launch(select, chain, select->keep, c));
    }
out:
    return status;
}

/* Finds the least codes of blocks, and the one at the rank among these. */
static dmm_status look_first(const dmm_select *select, dmm_chain *chain, const select_call *c)
{
    dmm_status status = DMM_OK;
    select_call look = *c;
    TRY(launch(select, chain, select->least, c));
    look.looks = AT_LEAST;
    look.in = (dmm_item_spans){.keys = least_span(select, c)};
    look.n = blocks_of(select, c->n);
    look.groups = (cl_uint)groups_of(select, look.n);
    TRY(run_passes(select, chain, &look));
out:
    return status;
}

static dmm_status select_by_digits(const dmm_select *select, dmm_chain *chain, select_call *c)
{
    dmm_status status = DMM_OK;
    const dmm_item_spans out = selected(select, c);
    c->groups = (cl_uint)groups_of(select, c->n);
    if (looks_first(select, c->n, c->k)) {
        TRY(look_first(select, chain, c));
        c->looks = AT_FEW;
    }
    TRY(run_passes(select, chain, c));
    if (select->sort != NULL)
        TRY(sort_items(select, chain, c, out, out, c->k));
    if (select->layout.by_position)
        TRY(fetch_values(select, chain, c, out.values, select->desc.only_last ? 1 : c->k));
out:
    return status;
}

static dmm_status select_by_sort(const dmm_select *select, dmm_chain *chain, const select_call *c)
{
    dmm_status status = DMM_OK;
    const dmm_item_layout *item = &select->layout;
    const uint64_t count = select->desc.only_last ? 1 : c->k, skipped = c->k - count;
    dmm_item_spans sorted = list_spans(select, c->layout, 0);
    TRY(sort_items(select, chain, c, c->args->in, sorted, c->n));
    sorted.keys.offset_bytes += skipped * item->key_bytes;
    sorted.values.offset_bytes += skipped * item->moved_bytes;
    TRY(dmm_chain_copy(chain, sorted.keys, c->args->out.keys, count * item->key_bytes));
    if (item->by_position)
        TRY(fetch_values(select, chain, c, sorted.values, count));
    else if (item->moved_bytes != 0)
        TRY(dmm_chain_copy(chain, sorted.values, c->args->out.values, count * item->moved_bytes));
out:
    return status;
}

dmm_status dmm_select_enqueue(dmm_select *select, cl_command_queue queue,
    const dmm_select_args *args, uint64_t first, uint64_t n, uint64_t k, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if ((status = check_args(select, queue, args, n, k, num_wait, wait)) != DMM_OK)
        return status;
    select_layout layout = lay_out(select, n, k);
    select_call call = {
        .args = args, .layout = &layout, .in = args->in, .first = first, .n = n, .k = k};
    if (k == 0)
        return dmm_chain_end(&chain, DMM_OK, event);
    TRY(dmm_temp_acquire(&layout.temp, select->ctx->cl, args->temp));
    TRY(dmm_select_sorts_all(select) ? select_by_sort(select, &chain, &call)
                                     : select_by_digits(select, &chain, &call));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&layout.temp);
    return status;
}
