/* SPDX-License-Identifier: MIT */
/*
 * Integer intrinsics of LLVM that Oclgrind 21.10 lacks: it refuses each kernel that calls one
 * ("Undefined external function"), and its optimiser makes them of common expressions.
 */
#ifndef DMM_METER_INTRINSICS_H
#define DMM_METER_INTRINSICS_H

namespace meter
{

/* Teaches Oclgrind to carry them out, in kernels that are created from now on. */
void add_intrinsics();

} // namespace meter

#endif
