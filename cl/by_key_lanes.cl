/* SPDX-License-Identifier: MIT */
/*
 * The same where lanes exchange data (cl/lanes.clh).
 */
#include "cl/scan_lanes.clh"
#include "cl/by_key_source.clh"
#include "cl/by_key_lanes.clh"
#include "cl/by_key_chain.clh"
