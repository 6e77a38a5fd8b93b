/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of merging two lists.
 */
#include "cl/sort/merge_pass.clh"
