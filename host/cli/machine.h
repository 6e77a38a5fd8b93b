/* SPDX-License-Identifier: MIT */
/* What drivers ask of the machine, where it does not say. */
#ifndef DMM_CLI_MACHINE_H
#define DMM_CLI_MACHINE_H

/*
 * In a folder that is a whole system but has no /sys (debootstrap and chroot make such), PoCL finds no
 * memory and aborts: it asks hwloc, which reads /sys. Unless the user has, tells hwloc what there is.
 * Before the first call of OpenCL, and before there are threads.
 */
void cli_describe_machine(void);

#endif
