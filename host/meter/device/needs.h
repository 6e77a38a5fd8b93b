/* SPDX-License-Identifier: MIT */
/* What the driver's engine needs of the system, for `dmm meter --check`. */
#ifndef DMM_METER_NEEDS_H
#define DMM_METER_NEEDS_H

#include <string>

namespace meter
{

/* Returns the clang that compiles programs, which DMM_METER_CLANG may name. */
std::string clang();

/* Returns the name of its package in Debian. */
std::string clang_package();

/* Prints a line for each part: its name, a tab, and where it is, or `missing` and what to do.
 * False: one is missing. */
bool print_needs();

} // namespace meter

#endif
