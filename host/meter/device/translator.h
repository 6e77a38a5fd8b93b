/* SPDX-License-Identifier: MIT */
/* The command llvm-spirv, which translates SPIR-V to LLVM IR. */
#ifndef DMM_METER_TRANSLATOR_H
#define DMM_METER_TRANSLATOR_H

#include <string>

namespace meter
{

/* Returns the path of the command: DMM_METER_LLVM_SPIRV, or in PATH that of this LLVM, of the next
 * one, whose IR this one reads, or without a version. Empty: there is none. */
std::string translator();

/* Returns the name of its package in Debian. */
std::string translator_package();

} // namespace meter

#endif
