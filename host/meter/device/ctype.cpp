/* SPDX-License-Identifier: MIT */
/* OpenCL C types for the types of LLVM IR: see ctype.h. */
#include "ctype.h"

#include <llvm/IR/DerivedTypes.h>

namespace meter
{

std::string space_name(unsigned space)
{
    static const char *const names[] = {"__private ", "__global ", "__constant ", "__local ", ""};
    if (space > GENERIC_SPACE)
        throw Refused("a pointer has address space " + std::to_string(space));
    return names[space];
}

std::string byte_pointer(unsigned space)
{
    return space_name(space) + "uchar *";
}

bool is_mask(const llvm::Type *type)
{
    return type->isVectorTy() && type->isIntOrIntVectorTy(1);
}

static std::string integer(unsigned bits, bool has_sign)
{
    static const char *const names[] = {"char", "short", "int", "long"};
    for (unsigned i = 0; i < 4; i++)
        if (bits <= 8u << i)
            return (has_sign ? "" : "u") + std::string(names[i]);
    throw Refused("it computes with integers of " + std::to_string(bits) + " bits");
}

static std::string scalar(llvm::Type *type, bool has_sign)
{
    if (type->isIntegerTy(1))
        return "bool";
    if (type->isIntegerTy())
        return integer(type->getIntegerBitWidth(), has_sign);
    if (type->isHalfTy())
        return "half";
    if (type->isFloatTy())
        return "float";
    if (type->isDoubleTy())
        return "double";
    throw Refused("it has values of a type that OpenCL C lacks");
}

static std::string vector(llvm::Type *type, bool has_sign)
{
    const auto *fixed = llvm::dyn_cast<llvm::FixedVectorType>(type);
    unsigned count = fixed ? fixed->getNumElements() : 0;
    if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16)
        throw Refused("it has vectors of " + std::to_string(count) + " elements");
    if (fixed->getElementType()->isPointerTy())
        throw Refused("it has vectors of pointers");
    std::string element = is_mask(type) ? "char" : scalar(fixed->getElementType(), has_sign);
    return element + std::to_string(count);
}

/* Returns the name of an opaque type, such as event_t, that a pointer stands for; else nothing. */
static std::string opaque(llvm::Type *type)
{
    llvm::StructType *pointee = nullptr;
#if LLVM_VERSION_MAJOR < 15
    pointee = llvm::dyn_cast<llvm::StructType>(type->getPointerElementType());
#else
    (void)type;
#endif
    if (!pointee || !pointee->isOpaque() || !pointee->hasName())
        return "";
    std::string name = pointee->getName().str();
    if (name == "opencl.event_t")
        return "event_t";
    throw Refused("it uses " + name.substr(name.find('.') + 1));
}

std::string Types::value(llvm::Type *type)
{
    if (type->isVoidTy())
        return "void";
    if (type->isPointerTy()) {
        std::string name = opaque(type);
        return name.empty() ? byte_pointer(type->getPointerAddressSpace()) : name;
    }
    if (type->isVectorTy())
        return vector(type, false);
    if (type->isAggregateType())
        return aggregate(type);
    return scalar(type, false);
}

std::string Types::with_sign(llvm::Type *type)
{
    return type->isVectorTy() ? vector(type, true) : scalar(type, true);
}

std::string Types::aggregate(llvm::Type *type)
{
    auto found = aggregates_.find(type);
    if (found != aggregates_.end())
        return found->second;
    std::string fields;
    if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
        fields =
            value(array->getElementType()) + " f[" + std::to_string(array->getNumElements()) + "];";
    } else {
        const auto *record = llvm::cast<llvm::StructType>(type);
        for (unsigned i = 0; i < record->getNumElements(); i++)
            fields += value(record->getElementType(i)) + " f" + std::to_string(i) + "; ";
    }
    std::string name = "meter_struct" + std::to_string(aggregates_.size());
    definitions_ += "typedef struct { " + fields + "} " + name + ";\n";
    aggregates_[type] = name;
    return name;
}

std::string Types::moved(llvm::Type *type, uint64_t align)
{
    std::string of = value(type);
    if (of == "bool")
        of = "uchar";
    std::string key = of + "/" + std::to_string(align);
    std::string &name = names_[key];
    if (name.empty()) {
        name = "meter_mem" + std::to_string(names_.size());
        definitions_ += "typedef " + of + " " + name + " __attribute__((may_alias, aligned(" +
                        std::to_string(align) + ")));\n";
    }
    return name;
}

std::string Types::bytes(uint64_t size, uint64_t align)
{
    std::string &name = names_["bytes/" + std::to_string(size) + "/" + std::to_string(align)];
    if (name.empty()) {
        name = "meter_bytes" + std::to_string(names_.size());
        definitions_ += "typedef struct { uchar b[" + std::to_string(size) +
                        "]; } __attribute__((aligned(" + std::to_string(align) + "))) " + name +
                        ";\n";
    }
    return name;
}

} // namespace meter
