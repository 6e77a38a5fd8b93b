/* SPDX-License-Identifier: MIT */
/*
 * The program of a convex hull, GPU form: a group works on a sequence of points.
 */
#include "cl/hull/hull_sets.clh"
#include "cl/hull/hull_sequence.clh"
#include "cl/hull/hull_output.clh"
