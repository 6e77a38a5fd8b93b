/* SPDX-License-Identifier: MIT */
/*
 * The table of a program that the rewriter makes beside its text, for the layer; a line each, with
 * fields divided by tabs:
 *
 *   kernel <name> <arguments> <records that a work-item makes at most, or 0: unknown>
 *   array <kernel> <number> <bytes>    a local array of the kernel that is no argument
 *   call <number> <places>             of a call, from the innermost, as --calls prints them
 *   site <number> <space> <kind> <bytes> <widest bytes> <file> <line> <calls> <text>
 */
#ifndef DMM_METER_SITES_H
#define DMM_METER_SITES_H

#include <sstream>
#include <string>

#include <llvm/IR/Instruction.h>

#include "records.h"
#include "source.h"

#include <dmm-model/tally.h>

namespace meter
{

class Sites
{
  public:
    explicit Sites(const std::string &source) : source_(source)
    {
    }

    /* Each returns the number. */
    uint32_t site(const llvm::Instruction &instruction, unsigned space, dmm_model_access_kind kind,
        uint64_t size);
    uint32_t call(const llvm::Instruction &instruction);
    uint32_t array(const std::string &kernel, uint64_t bytes);
    void kernel(const std::string &name, size_t arguments, uint64_t most_records);

    std::string table() const
    {
        return out_.str();
    }

  private:
    Source source_;
    std::ostringstream out_;
    uint32_t sites_ = EVENTS, calls_ = 0, arrays_ = STATIC_ARRAYS;
};

} // namespace meter

#endif
