/* SPDX-License-Identifier: MIT */
/* Programs in SPIR-V: what the rewriter does with them before it writes OpenCL C. */
#ifndef DMM_METER_SPIRV_H
#define DMM_METER_SPIRV_H

#include <string>

#include <llvm/IR/Module.h>

namespace meter
{

/* Returns the SPIR-V with no load of a part of a built-in variable, at which llvm-spirv stops. */
std::string with_whole_builtins(const std::string &il);

/* True if there are barriers of sub-groups, of which llvm-spirv makes those of work-groups unless
 * it translates for OpenCL 2.0. */
bool has_sub_group_barriers(const std::string &il);

/* Prepares a module that llvm-spirv translated for clang: functions have names of OpenCL C, and
 * attributes as if clang had compiled them with -Oz. Those with generic pointers are inlined. */
void prepare(llvm::Module &module);

/* Finds the address spaces of generic pointers: C++ makes many, and not every device has them. */
void infer_spaces(llvm::Module &module);

/* Returns the text of a module's files, which its debug lines name, with a #line before each; adds
 * their paths to `files`. Without debug lines it is the LLVM IR, for which lines are added. */
std::string text_of(llvm::Module &module, std::string *files);

} // namespace meter

#endif
