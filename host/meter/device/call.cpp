/* SPDX-License-Identifier: MIT */
/* Calls of a program: functions of its own, of OpenCL C, and LLVM's intrinsics. See writer.h. */
#include "writer.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>

namespace meter
{

static bool begins(const std::string &text, const std::string &with)
{
    return text.compare(0, with.size(), with) == 0;
}

static void replace(std::string &text, const std::string &what, const std::string &with)
{
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
}

/* A function of OpenCL C, by its mangled name. */
struct Declared {
    std::string word;
    std::vector<std::string> types; /* in OpenCL C */
};

/* Translates one type of a demangled name. */
static std::string translated(std::string text)
{
    static const char *const names[][2] = {{"unsigned char", "uchar"}, {"signed char", "char"},
        {"unsigned short", "ushort"}, {"unsigned int", "uint"}, {"unsigned long", "ulong"},
        {"_Float16", "half"}, {" AS1", " __global"}, {" AS2", " __constant"}, {" AS3", " __local"},
        {" AS4", " __generic"}, {" _Atomic", ""}, {"ocl_event", "event_t"}};
    const bool is_atomic = text.find("_Atomic") != std::string::npos;
    for (const auto &pair : names)
        replace(text, pair[0], pair[1]);
    size_t at = text.find(" vector[");
    if (at != std::string::npos) {
        size_t end = text.find(']', at);
        text = text.substr(0, at) + text.substr(at + 8, end - at - 8) + text.substr(end + 1);
    }
    if (is_atomic) {
        const size_t end = text.find(' ');
        text = "atomic_" + text.substr(0, end) + text.substr(end);
    }
    if (text.find('*') != std::string::npos && text.find(" __") == std::string::npos)
        text = "__private " + text;
    return text;
}

static Declared declared(const std::string &mangled)
{
    const std::string text = llvm::demangle(mangled);
    const size_t open = text.find('(');
    if (open == std::string::npos)
        return {text, {}};
    Declared result = {text.substr(0, open), {}};
    std::string list = text.substr(open + 1, text.rfind(')') - open - 1);
    while (!list.empty()) {
        const size_t comma = list.find(", ");
        result.types.push_back(translated(list.substr(0, comma)));
        list = comma == std::string::npos ? "" : list.substr(comma + 2);
    }
    return result;
}

static bool synchronises(const std::string &word)
{
    return word == "barrier" || word == "work_group_barrier" || word == "wait_group_events";
}

bool Writer::is_barrier(const llvm::Function &callee)
{
    return callee.isDeclaration() && synchronises(declared(callee.getName().str()).word);
}

/* Records what vload, vstore and atomics access. */
void Writer::built_in_accesses(const llvm::CallInst &call, const std::string &word)
{
    const bool loads = begins(word, "vload"), stores = begins(word, "vstore");
    if ((!loads && !stores && !begins(word, "atom")) || call.arg_size() == 0)
        return;
    const unsigned pointer = loads ? 1 : stores ? 2 : 0;
    if (pointer >= call.arg_size() || !call.getArgOperand(pointer)->getType()->isPointerTy())
        return;
    const llvm::Value &at = *call.getArgOperand(pointer);
    const unsigned space = at.getType()->getPointerAddressSpace();
    if (!loads && !stores) {
        const unsigned value = begins(word, "atomic_compare_exchange") ? 2 : 1;
        llvm::Type *type =
            value < call.arg_size() ? call.getArgOperand(value)->getType() : call.getType();
        const bool flag = type->isVoidTy() || type->isIntegerTy(1) || begins(word, "atomic_flag");
        record(call, space, DMM_MODEL_ATOMIC, operand(at),
            flag ? 4 : layout_.getTypeStoreSize(type).getFixedValue());
        return;
    }
    llvm::Type *type = loads ? call.getType() : call.getArgOperand(0)->getType();
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    const uint64_t count = vector ? vector->getNumElements() : 1;
    const uint64_t each =
        word.find("_half") != std::string::npos ? 2 : type->getScalarSizeInBits() / 8;
    const uint64_t apart = word.find("a_half3") != std::string::npos ? 4 : count;
    record(call, space, loads ? DMM_MODEL_READ : DMM_MODEL_WRITE,
        operand(at) + " + " + operand(*call.getArgOperand(pointer - 1)) + " * " +
            std::to_string(apart * each),
        count * each);
}

void Writer::builtin(const llvm::CallInst &call, const llvm::Function &callee)
{
    const Declared function = declared(callee.getName().str());
    if (function.word == callee.getName().str() || function.types.size() < call.arg_size())
        throw Refused("it calls " + callee.getName().str());
    if (function.word.find("image") != std::string::npos ||
        function.word.find("pipe") != std::string::npos)
        throw Refused("it calls " + function.word);
    built_in_accesses(call, function.word);
    if (synchronises(function.word))
        event(EVENT_BARRIER, "0");
    std::string list;
    for (unsigned i = 0; i < call.arg_size(); i++) {
        const llvm::Value &argument = *call.getArgOperand(i);
        const std::string &type = function.types[i];
        const bool vector = argument.getType()->isVectorTy();
        list += i ? ", " : "";
        list += vector ? "as_" + type + "(" + operand(argument) + ")"
                       : "(" + type + ")(" + operand(argument) + ")";
    }
    const std::string text = function.word + "(" + list + ")";
    if (call.getType()->isVoidTy())
        out_ << text << ";\n";
    else
        assign(call, call.getType()->isVectorTy() ? unsigned_again(text, call.getType()) : text);
}

void Writer::call_inside(const llvm::CallInst &call, const llvm::Function &callee)
{
    const auto known = numbers_.find({&call, DMM_MODEL_READ});
    const uint32_t number = known != numbers_.end() ? known->second : sites_.call(call);
    numbers_[{&call, DMM_MODEL_READ}] = number;
    if (wanted_.calls)
        event(EVENT_CALL, std::to_string(number));
    now_.callees.push_back(&callee);
    std::string list;
    for (const llvm::Use &argument : call.args())
        list += operand(*argument) + ", ";
    list += "m, meter_mix(" + path_at(*call.getParent()) + ", " +
            std::to_string(uint64_t{1} << 40 | number) + ")";
    for (const llvm::GlobalVariable *array : arrays_[&callee])
        list += ", " + name(*array);
    const std::string text = "meter_in_" + callee.getName().str() + "(" + list + ")";
    if (call.getType()->isVoidTy())
        out_ << text << ";\n";
    else
        assign(call, text);
}

/* A memcpy, memmove or memset of known size. */
void Writer::copy(const llvm::MemIntrinsic &copy)
{
    const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
    if (!length)
        throw Refused("it has a copy of variable length");
    const uint64_t size = length->getZExtValue();
    const llvm::Value &to = *copy.getRawDest();
    const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy);
    const uint64_t align = copy.getDestAlign().valueOrOne().value();
    if (size == 0)
        return;
    if (!transfer) {
        record(copy, to.getType()->getPointerAddressSpace(), DMM_MODEL_WRITE, operand(to), size);
        out_ << "for (ulong i = 0; i < " << size << "; i++) (("
             << byte_pointer(to.getType()->getPointerAddressSpace()) << ')' << operand(to)
             << ")[i] = " << operand(*llvm::cast<llvm::MemSetInst>(copy).getValue()) << ";\n";
        return;
    }
    const llvm::Value &from = *transfer->getRawSource();
    const unsigned source = from.getType()->getPointerAddressSpace(),
                   target = to.getType()->getPointerAddressSpace();
    record(copy, source, DMM_MODEL_READ, operand(from), size);
    record(copy, target, DMM_MODEL_WRITE, operand(to), size);
    /* one type for both sides, without padding */
    uint64_t common = std::min<uint64_t>(align, transfer->getSourceAlign().valueOrOne().value());
    while (size % common != 0)
        common /= 2;
    out_ << "*(" << space_name(target) << types_.bytes(size, common) << " *)" << operand(to)
         << " = *(" << space_name(source) << types_.bytes(size, common) << " *)" << operand(from)
         << ";\n";
}

void Writer::call(const llvm::CallInst &call)
{
    const llvm::Function *callee = call.getCalledFunction();
    if (!callee)
        throw Refused(call.isInlineAsm() ? "it has assembly" : "it calls through a pointer");
    if (callee->isIntrinsic()) {
        if (!intrinsic(call, *callee))
            throw Refused("it uses " + callee->getName().str());
    } else if (callee->isDeclaration()) {
        builtin(call, *callee);
    } else {
        call_inside(call, *callee);
    }
}

/* Returns the sum of a vector's elements, or what the name says; empty: unknown. */
static std::string reduction(
    const std::string &word, const std::string &vector, const llvm::FixedVectorType *type)
{
    static const std::unordered_map<std::string, const char *> signs = {
        {"vector.reduce.add", " + "}, {"vector.reduce.mul", " * "}, {"vector.reduce.and", " & "},
        {"vector.reduce.or", " | "}, {"vector.reduce.xor", " ^ "}};
    const auto sign = signs.find(word);
    std::string text;
    for (unsigned i = 0;
         type && sign != signs.end() && !is_mask(type) && i < type->getNumElements(); i++)
        text += (i ? sign->second : "") + ("(" + vector + ").s") + "0123456789abcdef"[i];
    return text;
}

/* False: not one that is known. */
bool Writer::intrinsic(const llvm::CallInst &call, const llvm::Function &callee)
{
    static const std::unordered_map<std::string, std::string> functions = {{"umax", "max"},
        {"umin", "min"}, {"smax", "max"}, {"smin", "min"}, {"abs", "abs"}, {"ctpop", "popcount"},
        {"ctlz", "clz"}, {"usub.sat", "sub_sat"}, {"uadd.sat", "add_sat"}, {"ssub.sat", "sub_sat"},
        {"sadd.sat", "add_sat"}, {"fabs", "fabs"}, {"sqrt", "sqrt"}, {"floor", "floor"},
        {"ceil", "ceil"}, {"trunc", "trunc"}, {"rint", "rint"}, {"fma", "fma"}, {"minnum", "fmin"},
        {"maxnum", "fmax"}, {"copysign", "copysign"}};
    if (const auto *each = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
        copy(*each);
        return true;
    }
    std::string word = callee.getName().str().substr(5); /* behind llvm. */
    if (begins(word, "dbg.") || begins(word, "lifetime.") || begins(word, "assume") ||
        begins(word, "experimental.noalias.scope.decl"))
        return true;
    word = word.substr(0, word.rfind('.'));
    llvm::Type *type = call.getType();
    std::vector<std::string> list;
    for (const llvm::Use &argument : call.args())
        list.push_back(
            word[0] == 's' && word != "sqrt" ? with_sign(*argument) : operand(*argument));
    if (word == "fmuladd") { /* rounded as in Oclgrind, which computes with doubles */
        if (type->isFloatTy())
            assign(call, "meter_fmuladd(" + list[0] + ", " + list[1] + ", " + list[2] + ")");
        else
            assign(call, list[0] + " * " + list[1] + " + " + list[2]);
        return true;
    }
    const std::string bits = std::to_string(type->getScalarSizeInBits());
    if (word == "fshl" && !type->isVectorTy() && call.getArgOperand(0) == call.getArgOperand(1)) {
        assign(call, "rotate(" + list[0] + ", " + list[2] + ")");
        return true;
    }
    if ((word == "fshl" || word == "fshr") && !type->isVectorTy()) {
        const std::string by = "(" + list[2] + " % " + bits + ")",
                          rest = "(" + bits + " - " + by + ")";
        const bool left = word == "fshl";
        assign(call, by + " == 0 ? " + list[left ? 0 : 1] + " : " + list[0] + " << " +
                         (left ? by : rest) + " | " + list[1] + " >> " + (left ? rest : by));
        return true;
    }
    if (word == "bitreverse" || word == "bswap" || word == "cttz") {
        if (type->isVectorTy() || (bits != "32" && bits != "64"))
            return false;
        assign(call, "meter_" + word + bits + "(" + list[0] + ")");
        return true;
    }
    if (begins(word, "vector.reduce.")) {
        const std::string reduced = reduction(
            word, list[0], llvm::dyn_cast<llvm::FixedVectorType>(call.getArgOperand(0)->getType()));
        if (!reduced.empty())
            assign(call, unsigned_again(reduced, type));
        return !reduced.empty();
    }
    const auto found = functions.find(word);
    if (found == functions.end())
        return false;
    if (word == "abs" || word == "ctlz" || word == "ctpop")
        list.resize(1);
    if (word == "abs")
        list[0] = with_sign(*call.getArgOperand(0));
    std::string text;
    for (const std::string &argument : list)
        text += (text.empty() ? "" : ", ") + argument;
    text = found->second + "(" + text + ")";
    assign(call, type->isFPOrFPVectorTy() ? text : unsigned_again(text, type));
    return true;
}

} // namespace meter
