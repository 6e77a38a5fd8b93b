/* SPDX-License-Identifier: MIT */
/*
 * What an instruction that touches memory says about the access, before any lane makes it.
 */
#ifndef DMM_METER_SITE_H
#define DMM_METER_SITE_H

#include <llvm/IR/Instruction.h>

#include "readings.h"
#include "source.h"

namespace meter
{

/* False for what does not go through local or global memory on a device: `__constant` and images,
 * both of which Oclgrind holds in global memory. */
bool is_watched(const llvm::Instruction &instruction);

/*
 * The widest access that a compiler may issue for it, from the alignment that it can prove: an item
 * of two words that is known to be aligned to one word only is read as two words. So are the
 * vectors of vload and vstore, which promise no more than an element's alignment.
 */
uint32_t widest_bytes(const llvm::Instruction &instruction, dmm_model_access_kind kind);

/* Named as the build log names it. Of an instruction that stands for several lines, the line that
 * they were inlined into. Without calls. */
Place place_of(const llvm::Instruction &instruction, Space space, dmm_model_access_kind kind,
    const Source &source);

/* The lines that the instruction was inlined into, and then those of the calls, innermost first. */
std::string calls_of(
    const llvm::Instruction &instruction, const std::vector<const llvm::Instruction *> &calls);

} // namespace meter

#endif
