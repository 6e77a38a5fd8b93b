/* SPDX-License-Identifier: MIT */
/*
 * Chained scans by key, and totals and lengths of runs: the GPU form, if grouping changes no bit.
 */
#include "cl/by_key_sums.clh"
#include "cl/by_key_source.clh"
#include "cl/link_walk.clh"
#include "cl/by_key_chain.clh"
