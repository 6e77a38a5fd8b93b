/* SPDX-License-Identifier: MIT */
/*
 * The program of dmm_hull, GPU form: points that pass the filter are split at pivots, level by
 * level, until each problem is small.
 */
#include "cl/hull/hull_gather.clh"
#include "cl/hull/hull_output.clh"
#include "cl/hull/hull_plan.clh"
#include "cl/hull/hull_sets.clh"
