/* SPDX-License-Identifier: MIT */
/* The table of commands of dmm-lab, and the sections of its --help. */
#include <stddef.h>

#include "commands.h"
#include "lab_commands.h"
#include "option.h"

static const cli_command commands[] = {
    {"sort", dmm_cli_lab_sort, "sort the numbers of a file by a method for study"},
    {"partition", dmm_cli_lab_partition,
        "move the numbers of a file into buckets by such a method"},
    {"selftest", dmm_cli_lab_selftest, "check these methods on the device against the host"},
    {"heap", dmm_cli_lab_heap, "fill and empty a priority queue whose levels go side by side"},
    {"network", dmm_cli_network, "make, count, prove and draw sorting networks"},
    {"table", dmm_cli_table, "measure the tables and figures of the papers"},
    {"translation", dmm_cli_translation, "measure what translating addresses costs on the host"},
    {0},
};

static const cli_section sections[] = {
    {"Environment",
        "  DMM_DEVICE, DMM_SET, DMM_TUNING, XDG_CONFIG_HOME, XDG_CACHE_HOME  as for dmm"},
    {"Exit status", "  0   done\n"
                    "  1   a mistake in the command line or in a file\n"
                    "  2   OpenCL or memory failed\n"
                    "  3   --check, --prove, --tries or selftest found a wrong result"},
    {NULL, NULL},
};

const cli_program cli_dmm_lab = {.name = "dmm-lab",
    .about = "Algorithms of papers on banked memory as written, for study. dmm has the fast ones.",
    .commands = commands,
    .sections = sections};
