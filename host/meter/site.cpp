/* SPDX-License-Identifier: MIT */
/* Facts of instructions that touch memory: see site.h. */
#include "site.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace meter
{

constexpr unsigned CONSTANT_SPACE = 2; /* in SPIR */

static bool is_constant_pointer(const llvm::Value &value)
{
    const auto *pointer = llvm::dyn_cast<llvm::PointerType>(value.getType());
    return pointer && pointer->getAddressSpace() == CONSTANT_SPACE;
}

bool is_watched(const llvm::Instruction &instruction)
{
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        return load->getPointerAddressSpace() != CONSTANT_SPACE;
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call)
        return true;
    const llvm::Function *callee = call->getCalledFunction();
    if (callee && callee->getName().contains("_image"))
        return false;
    for (const llvm::Use &argument : call->args())
        if (is_constant_pointer(*argument))
            return false;
    return true;
}

/* Bytes of an element of the vector that a builtin moves: the memory's, so 2 for vload_half. */
static uint32_t element_bytes(const llvm::CallInst &call)
{
    const llvm::Function *callee = call.getCalledFunction();
    if (callee && callee->getName().contains("_half"))
        return 2;
    const llvm::Type *type = call.getType();
    if (type->isVoidTy() && call.arg_size() > 0)
        type = call.getArgOperand(0)->getType();
    return type->getScalarSizeInBits() / 8;
}

uint32_t widest_bytes(const llvm::Instruction &instruction, dmm_model_access_kind kind)
{
    uint64_t bytes = 0;
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        bytes = load->getAlign().value();
    } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        bytes = store->getAlign().value();
    } else if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
        bytes = kind == DMM_MODEL_READ ? copy->getSourceAlign().valueOrOne().value()
                                       : copy->getDestAlign().valueOrOne().value();
    } else if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        bytes = element_bytes(*call);
    }
    /* Atomics and others: whole. */
    return bytes > 0 && bytes < DMM_MODEL_ACCESS_BYTES_MAX ? static_cast<uint32_t>(bytes)
                                                           : uint32_t{DMM_MODEL_ACCESS_BYTES_MAX};
}

/* If two instructions were merged, LLVM keeps line 0 of their common scope. */
static const llvm::DILocation *first_known(const llvm::DILocation *location)
{
    while (location && location->getLine() == 0)
        location = location->getInlinedAt();
    return location;
}

static const llvm::DILocation *location_of(const llvm::Instruction &instruction)
{
    if (const llvm::DILocation *location = first_known(instruction.getDebugLoc()))
        return location;
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    const auto *address = llvm::dyn_cast_or_null<llvm::Instruction>(pointer);
    return address ? first_known(address->getDebugLoc()) : nullptr;
}

/* A #line may give any name. Readings divide fields by tabs. */
static std::string file_name(llvm::StringRef name)
{
    std::string text = name.str();
    for (char &c : text)
        if (static_cast<unsigned char>(c) < ' ')
            c = ' ';
    return text;
}

Place place_of(const llvm::Instruction &instruction, Space space, dmm_model_access_kind kind,
    const Source &source)
{
    Place place = {};
    place.space = space;
    place.kind = kind;
    if (const llvm::DILocation *location = location_of(instruction)) {
        place.file = file_name(location->getFilename());
        place.number = location->getLine();
    } else if (const llvm::DISubprogram *program = instruction.getFunction()->getSubprogram()) {
        place.file = file_name(program->getFilename());
    }
    place.text = source.trimmed(place.file, place.number);
    return place;
}

static void append_outer(std::string *calls, const llvm::DILocation *location)
{
    for (; location; location = first_known(location->getInlinedAt())) {
        if (!calls->empty())
            *calls += " < ";
        *calls += file_name(location->getFilename()) + ":" + std::to_string(location->getLine());
    }
}

std::string places_of(const llvm::Instruction &call)
{
    std::string text;
    append_outer(&text, location_of(call));
    return text;
}

std::string calls_of(
    const llvm::Instruction &instruction, const std::vector<const llvm::Instruction *> &calls)
{
    std::string text;
    const llvm::DILocation *location = location_of(instruction);
    append_outer(&text, location ? first_known(location->getInlinedAt()) : nullptr);
    for (const llvm::Instruction *call : calls)
        append_outer(&text, location_of(*call));
    return text;
}

} // namespace meter
