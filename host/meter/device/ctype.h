/* SPDX-License-Identifier: MIT */
/*
 * OpenCL C types for the types of LLVM IR. Values have unsigned types; an operation with a sign
 * casts. All pointers are pointers to bytes; a load or store casts to the type that it moves.
 * What has no counterpart is refused by an exception, with the reason.
 */
#ifndef DMM_METER_CTYPE_H
#define DMM_METER_CTYPE_H

#include <map>
#include <stdexcept>
#include <string>

#include <llvm/IR/Type.h>

namespace meter
{

struct Refused : std::runtime_error {
    using runtime_error::runtime_error;
};

constexpr unsigned PRIVATE_SPACE = 0, GLOBAL_SPACE = 1, CONSTANT_SPACE = 2, LOCAL_SPACE = 3,
                   GENERIC_SPACE = 4;

/* Returns `__local uchar *` and the like. */
std::string byte_pointer(unsigned space);
/* Returns the qualifier of an address space, with a blank behind it; empty for the generic one. */
std::string space_name(unsigned space);

/* True for a vector of conditions, which is held as a vector of char, 0 or -1. */
bool is_mask(const llvm::Type *type);

class Types
{
  public:
    /* Returns the type of a value. */
    std::string value(llvm::Type *type);
    /* Returns the type of the same width whose integers have a sign. */
    std::string with_sign(llvm::Type *type);
    /* Returns the name of a type to move a value through a pointer that has that alignment. */
    std::string moved(llvm::Type *type, uint64_t align);
    /* Returns a struct of so many bytes, for arguments that are passed by value. */
    std::string bytes(uint64_t size, uint64_t align);
    /* Definitions of all the types that were asked for. */
    const std::string &definitions() const
    {
        return definitions_;
    }

  private:
    std::string aggregate(llvm::Type *type);

    std::string definitions_;
    std::map<std::string, std::string> names_; /* by what they stand for */
    std::map<const llvm::Type *, std::string> aggregates_;
};

} // namespace meter

#endif
