/* SPDX-License-Identifier: MIT */
/* Random numbers, and the spans of calls. */
#include "support/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "support/items.h"
#include "support/require.h"

fuzz_state fuzz;

uint64_t fuzz_below(uint64_t bound)
{
    return random_below(&fuzz.random, bound);
}

int fuzz_coin(void)
{
    return (int)fuzz_below(2);
}

const rig *fuzz_queue(void)
{
    return fuzz.r.out_of_order != NULL && fuzz_coin() ? &fuzz.other : &fuzz.r;
}

dmm_tuning fuzz_tuning(uint32_t w)
{
    static const uint32_t powers[] = {1, 2, 4, 8, 16};
    dmm_tuning t = {.form = fuzz_coin() ? DMM_FORM_GPU : DMM_FORM_CPU};
    if (t.form == DMM_FORM_CPU) {
        t.tile = 32u << fuzz_below(4);
        t.E = FUZZ_ONE_OF(powers);
    } else {
        t.u = w << fuzz_below(2);
        t.E = fuzz_coin() ? FUZZ_ONE_OF(powers) : 1 + (uint32_t)fuzz_below(17);
        t.search = (dmm_tile_search)fuzz_below(3);
        if (t.u == 8) /* PoCL 3.1 vectorises merges wrongly: docs/records/drivers.md */
            t.u = 16;
    }
    return t;
}

uint64_t fuzz_size(void)
{
    const uint64_t n = fuzz_below(4) ? fuzz_below(3000) : fuzz_below(FUZZ_MOST_ITEMS),
                   step = 32u << fuzz_below(6);
    return fuzz_coin() ? n : n / step * step + fuzz_below(3);
}

void fuzz_fit(dmm_tuning *t, uint32_t item_bytes)
{
    const uint64_t most = dmm_context_device(fuzz.r.ctx)->local_bytes.value / 2;
    while (t->E > 1 && (uint64_t)t->u * t->E * item_bytes > most)
        t->E /= 2;
}

sort_setup fuzz_items(dmm_tuning t)
{
    static const uint32_t bytes[] = {0, 0, 1, 2, 3, 4, 8, 12, 16, 31};
    size_t kinds = 0;
    while (kind_at(kinds) != NULL)
        kinds++;
    sort_setup s = {
        .k = *kind_at((size_t)fuzz_below(kinds)), .value_bytes = FUZZ_ONE_OF(bytes), .tuning = t};
    if (fuzz_coin())
        s.k = kind_descending(s.k);
    if (s.k.order.type == DMM_F64 && s.k.order.less != NULL && !rig_has_fp64(&fuzz.r))
        s.k = kind_named("u64");
    s.argsort = (s.value_bytes == 4 || s.value_bytes == 8) && fuzz_coin();
    fuzz_fit(&s.tuning, s.k.bytes + s.value_bytes);
    return s;
}

void fuzz_call_begin(fuzz_call *c)
{
    *c = (fuzz_call){.r = fuzz_queue()};
}

static dmm_span add(fuzz_call *c, const void *items, uint64_t n, uint64_t item_bytes)
{
    if (n == 0 || item_bytes == 0)
        return DMM_NONE;
    REQUIRE(c->count < sizeof c->spans / sizeof *c->spans);
    zone *const z = &c->spans[c->count++].z;
    *z = zone_create(c->r, items, n * item_bytes, fuzz_below(9) * item_bytes);
    return zone_span(z);
}

dmm_span fuzz_in(fuzz_call *c, const void *items, uint64_t n, uint64_t item_bytes)
{
    c->spans[c->count].expected = items;
    c->spans[c->count].is_input = 1;
    return add(c, items, n, item_bytes);
}

dmm_span fuzz_out(
    fuzz_call *c, const void *expected, uint64_t n, uint64_t written, uint64_t item_bytes)
{
    c->spans[c->count].expected = expected;
    c->spans[c->count].written = written * item_bytes;
    c->spans[c->count].is_input = 0;
    return add(c, NULL, n, item_bytes);
}

dmm_span fuzz_packed(
    fuzz_call *c, const void *expected, uint64_t n, uint64_t written, uint64_t item_bytes)
{
    const size_t at = c->count;
    const dmm_span span = fuzz_out(c, expected, n, written, item_bytes);
    c->spans[at].is_packed = c->count > at;
    return span;
}

dmm_span fuzz_in_place(fuzz_call *c, const void *items, const void *expected, uint64_t n,
    uint64_t written, uint64_t item_bytes)
{
    c->copy = allocate(n * item_bytes);
    memcpy(c->copy, items, (size_t)(n * item_bytes));
    memcpy(c->copy, expected, (size_t)(written * item_bytes));
    c->spans[c->count].expected = c->copy;
    c->spans[c->count].is_input = 1;
    return add(c, items, n, item_bytes);
}

dmm_span fuzz_temp(fuzz_call *c, uint64_t bytes)
{
    enum { TEMP_UNIT = 256 };
    const uint64_t units = (bytes + TEMP_UNIT - 1) / TEMP_UNIT;
    if (fuzz_coin())
        return DMM_NONE;
    return fuzz_out(c, NULL, units, units, TEMP_UNIT);
}

dmm_span fuzz_count(fuzz_call *c, uint64_t n, uint64_t at_most)
{
    if (n == at_most && fuzz_coin())
        return DMM_NONE;
    uint64_t *const number = &c->number;
    *number = n == at_most && fuzz_coin() ? random_next(&fuzz.random) | n : n;
    return fuzz_in(c, number, 1, sizeof *number);
}

static void judge(const fuzz_call *c, size_t i)
{
    const zone *const z = &c->spans[i].z;
    const void *const expected = c->spans[i].expected;
    const uint64_t written = c->spans[i].written;
    unsigned char *const found = allocate(z->bytes);
    zone_read(c->r, z, found);
    for (uint64_t at = 0; expected != NULL && at < (c->spans[i].is_input ? z->bytes : written);
         at++)
        if (found[at] != ((const unsigned char *)expected)[at])
            fail_msg("span %zu: byte %llu of %llu differs\n  in: %s", i, (unsigned long long)at,
                (unsigned long long)z->bytes, test_note_text());
    free(found);
    REQUIRE(c->spans[i].is_input || c->spans[i].is_packed ? zone_intact(c->r, z)
                                                          : zone_kept(c->r, z, written));
}

void fuzz_call_end(fuzz_call *c)
{
    REQUIRE_OK(clFinish(c->r->queue));
    for (size_t i = 0; i < c->count; i++) {
        judge(c, i);
        zone_free(&c->spans[i].z);
    }
    free(c->copy);
    fuzz.calls++;
}
