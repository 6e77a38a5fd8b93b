/* SPDX-License-Identifier: MIT */
/*
 * What follows a barrier under a condition: see writer.h.
 *
 * PoCL up to 6.0 copies the blocks that follow such a barrier and can be reached without it, once
 * for each edge that leads to them. The copies look like conditions of their own, for which PoCL
 * lets the first work-item decide for all (docs/records/drivers.md). So they are written once more
 * here, for all edges from behind the barrier together.
 */
#include "writer.h"

namespace meter
{

/* Finds the functions that pass a barrier, and their blocks that do. */
void Writer::find_barriers()
{
    for (bool grows = true; grows;) {
        grows = false;
        for (const llvm::Function &function : module_)
            for (const llvm::BasicBlock &block : function)
                for (const llvm::Instruction &instruction : block) {
                    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
                    if (callee && (is_barrier(*callee) || barriers_.count(callee)) &&
                        barriers_.insert(&block).second)
                        grows |= barriers_.insert(&function).second;
                }
    }
}

/* Returns the barriers that lie behind, of those that the other block can be reached without. */
Writer::Behind Writer::behind(const llvm::BasicBlock &from, const llvm::BasicBlock &to) const
{
    const llvm::DominatorTree &tree = shape_->tree;
    const auto counts = [&](const llvm::BasicBlock *barrier) {
        return !tree.dominates(barrier, &to) && !tree.dominates(&to, barrier);
    };
    Behind result;
    for (const llvm::BasicBlock *barrier : behind_)
        if (counts(barrier))
            result.push_back(barrier);
    for (const auto *node = tree.getNode(&from); node; node = node->getIDom()) {
        const llvm::BasicBlock *block = node->getBlock();
        if (barriers_.count(block) == 0 || !counts(block))
            continue;
        result.push_back(block);
        break;
    }
    return result;
}

/* Returns the label where an edge of the block that is being written leads. */
std::string Writer::label(const llvm::BasicBlock &from, const llvm::BasicBlock &to)
{
    const Behind now = behind(from, to);
    if (now.empty())
        return name(to);
    if (copies_.size() == COPIES_MAX)
        throw Refused("it has too many barriers under conditions");
    std::string &label = copies_[{now, &to}];
    if (label.empty()) {
        label = "c" + std::to_string(next_name_++);
        left_.push_back({now, &to});
    }
    return label;
}

/* Writes the blocks that follow barriers, and those that follow them. */
void Writer::copies()
{
    while (!left_.empty()) {
        const Copy copy = left_.back();
        left_.pop_back();
        behind_ = copy.first;
        out_ << copies_[copy] << ":;\nMETER_BEHIND;\n";
        block(*const_cast<llvm::BasicBlock *>(copy.second));
    }
    behind_.clear();
    copies_.clear();
}

} // namespace meter
