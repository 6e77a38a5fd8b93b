/* SPDX-License-Identifier: MIT */
/* A checksum of bytes that come in parts of any sizes. It depends on their order and number. */
#ifndef DMM_CLI_CHECKSUM_H
#define DMM_CLI_CHECKSUM_H

#include <stdint.h>

/* Zeros: of no bytes. */
typedef struct cli_checksum {
    uint64_t words; /* all whole words of 8 bytes, chained */
    uint64_t rest;  /* the bytes behind them */
    uint64_t bytes;
} cli_checksum;

void cli_checksum_add(cli_checksum *sum, const void *data, uint64_t bytes);
uint64_t cli_checksum_value(const cli_checksum *sum);

#endif
