/* SPDX-License-Identifier: MIT */
/* Statements of a program and the records of its accesses: see writer.h. */
#include "writer.h"

#include <llvm/IR/Constants.h>

namespace meter
{

void Writer::assign(const llvm::Instruction &instruction, const std::string &value)
{
    out_ << name(instruction) << " = " << value << ";\n";
}

void Writer::record(const llvm::Instruction &instruction, unsigned space,
    dmm_model_access_kind kind, const std::string &address, uint64_t size)
{
    if (space == PRIVATE_SPACE || space == CONSTANT_SPACE)
        return;
    const auto known = numbers_.find({&instruction, kind});
    const uint32_t site =
        known != numbers_.end() ? known->second : sites_.site(instruction, space, kind, size);
    numbers_[{&instruction, kind}] = site;
    now_.own++;
    out_ << "meter_access(m, " << site << ", " << path_at(*instruction.getParent()) << ", (ulong)("
         << address << "));\n";
}

void Writer::event(Event event, const std::string &number)
{
    now_.own++;
    out_ << "meter_record(m, (ulong)" << number << " << 20 | " << event << ", 0);\n";
}

std::string Writer::place(
    const llvm::Value &pointer, llvm::Type *type, uint64_t align, bool is_volatile)
{
    return "*(" + std::string(is_volatile ? "volatile " : "") +
           space_name(pointer.getType()->getPointerAddressSpace()) + types_.moved(type, align) +
           " *)(" + operand(pointer) + ")";
}

void Writer::load(const llvm::LoadInst &load)
{
    const llvm::Value &pointer = *load.getPointerOperand();
    llvm::Type *type = load.getType();
    record(load, load.getPointerAddressSpace(), DMM_MODEL_READ, operand(pointer),
        layout_.getTypeAllocSize(type).getFixedValue());
    if (load.isAtomic())
        throw Refused("it has an atomic load that is no function");
    assign(load, place(pointer, type, load.getAlign().value(), load.isVolatile()) +
                     (type->isIntegerTy(1) ? " & 1" : ""));
}

void Writer::store(const llvm::StoreInst &store)
{
    const llvm::Value &pointer = *store.getPointerOperand(), &value = *store.getValueOperand();
    record(store, store.getPointerAddressSpace(), DMM_MODEL_WRITE, operand(pointer),
        layout_.getTypeAllocSize(value.getType()).getFixedValue());
    if (store.isAtomic())
        throw Refused("it has an atomic store that is no function");
    out_ << place(pointer, value.getType(), store.getAlign().value(), store.isVolatile()) << " = "
         << operand(value) << ";\n";
}

void Writer::insert(
    const llvm::Instruction &instruction, const std::string &where, const llvm::Value &value)
{
    assign(instruction, operand(*instruction.getOperand(0)));
    out_ << name(instruction) << where << " = "
         << (value.getType()->isIntegerTy(1) ? "-(char)" : "") << operand(value) << ";\n";
}

void Writer::switches(const llvm::SwitchInst &instruction)
{
    const llvm::BasicBlock &from = *instruction.getParent();
    out_ << "switch (" << operand(*instruction.getCondition()) << ") {\n";
    for (const auto &each : instruction.cases()) {
        out_ << "case " << constant(*each.getCaseValue()) << ": ";
        edge(from, *each.getCaseSuccessor());
    }
    out_ << "default: ";
    edge(from, *instruction.getDefaultDest());
    out_ << "}\n";
}

void Writer::leaves(const llvm::Instruction &instruction)
{
    const llvm::BasicBlock &from = *instruction.getParent();
    if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
        if (branch->isConditional())
            out_ << "if (" << operand(*branch->getCondition()) << ") ";
        edge(from, *branch->getSuccessor(0));
        if (branch->isConditional())
            edge(from, *branch->getSuccessor(1));
    } else if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
        switches(*choice);
    } else if (is_kernel_) {
        out_ << "meter_end(m, " << (wanted_.operations ? "true" : "false") << ");\nreturn;\n";
    } else {
        llvm::Type *type = from.getParent()->getReturnType();
        const auto *back = llvm::dyn_cast<llvm::ReturnInst>(&instruction);
        const llvm::Value *value = back ? back->getReturnValue() : nullptr;
        if (wanted_.calls)
            event(EVENT_RETURN, "0");
        if (type->isVoidTy())
            out_ << "return;\n";
        else
            out_ << "return " << (value ? operand(*value) : constant(*llvm::UndefValue::get(type)))
                 << ";\n";
    }
}

/* Writes what is not an expression. False: it is one. */
bool Writer::statement(llvm::Instruction &instruction)
{
    if (const auto *each = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        load(*each);
    else if (const auto *to = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        store(*to);
    else if (const auto *calls = llvm::dyn_cast<llvm::CallInst>(&instruction))
        call(*calls);
    else if (llvm::isa<llvm::AllocaInst>(instruction))
        assign(instruction, name(instruction) + "_");
    else if (const auto *part = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
        const auto *index = llvm::dyn_cast<llvm::ConstantInt>(part->getOperand(2));
        insert(*part,
            index ? std::string(".s") + "0123456789abcdef"[index->getZExtValue() & 15]
                  : "[" + operand(*part->getOperand(2)) + "]",
            *part->getOperand(1));
    } else if (const auto *field = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
        std::string where;
        const llvm::Type *type = field->getType();
        for (unsigned index : field->indices()) {
            where += type->isArrayTy() ? ".f[" + std::to_string(index) + "]"
                                       : ".f" + std::to_string(index);
            type =
                type->isArrayTy() ? type->getArrayElementType() : type->getStructElementType(index);
        }
        assign(*field, operand(*field->getAggregateOperand()));
        out_ << name(*field) << where << " = " << operand(*field->getInsertedValueOperand())
             << ";\n";
    } else if (instruction.isTerminator())
        leaves(instruction);
    else
        return llvm::isa<llvm::PHINode>(instruction);
    return true;
}

void Writer::instruction(llvm::Instruction &instruction)
{
    if (!statement(instruction))
        assign(instruction, expression(instruction, instruction.getOpcode()));
}

} // namespace meter
