/* SPDX-License-Identifier: MIT */
/* Finds the command llvm-spirv: see translator.h. */
#include "translator.h"

#include <cstdlib>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace meter
{

static std::string name_of(int version)
{
    return "llvm-spirv-" + std::to_string(version);
}

static bool runs(const std::string &path)
{
    struct stat found;
    return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
           access(path.c_str(), X_OK) == 0;
}

static std::string in_path(const std::string &name)
{
    const char *path = getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (runs(folder + "/" + name))
            return folder + "/" + name;
    return "";
}

std::string translator()
{
    const char *chosen = getenv("DMM_METER_LLVM_SPIRV");
    if (chosen && *chosen)
        return runs(chosen) ? chosen : "";
    for (const std::string &name :
        {name_of(METER_LLVM_MAJOR), name_of(METER_LLVM_MAJOR + 1), std::string("llvm-spirv")}) {
        const std::string found = in_path(name);
        if (!found.empty())
            return found;
    }
    return "";
}

std::string translator_package()
{
    return name_of(METER_LLVM_MAJOR);
}

} // namespace meter
