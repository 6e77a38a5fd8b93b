/* SPDX-License-Identifier: MIT */
/* The commands of dmm-lab. */
#ifndef DMM_LAB_CLI_COMMANDS_H
#define DMM_LAB_CLI_COMMANDS_H

int dmm_cli_lab_heap(int argc, char **argv);
int dmm_cli_lab_partition(int argc, char **argv);
int dmm_cli_lab_selftest(int argc, char **argv);
int dmm_cli_lab_sort(int argc, char **argv);
int dmm_cli_network(int argc, char **argv);
int dmm_cli_table(int argc, char **argv);
int dmm_cli_translation(int argc, char **argv);

#endif
