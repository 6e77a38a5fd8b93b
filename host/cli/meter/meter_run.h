/* SPDX-License-Identifier: MIT */
/* Runs a program under Oclgrind with the meter's plugin. */
#ifndef DMM_CLI_METER_RUN_H
#define DMM_CLI_METER_RUN_H

#include "error.h"
#include "meter.h"

typedef struct meter_order {
    meter_machine machine; /* no zeros */
    const char *pattern;   /* of the kernels to watch; NULL: all */
    bool calls;            /* tell lines apart by the calls that led there */
    bool runs;             /* keep steps for a picture */
    char *const *program;  /* and its arguments, NULL at the end */
} meter_order;

/* Fills `readings`, in every case to be freed, and says how the program ended, which may be badly.
 */
bool meter_run(
    meter_readings *readings, meter_end *end, const meter_order *order, cli_error *error);

#endif
