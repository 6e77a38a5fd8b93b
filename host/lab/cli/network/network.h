/* SPDX-License-Identifier: MIT */
/*
 * The parts of `dmm-lab network`: cmd_network.c is the command, network_file.c reads and writes
 * files of networks, network_diagram.c draws wires and comparators, network_heat.c draws how far
 * items are from their places, network_run.c runs networks on the device.
 */
#ifndef DMM_CLI_NETWORK_H
#define DMM_CLI_NETWORK_H

#include <dmm-model/network.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "array.h"
#include "error.h"
#include "session.h"

/* Reads a network: a line `wires N`, then a line a step, each comparator LOW:HIGH. */
bool network_read(dmm_model_network **out, const char *path, cli_error *error);
/* Writes such a file. */
void network_write(FILE *out, dmm_model_network *network);

/* Makes a random permutation of 0..n - 1. */
void network_make_input(uint64_t *items, uint32_t n, uint64_t seed);

enum { NETWORK_DIAGRAM_WIRES = 256, NETWORK_DIAGRAM_COMPARATORS = 20000 };

/* Draws a diagram of at most that many wires and comparators. */
void network_draw_diagram(FILE *out, dmm_model_network *network);

/* Runs the network on a random permutation of 0..n - 1 and draws the mean distance of an item from
 * its place, by wire and step. False: no memory. */
bool network_draw_heat(FILE *out, dmm_model_network *network, uint64_t seed);

/* How a network ran. */
typedef struct network_run_info {
    uint64_t rows;     /* rows of as many keys as the network has wires */
    uint64_t launches; /* kernel launches */
} network_run_info;

/* Runs the network on the device, on each row of the keys, and rewinds. The last row is filled up
 * with keys that none comes after, which must be at its end again afterwards. */
bool network_run(network_run_info *info, cli_session *session, cli_array *keys,
    dmm_model_network *network, bool descending, cli_error *error);

#endif
