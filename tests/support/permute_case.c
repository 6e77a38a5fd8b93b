/* SPDX-License-Identifier: MIT */
/*
 * Cases of dmm_permute.
 */
#include "support/items.h"
#include "support/permute_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "support/zone.h"

void permute_fill_order(
    uint64_t *index, uint64_t n, permute_order kind, uint64_t seed, uint64_t apart)
{
    random_source random = {seed};
    uint64_t at = 0;
    for (uint64_t i = 0; i < n; i++)
        index[i] = kind == ORDER_REVERSED ? n - 1 - i : kind == ORDER_ROTATED ? (i + n / 3) % n : i;
    for (uint64_t first = 0; kind == ORDER_ONE_BANK && first < apart; first++)
        for (uint64_t x = first; x < n; x += apart)
            index[at++] = x;
    for (uint64_t i = n; kind == ORDER_RANDOM && i > 1; i--) {
        const uint64_t j = random_below(&random, i), kept = index[i - 1];
        index[i - 1] = index[j];
        index[j] = kept;
    }
}

/* Item i: its number in the first four bytes, or as many as there are, and bytes that follow. */
static void fill_items(unsigned char *items, uint32_t bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < bytes; b++)
            items[i * bytes + b] = (unsigned char)(b < 4 ? i >> (8 * b) : i * b + b);
}

const char *permute_judge_by_loop(const dmm_permute_desc *d, const permute_data *data, uint64_t n)
{
    const uint32_t bytes = d->item_bytes;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t to = d->direction == DMM_DIRECTION_GATHER ? i : data->index[i];
        const uint64_t from = d->direction == DMM_DIRECTION_GATHER ? data->index[i] : i;
        if (memcmp(data->after + to * bytes, data->before + from * bytes, bytes) != 0)
            return "an item is not where it belongs";
    }
    return NULL;
}

const char *permute_judge_as_set(const dmm_permute_desc *d, const permute_data *data, uint64_t n)
{
    const char *fault = NULL;
    unsigned char *seen = calloc((size_t)n + 1, 1);
    REQUIRE(seen != NULL);
    for (uint64_t i = 0; i < n && d->item_bytes >= 4 && fault == NULL; i++) {
        uint32_t number = 0;
        memcpy(&number, data->after + i * d->item_bytes, sizeof number);
        fault = number >= n || seen[number] ? "an item is there twice, or was never there" : NULL;
        if (fault == NULL)
            seen[number] = 1;
    }
    free(seen);
    return fault;
}

static permute_data data_new(const rig *r, const dmm_permute_desc *d, const permute_case *c)
{
    const permute_data data = {.index = allocate(c->n * 8),
        .narrow = allocate(c->n * d->index_bytes),
        .before = allocate(c->n * d->item_bytes),
        .after = allocate(c->n * d->item_bytes)};
    permute_fill_order(data.index, c->n, c->kind, c->seed, dmm_context_device(r->ctx)->banks.value);
    for (uint64_t i = 0; i < c->n; i++)
        memcpy(data.narrow + i * d->index_bytes, &data.index[i], d->index_bytes);
    fill_items(data.before, d->item_bytes, c->n);
    return data;
}

static void data_free(permute_data *data)
{
    free(data->index);
    free(data->narrow);
    free(data->before);
    free(data->after);
}

static dmm_report read_report(const rig *r, const zone *z)
{
    dmm_report report;
    zone_read(r, z, &report);
    REQUIRE(zone_intact(r, z));
    return report;
}

dmm_report permute_check(
    const rig *r, dmm_permute *p, const dmm_permute_desc *d, const permute_case *c)
{
    uint64_t temp_bytes = 0;
    const int in_place = c->in_place;
    zone temp = {0};
    test_note("items %u index %u direction %d method %d check %d form %d u %u E %u tile %u: n=%llu "
              "order %d seed %llu%s offset %llu%s",
        d->item_bytes, d->index_bytes, (int)d->direction, (int)d->method, d->check,
        (int)d->tuning.form, d->tuning.u, d->tuning.E, d->tuning.tile, (unsigned long long)c->n,
        (int)c->kind, (unsigned long long)c->seed, in_place ? " in place" : "",
        (unsigned long long)c->offset_items, c->temp_given ? " temp given" : "");
    permute_data data = data_new(r, d, c);
    const uint64_t bytes = c->n * d->item_bytes, offset = c->offset_items * d->item_bytes;
    zone index = zone_create(r, data.narrow, c->n * d->index_bytes, 3 * d->index_bytes);
    zone in = zone_create(r, data.before, bytes, offset);
    zone out = in_place ? in : zone_create(r, NULL, bytes, offset);
    zone report = zone_create(r, NULL, sizeof(dmm_report), 8);
    dmm_permute_args args = {.index = zone_span(&index),
        .in = zone_span(&in),
        .out = zone_span(&out),
        .report_out = zone_span(&report)};
    REQUIRE_OK(dmm_permute_temp_bytes(&temp_bytes, p, c->n));
    if (c->temp_given && temp_bytes != 0) {
        temp = zone_create(r, NULL, temp_bytes, 256);
        args.temp = zone_span(&temp);
    }
    REQUIRE_OK(dmm_permute_enqueue(p, r->queue, &args, c->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &out, data.after);
    REQUIRE_VERDICT(permute_judge_by_loop(d, &data, c->n));
    REQUIRE_VERDICT(permute_judge_as_set(d, &data, c->n));
    REQUIRE(zone_holds(r, &index, data.narrow) && zone_intact(r, &out));
    REQUIRE(temp.buffer == NULL || zone_intact(r, &temp));
    if (!in_place)
        REQUIRE(zone_holds(r, &in, data.before));
    const dmm_report told = read_report(r, &report);
    REQUIRE(told.code == DMM_OK && told.position == 0);
    if (!in_place)
        zone_free(&out);
    zone_free(&in);
    zone_free(&index);
    zone_free(&report);
    zone_free(&temp);
    data_free(&data);
    return told;
}

dmm_permute *permute_build(rig *r, const dmm_permute_desc *d)
{
    dmm_permute *p = NULL;
    REQUIRE_OK(rig_log_failure(r, dmm_permute_create(&p, r->ctx, d)));
    return p;
}
