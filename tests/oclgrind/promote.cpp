// SPDX-License-Identifier: MIT
// A pass for the clang in Oclgrind 21.10. Oclgrind interprets unoptimised kernels, in which each
// use of a variable loads it from private memory. The pass moves variables into registers, which
// halves the time of the tests. It skips variables that may be loaded before the first store:
// Oclgrind still reports each read of an uninitialised variable.
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace
{

/* Returns the variable's first load or store in the block, or NULL. */
const llvm::Instruction *first_use(const llvm::AllocaInst *variable, const llvm::BasicBlock *block)
{
    for (const llvm::Instruction &instruction : *block)
        if (llvm::is_contained(instruction.operands(), variable))
            return &instruction;
    return nullptr;
}

/* True if a store comes before each load, on every path. */
bool is_always_written_first(const llvm::AllocaInst *variable)
{
    llvm::SmallPtrSet<const llvm::BasicBlock *, 32> seen;
    llvm::SmallVector<const llvm::BasicBlock *, 32> unwritten = {variable->getParent()};
    while (!unwritten.empty()) {
        const llvm::BasicBlock *const block = unwritten.pop_back_val();
        if (!seen.insert(block).second)
            continue;
        const llvm::Instruction *const use = first_use(variable, block);
        if (use != nullptr && llvm::isa<llvm::LoadInst>(use))
            return false;
        if (use == nullptr)
            unwritten.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return true;
}

struct promote : llvm::PassInfoMixin<promote> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
    {
        llvm::DominatorTree &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
        std::vector<llvm::AllocaInst *> variables;
        for (llvm::Instruction &instruction : function.getEntryBlock())
            if (auto *const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
                if (llvm::isAllocaPromotable(variable) && is_always_written_first(variable))
                    variables.push_back(variable);
        llvm::PromoteMemToReg(variables, tree);
        return llvm::PreservedAnalyses::none();
    }
};

void add_pass(llvm::PassBuilder &builder)
{
    builder.registerPipelineStartEPCallback(
        [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
            passes.addPass(llvm::createModuleToFunctionPassAdaptor(promote()));
        });
}

} // namespace

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "dmm-promote", "1", add_pass};
}
