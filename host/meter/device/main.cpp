/* SPDX-License-Identifier: MIT */
/*
 * dmm-meter-rewrite FOLDER [OPTION...]: compiles FOLDER/input.cl with clang and these options, and
 * writes FOLDER/output.cl, the same program with records of its accesses, and FOLDER/sites, the
 * table of them. With --il as the first option, the program is FOLDER/input.spv, SPIR-V, and
 * FOLDER/input.cl is written, too: the text that its lines are of.
 * Exit status 3: the program cannot be rewritten, for the reason on standard output.
 * --check prints a line for each part that the engine needs (needs.cpp). DMM_METER_CLANG names
 * another clang; DMM_METER_CALLS and DMM_METER_LATENCY are those of settings.h.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "needs.h"
#include "prelude.h"
#include "spirv.h"
#include "translator.h"
#include "writer.h"

extern char **environ;

static std::string contents(const std::string &path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/* Runs a command, all its output to standard output. False: it failed, or does not start, for which
 * the reason is printed. */
static bool run(std::vector<std::string> words, const std::string &input, const char *failure,
    const std::string &package)
{
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(&word[0]);
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    pid_t child = 0;
    int status = 1;
    const int failed = posix_spawnp(&child, pointers[0], &files, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed) {
        std::cout << words[0] << " does not start: install " << package << '\n';
        return false;
    }
    waitpid(child, &status, 0);
    if (status != 0)
        std::cout << failure << '\n';
    return status == 0;
}

/* True if clang itself may declare OpenCL's functions, which takes less time than its header: with
 * sub-groups it needs a type that OpenCL C has from 2.0 on. */
static bool declares_all(const std::vector<std::string> &options)
{
    bool is_old = false, has_sub_groups = false;
    for (const std::string &option : options) {
        is_old |= option.compare(0, 11, "-cl-std=CL1") == 0;
        has_sub_groups |= option.find("+cl_khr_subgroups") != std::string::npos;
    }
    return !(is_old && has_sub_groups);
}

/* No vector of more elements than OpenCL C has: clang makes them of scalar comparisons. */
#define NO_LONGER_VECTORS "-mllvm", "-slp-max-vf=16"

/* Compiles as Oclgrind does: the LLVM IR is the same, but for vectors. */
static bool compile(const std::string &folder, const std::vector<std::string> &options)
{
    std::vector<std::string> words = {meter::clang(), "-x", "cl", "-target",
        "spir64-unknown-unknown", "-gline-tables-only", "-fno-builtin", "-fgnu89-inline",
        "-cl-kernel-arg-info", "-Xclang", "-finclude-default-header", "-w", "-c", "-emit-llvm",
        "-MMD", "-MF", folder + "/files", "-o", folder + "/input.bc"};
    if (declares_all(options))
        words.insert(words.end(), {"-Xclang", "-fdeclare-opencl-builtins"});
    else
        words.push_back("-cl-no-stdinc");
    words.insert(words.end(), options.begin(), options.end());
    if (std::find(words.begin(), words.end(), "-cl-opt-disable") == words.end())
        words.insert(words.end(), {"-Oz", NO_LONGER_VECTORS});
    words.push_back("-");
    return run(words, folder + "/input.cl", "clang does not compile it",
        meter::clang_package() + ", or name one in DMM_METER_CLANG");
}

static std::unique_ptr<llvm::Module> read(const std::string &path, llvm::LLVMContext &context)
{
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module = llvm::parseIRFile(path, diagnostic, context);
    if (!module)
        throw meter::Refused("its LLVM IR cannot be read: " + diagnostic.getMessage().str());
    return module;
}

/* Translates SPIR-V, and optimises it as if it were source. */
static bool translate(const std::string &folder, const std::vector<std::string> &options)
{
    const std::string command = meter::translator(), raw = folder + "/raw.bc",
                      program = folder + "/input.spv";
    if (command.empty()) {
        std::cout << "its program was made from IL (SPIR-V): install "
                  << meter::translator_package() << " to meter it\n";
        return false;
    }
    const std::string il = meter::with_whole_builtins(contents(program));
    std::ofstream(program, std::ios::binary) << il;
    const char *target = meter::has_sub_group_barriers(il) ? "CL2.0" : "CL1.2";
    if (!run({command, "-r", std::string("--spirv-target-env=") + target, program, "-o", raw},
            "/dev/null", "llvm-spirv does not translate it", meter::translator_package()))
        return false;
    {
        llvm::LLVMContext context;
        const std::unique_ptr<llvm::Module> module = read(raw, context);
        meter::prepare(*module);
        std::error_code failed;
        llvm::raw_fd_ostream out(raw, failed);
        llvm::WriteBitcodeToFile(*module, out);
    }
    const bool plain =
        std::find(options.begin(), options.end(), "-cl-opt-disable") != options.end();
    return run({meter::clang(), "-x", "ir", "-target", "spir64-unknown-unknown", "-fno-builtin",
                   "-w", "-c", "-emit-llvm", plain ? "-O0" : "-Oz", NO_LONGER_VECTORS, "-o",
                   folder + "/input.bc", raw},
        "/dev/null", "clang does not optimise it", meter::clang_package());
}

static bool wanted(const char *name)
{
    const char *text = getenv(name);
    return text && strtoul(text, nullptr, 10) != 0;
}

static void rewrite(const std::string &folder, bool il)
{
    llvm::LLVMContext context;
    const std::unique_ptr<llvm::Module> module = read(folder + "/input.bc", context);
    if (il) {
        meter::infer_spaces(*module);
        std::string files = "input.bc:";
        std::ofstream(folder + "/input.cl") << meter::text_of(*module, &files);
        std::ofstream(folder + "/files") << files << '\n';
    }
    meter::Sites sites(contents(folder + "/input.cl"));
    meter::Writer writer(*module, sites, {wanted("DMM_METER_CALLS"), wanted("DMM_METER_LATENCY")});
    const std::string text = writer.write();
    std::ofstream(folder + "/output.cl") << meter_prelude << text;
    std::ofstream(folder + "/sites") << sites.table();
}

int main(int argc, char **argv)
{
    enum { NOT_REWRITTEN = 3 };
    if (argc < 2) {
        std::cerr << "usage: dmm-meter-rewrite FOLDER [--il] [OPTION...] | --check\n";
        return 1;
    }
    const std::string folder = argv[1];
    if (folder == "--check")
        return meter::print_needs() ? 0 : 1;
    const std::vector<std::string> options(argv + 2, argv + argc);
    const bool il = !options.empty() && options[0] == "--il";
    try {
        if (!(il ? translate(folder, options) : compile(folder, options)))
            return NOT_REWRITTEN;
        rewrite(folder, il);
    } catch (const meter::Refused &reason) {
        std::cout << reason.what() << '\n';
        return NOT_REWRITTEN;
    }
    return 0;
}
