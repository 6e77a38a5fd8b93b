/* SPDX-License-Identifier: MIT */
#include "support/heap_pair.h"
#include "support/items.h"

#include <stdlib.h>
#include <string.h>

#include "support/require.h"

static sequential sequential_create(uint32_t items)
{
    return (sequential){.items = items,
        .codes = allocate(items * sizeof(uint64_t)),
        .present = allocate(items),
        .heap = allocate(sizeof(entry)),
        .space = 1};
}

static void sequential_free(sequential *s)
{
    free(s->codes);
    free(s->present);
    free(s->heap);
}

static void push(sequential *s, entry e)
{
    if (s->count == s->space) {
        s->space *= 2;
        s->heap = realloc(s->heap, s->space * sizeof(entry));
        REQUIRE(s->heap != NULL);
    }
    size_t i = s->count++;
    for (; i > 0 && s->heap[(i - 1) / 2].code > e.code; i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = e;
}

static entry pop(sequential *s)
{
    const entry least = s->heap[0], last = s->heap[--s->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < s->count; i = child) {
        if (child + 1 < s->count && s->heap[child + 1].code < s->heap[child].code)
            child++;
        if (s->heap[child].code >= last.code)
            break;
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = last;
    return least;
}

static int is_valid(const sequential *s, entry e)
{
    return s->present[e.item] && s->codes[e.item] == e.code;
}

void sequential_update(sequential *s, uint32_t item, uint64_t code)
{
    if (s->present[item] && s->codes[item] <= code)
        return;
    s->size += !s->present[item];
    s->present[item] = 1;
    s->codes[item] = code;
    push(s, (entry){code, item});
}

static void sequential_delete(sequential *s, uint32_t item)
{
    s->size -= s->present[item];
    s->present[item] = 0;
}

/* Writes the n least codes, in order; fewer if there are no more. Returns their number. */
static uint64_t sequential_least(sequential *s, uint64_t n, uint64_t *codes)
{
    entry *const taken = allocate(n * sizeof *taken);
    uint64_t count = 0;
    while (count < n && s->count > 0) {
        const entry e = pop(s);
        if (!is_valid(s, e))
            continue;
        s->present[e.item] = 0; /* an entry may be there twice */
        codes[count] = e.code;
        taken[count++] = e;
    }
    for (uint64_t i = 0; i < count; i++) {
        s->present[taken[i].item] = 1;
        push(s, taken[i]);
    }
    free(taken);
    return count;
}

/* Keys are spread over all bits; item 0 has the key of ones. */
static uint64_t key_of(const heap_pair *p, uint32_t item)
{
    const uint64_t wide = ~((uint64_t)item * 0x9e3779b97f4a7c15u);
    return p->shape.key_bytes == 8 ? wide : (uint32_t) ~(item * 0x9e3779b1u);
}

/* Inverse of key_of; UINT32_MAX if no item has the key. */
uint32_t pair_item(const heap_pair *p, uint64_t key)
{
    const uint64_t odd = p->shape.key_bytes == 8 ? 0x9e3779b97f4a7c15u : 0x9e3779b1u;
    uint64_t inverse = odd; /* Newton: each step doubles the right bits, 3 at first */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - odd * inverse;
    const uint64_t item = ~key * inverse;
    const uint64_t low = p->shape.key_bytes == 8 ? item : (uint32_t)item;
    return low < p->s.items ? (uint32_t)low : UINT32_MAX;
}

/* A code's priority: bits whose order by the type is that of codes below 2^32; codes of the upper
 * half are NaNs for floats. */
static uint64_t priority_of(const heap_pair *p, uint64_t code)
{
    if (p->type == DMM_F32) {
        const uint64_t bits = code + 0x7fffff; /* undo the rotation of NaNs, see cl/order.clh */
        return (uint32_t)bits >> 31 ? (uint32_t)bits ^ 0x80000000u : (uint32_t)~bits;
    }
    return p->type == DMM_U64   ? code * 0x100000001u
           : p->type == DMM_I64 ? code - 0x80000000u
                                : code;
}

uint64_t pair_code(const heap_pair *p, uint64_t bits)
{
    if (p->type == DMM_F32)
        return (uint32_t)((bits >> 31 ? ~bits : bits | 0x80000000u) - 0x7fffff);
    return p->type == DMM_U64 ? bits >> 32 : p->type == DMM_I64 ? bits + 0x80000000u : bits;
}

uint64_t pair_word(const unsigned char *from, uint64_t i, uint32_t bytes)
{
    uint64_t word = 0;
    memcpy(&word, from + i * bytes, bytes); /* little-endian hosts only, as the suite's others */
    return word;
}

heap_pair pair_create(const rig *r, const dmm_heap_desc *desc, uint32_t items)
{
    heap_pair p = {.r = r, .type = desc->priority, .s = sequential_create(items)};
    uint64_t temp = 0, bytes = 0;
    REQUIRE_OK(dmm_heap_shape_init(&p.shape, desc));
    const uint64_t b = p.bulk = p.shape.bulk;
    const uint32_t key = p.shape.key_bytes, priority = p.shape.priority_bytes;
    REQUIRE_OK(rig_log_failure(r, dmm_heap_create(&p.heap, r->ctx, desc)));
    REQUIRE_OK(dmm_heap_temp_bytes(&temp, p.heap, b));
    REQUIRE_OK(dmm_heap_bytes(&bytes, desc));
    REQUIRE(bytes == p.shape.bytes);
    p.z[HEAP] = zone_create(r, NULL, bytes, 8);
    p.z[KEYS_IN] = zone_create(r, NULL, b * key, key);
    p.z[PRIORITIES_IN] = zone_create(r, NULL, b * priority, 3 * priority);
    p.z[KEYS_OUT] = zone_create(r, NULL, b * key, 2 * key);
    p.z[PRIORITIES_OUT] = zone_create(r, NULL, b * priority, priority);
    p.z[COUNT] = zone_create(r, NULL, sizeof(uint64_t), 24);
    p.z[REPORT] = zone_create(r, NULL, sizeof(dmm_report), 16);
    p.z[TEMP] = zone_create(r, NULL, temp, 256);
    p.items = allocate(b * sizeof *p.items);
    p.codes = allocate(b * sizeof *p.codes);
    p.expected = allocate(b * sizeof *p.expected);
    p.keys = allocate(b * key);
    p.priorities = allocate(b * priority);
    p.state = allocate(bytes);
    return p;
}

void pair_free(heap_pair *p)
{
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(zone_intact(p->r, &p->z[i]));
        zone_free(&p->z[i]);
    }
    dmm_heap_free(p->heap);
    sequential_free(&p->s);
    free(p->items);
    free(p->codes);
    free(p->expected);
    free(p->keys);
    free(p->priorities);
    free(p->state);
}

/* Runs a call on the device, and returns its count. */
uint64_t pair_call(heap_pair *p, dmm_heap_op op, uint64_t n)
{
    uint64_t count = 0;
    const dmm_heap_args args = {.op = op,
        .turn = p->turn,
        .heap = zone_span(&p->z[HEAP]),
        .keys_in = zone_span(&p->z[KEYS_IN]),
        .priorities_in = zone_span(&p->z[PRIORITIES_IN]),
        .keys_out = zone_span(&p->z[KEYS_OUT]),
        .priorities_out = zone_span(&p->z[PRIORITIES_OUT]),
        .count_out = zone_span(&p->z[COUNT]),
        .report_out = zone_span(&p->z[REPORT]),
        .temp = zone_span(&p->z[TEMP])};
    REQUIRE_OK(dmm_heap_enqueue(p->heap, p->r->queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(p->r->queue));
    zone_read(p->r, &p->z[COUNT], &count);
    zone_read(p->r, &p->z[REPORT], &p->report);
    p->turn += op == DMM_HEAP_UPDATE || op == DMM_HEAP_DELETE || op == DMM_HEAP_EXTRACT;
    return count;
}

/* Writes the call's items, and their codes, to the device. */
void pair_send(heap_pair *p, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t key = key_of(p, p->items[i]), bits = priority_of(p, p->codes[i]);
        memcpy(p->keys + i * p->shape.key_bytes, &key, p->shape.key_bytes);
        memcpy(p->priorities + i * p->shape.priority_bytes, &bits, p->shape.priority_bytes);
    }
    zone_write(p->r, &p->z[KEYS_IN], p->keys);
    zone_write(p->r, &p->z[PRIORITIES_IN], p->priorities);
}

void pair_clear(heap_pair *p)
{
    p->turn = 0;
    pair_call(p, DMM_HEAP_CLEAR, 0);
    REQUIRE_OK((dmm_status)p->report.code);
    memset(p->s.present, 0, p->s.items);
    p->s.size = p->s.count = 0;
}

void pair_update(heap_pair *p, uint64_t n)
{
    pair_send(p, n);
    pair_call(p, DMM_HEAP_UPDATE, n);
    REQUIRE_OK((dmm_status)p->report.code);
    for (uint64_t i = 0; i < n; i++)
        sequential_update(&p->s, p->items[i], p->codes[i]);
}

void pair_delete(heap_pair *p, uint64_t n)
{
    pair_send(p, n);
    pair_call(p, DMM_HEAP_DELETE, n);
    REQUIRE_OK((dmm_status)p->report.code);
    for (uint64_t i = 0; i < n; i++)
        sequential_delete(&p->s, p->items[i]);
}

/* Extracts or peeks, and compares: the codes are the least ones in order, and the keys have them.
 * Returns the number of items. */
uint64_t pair_take(heap_pair *p, dmm_heap_op op, uint64_t n)
{
    const uint64_t count = pair_call(p, op, n);
    REQUIRE_OK((dmm_status)p->report.code);
    REQUIRE(count == sequential_least(&p->s, n, p->expected));
    zone_read(p->r, &p->z[KEYS_OUT], p->keys);
    zone_read(p->r, &p->z[PRIORITIES_OUT], p->priorities);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t code = pair_code(p, pair_word(p->priorities, i, p->shape.priority_bytes));
        p->items[i] = pair_item(p, pair_word(p->keys, i, p->shape.key_bytes));
        REQUIRE(code == p->expected[i]);
        REQUIRE(p->items[i] < p->s.items && is_valid(&p->s, (entry){code, p->items[i]}));
        p->s.present[p->items[i]] = 0; /* finds a key that is there twice */
    }
    for (uint64_t i = 0; i < count && op == DMM_HEAP_PEEK; i++)
        p->s.present[p->items[i]] = 1;
    p->s.size -= op == DMM_HEAP_EXTRACT ? count : 0;
    return count;
}
