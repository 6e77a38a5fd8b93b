/* SPDX-License-Identifier: MIT */
/* Measures a device instead of asking: banks, lanes, rates, limits. */
#ifndef DMM_CLI_PROBE_H
#define DMM_CLI_PROBE_H

#include "session.h"

/* `dmm tune probe`: prints what was found, a line each, as `rate`, `fact` and `probe` lines of
 * tuning files. */
bool probe_main(cli_session *session, cli_error *error);

/* State shared by the parts of the probe. */
typedef struct probe {
    cl_context context;
    cl_command_queue queue;
    const dmm_device *device;
    cl_program program;
    cl_mem out;
} probe;

/* Nanoseconds of one launch by the monotonic clock, the least of some; 0: it failed. */
double probe_time(const probe *p, cl_kernel kernel, size_t global, size_t local);

/* Strides 1, 2, 4, ... that are timed. */
enum { PROBE_STRIDES = 8 };

/* Returns the number of banks that explains the times of the strides; 0: none. *bank_bytes: 4 or 8,
 * or 0 where that is not to be told; *slowest: the longest time, by its first stride. */
unsigned probe_banks_of(const double *times, int strides, unsigned *bank_bytes, double *slowest);

/* Prints banks, their width and lanes; on a device whose local memory is no memory of its own,
 * that. */
void probe_banks(const probe *p);
/* Prints the largest group and the most local memory that really work. */
void probe_limits(const probe *p);

extern const char probe_source[];

#endif
