/* SPDX-License-Identifier: MIT */
/* What main does first, in this order, before it opens a file, calls OpenCL or starts a thread. */
#ifndef DMM_CLI_STARTUP_H
#define DMM_CLI_STARTUP_H

/*
 * Opens each closed standard stream on /dev/null, in the direction in which it is not used: reading
 * or writing it then fails, and no file gets its descriptor.
 */
void cli_open_streams(void);

/*
 * Sets HWLOC_SYNTHETIC, unless it is set, where there is no /sys (debootstrap and chroot make such
 * systems). PoCL asks hwloc for the memory, finds none there, and aborts.
 */
void cli_describe_machine(void);

#endif
