/* SPDX-License-Identifier: MIT */
/* What the driver's engine needs of the system: see needs.h. */
#include "needs.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iostream>
#include <sstream>
#include <unistd.h>

#include <llvm/Config/llvm-config.h>

#include "translator.h"

namespace meter
{

std::string clang()
{
    const char *chosen = getenv("DMM_METER_CLANG");
    return chosen && *chosen ? chosen : METER_CLANG;
}

std::string clang_package()
{
    return "clang-" + std::to_string(LLVM_VERSION_MAJOR);
}

/* Prints a part. */
static bool tell(
    const std::string &part, bool found, const std::string &place, const std::string &remedy)
{
    std::cout << part << '\t' << (found ? place : "missing: " + remedy) << '\n';
    return found;
}

/* OpenCL, as far as it is needed to list drivers. */
using GetPlatforms = int (*)(unsigned, void **, unsigned *);
using GetPlatformInfo = int (*)(void *, unsigned, size_t, void *, size_t *);
constexpr unsigned PLATFORM_NAME = 0x0902, PLATFORMS_MAX = 64;

static std::string names_of_drivers(GetPlatforms platforms, GetPlatformInfo info)
{
    void *found[PLATFORMS_MAX];
    unsigned count = 0;
    std::string names;
    if (platforms(PLATFORMS_MAX, found, &count) != 0)
        return "";
    for (unsigned i = 0; i < count && i < PLATFORMS_MAX; i++) {
        char name[256] = "";
        if (info(found[i], PLATFORM_NAME, sizeof name, name, nullptr) == 0)
            names += (names.empty() ? "" : ", ") + std::string(name);
    }
    return names;
}

/* A loader that reads OPENCL_LAYERS has that name in its file. */
static bool knows_layers(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str().find("OPENCL_LAYERS") != std::string::npos;
}

static bool print_loader()
{
    const std::string loader = "install ocl-icd-libopencl1";
    void *library = dlopen("libOpenCL.so.1", RTLD_LAZY);
    void *platforms = library ? dlsym(library, "clGetPlatformIDs") : nullptr;
    void *info = library ? dlsym(library, "clGetPlatformInfo") : nullptr;
    Dl_info place = {};
    const bool found = platforms && info && dladdr(platforms, &place) != 0;
    if (!tell("the OpenCL loader libOpenCL.so.1", found, place.dli_fname ? place.dli_fname : "",
            loader))
        return false;
    const bool layers = tell("its layers (OPENCL_LAYERS)", knows_layers(place.dli_fname),
        "it knows them", loader + " 2.3 or later, or say --preload");
    const std::string names = names_of_drivers(
        reinterpret_cast<GetPlatforms>(platforms), reinterpret_cast<GetPlatformInfo>(info));
    return tell("an OpenCL driver", !names.empty(), names,
               "install your device's driver, or pocl-opencl-icd, which runs on the CPU") &&
           layers;
}

bool print_needs()
{
    const std::string path = clang();
    const bool found =
        tell("clang of LLVM " + std::to_string(LLVM_VERSION_MAJOR), access(path.c_str(), X_OK) == 0,
            path, "install " + clang_package() + ", or name one in DMM_METER_CLANG");
    const std::string spirv = translator();
    tell("llvm-spirv, for programs in SPIR-V", !spirv.empty(), spirv,
        "install " + translator_package() + "; other programs do without");
    return print_loader() && found;
}

} // namespace meter
