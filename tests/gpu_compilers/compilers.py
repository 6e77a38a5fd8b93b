# SPDX-License-Identifier: MIT
"""Finds the installed offline compilers of GPU vendors and reads their reports on the kernels of a program.

A reading of a kernel is a dictionary: registers, local (bytes of local memory), stack (bytes per work-item), spills;
simd, the width that Intel's compiler chose. A key is missing if the compiler does not report it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

TIMEOUT_S = 600
LIBCLC = Path("/usr/lib/clc/nvptx64--nvidiacl.bc")
ROCM_LIBRARIES = (Path("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"), Path("/usr/lib/amdgcn/bitcode"),
                  Path("/usr/amdgcn/bitcode"))


class DoesNotCompile(Exception):
    """The message holds the compiler's output."""


class Compiler:
    """A compiler for one device. tools: {name: path}. Readings of other versions are not comparable."""

    def __init__(self, device, **tools):
        self.device, self.tools = device, tools

    def compile(self, source, options):
        """Returns {kernel: reading}; raises DoesNotCompile."""
        raise NotImplementedError


def run(words, **keywords):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=TIMEOUT_S, check=False, **keywords)
    if done.returncode != 0:
        raise DoesNotCompile(f"{' '.join(map(str, words))}\nexit status {done.returncode}\n{done.stdout}")
    return done.stdout


def find_tool(*names):
    return next((found for name in names if (found := shutil.which(name))), None)


def find_ptxas():
    """Looks on the PATH and in the Python package nvidia-cuda-nvcc."""
    found = shutil.which("ptxas")
    folders = [Path(folder) / "nvidia" for folder in sys.path if folder]
    packed = (path for folder in folders if folder.is_dir() for path in folder.glob("*/bin/ptxas"))
    return found or next(packed, None)


def clang_words(clang, options):
    # Drivers define __OPENCL_VERSION__; clang alone does not.
    return [clang, "-x", "cl", "-Xclang", "-finclude-default-header", "-D__OPENCL_VERSION__=120", "-O3", "-w",
            *options.split()]


def number(pattern, text, otherwise=0):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else otherwise


class Nvidia(Compiler):
    """Compiles to PTX with clang and reads the report of ptxas. Without ptxas, only checks that the program compiles:
    clang's PTX has arrays in memory that ptxas keeps in registers."""

    def compile(self, source, options):
        ptx = source.with_suffix(".ptx")
        run([*clang_words(self.tools["clang"], options), "-target", "nvptx64-unknown-nvidiacl", "-Xclang", "-target-cpu",
             "-Xclang", "sm_80", "-Xclang", "-target-feature", "-Xclang", "+ptx71", "-Xclang", "-mlink-builtin-bitcode",
             "-Xclang", LIBCLC, "-S", "-o", ptx, source])
        if self.tools["ptxas"] is None:
            return dict(self.of_ptx(ptx.read_text(encoding="utf-8")))
        return dict(self.of_ptxas(run([self.tools["ptxas"], "-v", f"-arch={self.device}", "-o", "/dev/null", ptx])))

    @staticmethod
    def of_ptx(text):
        for name in re.findall(r"^\.(?:visible )?\.entry (\w+)\(", text, re.M):
            yield name, {}

    @staticmethod
    def of_ptxas(text):
        for part in text.split("Compiling entry function '")[1:]:
            name = part[:part.index("'")]
            own = part[part.index(f"Function properties for {name}"):]
            spills = number(r"(\d+) bytes spill stores", own) + number(r"(\d+) bytes spill loads", own)
            frames = sum(map(int, re.findall(r"(\d+) bytes stack frame", part)))
            yield name, {"registers": number(r"Used (\d+) registers", own), "local": number(r"(\d+) bytes smem", own),
                         "stack": frames, "spills": spills}


class Amd(Compiler):
    def compile(self, source, options):
        cpu, _, wave64 = self.device.partition("-")
        text = source.with_suffix(".s")
        run([*clang_words(self.tools["clang"], options), "--target=amdgcn-amd-amdhsa", f"-mcpu={cpu}",
             f"--rocm-device-lib-path={self.tools['libraries']}", *(["-mwavefrontsize64"] if wave64 else []), "-S", "-o",
             text, source])
        return dict(self.of_metadata(text.read_text(encoding="utf-8")))

    def link(self, text):
        """Links what was compiled to a code object, as a driver does; returns its bytes, or None without a linker."""
        if self.tools["linker"] is None:
            return None
        made = text.with_suffix(".hsaco")
        run([self.tools["clang"], "--target=amdgcn-amd-amdhsa", f"-mcpu={self.device.partition('-')[0]}", "-o", made, text.with_suffix(".s")])
        return made.read_bytes()

    @staticmethod
    def of_metadata(text):
        kernels = text[text.index("amdhsa.kernels:"):text.index(".end_amdgpu_metadata")]
        for part in re.split(r"^  - (?=\.)", kernels, flags=re.M)[1:]:
            name = re.search(r"^ +\.name: +(dmm_\w+)$", part, re.M).group(1)
            yield name, {"registers": number(r"\.vgpr_count: +(\d+)", part),
                         "local": number(r"\.group_segment_fixed_size: +(\d+)", part),
                         "stack": number(r"\.private_segment_fixed_size: +(\d+)", part),
                         "spills": number(r"\.vgpr_spill_count: +(\d+)", part)}


class Intel(Compiler):
    """Every work-item has 128 registers, so the report has no register count, only the SIMD width."""

    def compile(self, source, options):
        run([self.tools["ocloc"], "compile", "-q", "-file", source, "-device", self.device, "-options", options,
             "--format", "zebin", "-output", source.stem, "-output_no_suffix", "-out_dir", source.parent])
        binary = source.with_suffix("").read_bytes()
        start = binary.index(b"kernels:\n")
        text = binary[start:binary.index(b"kernels_misc_info:", start)].decode()
        return dict(self.of_zebin(text))

    @staticmethod
    def of_zebin(text):
        for part in re.split(r"^  - name: +", text, flags=re.M)[1:]:
            name = part.split()[0]
            if name.startswith("dmm_"):
                # Newer compilers have one space for both; bytes of a hardware thread, rounded up.
                yield name, {"simd": number(r"simd_size: +(\d+)", part), "local": number(r"slm_size: +(\d+)", part),
                             "stack": number(r"usage: +private_space\n +size: +(\d+)", part),
                             "spills": number(r"usage: +(?:spill_fill|single)_space\n +size: +(\d+)", part)}


class Spirv(Compiler):
    """Checks that the SPIR-V of a program is valid, for drivers that accept SPIR-V."""

    def compile(self, source, options):
        bitcode, spirv = source.with_suffix(".bc"), source.with_suffix(".spv")
        # Drivers define the extensions that they have. Clang declares the functions of those that are defined.
        extensions = [f"-Dcl_khr_{name}=1" for name in ("subgroups", "subgroup_ballot", "subgroup_shuffle")]
        run([*clang_words(self.tools["clang"], options), "-target", "spir64", "-Xclang", "-disable-llvm-passes",
             "-emit-llvm", "-c", *extensions, "-o", bitcode, source])
        # The version that has ballots, else 1.2, because translators omit interfaces that later versions require.
        version = "1.3" if "sub_group_ballot" in source.read_text(encoding="utf-8") else "1.2"
        run([self.tools["llvm-spirv"], f"--spirv-max-version={version}", bitcode, "-o", spirv])
        run([self.tools["spirv-val"], spirv])
        return {}


def targets():
    """Yields (compiler, its missing tools) by device. The devices are those of programs.c."""
    clang, ocloc = find_tool("clang-15"), find_tool("ocloc")
    spirv, validate = find_tool("llvm-spirv-15", "llvm-spirv"), find_tool("spirv-val")
    libraries = next((folder for folder in ROCM_LIBRARIES if folder.is_dir()), None)

    def needs(**tools):
        return [name.replace("_", "-") for name, found in tools.items() if not found]

    yield Nvidia("sm_90", clang=clang, ptxas=find_ptxas()), needs(clang_15=clang, libclc_15=LIBCLC.exists())
    for device in ("gfx90a", "gfx1030", "gfx1030-wave64"):
        yield Amd(device, clang=clang, libraries=libraries, linker=find_tool("ld.lld")), needs(clang_15=clang, rocm_device_libs=libraries)
    for device in ("dg2", "tgllp", "pvc"):
        yield Intel(device, ocloc=ocloc), needs(ocloc=ocloc)
    yield (Spirv("spirv", **{"clang": clang, "llvm-spirv": spirv, "spirv-val": validate}),
           needs(clang_15=clang, llvm_spirv=spirv, spirv_val=validate))


def compilers():
    """Returns the compilers whose tools are installed."""
    return [compiler for compiler, missing in targets() if not missing]


def left_out():
    """Yields a line for each device that is not judged, or not in full, because tools are missing."""
    for compiler, missing in targets():
        if missing:
            yield f"{compiler.device}: left out: {', '.join(missing)} not found"
        elif "ptxas" in compiler.tools and compiler.tools["ptxas"] is None:
            yield f"{compiler.device}: only compiled to PTX; registers and stack left out: ptxas not found"
