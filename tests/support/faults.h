/* SPDX-License-Identifier: MIT */
/*
 * Faults: every OpenCL call and host allocation of this program goes through a wrapper (the
 * linker's --wrap, for the names in tests/wrapped_symbols.txt), which can make the k-th one fail,
 * and which keeps a ledger of OpenCL objects. By linking, the very objects that ship are tested: a
 * build of its own could differ from them. A program that is not linked so must not use this
 * header.
 */
#ifndef DMM_TESTS_FAULTS_H
#define DMM_TESTS_FAULTS_H

#include <dmm/types.h>

/* The k-th call from now on fails, k from 1; 0: none does. Releases and waits are done all the
 * same. */
void faults_arm(uint64_t k);

typedef struct fault_report {
    const char *failed;   /* name of the call that failed; NULL: none */
    dmm_status expected;  /* status that the library returns for that failure */
    uint64_t allocations; /* on the host and of device buffers */
    int unfinished;       /* a command was still waiting or running when the report was asked for */
} fault_report;

/* Returns what happened since faults_arm; nothing fails from now on. */
fault_report faults_disarm(void);

/* Objects created or retained, less those released, since the program began. */
typedef struct fault_ledger {
    long contexts, queues, buffers, programs, kernels, events;
    long blocks; /* of malloc, calloc, realloc and realpath: the program's own, not the driver's */
} fault_ledger;

fault_ledger faults_ledger(void);

/* An operation under test. Only `attempt` runs with faults, so it makes calls of the library and no
 * others. */
typedef struct operation {
    const char *name;
    void (*before)(void *user);
    dmm_status (*attempt)(void *user);
    void (*after)(void *user, dmm_status status); /* checks, and releases what the other two made */
    dmm_status without_faults;                    /* what an attempt gives in which nothing fails */
} operation;

/*
 * Makes the k-th call of the operation fail, for every k until nothing fails any more. Each time
 * the failure's own status must come back, what was enqueued must have finished, and no OpenCL
 * object may be lost. Returns how many calls the operation makes.
 */
uint64_t fail_every_call(const operation *op, void *user);

/* A test: every object of the program has been released. */
void faults_leave_nothing_behind(void **state);

#endif
