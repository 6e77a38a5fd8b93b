/* SPDX-License-Identifier: MIT */
#include "support/mapped_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/items.h"
#include "support/random.h"
#include "support/require.h"

static void make_product(void *item, const unsigned char *const in[4], uint64_t i)
{
    int32_t x, y;
    (void)i;
    memcpy(&x, in[0], sizeof x);
    memcpy(&y, in[1], sizeof y);
    const uint32_t product = (uint32_t)x * (uint32_t)y;
    memcpy(item, &product, sizeof product);
}

static void make_wide(void *item, const unsigned char *const in[4], uint64_t i)
{
    const uint64_t made = in[0][0] + (i << 33);
    memcpy(item, &made, sizeof made);
}

typedef struct point {
    uint32_t x, y, z;
} point;

static void make_norm(void *item, const unsigned char *const in[4], uint64_t i)
{
    point p;
    uint16_t y;
    uint64_t z;
    (void)i;
    memcpy(&p, in[0], sizeof p);
    memcpy(&y, in[1], sizeof y);
    memcpy(&z, in[2], sizeof z);
    const uint32_t made = p.x * p.x + p.y * y + (uint32_t)z + in[3][0] + p.z;
    memcpy(item, &made, sizeof made);
}

static void make_byte(void *item, const unsigned char *const in[4], uint64_t i)
{
    float x;
    memcpy(&x, in[0], sizeof x);
    x = x < 0 ? -x : x;
    const uint8_t made = (uint8_t)((x < 1000 ? (uint32_t)x : 7) % 11 + i % 3);
    memcpy(item, &made, sizeof made);
}

const subject subjects[] = {
    {"product", DMM_U32,
        {.item = {DMM_I32, 0}, .y = {DMM_I32, 0}, .further = 1, .expression = "item * y"},
        make_product},
    {"wide", DMM_U64, {.item = {DMM_U8, 0}, .expression = "item + (i << 33) // wide"}, make_wide},
    {"norm", DMM_U32,
        {.item = {DMM_ITEM, 12},
            .y = {DMM_U16, 0},
            .z = {DMM_I64, 0},
            .w = {DMM_U8, 0},
            .further = 3,
            .declares = "typedef struct { uint x, y, z; } dmm_map_item;\n"
                        "static uint dot(dmm_map_item p, uint y) { return p.x * p.x + p.y * y; }",
            .expression = "dot(item, y) +\n (uint)z + w + item.z"},
        make_norm},
    {"byte", DMM_U8,
        {.item = {DMM_F32, 0},
            .expression = "(fabs(item) < 1000 ? (uint)fabs(item) : 7) % 11 + i % 3"},
        make_byte},
};
_Static_assert(sizeof subjects / sizeof *subjects == NUM_SUBJECTS, "the header has their number");

static uint32_t bytes_of(dmm_map_type type)
{
    return type.type == DMM_ITEM ? type.item_bytes : dmm_type_bytes(type.type);
}

inputs make_inputs(const subject *s, uint64_t n, uint64_t seed)
{
    const dmm_map_type types[] = {s->map.item, s->map.y, s->map.z, s->map.w};
    inputs made = {.n = n, .made_bytes = dmm_type_bytes(s->type)};
    random_source random = {seed + 1};
    for (uint32_t k = 0; k <= s->map.further; k++) {
        made.bytes[k] = bytes_of(types[k]);
        made.in[k] = allocate(n * made.bytes[k]);
        random_bytes(&random, made.in[k], n * made.bytes[k]);
    }
    made.made = allocate(n * made.made_bytes);
    for (uint64_t i = 0; i < n; i++) {
        const unsigned char *at[4] = {NULL};
        for (uint32_t k = 0; k <= s->map.further; k++)
            at[k] = made.in[k] + i * made.bytes[k];
        s->make(made.made + i * made.made_bytes, at, i);
    }
    return made;
}

void free_inputs(inputs *in)
{
    for (size_t k = 0; k < 4; k++)
        free(in->in[k]);
    free(in->made);
}

uint64_t number_at(const unsigned char *items, uint32_t bytes, uint64_t i)
{
    uint64_t number = 0; /* little-endian, as the devices of the tests */
    memcpy(&number, items + i * bytes, bytes);
    return number;
}

device_inputs upload(const rig *r, const inputs *in)
{
    device_inputs d = {.count = zone_create(r, &in->n, sizeof in->n, 8)};
    for (uint32_t k = 0; k < 4; k++) {
        d.in[k] = zone_create(r, in->in[k], in->n * in->bytes[k], in->bytes[k] * (k + 1));
        if (k > 0)
            d.further[k - 1] = zone_span(&d.in[k]);
    }
    return d;
}

void release(const rig *r, device_inputs *d, const inputs *in, int in_place)
{
    for (uint32_t k = 0; k < 4; k++) {
        if (in->bytes[k] != 0 && (k > 0 || !in_place))
            REQUIRE(zone_holds(r, &d->in[k], in->in[k]));
        REQUIRE(zone_intact(r, &d->in[k]));
        zone_free(&d->in[k]);
    }
    zone_free(&d->count);
}
