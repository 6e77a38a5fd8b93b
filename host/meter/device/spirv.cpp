/* SPDX-License-Identifier: MIT */
/* Programs in SPIR-V: see spirv.h. */
#include "spirv.h"

#include <fstream>
#include <set>
#include <sstream>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FormattedStream.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

#include "ctype.h"

namespace meter
{

static bool is_name(llvm::StringRef text)
{
    for (const char c : text)
        if (c != '_' && !isalnum(static_cast<unsigned char>(c)))
            return false;
    return !text.empty() && !isdigit(static_cast<unsigned char>(text[0]));
}

static bool is_generic(const llvm::Type *type)
{
    return type->isPointerTy() && type->getPointerAddressSpace() == GENERIC_SPACE;
}

static bool takes_generic(const llvm::Function &function)
{
    bool takes = is_generic(function.getReturnType());
    for (const llvm::Argument &argument : function.args())
        takes |= is_generic(argument.getType());
    return takes;
}

void prepare(llvm::Module &module)
{
    unsigned number = 0;
    if (module.getDataLayout().getPointerSize() != 8)
        throw Refused("its addresses have 32 bits");
    for (llvm::Function &function : module) {
        if (function.isDeclaration())
            continue;
        function.addFnAttr(llvm::Attribute::MinSize);
        function.addFnAttr(llvm::Attribute::OptimizeForSize);
        if (takes_generic(function)) {
            function.removeFnAttr(llvm::Attribute::NoInline);
            function.addFnAttr(llvm::Attribute::AlwaysInline);
        }
        const bool is_kernel = function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL;
        if (is_kernel && !is_name(function.getName()))
            throw Refused("OpenCL C has no name for its kernel " + function.getName().str());
        if (is_kernel)
            continue;
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
        if (!is_name(function.getName()))
            function.setName("meter_function" + std::to_string(number++));
    }
}

/* Casts a generic pointer to the space of its array, where the program asks whether it is of one:
 * the answer is the pointer, or null. */
static void answer_space(llvm::CallInst *call)
{
    llvm::Value *pointer = call->getArgOperand(0);
    const llvm::Type *array = llvm::getUnderlyingObject(pointer, 0)->getType();
    if (is_generic(array))
        return;
    llvm::IRBuilder<> builder(call);
    const bool here = array->getPointerAddressSpace() == call->getType()->getPointerAddressSpace();
    call->replaceAllUsesWith(
        here ? builder.CreatePointerBitCastOrAddrSpaceCast(pointer, call->getType())
             : llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
}

static void answer_spaces(llvm::Module &module)
{
    for (const char *name : {"__to_global", "__to_local", "__to_private"}) {
        llvm::Function *function = module.getFunction(name);
        const std::vector<llvm::User *> users(
            function ? function->user_begin() : llvm::Value::user_iterator(),
            function ? function->user_end() : llvm::Value::user_iterator());
        for (llvm::User *user : users)
            if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
                answer_space(call);
    }
}

void infer_spaces(llvm::Module &module)
{
    answer_spaces(module);
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager cycles;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(cycles);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, cycles, modules);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::InferAddressSpacesPass(GENERIC_SPACE));
    passes.addPass(llvm::DCEPass());
    for (llvm::Function &function : module)
        if (!function.isDeclaration())
            passes.run(function, functions);
}

/* Returns the file's text; empty: it is not there, or no plain text of a program's size. */
static std::string contents(const std::string &path)
{
    constexpr std::streamoff BYTES_MAX = 1 << 24;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff bytes = file ? static_cast<std::streamoff>(file.tellg()) : -1;
    if (bytes < 0 || bytes > BYTES_MAX)
        return "";
    std::string text(static_cast<size_t>(bytes), '\0');
    file.seekg(0);
    return file.read(&text[0], bytes) ? text : "";
}

/* Gives every instruction the number of its line in the module's text. */
class Lines : public llvm::AssemblyAnnotationWriter
{
  public:
    explicit Lines(llvm::Module &module)
        : builder_(module), file_(builder_.createFile("input.ll", ""))
    {
        builder_.createCompileUnit(llvm::dwarf::DW_LANG_C99, file_, "dmm meter", false, "", 0, "",
            llvm::DICompileUnit::LineTablesOnly);
    }

    void emitFunctionAnnot(
        const llvm::Function *function, llvm::formatted_raw_ostream &out) override
    {
        if (function->isDeclaration())
            return;
        llvm::DISubroutineType *type =
            builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
        program_ = builder_.createFunction(file_, function->getName(), "", file_, out.getLine() + 1,
            type, out.getLine() + 1, llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
        programs_.push_back({const_cast<llvm::Function *>(function), program_});
    }

    void emitInstructionAnnot(
        const llvm::Instruction *instruction, llvm::formatted_raw_ostream &out) override
    {
        lines_.push_back({const_cast<llvm::Instruction *>(instruction),
            llvm::DILocation::get(instruction->getContext(), out.getLine() + 1, 0, program_)});
    }

    /* To be called when the text is printed, which else would show the lines. */
    void set()
    {
        for (const auto &each : programs_)
            each.first->setSubprogram(each.second);
        for (const auto &each : lines_)
            each.first->setDebugLoc(each.second);
        builder_.finalize();
    }

  private:
    llvm::DIBuilder builder_;
    llvm::DIFile *file_;
    llvm::DISubprogram *program_ = nullptr;
    std::vector<std::pair<llvm::Function *, llvm::DISubprogram *>> programs_;
    std::vector<std::pair<llvm::Instruction *, llvm::DILocation *>> lines_;
};

static std::string listing(llvm::Module &module)
{
    std::string text;
    llvm::raw_string_ostream out(text);
    llvm::StripDebugInfo(module);
    Lines lines(module);
    module.print(out, &lines);
    out.flush();
    lines.set();
    return "#line 1 \"input.ll\"\n" + text;
}

static bool has_lines(const llvm::Module &module)
{
    for (const llvm::Function &function : module)
        for (const llvm::BasicBlock &block : function)
            for (const llvm::Instruction &instruction : block)
                if (instruction.getDebugLoc() && instruction.getDebugLoc().getLine() != 0)
                    return true;
    return false;
}

std::string text_of(llvm::Module &module, std::string *files)
{
    if (!has_lines(module))
        return listing(module);
    std::string text;
    std::set<std::string> seen;
    llvm::DebugInfoFinder finder;
    finder.processModule(module);
    for (const llvm::DISubprogram *program : finder.subprograms()) {
        const std::string name = program->getFilename().str();
        if (!seen.insert(name).second || name.find_first_of("\"\n") != std::string::npos)
            continue;
        const bool whole = !name.empty() && name[0] == '/';
        const std::string path = whole ? name : program->getDirectory().str() + "/" + name;
        *files += " " + path;
        text += "#line 1 \"" + name + "\"\n" + contents(path) + "\n";
    }
    return text;
}

} // namespace meter
