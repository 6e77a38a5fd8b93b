/* SPDX-License-Identifier: MIT */
/* Networks and their runs. */
#include "support/network_list.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/network_case.h"
#include "support/require.h"
#include "support/zone.h"

static void add_pair(network_list *l, uint32_t low, uint32_t high)
{
    if ((l->num_pairs & (l->num_pairs - 1)) == 0)
        l->pairs = realloc(l->pairs, (2 * l->num_pairs + 1) * sizeof *l->pairs);
    l->pairs[l->num_pairs++] = (dmm_comparator){low, high};
}

static void end_step(network_list *l)
{
    l->ends = realloc(l->ends, (l->steps + 1) * sizeof *l->ends);
    l->ends[l->steps++] = l->num_pairs;
}

network_list network_list_of(dmm_model_network_desc desc, int sorts)
{
    dmm_model_network *const network = network_make(desc);
    dmm_model_network_step step;
    network_list l = {.wires = dmm_model_network_wires(network), .sorts = sorts};
    while (dmm_model_network_next(&step, network)) {
        for (uint64_t i = 0; i < step.count; i++)
            add_pair(&l, step.pairs[i].low, step.pairs[i].high);
        end_step(&l);
    }
    dmm_model_network_free(network);
    return l;
}

network_list network_list_random(uint32_t wires, uint64_t steps, uint32_t reach, uint64_t seed)
{
    random_source random = {seed};
    network_list l = {.wires = wires};
    unsigned char *const used = malloc(wires);
    for (uint64_t s = 0; s < steps; s++) {
        memset(used, 0, wires);
        for (uint64_t i = random_below(&random, wires); i != 0; i--) {
            const uint32_t low = (uint32_t)random_below(&random, wires);
            const uint32_t high = (uint32_t)((low + random_below(&random, reach)) % wires);
            if (low == high || used[low] || used[high])
                continue;
            used[low] = used[high] = 1;
            add_pair(&l, low, high);
        }
        end_step(&l);
    }
    free(used);
    return l;
}

void network_list_free(network_list *l)
{
    free(l->pairs);
    free(l->ends);
}

static dmm_network_desc desc_of(
    const network_list *l, const kind *k, uint32_t value_bytes, dmm_tuning tuning)
{
    return (dmm_network_desc){.order = k->order,
        .value_bytes = value_bytes,
        .wires = l->wires,
        .pairs = l->pairs,
        .ends = l->ends,
        .steps = l->steps,
        .tuning = tuning};
}

static void swap_bytes(unsigned char *a, unsigned char *b, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++) {
        const unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static void run_on_host(const network_list *l, const kind *k, uint32_t value_bytes,
    unsigned char *keys, unsigned char *values, uint64_t n)
{
    for (uint64_t row = 0; row < n; row += l->wires)
        for (uint64_t i = 0; i < l->num_pairs; i++) {
            const uint64_t low = row + l->pairs[i].low, high = row + l->pairs[i].high;
            if (kind_compare(k, keys + high * k->bytes, keys + low * k->bytes) >= 0)
                continue;
            swap_bytes(keys + low * k->bytes, keys + high * k->bytes, k->bytes);
            swap_bytes(values + low * value_bytes, values + high * value_bytes, value_bytes);
        }
}

enum { KEYS_IN, VALUES_IN, KEYS_OUT, VALUES_OUT, NUM_ZONES };

/* Keys and values. */
typedef struct items {
    unsigned char *keys, *values;
} items;

static items items_make(const kind *k, uint32_t value_bytes, uint64_t n, shape s, uint64_t seed)
{
    random_source random = {seed};
    const items it = {malloc(n * k->bytes + 1), malloc(n * value_bytes + 1)};
    REQUIRE(it.keys != NULL && it.values != NULL);
    kind_fill(k, s, it.keys, n, &random);
    random_bytes(&random, it.values, n * value_bytes);
    return it;
}

static void items_free(items *it)
{
    free(it->keys);
    free(it->values);
}

static void judge_rows(const network_list *l, const kind *k, uint32_t value_bytes, const items *in,
    const items *got, uint64_t n)
{
    for (uint64_t row = 0; row < n && l->sorts; row += l->wires) {
        const rows from = {
            in->keys + row * k->bytes, in->values + row * value_bytes, l->wires, value_bytes};
        const rows to = {
            got->keys + row * k->bytes, got->values + row * value_bytes, l->wires, value_bytes};
        REQUIRE_VERDICT(judge_by_property(k, &from, &to));
    }
}

void network_run(const rig *r, const network_list *l, const kind *k, uint32_t value_bytes,
    dmm_tuning tuning, uint64_t num_rows, int in_place, uint64_t seed)
{
    const uint64_t n = num_rows * l->wires, keys = n * k->bytes, values = n * value_bytes;
    const dmm_network_desc desc = desc_of(l, k, value_bytes, tuning);
    dmm_network *network = NULL;
    uint64_t temp = 1;
    items in = items_make(k, value_bytes, n, (shape)(seed % SHAPE_COUNT), seed);
    items got = items_make(k, value_bytes, n, SHAPE_EQUAL, 1);
    items expected = items_make(k, value_bytes, n, SHAPE_EQUAL, 2);
    zone z[NUM_ZONES] = {zone_create(r, in.keys, keys, 3 * k->bytes),
        zone_create(r, in.values, values, 5 * value_bytes), zone_create(r, NULL, keys, k->bytes),
        zone_create(r, NULL, values, 2 * value_bytes)};
    const int to = in_place ? KEYS_IN : KEYS_OUT;
    const dmm_network_args args = {.keys_in = zone_span(&z[KEYS_IN]),
        .values_in = value_bytes ? zone_span(&z[VALUES_IN]) : DMM_NONE,
        .keys_out = zone_span(&z[to]),
        .values_out = value_bytes ? zone_span(&z[to + 1]) : DMM_NONE};
    REQUIRE_OK(rig_log_failure(r, dmm_network_create(&network, r->ctx, &desc)));
    REQUIRE_OK(dmm_network_temp_bytes(&temp, network, n));
    REQUIRE(temp == 0);
    REQUIRE_OK(dmm_network_enqueue(network, r->queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &z[to], got.keys);
    zone_read(r, &z[to + 1], got.values);
    memcpy(expected.keys, in.keys, keys);
    memcpy(expected.values, in.values, values);
    run_on_host(l, k, value_bytes, expected.keys, expected.values, n);
    REQUIRE(memcmp(got.keys, expected.keys, keys) == 0);
    REQUIRE(memcmp(got.values, expected.values, values) == 0);
    judge_rows(l, k, value_bytes, &in, &got, n);
    if (!in_place)
        REQUIRE(zone_holds(r, &z[KEYS_IN], in.keys) && zone_holds(r, &z[VALUES_IN], in.values));
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
    items_free(&in);
    items_free(&got);
    items_free(&expected);
    dmm_network_free(network);
}
