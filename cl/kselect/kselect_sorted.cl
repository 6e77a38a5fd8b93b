/* SPDX-License-Identifier: MIT */
/*
 * The program of a selection that sorts all items: it fetches the values of those selected.
 */
#include "cl/gather.clh"
