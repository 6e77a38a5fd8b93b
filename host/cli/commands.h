/* SPDX-License-Identifier: MIT */
/*
 * Programs and their subcommands. A new one of dmm is a file cmd_NAME.c, a declaration here and a
 * line in the table of commands.c; its manual page and its completion follow from its table of
 * options.
 */
#ifndef DMM_CLI_COMMANDS_H
#define DMM_CLI_COMMANDS_H

typedef struct cli_command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the name; the result is the exit code */
    const char *about;
} cli_command;

/* The last row has no name. */
extern const cli_command cli_commands[];

typedef struct cli_program {
    const char *name;
    const char *about;
    const cli_command *commands; /* the last row has no name */
    const struct cli_section *sections;
} cli_program;

/* dmm itself. */
extern const cli_program cli_dmm;

/* Parses and runs the whole command line; argv[0] is skipped. */
int cli_run(const cli_program *program, int argc, char **argv);

int dmm_cli_bench(int argc, char **argv);
int dmm_cli_cache(int argc, char **argv);
int dmm_cli_set(int argc, char **argv);
int dmm_cli_count(int argc, char **argv);
int dmm_cli_demo(int argc, char **argv);
int dmm_cli_devices(int argc, char **argv);
int dmm_cli_doctor(int argc, char **argv);
int dmm_cli_group(int argc, char **argv);
int dmm_cli_histogram(int argc, char **argv);
int dmm_cli_hull(int argc, char **argv);
int dmm_cli_layout(int argc, char **argv);
int dmm_cli_median(int argc, char **argv);
int dmm_cli_merge(int argc, char **argv);
int dmm_cli_meter(int argc, char **argv);
int dmm_cli_nth(int argc, char **argv);
int dmm_cli_reduce(int argc, char **argv);
int dmm_cli_scan(int argc, char **argv);
int dmm_cli_search(int argc, char **argv);
int dmm_cli_selftest(int argc, char **argv);
int dmm_cli_partition(int argc, char **argv);
int dmm_cli_paths(int argc, char **argv);
int dmm_cli_permute(int argc, char **argv);
int dmm_cli_sample(int argc, char **argv);
int dmm_cli_shuffle(int argc, char **argv);
int dmm_cli_sort(int argc, char **argv);
int dmm_cli_topk(int argc, char **argv);
int dmm_cli_transpose(int argc, char **argv);
int dmm_cli_select(int argc, char **argv);
int dmm_cli_unique(int argc, char **argv);
int dmm_cli_tune(int argc, char **argv);
int dmm_cli_worst(int argc, char **argv);

#endif
