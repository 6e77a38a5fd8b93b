/* SPDX-License-Identifier: MIT */
/*
 * dmm_take: an array's rows by number, through dmm_gather_values. The numbers are its positions.
 */
#include "cl/gather.clh"
