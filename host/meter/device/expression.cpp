/* SPDX-License-Identifier: MIT */
/* Values and operations of a program: see writer.h. */
#include "writer.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

namespace meter
{

std::string Writer::name(const llvm::Value &value)
{
    std::string &text = names_[&value];
    if (text.empty())
        text = (llvm::isa<llvm::BasicBlock>(value)          ? "b"
                   : llvm::isa<llvm::GlobalVariable>(value) ? "array"
                                                            : "v") +
               std::to_string(next_name_++);
    return text;
}

std::string Writer::operand(const llvm::Value &value)
{
    const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&value);
    if (global)
        return name(value);
    if (const auto *known = llvm::dyn_cast<llvm::Constant>(&value))
        return constant(*known);
    return name(value);
}

std::string Writer::integer(uint64_t value, const llvm::Type &type)
{
    const unsigned bits = type.getIntegerBitWidth();
    if (bits == 1)
        return value & 1 ? "true" : "false";
    const std::string text =
        std::to_string(bits < 64 ? value & ((uint64_t{1} << bits) - 1) : value);
    if (bits <= 8)
        return "(uchar)" + text;
    if (bits <= 16)
        return "(ushort)" + text;
    return text + (bits <= 32 ? "u" : "ul");
}

static std::string floating(const llvm::ConstantFP &constant)
{
    const std::string bits = std::to_string(constant.getValueAPF().bitcastToAPInt().getZExtValue());
    if (constant.getType()->isFloatTy())
        return "as_float(" + bits + "u)";
    if (constant.getType()->isDoubleTy())
        return "as_double(" + bits + "ul)";
    return "as_half((ushort)" + bits + ")";
}

std::string Writer::constant(const llvm::Constant &constant)
{
    llvm::Type *type = constant.getType();
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
        if (number->getBitWidth() > 64)
            throw Refused(
                "it computes with integers of " + std::to_string(number->getBitWidth()) + " bits");
        return integer(number->getZExtValue(), *type);
    }
    if (const auto *number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
        return floating(*number);
    if (const auto *expression_of = llvm::dyn_cast<llvm::ConstantExpr>(&constant))
        return expression(*expression_of, expression_of->getOpcode());
    if (type->isPointerTy())
        return "(" + types_.value(type) + ")0";
    if (type->isAggregateType())
        return "(" + types_.value(type) + "){0}";
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (!vector)
        return "(" + types_.value(type) + ")0";
    std::string parts;
    for (unsigned i = 0; i < vector->getNumElements(); i++) {
        const llvm::Constant *element = constant.getAggregateElement(i);
        std::string part = element ? operand(*element) : "0";
        if (is_mask(type))
            part = "(char)-" + ("(" + part + ")");
        parts += (i ? ", " : "") + part;
    }
    return "(" + types_.value(type) + ")(" + parts + ")";
}

/* The bytes of a constant, in memory order. */
std::string Writer::elements(const llvm::Constant &constant)
{
    llvm::Type *type = constant.getType();
    const uint64_t size = layout_.getTypeAllocSize(type).getFixedValue();
    std::string text;
    uint64_t bits = 0;
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
        bits = number->getZExtValue();
    } else if (const auto *real = llvm::dyn_cast<llvm::ConstantFP>(&constant)) {
        bits = real->getValueAPF().bitcastToAPInt().getZExtValue();
    } else if (!constant.isZeroValue() && !llvm::isa<llvm::UndefValue>(constant)) {
        if (!type->isAggregateType() && !type->isVectorTy())
            throw Refused("a constant has the address of another one");
        const auto *record = llvm::dyn_cast<llvm::StructType>(type);
        uint64_t at = 0;
        for (unsigned i = 0; constant.getAggregateElement(i); i++) {
            const llvm::Constant &element = *constant.getAggregateElement(i);
            for (; record && at < layout_.getStructLayout(const_cast<llvm::StructType *>(record))
                                      ->getElementOffset(i);
                 at++)
                text += "0,";
            text += elements(element);
            at += layout_.getTypeAllocSize(element.getType()).getFixedValue();
        }
        for (; at < size; at++)
            text += "0,";
        return text;
    }
    for (uint64_t i = 0; i < size; i++)
        text += std::to_string(i < 8 ? bits >> 8 * i & 255 : 0) + ",";
    return text;
}

/* Narrow integers are kept without a sign in the next wider type. */
static unsigned spare_bits(const llvm::Type *type)
{
    if (!type->isIntegerTy())
        return 0;
    unsigned bits = type->getIntegerBitWidth(), held = 8;
    while (held < bits)
        held *= 2;
    return held - bits;
}

std::string Writer::with_sign(const llvm::Value &value)
{
    llvm::Type *type = value.getType();
    if (type->isIntegerTy(1))
        return "(-(int)" + operand(value) + ")";
    if (type->isVectorTy())
        return is_mask(type) ? operand(value)
                             : "as_" + types_.with_sign(type) + "(" + operand(value) + ")";
    const std::string name = types_.with_sign(type), spare = std::to_string(spare_bits(type));
    if (spare == "0")
        return "(" + name + ")" + operand(value);
    return "((" + name + ")(" + operand(value) + " << " + spare + ") >> " + spare + ")";
}

std::string Writer::unsigned_again(const std::string &text, llvm::Type *type)
{
    if (type->isVectorTy())
        return "as_" + types_.value(type) + "(" + text + ")";
    if (!type->isIntegerTy() || type->isIntegerTy(1))
        return text;
    const unsigned bits = type->getIntegerBitWidth();
    if (spare_bits(type) == 0)
        return "(" + types_.value(type) + ")(" + text + ")";
    return "(" + types_.value(type) + ")((" + text + ") & " +
           std::to_string((uint64_t{1} << bits) - 1) + "ul)";
}

/* The bytes that a getelementptr adds. */
std::string Writer::offset(const llvm::User &user)
{
    int64_t known = 0;
    std::string text;
    for (auto step = llvm::gep_type_begin(user); step != llvm::gep_type_end(user); ++step) {
        const llvm::Value *index = step.getOperand();
        if (llvm::StructType *record = step.getStructTypeOrNull()) {
            known += static_cast<int64_t>(layout_.getStructLayout(record)->getElementOffset(
                static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue())));
            continue;
        }
        const auto size =
            static_cast<int64_t>(layout_.getTypeAllocSize(step.getIndexedType()).getFixedValue());
        if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(index))
            known += number->getSExtValue() * size;
        else
            text += " + (long)" + with_sign(*index) + " * " + std::to_string(size);
    }
    return text + (known ? " + (" + std::to_string(known) + "l)" : "");
}

/* Casts between a vector of conditions and an integer with a bit for each. */
static std::string bits_of_conditions(
    const std::string &value, const llvm::Type *from, const llvm::Type *to)
{
    const auto *vector = llvm::cast<llvm::FixedVectorType>(is_mask(to) ? to : from);
    const unsigned count = vector->getNumElements();
    if (is_mask(to) == is_mask(from))
        return value;
    if (!(is_mask(to) ? from : to)->isIntegerTy())
        throw Refused("it takes the bits of a vector of conditions");
    std::string text;
    for (unsigned i = 0; i < count; i++) {
        const std::string number = std::to_string(i);
        if (is_mask(to))
            text += (i ? ", " : "") + ("(char)-(" + value + " >> " + number + " & 1)");
        else
            text += (i ? " | " : "") + ("(" + value + ").s") + "0123456789abcdef"[i] + " & 1 << " +
                    number;
    }
    return (is_mask(to) ? "(char" + std::to_string(count) + ")(" : "(") + text + ")";
}

std::string Writer::cast(const llvm::User &user, unsigned opcode)
{
    const llvm::Value &from = *user.getOperand(0);
    llvm::Type *to = user.getType();
    const bool vector = to->isVectorTy();
    const std::string type = types_.value(to);
    const std::string open = vector ? "convert_" + type + "(" : "(" + type + ")(";
    switch (opcode) {
    case llvm::Instruction::Trunc:
        if (is_mask(to))
            return "convert_" + type + "(-(" + operand(from) + " & 1))";
        return to->isIntegerTy(1) ? "(" + operand(from) + " & 1) != 0"
                                  : unsigned_again(open + operand(from) + ")", to);
    case llvm::Instruction::ZExt:
        return open + operand(from) + (is_mask(from.getType()) ? " & (char)1)" : ")");
    case llvm::Instruction::SExt:
    case llvm::Instruction::FPToSI:
        return unsigned_again(
            (vector ? "convert_" + types_.with_sign(to) + "(" : "(" + types_.with_sign(to) + ")(") +
                (opcode == llvm::Instruction::SExt ? with_sign(from) : operand(from)) + ")",
            to);
    case llvm::Instruction::SIToFP:
        return open + with_sign(from) + ")";
    case llvm::Instruction::BitCast:
        if (to->isPointerTy())
            return operand(from);
        if (is_mask(to) || is_mask(from.getType()))
            return bits_of_conditions(operand(from), from.getType(), to);
        if (spare_bits(to) || spare_bits(from.getType()))
            throw Refused("it takes the bits of a vector of odd integers");
        return "as_" + type + "(" + operand(from) + ")";
    default: /* UIToFP, FPToUI, FPExt, FPTrunc, PtrToInt, IntToPtr, AddrSpaceCast */
        return open + operand(from) + ")";
    }
}

static const char *sign_of(unsigned opcode)
{
    switch (opcode) {
    case llvm::Instruction::Add:
    case llvm::Instruction::FAdd:
        return " + ";
    case llvm::Instruction::Sub:
    case llvm::Instruction::FSub:
        return " - ";
    case llvm::Instruction::Mul:
    case llvm::Instruction::FMul:
        return " * ";
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::FDiv:
        return " / ";
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
        return " % ";
    case llvm::Instruction::Shl:
        return " << ";
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
        return " >> ";
    case llvm::Instruction::And:
        return " & ";
    case llvm::Instruction::Or:
        return " | ";
    case llvm::Instruction::Xor:
        return " ^ ";
    default:
        return nullptr;
    }
}

std::string Writer::binary(const llvm::User &user, unsigned opcode)
{
    llvm::Type *type = user.getType();
    const llvm::Value &a = *user.getOperand(0), &b = *user.getOperand(1);
    if (opcode == llvm::Instruction::FRem)
        return "fmod(" + operand(a) + ", " + operand(b) + ")";
    const char *sign = sign_of(opcode);
    if (type->isFPOrFPVectorTy())
        return operand(a) + sign + operand(b);
    std::string right = operand(b), left = operand(a);
    switch (opcode) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::SRem:
        right = with_sign(b);
        left = with_sign(a);
        break;
    case llvm::Instruction::AShr:
        left = with_sign(a);
        if (type->isVectorTy())
            right = with_sign(b);
        break;
    default: /* without promotion to int, whose overflow is undefined */
        if (type->isIntegerTy() && type->getIntegerBitWidth() < 32 && !type->isIntegerTy(1))
            left = "(uint)" + left;
    }
    return unsigned_again(left + sign + right, type);
}

static const char *sign_of(llvm::CmpInst::Predicate predicate)
{
    switch (llvm::CmpInst::isFPPredicate(predicate)
                ? predicate
                : llvm::ICmpInst::getUnsignedPredicate(predicate)) {
    case llvm::CmpInst::ICMP_UGT:
    case llvm::CmpInst::FCMP_OGT:
        return " > ";
    case llvm::CmpInst::ICMP_UGE:
    case llvm::CmpInst::FCMP_OGE:
        return " >= ";
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::FCMP_OLT:
        return " < ";
    case llvm::CmpInst::ICMP_ULE:
    case llvm::CmpInst::FCMP_OLE:
        return " <= ";
    case llvm::CmpInst::ICMP_NE:
    case llvm::CmpInst::FCMP_UNE:
        return " != ";
    default:
        return " == ";
    }
}

std::string Writer::compare_numbers(const llvm::CmpInst &compare)
{
    const llvm::Value &a = *compare.getOperand(0), &b = *compare.getOperand(1);
    auto predicate = compare.getPredicate();
    std::string sign = llvm::ICmpInst::isEquality(predicate) || compare.isUnsigned()
                           ? sign_of(predicate)
                           : sign_of(llvm::ICmpInst::getUnsignedPredicate(predicate));
    if (a.getType()->isPointerTy())
        return "(ulong)" + operand(a) + sign + "(ulong)" + operand(b);
    return compare.isSigned() ? with_sign(a) + sign + with_sign(b) : operand(a) + sign + operand(b);
}

/* A comparison that is true for NaN is the opposite of one that is false. */
std::string Writer::compare_floats(const llvm::CmpInst &compare)
{
    const std::string a = operand(*compare.getOperand(0)), b = operand(*compare.getOperand(1));
    const char *opposite = compare.getType()->isVectorTy() ? "~" : "!";
    switch (compare.getPredicate()) {
    case llvm::CmpInst::FCMP_ONE:
        return "islessgreater(" + a + ", " + b + ")";
    case llvm::CmpInst::FCMP_UEQ:
        return opposite + ("islessgreater(" + a + ", " + b + ")");
    case llvm::CmpInst::FCMP_ORD:
        return "isordered(" + a + ", " + b + ")";
    case llvm::CmpInst::FCMP_UNO:
        return "isunordered(" + a + ", " + b + ")";
    case llvm::CmpInst::FCMP_UGT:
    case llvm::CmpInst::FCMP_UGE:
    case llvm::CmpInst::FCMP_ULT:
    case llvm::CmpInst::FCMP_ULE:
        return opposite + ("(" + a + sign_of(compare.getInversePredicate()) + b + ")");
    case llvm::CmpInst::FCMP_TRUE:
    case llvm::CmpInst::FCMP_FALSE:
        throw Refused("it has a comparison without operands");
    default:
        return a + sign_of(compare.getPredicate()) + b;
    }
}

std::string Writer::compare(const llvm::CmpInst &compare)
{
    const std::string text =
        llvm::isa<llvm::FCmpInst>(compare) ? compare_floats(compare) : compare_numbers(compare);
    if (!compare.getType()->isVectorTy())
        return text;
    return "convert_" + types_.value(compare.getType()) + "(" + text + ")";
}

std::string Writer::select(const llvm::SelectInst &select)
{
    llvm::Type *type = select.getType();
    const std::string when = operand(*select.getTrueValue()),
                      otherwise = operand(*select.getFalseValue());
    std::string condition = operand(*select.getCondition());
    if (!is_mask(select.getCondition()->getType()))
        return condition + " ? " + when + " : " + otherwise;
    if (!is_mask(type)) {
        static const char *const integers[] = {"char", "short", "int", "long"};
        const auto *vector = llvm::cast<llvm::FixedVectorType>(type);
        unsigned size = 0;
        while (8u << size < vector->getScalarSizeInBits())
            size++;
        condition = "convert_" + std::string(integers[size]) +
                    std::to_string(vector->getNumElements()) + "(" + condition + ")";
    }
    return "select(" + otherwise + ", " + when + ", " + condition + ")";
}

static std::string element(unsigned index)
{
    return std::string(".s") + "0123456789abcdef"[index];
}

std::string Writer::shuffle(const llvm::ShuffleVectorInst &shuffle)
{
    const auto *from = llvm::cast<llvm::FixedVectorType>(shuffle.getOperand(0)->getType());
    const unsigned width = from->getNumElements();
    const std::string sources[] = {
        "(" + operand(*shuffle.getOperand(0)) + ")", "(" + operand(*shuffle.getOperand(1)) + ")"};
    std::string parts;
    for (int index : shuffle.getShuffleMask()) {
        const unsigned at = static_cast<unsigned>(std::max(index, 0));
        parts += (parts.empty() ? "" : ", ") +
                 (index < 0 ? "0" : sources[at / width] + element(at % width));
    }
    return "(" + types_.value(shuffle.getType()) + ")(" + parts + ")";
}

/* Returns the value of an instruction, or of a constant expression, without side effects. */
std::string Writer::expression(const llvm::User &user, unsigned opcode)
{
    if (llvm::Instruction::isCast(opcode))
        return "(" + cast(user, opcode) + ")";
    if (llvm::Instruction::isBinaryOp(opcode))
        return "(" + binary(user, opcode) + ")";
    if (opcode == llvm::Instruction::GetElementPtr)
        return "(" + operand(*user.getOperand(0)) + offset(user) + ")";
    if (opcode == llvm::Instruction::FNeg)
        return "-" + operand(*user.getOperand(0));
    if (opcode == llvm::Instruction::Freeze)
        return operand(*user.getOperand(0));
    if (const auto *each = llvm::dyn_cast<llvm::CmpInst>(&user))
        return compare(*each);
    if (const auto *each = llvm::dyn_cast<llvm::SelectInst>(&user))
        return select(*each);
    if (const auto *each = llvm::dyn_cast<llvm::ShuffleVectorInst>(&user))
        return shuffle(*each);
    if (const auto *each = llvm::dyn_cast<llvm::ExtractElementInst>(&user)) {
        const std::string vector = operand(*each->getVectorOperand());
        const auto *index = llvm::dyn_cast<llvm::ConstantInt>(each->getIndexOperand());
        const std::string where = index ? element(static_cast<unsigned>(index->getZExtValue()))
                                        : "[" + operand(*each->getIndexOperand()) + "]";
        return "(" + vector + ")" + where + (each->getType()->isIntegerTy(1) ? " != 0" : "");
    }
    if (const auto *each = llvm::dyn_cast<llvm::ExtractValueInst>(&user)) {
        std::string text = operand(*each->getAggregateOperand());
        const llvm::Type *type = each->getAggregateOperand()->getType();
        for (unsigned index : each->indices()) {
            text += type->isArrayTy() ? ".f[" + std::to_string(index) + "]"
                                      : ".f" + std::to_string(index);
            type =
                type->isArrayTy() ? type->getArrayElementType() : type->getStructElementType(index);
        }
        return text;
    }
    throw Refused(
        std::string("it uses the instruction ") + llvm::Instruction::getOpcodeName(opcode));
}

} // namespace meter
