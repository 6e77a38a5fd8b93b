/* SPDX-License-Identifier: MIT */
/*
 * Writes a module of LLVM IR as OpenCL C, with a record for each access of local and global memory.
 * The device's own compiler makes the same control flow of it again; a value is a variable, a block
 * a label. Each loop has a counter, and the path of a work-item (path.h) is a hash of the counters
 * of the loops around it and of the calls that led there.
 */
#ifndef DMM_METER_WRITER_H
#define DMM_METER_WRITER_H

#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <unordered_map>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "ctype.h"
#include "sites.h"

namespace meter
{

struct Wanted {
    bool calls;      /* record calls */
    bool operations; /* count instructions */
};

class Writer
{
  public:
    Writer(llvm::Module &module, Sites &sites, const Wanted &wanted);

    /* Returns the program. */
    std::string write();

  private:
    struct Shape {
        llvm::DominatorTree tree;
        llvm::LoopInfo loops;
        explicit Shape(llvm::Function &function) : tree(function), loops(tree)
        {
        }
    };

    void find_arrays();
    void check(const llvm::Function &function);
    std::string globals();
    std::string head(const llvm::Function &function);
    std::string kernel_attributes(const llvm::Function &function);
    void function(llvm::Function &function);
    void begin_kernel(const llvm::Function &function);
    void variables(llvm::Function &function);
    void block(llvm::BasicBlock &block);

    /* Expressions. */
    std::string name(const llvm::Value &value);
    std::string operand(const llvm::Value &value);
    std::string constant(const llvm::Constant &constant);
    std::string integer(uint64_t value, const llvm::Type &type);
    std::string elements(const llvm::Constant &constant);
    std::string with_sign(const llvm::Value &value);
    std::string unsigned_again(const std::string &text, llvm::Type *type);
    std::string expression(const llvm::User &user, unsigned opcode);
    std::string offset(const llvm::User &user);
    std::string cast(const llvm::User &user, unsigned opcode);
    std::string binary(const llvm::User &user, unsigned opcode);
    std::string compare(const llvm::CmpInst &compare);
    std::string compare_numbers(const llvm::CmpInst &compare);
    std::string compare_floats(const llvm::CmpInst &compare);
    std::string select(const llvm::SelectInst &select);
    std::string shuffle(const llvm::ShuffleVectorInst &shuffle);

    /* Statements. */
    void instruction(llvm::Instruction &instruction);
    bool statement(llvm::Instruction &instruction);
    void assign(const llvm::Instruction &instruction, const std::string &value);
    void insert(
        const llvm::Instruction &instruction, const std::string &where, const llvm::Value &value);
    void edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to);

    /* Barriers that lie behind a block that can also be reached without them. */
    using Behind = std::vector<const llvm::BasicBlock *>;
    static constexpr size_t COPIES_MAX = 10000;
    void find_barriers();
    Behind behind(const llvm::BasicBlock &from, const llvm::BasicBlock &to) const;
    std::string label(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
    void copies();

    /* What a function records, if it has no loop. */
    struct Recorded {
        bool loops = false;
        uint64_t own = 0;
        std::vector<const llvm::Function *> callees;
    };
    bool add_records(const llvm::Function &function, uint64_t *sum) const;
    void loops(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
    void switches(const llvm::SwitchInst &instruction);
    void leaves(const llvm::Instruction &instruction);
    void load(const llvm::LoadInst &load);
    void store(const llvm::StoreInst &store);
    void call(const llvm::CallInst &call);
    void call_inside(const llvm::CallInst &call, const llvm::Function &callee);
    void builtin(const llvm::CallInst &call, const llvm::Function &callee);
    void built_in_accesses(const llvm::CallInst &call, const std::string &word);
    static bool is_barrier(const llvm::Function &callee);
    bool intrinsic(const llvm::CallInst &call, const llvm::Function &callee);
    void copy(const llvm::MemIntrinsic &copy);
    std::string place(
        const llvm::Value &pointer, llvm::Type *type, uint64_t align, bool is_volatile);
    /* Records an access, if it is one to watch. */
    void record(const llvm::Instruction &instruction, unsigned space, dmm_model_access_kind kind,
        const std::string &address, uint64_t size);
    void event(Event event, const std::string &number);
    std::string path_at(const llvm::BasicBlock &block);
    std::string path_of(const llvm::Loop *loop);

    llvm::Module &module_;
    const llvm::DataLayout &layout_;
    Sites &sites_;
    const Wanted wanted_;
    Types types_;
    std::ostringstream out_;
    /* Arrays in local memory that a function or its callees use. */
    std::unordered_map<const llvm::Function *, std::set<const llvm::GlobalVariable *>> arrays_;

    /* Functions that pass a barrier, and their blocks that do. */
    std::set<const llvm::Value *> barriers_;

    std::unordered_map<const llvm::Function *, Recorded> recorded_;
    Recorded now_; /* of the function that is being written */

    /* Of each access and call, since a block may be written more than once. */
    std::map<std::pair<const llvm::Instruction *, unsigned>, uint32_t> numbers_;

    /* State of the function that is being written. */
    using Copy = std::pair<Behind, const llvm::BasicBlock *>;
    Behind behind_; /* of the block that is being written */
    std::map<Copy, std::string> copies_;
    std::vector<Copy> left_; /* to be written */
    bool is_kernel_ = false;
    std::unique_ptr<Shape> shape_;
    std::unordered_map<const llvm::Value *, std::string> names_;
    std::unordered_map<const llvm::Loop *, unsigned> loop_numbers_;
    unsigned functions_written_ = 0;
    unsigned next_name_ = 0;
};

} // namespace meter

#endif
