/* SPDX-License-Identifier: MIT */
/*
 * The program of a convex hull, CPU form: a work-item works on strips of the points.
 */
#include "cl/hull/hull_sets.clh"
#include "cl/hull/hull_join.clh"
#include "cl/hull/hull_output.clh"
