/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of merging two lists.
 */
#include "cl/sort/merge_pass_cpu.clh"
