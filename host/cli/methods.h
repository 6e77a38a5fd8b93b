/* SPDX-License-Identifier: MIT */
/*
 * dmm sort, dmm partition and dmm selftest with the methods and checks of another library: dmm-lab
 * has commands of the same parts.
 */
#ifndef DMM_CLI_METHODS_H
#define DMM_CLI_METHODS_H

#include <stdbool.h>

#include <dmm/partition.h>
#include <dmm/selftest.h>
#include <dmm/sort.h>

#include "error.h"

/* Methods of a sort; they sort host arrays. */
typedef struct cli_sort_methods {
    const char *names; /* as in the argument of a CLI_CHOICE; the first is the default */
    const char *help;
    bool only_in_memory; /* one device, and all keys in memory */
    dmm_status (*sort)(dmm_context *ctx, const dmm_sort_desc *desc, unsigned method, void *keys,
        void *values, size_t n);
} cli_sort_methods;

/* Methods of a partition, likewise. */
typedef struct cli_partition_methods {
    const char *names;
    const char *help;
    bool only_in_memory;
    dmm_status (*partition)(dmm_context *ctx, const dmm_partition_desc *desc, unsigned method,
        const dmm_partition_host_args *args, size_t n);
} cli_partition_methods;

typedef dmm_status cli_checks(dmm_context *ctx, dmm_selftest_function line, void *user);

/* The whole commands. */
int cli_sort_by(const cli_sort_methods *methods, int argc, char **argv);
int cli_partition_by(const cli_partition_methods *methods, int argc, char **argv);
/* Runs the first checks of dmm selftest for some seconds, in a child process that calls `before`
 * first: a driver may end that, too. The child returns from here as the parent does. */
void cli_selftest_quick(bool (*before)(cli_error *error), cli_error *error);
int cli_selftest_by(cli_checks *checks, const char *about, int argc, char **argv);

#endif
