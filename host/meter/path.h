/* SPDX-License-Identifier: MIT */
/*
 * The position of one lane in a program: its call path and, for every loop around it, the number of
 * the iteration. Two lanes that are at one instruction with equal paths are in one lock-step, as on
 * a machine whose lanes wait for each other after every branch. Counting executions instead would
 * not do: under `if (j >= t)` lane t's k-th access belongs to iteration t + k.
 *
 * A path is folded into 64 bits. Two different paths meet in one value with a chance below 2^-22
 * even among a million steps, and only steps between the same two barriers are compared.
 */
#ifndef DMM_METER_PATH_H
#define DMM_METER_PATH_H

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include "mix.h"

namespace meter
{

/* Loops of the functions that a launch runs; each function is analysed once. */
class Loops
{
  public:
    const llvm::LoopInfo &of(const llvm::Function &function);
    void clear()
    {
        functions_.clear();
    }

  private:
    std::unordered_map<const llvm::Function *, std::unique_ptr<llvm::LoopInfo>> functions_;
};

class Path
{
  public:
    /* At the entry of a kernel. */
    void start(const llvm::LoopInfo &loops);
    /* Records that a branch was taken; the next instruction, by `settle`, shows where it leads. */
    void branch()
    {
        branched_ = true;
    }
    void settle(const llvm::BasicBlock &block)
    {
        if (branched_)
            enter(block);
    }
    void call(const llvm::Instruction &site, const llvm::LoopInfo &callee);
    void leave();
    uint64_t value() const
    {
        return value_;
    }
    /* The calls, innermost first, and one number for them. */
    std::vector<const llvm::Instruction *> calls() const;
    uint64_t calls_value() const
    {
        return frames_.back().calls_value;
    }

  private:
    /* One loop that the lane is in: `outside` is the path's value around it. */
    struct Turn {
        const llvm::Loop *loop;
        uint64_t outside;
        uint64_t iteration;
    };
    /* One function that the lane is in; its loops are turns_[first_turn..]. */
    struct Frame {
        const llvm::LoopInfo *loops;
        size_t first_turn;
        uint64_t outside;
        const llvm::Instruction *site; /* call that entered it; null for the kernel */
        uint64_t calls_value;
    };

    void enter(const llvm::BasicBlock &block);

    std::vector<Turn> turns_;
    std::vector<Frame> frames_;
    uint64_t value_ = 0;
    bool branched_ = false;
};

} // namespace meter

#endif
