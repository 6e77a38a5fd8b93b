/* SPDX-License-Identifier: MIT */
/* Memory and processors, in the words of hwloc's environment variable HWLOC_SYNTHETIC. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "machine.h"

void cli_describe_machine(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char text[96];
    if (access("/sys/devices/system/cpu", F_OK) == 0 || pages < 1 || processors < 1)
        return;
    snprintf(
        text, sizeof text, "node:1(memory=%lld) pu:%ld", (long long)pages * page_bytes, processors);
    setenv("HWLOC_SYNTHETIC", text, 0);
}
