/* SPDX-License-Identifier: MIT */
/*
 * dmm-meter-rewrite FOLDER [OPTION...]: compiles FOLDER/input.cl with clang and these options, and
 * writes FOLDER/output.cl, the same program with records of its accesses, and FOLDER/sites, the
 * table of them. Exit status 3: the program cannot be rewritten, for the reason on standard output.
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

#include <llvm/IR/LLVMContext.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

#include "needs.h"
#include "prelude.h"
#include "writer.h"

extern char **environ;

static std::string contents(const std::string &path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/* Compiles as Oclgrind does: the LLVM IR is the same. */
static bool compile(const std::string &folder, int argc, char **argv)
{
    std::vector<std::string> words = {meter::clang(), "-x", "cl", "-target",
        "spir64-unknown-unknown", "-gline-tables-only", "-fno-builtin", "-fgnu89-inline",
        "-cl-kernel-arg-info", "-Xclang", "-finclude-default-header", "-Xclang",
        "-fdeclare-opencl-builtins", "-w", "-c", "-emit-llvm", "-MMD", "-MF", folder + "/files",
        "-o", folder + "/input.bc"};
    words.insert(words.end(), argv, argv + argc);
    if (std::find(words.begin(), words.end(), "-cl-opt-disable") == words.end())
        words.push_back("-Oz");
    words.push_back("-");
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(&word[0]);
    pointers.push_back(nullptr);
    const std::string input = folder + "/input.cl";
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    pid_t child = 0;
    int status = 1;
    const int failed = posix_spawnp(&child, pointers[0], &files, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed) {
        std::cout << pointers[0] << " does not start: install " << meter::clang_package()
                  << ", or name one in DMM_METER_CLANG\n";
        return false;
    }
    waitpid(child, &status, 0);
    if (status != 0)
        std::cout << "clang does not compile it\n";
    return status == 0;
}

static bool wanted(const char *name)
{
    const char *text = getenv(name);
    return text && strtoul(text, nullptr, 10) != 0;
}

static void rewrite(const std::string &folder)
{
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module =
        llvm::parseIRFile(folder + "/input.bc", diagnostic, context);
    if (!module)
        throw meter::Refused("its LLVM IR cannot be read: " + diagnostic.getMessage().str());
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
        std::cerr << "usage: dmm-meter-rewrite FOLDER [OPTION...] | --check\n";
        return 1;
    }
    if (std::string(argv[1]) == "--check")
        return meter::print_needs() ? 0 : 1;
    if (!compile(argv[1], argc - 2, argv + 2))
        return NOT_REWRITTEN;
    try {
        rewrite(argv[1]);
    } catch (const meter::Refused &reason) {
        std::cout << reason.what() << '\n';
        return NOT_REWRITTEN;
    }
    return 0;
}
