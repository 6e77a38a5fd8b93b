/* SPDX-License-Identifier: MIT */
/*
 * Maps (<dmm/map.h>) and the same on the host, for tests of the calls that take one.
 */
#ifndef DMM_TESTS_MAPPED_CASE_H
#define DMM_TESTS_MAPPED_CASE_H

#include <dmm/map.h>

#include "support/zone.h"

/* A map, and the same on the host: makes an item of those at position i of the inputs. */
typedef struct subject {
    const char *name;
    dmm_type type; /* type of the result */
    dmm_map map;
    void (*make)(void *item, const unsigned char *const in[4], uint64_t i);
} subject;

enum { NUM_SUBJECTS = 4 };
extern const subject subjects[NUM_SUBJECTS];

/* Inputs of n items, and their items as mapped by the host. */
typedef struct inputs {
    uint64_t n;
    uint32_t bytes[4], made_bytes; /* 0: no such input */
    unsigned char *in[4], *made;
} inputs;

inputs make_inputs(const subject *s, uint64_t n, uint64_t seed);
void free_inputs(inputs *in);

/* Returns item i, zero-extended. */
uint64_t number_at(const unsigned char *items, uint32_t bytes, uint64_t i);

/* The inputs on the device, the further ones as a call takes them. */
typedef struct device_inputs {
    zone in[4], count;
    dmm_span further[3];
} device_inputs;

device_inputs upload(const rig *r, const inputs *in);
/* Frees them; all that no call wrote to must be as before. in_place: a call wrote to the first. */
void release(const rig *r, device_inputs *d, const inputs *in, int in_place);

#endif
