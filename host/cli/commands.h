/* SPDX-License-Identifier: MIT */
/*
 * The subcommands. A new one is a file cmd_NAME.c, a declaration here and a line in main.c's table.
 * argv[0] is the subcommand's name; the result is the exit code.
 */
#ifndef DMM_CLI_COMMANDS_H
#define DMM_CLI_COMMANDS_H

int dmm_cli_cache(int argc, char **argv);
int dmm_cli_demo(int argc, char **argv);
int dmm_cli_devices(int argc, char **argv);
int dmm_cli_hull(int argc, char **argv);
int dmm_cli_merge(int argc, char **argv);
int dmm_cli_meter(int argc, char **argv);
int dmm_cli_selftest(int argc, char **argv);
int dmm_cli_partition(int argc, char **argv);
int dmm_cli_permute(int argc, char **argv);
int dmm_cli_sample(int argc, char **argv);
int dmm_cli_shuffle(int argc, char **argv);
int dmm_cli_sort(int argc, char **argv);
int dmm_cli_topk(int argc, char **argv);
int dmm_cli_transpose(int argc, char **argv);
int dmm_cli_worst(int argc, char **argv);

#endif
