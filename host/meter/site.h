/* SPDX-License-Identifier: MIT */
/*
 * Facts of an instruction that accesses memory, before any lane executes it.
 */
#ifndef DMM_METER_SITE_H
#define DMM_METER_SITE_H

#include <llvm/IR/Instruction.h>

#include "readings.h"
#include "source.h"

namespace meter
{

/* False for accesses that on a device use neither local nor global memory: `__constant` and images,
 * both of which Oclgrind holds in global memory. */
bool is_watched(const llvm::Instruction &instruction);

/*
 * Returns the widest access that a compiler may issue, given the alignment that it can prove: an
 * item of two words that is known to be aligned to one word is read as two words. So are vectors of
 * vload and vstore, which are aligned to an element only.
 */
uint32_t widest_bytes(const llvm::Instruction &instruction, dmm_model_access_kind kind);

/* Returns the place as the build log names it. For an instruction from several lines, the line that
 * they were inlined into. Without calls. */
Place place_of(const llvm::Instruction &instruction, Space space, dmm_model_access_kind kind,
    const Source &source);

/* Returns the lines that the instruction was inlined into, then those of the calls, innermost
 * first. */
std::string calls_of(
    const llvm::Instruction &instruction, const std::vector<const llvm::Instruction *> &calls);

/* Returns the lines of a call alone: where it is, then what that was inlined into. */
std::string places_of(const llvm::Instruction &call);

} // namespace meter

#endif
