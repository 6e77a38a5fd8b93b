/* SPDX-License-Identifier: MIT */
/* Call paths and loop iterations of a lane: see path.h. */
#include "path.h"

#include "cl/hash.clh"

namespace meter
{

uint64_t mix(uint64_t a, uint64_t b)
{
    return dmm_mix((a ^ (b * DMM_GOLDEN)) + DMM_GOLDEN);
}

const llvm::LoopInfo &Loops::of(const llvm::Function &function)
{
    std::unique_ptr<llvm::LoopInfo> &slot = functions_[&function];
    if (!slot) {
        /* The analysis changes nothing, but has no const form. */
        llvm::DominatorTree tree(const_cast<llvm::Function &>(function));
        slot = std::make_unique<llvm::LoopInfo>(tree);
    }
    return *slot;
}

void Path::start(const llvm::LoopInfo &loops)
{
    turns_.clear();
    frames_.assign(1, Frame{&loops, 0, 0, nullptr, 0});
    value_ = 0;
    branched_ = false;
}

/*
 * A loop is entered through its header alone, and each return to the header is one more iteration.
 * (A loop with two entries is not a loop to LLVM; its accesses share a path and are told apart by
 * the order in which the lane makes them, see trace.h.)
 */
void Path::enter(const llvm::BasicBlock &block)
{
    branched_ = false;
    const Frame &frame = frames_.back();
    const llvm::Loop *loop = frame.loops->getLoopFor(&block);
    while (turns_.size() > frame.first_turn && !turns_.back().loop->contains(loop)) {
        value_ = turns_.back().outside;
        turns_.pop_back();
    }
    if (!loop || loop->getHeader() != &block)
        return;
    if (turns_.size() == frame.first_turn || turns_.back().loop != loop)
        turns_.push_back(Turn{loop, value_, 0});
    else
        turns_.back().iteration++;
    value_ = mix(mix(turns_.back().outside, loop), turns_.back().iteration);
}

void Path::call(const llvm::Instruction &site, const llvm::LoopInfo &callee)
{
    frames_.push_back(Frame{&callee, turns_.size(), value_, &site, mix(calls_value(), &site)});
    value_ = mix(value_, &site);
}

void Path::leave()
{
    if (frames_.size() < 2)
        return;
    value_ = frames_.back().outside;
    turns_.resize(frames_.back().first_turn);
    frames_.pop_back();
}

std::vector<const llvm::Instruction *> Path::calls() const
{
    std::vector<const llvm::Instruction *> sites;
    for (size_t i = frames_.size(); i-- > 1;)
        sites.push_back(frames_[i].site);
    return sites;
}

} // namespace meter
