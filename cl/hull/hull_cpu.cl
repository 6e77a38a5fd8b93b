/* SPDX-License-Identifier: MIT */
/*
 * The program of dmm_hull, CPU form: points that no chord of a sample discards are cut into strips
 * by x; each strip is sorted and becomes a chain.
 */
#include "cl/hull/hull_join.clh"
#include "cl/hull/hull_output.clh"
#include "cl/hull/hull_sample.clh"
#include "cl/hull/hull_sets.clh"
#include "cl/hull/hull_spread.clh"
