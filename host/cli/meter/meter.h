/* SPDX-License-Identifier: MIT */
/*
 * The parts of `dmm meter`: cmd_meter.c is the command, meter_run.c runs the program, meter_read.c
 * reads what the plugin wrote,
 * meter_report.c prints it, meter_svg.c draws it.
 */
#ifndef DMM_CLI_METER_H
#define DMM_CLI_METER_H

#include <dmm-model/tally.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The machine that costs are counted for. */
typedef struct meter_machine {
    dmm_model_local local;
    uint32_t segment_bytes;
} meter_machine;

/* One lock-step of a line, as the plugin saw it. */
typedef struct meter_step {
    dmm_model_access *accesses; /* by ascending lane */
    uint32_t count;
} meter_step;

/* Cost of one kind of access on one source line, over all launches of a kernel. */
typedef struct meter_line {
    size_t kernel;           /* index into the readings */
    const char *file, *text; /* borrowed from the readings */
    const char *calls;       /* that led there; "" where they are not told apart */
    uint64_t number;         /* of the line; 0: the compiler lost it */
    bool local;              /* local memory, else global */
    dmm_model_access_kind kind;
    dmm_model_tally tally;
    uint64_t run_conflicts;
    meter_step *steps; /* the costly run that is kept for a picture */
    size_t num_steps;
} meter_line;

typedef struct meter_kernel {
    const char *name;
    bool chosen;
    uint64_t launches, finished; /* fewer finished, of a chosen one: the program died in it */
    uint64_t group_items;        /* of the largest work-group */
    uint64_t built_banks;        /* banks it was built for, DMM_W; 0: not one of ours */
    uint64_t unjudged;           /* accesses that the plugin had no room for */
    dmm_model_tally local;       /* all its lines in local memory */
} meter_kernel;

typedef struct meter_readings {
    char *text;
    bool begun; /* the plugin was loaded */
    meter_kernel *kernels;
    size_t num_kernels; /* in order of their first launch */
    meter_line *lines;
    size_t num_lines; /* by kernel, local before global, then by file and number */
} meter_readings;

/* Only kernels that match `pattern` (NULL: all) are chosen. False: the file is damaged or of
 * another version, or there is no memory; what was read till then is in `out`. */
bool meter_read(meter_readings *out, FILE *file, const char *pattern);
void meter_readings_free(meter_readings *readings);

/* How the program ended. */
typedef struct meter_end {
    int exit_status;
    int signal; /* 0: none */
} meter_end;

void meter_print_table(FILE *out, const meter_readings *readings, const meter_machine *machine);
void meter_print_json(FILE *out, const meter_readings *readings, const meter_machine *machine,
    char *const *program, const meter_end *end);

/* The local line with most conflicts, of those that have a picture; NULL if there is none. */
const meter_line *meter_worst_line(const meter_readings *readings);
/* False: no memory. */
bool meter_print_svg(FILE *out, const meter_readings *readings, const meter_line *line,
    const meter_machine *machine);

const char *meter_kind_name(dmm_model_access_kind kind);

#endif
