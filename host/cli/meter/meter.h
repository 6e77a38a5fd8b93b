/* SPDX-License-Identifier: MIT */
/*
 * The parts of `dmm meter`: cmd_meter.c is the command, meter_run.c runs the program,
 * meter_check.c says what that needs, meter_read.c
 * reads what the engine wrote, meter_report.c and meter_models.c print it, meter_json.c writes it,
 * meter_svg.c and meter_html.c draw it; meter_old.c reads another run, and meter_compare.c compares
 * both.
 */
#ifndef DMM_CLI_METER_H
#define DMM_CLI_METER_H

#include <dmm-model/tally.h>
#include <dmm-model/translation.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"

/* The machine for which costs are counted. */
typedef struct meter_machine {
    dmm_model_local local;
    uint32_t segment_bytes;
    dmm_model_translation translation; /* page_bytes 0: translations are not counted */
    uint32_t resident;                 /* work-groups whose translations take turns */
    uint64_t latency; /* latency of the models' memories; 0: their costs are not counted */
} meter_machine;

/* What a line or a kernel translated. */
typedef struct meter_pages {
    uint64_t translations, walks, insertions;
} meter_pages;

/* Cost of a kernel in other models, summed over its launches. docs/model.md defines them. */
typedef struct meter_costs {
    uint64_t dmm_time, umm_time; /* with latency */
    uint64_t operations, blocks; /* ATGPU's t and q */
    uint64_t pem_transfers;
} meter_costs;

/* One lock-step of a line, as recorded by the plugin. */
typedef struct meter_step {
    dmm_model_access *accesses; /* by ascending lane */
    uint32_t count;
} meter_step;

/* Cost of one kind of access on one source line, over all launches of a kernel. */
typedef struct meter_line {
    size_t kernel;           /* index into the readings */
    const char *file, *text; /* borrowed from the readings */
    const char *calls;       /* calls that led there; "" if they are not distinguished */
    uint64_t number;         /* line number; 0: lost by the compiler */
    bool local;              /* local memory, else global */
    dmm_model_access_kind kind;
    dmm_model_tally tally;
    meter_pages pages;
    uint64_t run_conflicts;
    meter_step *steps; /* the costliest run, kept for a picture */
    size_t num_steps;
} meter_line;

/* A line of a program near one with accesses. */
typedef struct meter_text {
    size_t kernel;
    const char *file, *text; /* borrowed from the readings */
    uint64_t number;
} meter_text;

typedef struct meter_kernel {
    const char *name;
    bool chosen;
    uint64_t launches, finished;  /* fewer finished: the program died in one */
    uint64_t group_items;         /* items of the largest work-group */
    uint64_t built_banks;         /* banks it was built for (DMM_W); 0: not a kernel of dmm */
    uint64_t unjudged;            /* accesses for which the plugin had no memory */
    uint64_t sampled, sampled_of; /* groups metered, of all, in launches that are metered in part */
    dmm_model_tally local;        /* all its lines in local memory */
    dmm_model_tally global;       /* all its lines in global memory */
    meter_pages pages;            /* all its lines */
    meter_costs costs;
    uint64_t digest; /* digest of its launches' digests, in their order; 0: there are none */
    uint64_t time_ns,
        metered_ns; /* time of its launches without records and with them; 0: unknown */
} meter_kernel;

typedef struct meter_readings {
    char *text;
    bool begun; /* the plugin was loaded */
    meter_kernel *kernels;
    size_t num_kernels;              /* in order of their first launch */
    uint64_t to_device, from_device; /* bytes that the host copied, if costs are counted */
    uint64_t transfers_to, transfers_from;
    meter_line *lines;
    size_t num_lines; /* by kernel, local before global, then by file and number */
    meter_text *texts;
    size_t num_texts; /* by kernel, file and number */
} meter_readings;

/* Reads readings; only of kernels that match `pattern` (NULL: all). False: the file is damaged, has
 * another version, or memory ran out; `out` has what was read before. */
bool meter_read(meter_readings *out, FILE *file, const char *pattern);
void meter_readings_free(meter_readings *readings);

/* Returns the array with space for one more item, doubled at powers of two; NULL: out of memory. */
void *meter_grow(void *array, size_t count, size_t item_bytes);
/* Adds to a sum, and to its highest cost. */
void meter_add_tally(dmm_model_tally *sum, const dmm_model_tally *more);
/* False: there is no kind of that name. */
bool meter_read_kind(dmm_model_access_kind *out, const char *name);

/* How the program ended. */
typedef struct meter_end {
    int exit_status;
    int signal; /* 0: none */
} meter_end;

/* Prints the translations of a kernel, a row a line. */
void meter_print_pages(
    FILE *out, const meter_readings *readings, size_t kernel, const meter_machine *machine);
/* Prints the costs of all kernels in the models, a row a kernel. */
void meter_print_costs(FILE *out, const meter_readings *readings, const meter_machine *machine);
/* Members of a JSON object, each begun by a comma. */
void meter_print_json_pages(FILE *out, const meter_pages *pages);
void meter_print_json_costs(FILE *out, const meter_costs *costs);
void meter_print_json_machine(FILE *out, const meter_machine *machine);

/* file:line as a build log names it. */
int meter_format_place(char *out, size_t space, const meter_line *line);

void meter_print_table(FILE *out, const meter_readings *readings, const meter_machine *machine);
/* What a run of the meter has in its files. */
typedef struct meter_run_result {
    const meter_readings *readings;
    const meter_machine *machine;
    char *const *program;
    meter_end end;
} meter_run_result;

/* whole: with the steps of each line's costliest run and the text of the program. */
void meter_print_json(FILE *out, const meter_run_result *run, bool whole);

#define METER_NONE SIZE_MAX

/* Another run, from what --json or --html wrote. */
typedef struct meter_old {
    const char *path;
    char *json, *text; /* the readings as they were; what `readings` borrow from */
    size_t json_bytes;
    meter_readings readings;
    meter_machine machine;   /* without models */
    size_t *kernels, *lines; /* for each of the new run the index in the old one, or METER_NONE */
} meter_old;

bool meter_read_old(meter_old *out, const char *path, cli_error *error);
void meter_free_old(meter_old *old);
/* Finds for the kernels and lines of the new run those of the old one. */
bool meter_compare(meter_old *old, const meter_readings *readings, cli_error *error);
void meter_print_comparison(
    FILE *out, const meter_old *old, const meter_readings *readings, const meter_machine *machine);

extern const char *const meter_page; /* with @READINGS@ where they belong */
/* Prints the page; `old` may be NULL. False: out of memory. */
bool meter_print_html(FILE *out, const meter_run_result *run, const meter_old *old);

/* Returns the local line with most conflicts that has a picture; NULL if there is none. */
const meter_line *meter_worst_line(const meter_readings *readings);
/* Prints the picture. False: out of memory. */
bool meter_print_svg(FILE *out, const meter_readings *readings, const meter_line *line,
    const meter_machine *machine);

const char *meter_kind_name(dmm_model_access_kind kind);

typedef enum meter_engine {
    METER_OCLGRIND, /* a simulator */
    METER_DRIVER,   /* instrumented kernels on the device itself */
} meter_engine;

typedef struct meter_order {
    meter_engine engine;
    meter_machine machine; /* no zeros */
    uint64_t groups;       /* that are metered of a launch, by METER_DRIVER; 0: all */
    bool preload;          /* put the layer before the library that the program is linked to */
    const char *pattern;   /* pattern of kernels to watch; NULL: all */
    bool calls;            /* distinguish lines by the calls that led there */
    bool digest;           /* digests of accesses are wanted */
    bool time;             /* run the program twice, for the time of its kernels */
    bool runs;             /* keep steps, and the text of the program, for pictures */
    char *const *program;  /* and its arguments, NULL at the end */
} meter_order;

/* Runs the program. Fills `readings`, which must be freed in any case, and `end`: how the program
 * ended. */
bool meter_run(
    meter_readings *readings, meter_end *end, const meter_order *order, cli_error *error);

enum { METER_PATH_BYTES = 4096 };

/* Finds a program in PATH. A name with a slash is used unchanged. */
bool meter_find_program(char out[METER_PATH_BYTES], const char *name);
/* Finds the plugin, or the layer. */
bool meter_find_engine(char out[METER_PATH_BYTES], meter_engine engine, cli_error *error);

/* Prints what each engine needs and whether it is there. True if the chosen one can run. */
bool meter_check(FILE *out, meter_engine engine);

/* Returns the engine that is used where --engine chooses none: of DMM_METER_ENGINE, or Oclgrind
 * where it is installed, or else the driver. */
meter_engine meter_usual_engine(void);

#endif
