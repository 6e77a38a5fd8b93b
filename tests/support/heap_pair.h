/* SPDX-License-Identifier: MIT */
/*
 * A heap on the device and a sequential one beside it: a binary heap on the host with entries that
 * may be stale. Functions that make a call fail the test if its outputs differ.
 */
#ifndef DMM_TESTS_HEAP_PAIR_H
#define DMM_TESTS_HEAP_PAIR_H

#include <dmm/heap.h>

#include "primitives/heap/heap.h"
#include "support/zone.h"

/* An item of the sequential heap. code: a number in the order of priorities. */
typedef struct entry {
    uint64_t code;
    uint32_t item;
} entry;

/* Items 0 .. items - 1, of which some are present. */
typedef struct sequential {
    uint32_t items;
    uint64_t size;
    uint64_t *codes; /* codes of present items */
    unsigned char *present;
    entry *heap; /* a binary heap of all entries ever made that may be valid */
    size_t count, space;
} sequential;

/* Zones of a pair. */
enum { HEAP, KEYS_IN, PRIORITIES_IN, KEYS_OUT, PRIORITIES_OUT, COUNT, REPORT, TEMP, NUM_ZONES };

/* A heap on the device, and the sequential one. */
typedef struct heap_pair {
    const rig *r;
    dmm_heap *heap;
    dmm_heap_shape shape;
    dmm_type type;
    zone z[NUM_ZONES];
    sequential s;
    uint64_t turn, bulk;
    /* A call's data on the host, of `bulk` items; state: the heap's memory. */
    uint32_t *items;
    uint64_t *codes, *expected;
    unsigned char *keys, *priorities, *state;
    dmm_report report;
} heap_pair;

/* items: number of different items, of which capacity limits those in the heap. */
heap_pair pair_create(const rig *r, const dmm_heap_desc *desc, uint32_t items);
/* Checks the red zones. */
void pair_free(heap_pair *p);

/* Writes the call's items, and their codes, to the device. */
void pair_send(heap_pair *p, uint64_t n);
/* Runs a call on the device, and returns its count. */
uint64_t pair_call(heap_pair *p, dmm_heap_op op, uint64_t n);
/* Clears both heaps. */
void pair_clear(heap_pair *p);
/* Update or delete the call's items in both heaps. */
void pair_update(heap_pair *p, uint64_t n);
void pair_delete(heap_pair *p, uint64_t n);
/* Extracts or peeks, and compares: the codes are the least ones in order, and the keys have them.
 * Returns the number of items. */
uint64_t pair_take(heap_pair *p, dmm_heap_op op, uint64_t n);
/* Inserts an item in the sequential heap alone, or lowers its code. */
void sequential_update(sequential *s, uint32_t item, uint64_t code);

/* Number i of `bytes` bytes; a priority's code; the item of a key, UINT32_MAX if none has it. */
uint64_t pair_word(const unsigned char *from, uint64_t i, uint32_t bytes);
uint64_t pair_code(const heap_pair *p, uint64_t bits);
uint32_t pair_item(const heap_pair *p, uint64_t key);

/* Judges the device's memory: the invariants of the levels hold, and the entries, applied from the
 * deepest level up, are the items of the sequential heap. In the CPU form, those of the table are,
 * and runs are sorted and have them. */
void pair_check(heap_pair *p);
/* The same of a copy of the memory in p->state: NULL, or what is wrong. */
const char *pair_judge(const heap_pair *p);
/* For pair_judge, in the CPU form. */
const char *pair_judge_cpu(const heap_pair *p);

#endif
