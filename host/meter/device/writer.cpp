/* SPDX-License-Identifier: MIT */
/* Functions, blocks and edges of a program: see writer.h. */
#include "writer.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Constants.h>

namespace meter
{

Writer::Writer(llvm::Module &module, Sites &sites, const Wanted &wanted)
    : module_(module), layout_(module.getDataLayout()), sites_(sites), wanted_(wanted)
{
}

static bool is_kernel(const llvm::Function &function)
{
    return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL;
}

static void add_globals(std::set<const llvm::GlobalVariable *> &arrays, const llvm::Value &value)
{
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
        if (global->getAddressSpace() == LOCAL_SPACE)
            arrays.insert(global);
    } else if (const auto *constant = llvm::dyn_cast<llvm::ConstantExpr>(&value)) {
        for (const llvm::Use &use : constant->operands())
            add_globals(arrays, *use);
    }
}

/* Finds the local arrays of each function, then adds those of its callees until none is new. */
void Writer::find_arrays()
{
    for (const llvm::Function &function : module_)
        for (const llvm::BasicBlock &block : function)
            for (const llvm::Instruction &instruction : block)
                for (const llvm::Use &use : instruction.operands())
                    add_globals(arrays_[&function], *use);
    for (bool grows = true; grows;) {
        grows = false;
        for (const llvm::Function &function : module_)
            for (const llvm::BasicBlock &block : function)
                for (const llvm::Instruction &instruction : block) {
                    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
                    if (!callee || callee->isDeclaration())
                        continue;
                    auto &mine = arrays_[&function];
                    const size_t before = mine.size();
                    const auto theirs = arrays_[callee];
                    mine.insert(theirs.begin(), theirs.end());
                    grows |= mine.size() > before;
                }
    }
}

void Writer::check(const llvm::Function &function)
{
    if (function.isVarArg())
        throw Refused(
            "function " + function.getName().str() + " has a variable number of arguments");
    for (const llvm::User *user : function.users()) {
        const auto *call = llvm::dyn_cast<llvm::CallInst>(user);
        if (!call || call->getCalledFunction() != &function)
            throw Refused("it takes the address of function " + function.getName().str());
        if (is_kernel(function))
            throw Refused("it calls the kernel " + function.getName().str());
    }
}

/* Constants and variables of the program, as bytes. */
std::string Writer::globals()
{
    std::string text;
    for (const llvm::GlobalVariable &global : module_.globals()) {
        const unsigned space = global.getAddressSpace();
        if (space == LOCAL_SPACE || global.use_empty())
            continue;
        if (space != CONSTANT_SPACE && space != GLOBAL_SPACE)
            throw Refused("it has a private variable outside of functions");
        if (!global.hasInitializer())
            throw Refused("it has the external variable " + global.getName().str());
        const std::string name = "meter_global" + std::to_string(next_name_++);
        names_[&global] = "((" + byte_pointer(space) + ")" + name + ")";
        const uint64_t align = std::max<uint64_t>(global.getAlign().valueOrOne().value(), 1);
        text += space_name(space) + "uchar " + name + "[" +
                std::to_string(layout_.getTypeAllocSize(global.getValueType()).getFixedValue()) +
                "] __attribute__((aligned(" + std::to_string(align) + "))) = {" +
                elements(*global.getInitializer()) + "};\n";
    }
    return text;
}

static std::string three(const llvm::MDNode &node)
{
    std::string text;
    for (const llvm::MDOperand &operand : node.operands())
        text += (text.empty() ? "" : ", ") +
                std::to_string(llvm::mdconst::extract<llvm::ConstantInt>(operand)->getZExtValue());
    return text;
}

std::string Writer::kernel_attributes(const llvm::Function &function)
{
    std::string text;
    for (const char *word :
        {"reqd_work_group_size", "work_group_size_hint", "intel_reqd_sub_group_size"})
        if (const llvm::MDNode *node = function.getMetadata(word))
            text += "__attribute__((" + std::string(word) + "(" + three(*node) + "))) ";
    return text;
}

std::string Writer::head(const llvm::Function &function)
{
    const bool kernel = is_kernel(function);
    std::string text;
    if (kernel)
        text = "__kernel " + kernel_attributes(function);
    else if (function.hasFnAttribute(llvm::Attribute::NoInline))
        text = "__attribute__((noinline)) ";
    text += types_.value(function.getReturnType()) + " " + (kernel ? "" : "meter_in_") +
            function.getName().str() + "(";
    for (const llvm::Argument &argument : function.args()) {
        std::string type = types_.value(argument.getType());
        if (kernel && argument.hasByValAttr())
            type =
                types_.bytes(layout_.getTypeAllocSize(argument.getParamByValType()).getFixedValue(),
                    argument.getParamAlign().valueOrOne().value());
        text += type + " a" + std::to_string(argument.getArgNo()) + ", ";
    }
    if (kernel)
        return text + "__global ulong *meter_pool)";
    text += "__private meter_lane *m, ulong path";
    for (const llvm::GlobalVariable *array : arrays_[&function])
        text += ", __local uchar *" + name(*array);
    return text + ")";
}

/* Declares local arrays and the state, and records where arrays begin. */
void Writer::begin_kernel(const llvm::Function &function)
{
    const std::string kernel = function.getName().str();
    std::string bases;
    for (const llvm::Argument &argument : function.args()) {
        const std::string at = "a" + std::to_string(argument.getArgNo());
        if (argument.hasByValAttr()) {
            names_[&argument] = "((__private uchar *)&" + at + ")";
            continue;
        }
        const llvm::Type *type = argument.getType();
        const unsigned space =
            type->isPointerTy() ? type->getPointerAddressSpace() : CONSTANT_SPACE;
        if (space == GLOBAL_SPACE || space == LOCAL_SPACE)
            bases +=
                "meter_base(m, " + std::to_string(argument.getArgNo()) + ", (ulong)" + at + ");\n";
    }
    for (const llvm::GlobalVariable *array : arrays_[&function]) {
        const uint64_t bytes = layout_.getTypeAllocSize(array->getValueType()).getFixedValue();
        const uint32_t number = sites_.array(kernel, bytes);
        out_ << "__local uchar " << name(*array) << "_[" << std::max<uint64_t>(bytes, 1)
             << "] __attribute__((aligned("
             << std::max<uint64_t>(array->getAlign().valueOrOne().value(), 16) << ")));\n"
             << "__local uchar *" << name(*array) << " = " << name(*array) << "_;\n";
        bases += "meter_base(m, " + std::to_string(number) + ", (ulong)" + name(*array) + ");\n";
    }
    now_.own += function.arg_size() + arrays_[&function].size() + 1;
    out_ << "__private meter_lane lane_, *m = &lane_;\nmeter_begin(m, meter_pool);\nulong path = "
            "0;\n"
         << bases;
}

/* Declares a variable for each value, loop and variable in memory. */
void Writer::variables(llvm::Function &function)
{
    for (const llvm::BasicBlock &block : function)
        for (const llvm::Instruction &instruction : block) {
            llvm::Type *type = instruction.getType();
            if (type->isVoidTy() ||
                (llvm::isa<llvm::IntrinsicInst>(instruction) && instruction.use_empty()))
                continue;
            out_ << types_.value(type) << ' ' << name(instruction) << ";\n";
            const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
            if (!variable)
                continue;
            const auto *count = llvm::dyn_cast<llvm::ConstantInt>(variable->getArraySize());
            if (!count)
                throw Refused("a function has an array of variable length");
            out_ << "uchar " << name(instruction) << "_["
                 << layout_.getTypeAllocSize(variable->getAllocatedType()).getFixedValue() *
                            count->getZExtValue() +
                        1
                 << "] __attribute__((aligned(" << variable->getAlign().value() << ")));\n";
        }
    for (const llvm::Loop *loop : shape_->loops.getLoopsInPreorder()) {
        const unsigned number = static_cast<unsigned>(loop_numbers_.size());
        loop_numbers_[loop] = number;
        out_ << "ulong turn" << number << " = 0, base" << number << " = 0, path" << number
             << " = 0;\n";
    }
}

void Writer::function(llvm::Function &function)
{
    const auto globals = names_;
    is_kernel_ = is_kernel(function);
    shape_ = std::make_unique<Shape>(function);
    now_ = Recorded();
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 4> backward;
    llvm::FindFunctionBackedges(function, backward);
    now_.loops = !backward.empty();
    loop_numbers_.clear();
    for (const llvm::Argument &argument : function.args())
        names_[&argument] = "a" + std::to_string(argument.getArgNo());
    out_ << head(function) << "\n{\n";
    if (is_kernel_)
        begin_kernel(function);
    for (llvm::Argument &argument : function.args())
        if (!is_kernel_ && argument.hasByValAttr()) {
            const uint64_t size =
                layout_.getTypeAllocSize(argument.getParamByValType()).getFixedValue();
            const std::string type =
                types_.bytes(size, argument.getParamAlign().valueOrOne().value());
            out_ << type << " copy" << argument.getArgNo() << " = *(__private " << type << " *)a"
                 << argument.getArgNo() << ";\na" << argument.getArgNo()
                 << " = (__private uchar *)&copy" << argument.getArgNo() << ";\n";
        }
    variables(function);
    for (llvm::BasicBlock &each : function) {
        if (!each.isEntryBlock())
            out_ << name(each) << ":;\n";
        block(each);
    }
    copies();
    out_ << "}\n\n";
    recorded_[&function] = now_;
    functions_written_++;
    names_ = globals;
}

void Writer::block(llvm::BasicBlock &block)
{
    size_t count = 0;
    for (const llvm::Instruction &instruction : block)
        count += !llvm::isa<llvm::DbgInfoIntrinsic>(instruction);
    if (wanted_.operations)
        out_ << "m->operations += " << count << ";\n";
    for (llvm::Instruction &each : block)
        instruction(each);
}

std::string Writer::path_of(const llvm::Loop *loop)
{
    return loop ? "path" + std::to_string(loop_numbers_[loop]) : "path";
}

std::string Writer::path_at(const llvm::BasicBlock &block)
{
    return path_of(shape_->loops.getLoopFor(&block));
}

/* Counts a loop's iterations where control enters its header. */
void Writer::loops(const llvm::BasicBlock &from, const llvm::BasicBlock &to)
{
    const llvm::Loop *loop = shape_->loops.getLoopFor(&to);
    if (!loop || loop->getHeader() != &to)
        return;
    const std::string number = std::to_string(loop_numbers_[loop]);
    if (loop->contains(&from))
        out_ << "turn" << number << "++; ";
    else
        out_ << "turn" << number << " = 0; base" << number << " = meter_mix("
             << path_of(loop->getParentLoop()) << ", "
             << (static_cast<uint64_t>(functions_written_) << 20 | loop_numbers_[loop]) << "); ";
    out_ << "path" << number << " = meter_mix(base" << number << ", turn" << number << "); ";
}

void Writer::edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to)
{
    std::string values, moves;
    for (const llvm::PHINode &phi : to.phis()) {
        const llvm::Value &value = *phi.getIncomingValueForBlock(&from);
        if (llvm::isa<llvm::UndefValue>(value))
            continue;
        values += types_.value(phi.getType()) + " n" + name(phi) + " = " + operand(value) + "; ";
        moves += name(phi) + " = n" + name(phi) + "; ";
    }
    out_ << "{ " << values << moves;
    loops(from, to);
    out_ << "goto " << label(from, to) << "; }\n";
}

/* Adds the records that a call of the function makes at most. False: a loop may make more. */
bool Writer::add_records(const llvm::Function &function, uint64_t *sum) const
{
    const Recorded &recorded = recorded_.at(&function);
    *sum += recorded.own;
    bool known = !recorded.loops;
    for (size_t i = 0; i < recorded.callees.size() && known; i++)
        known = add_records(*recorded.callees[i], sum);
    return known;
}

std::string Writer::write()
{
    find_arrays();
    find_barriers();
    for (const llvm::Function &each : module_)
        if (!each.isDeclaration())
            check(each);
    const std::string constants = globals();
    std::string heads;
    for (llvm::Function &each : module_)
        if (!each.isDeclaration() && !is_kernel(each))
            heads += head(each) + ";\n";
    for (llvm::Function &each : module_)
        if (!each.isDeclaration())
            function(each);
    for (const llvm::Function &each : module_)
        if (!each.isDeclaration() && is_kernel(each)) {
            uint64_t most = 0;
            const bool known = add_records(each, &most);
            sites_.kernel(each.getName().str(), each.arg_size(), known ? most : 0);
        }
    return types_.definitions() + constants + heads + "\n" + out_.str();
}

} // namespace meter
