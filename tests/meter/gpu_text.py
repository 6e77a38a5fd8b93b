#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles instrumented kernels with the compilers of GPU vendors: gpu_text.py RECORDER REWRITER FOLDER. For one device of
each vendor, and for SPIR-V, takes the programs that the library builds on it, instruments them as the layer does, and
compiles both texts. The instrumented one must compile, with the same kernels and as many bytes of local memory; for AMD's
device it is linked, too, and each kernel of the code object must have one more argument. Programs
with assembly or a vendor's own functions are left out: the layer runs them unchanged and names them.
Exit status 77: no compiler is installed."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "gpu_compilers"))

from compilers import Amd, DoesNotCompile, compilers, left_out  # noqa: E402
from table import VENDORS, WHOLE, programs_of  # noqa: E402

NO_COMPILER = 77
ELF_OF_AMD = 224 # the machine, EM_AMDGPU
PURPOSES = ("sort u32, radix", "sort u32 + 4 B", "transpose 12 B")
# What the layer says of a device (build.cpp).
DEVICE = ("-D__OPENCL_VERSION__=120", "-D__ENDIAN_LITTLE__=1", "-D__IMAGE_SUPPORT__=1")
# Its extensions: what lanes of sub-groups exchange data by.
LANES = ("-Xclang", "-cl-ext=+cl_khr_subgroups,+cl_khr_subgroup_ballot,+cl_khr_subgroup_shuffle",
         "-Dcl_khr_subgroups=1", "-Dcl_khr_subgroup_ballot=1", "-Dcl_khr_subgroup_shuffle=1")


def instrumented(rewriter, source, options, folder):
    """Returns the text and the kernels that have records."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "input.cl").write_bytes(source.read_bytes())
    chosen = [word for word in shlex.split(options) if not word.startswith("-cl-")]
    done = subprocess.run([rewriter, folder, *DEVICE, *LANES, "-cl-std=CL1.2", *chosen], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise DoesNotCompile(f"{source}: {done.stdout}")
    kernels = re.findall(r"^kernel\t(\w+)\t", (folder / "sites").read_text(encoding="utf-8"), re.M)
    text = folder / f"{source.stem}.metered.cl"
    text.write_bytes((folder / "output.cl").read_bytes())
    return text, kernels


def driver_options(options):
    return " ".join(word for word in shlex.split(options) if word.startswith("-cl-"))


def compiled(compiler, text, options):
    """llvm-spirv 15 leaves blocks in their order, which SPIR-V wants by dominance; that alone is let pass."""
    try:
        return compiler.compile(text, options)
    except DoesNotCompile as error:
        if compiler.device != WHOLE or "before its dominator" not in str(error):
            raise
        print(f"{text.name}: blocks out of order in SPIR-V")
        return {}


def arguments_of(text):
    """Returns the number of arguments that each kernel of AMD's assembly has, beside those that the compiler adds."""
    for part in re.split(r"^  - (?=\.)", text[text.index("amdhsa.kernels:"):], flags=re.M)[1:]:
        yield (re.search(r"^ +\.symbol: +(\w+)\.kd$", part, re.M).group(1),
               len(re.findall(r"\.value_kind: +(?!hidden_)", part)))


def wrong_object(compiler, source, text, kernels):
    """Yields what is wrong with the code object of an instrumented program."""
    made = compiler.link(text)
    if made is None:
        print("no code object: ld.lld not found")
        return
    print(f"{compiler.device:8} {text.name}: a code object of {len(made)} bytes")
    if made[:4] != b"\x7fELF" or int.from_bytes(made[18:20], "little") != ELF_OF_AMD:
        yield f"{text.name}: no code object of AMD's"
    before, now = (dict(arguments_of(path.with_suffix(".s").read_text(encoding="utf-8"))) for path in (source, text))
    for name in kernels:
        if f"\0{name}.kd\0".encode() not in made:
            yield f"{name} is not in the code object"
        elif now[name] != before[name] + 1:
            yield f"{name} has {now[name]} arguments, not {before[name] + 1}"


def judge(compiler, rewriter, source, options, folder):
    """Yields what is wrong, after a line on each kernel."""
    text, kernels = instrumented(rewriter, source, options, folder / "rewritten")
    plain, metered = compiler.compile(source, options), compiled(compiler, text, driver_options(options))
    for name in kernels:
        if compiler.device != WHOLE and name not in metered:
            yield f"{name} is missing"
            continue
        before, now = plain.get(name, {}), metered.get(name, {})
        print(f"{compiler.device:8} {name:32}", ", ".join(f"{key} {before.get(key)} -> {now[key]}" for key in now))
        if before.get("local") != now.get("local"):
            yield f"{name} has {now.get('local')} bytes of local memory, not {before.get('local')}"
    if isinstance(compiler, Amd):
        yield from wrong_object(compiler, source, text, kernels)


def main():
    recorder, rewriter, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    wrong, done = [], 0
    print(*left_out(), sep="\n")
    for compiler in compilers():
        if compiler.device not in (*VENDORS, WHOLE):
            continue
        place = folder / "gpu_text" / compiler.device
        device = VENDORS[-1] if compiler.device == WHOLE else compiler.device
        for program in programs_of(recorder, device, place):
            if program.purpose not in PURPOSES:
                continue
            done += 1
            try:
                wrong += judge(compiler, rewriter, place / f"{program.number}.cl", program.options, place)
            except DoesNotCompile as error:
                if re.search("it has assembly|__builtin_amdgcn_", str(error)):
                    print(f"{compiler.device}, {program.purpose}: left out: it has assembly, or functions of the vendor's")
                else:
                    wrong.append(f"{compiler.device}, {program.purpose}: {error}")
    print(*wrong, sep="\n")
    return 1 if wrong else 0 if done else NO_COMPILER


if __name__ == "__main__":
    sys.exit(main())
