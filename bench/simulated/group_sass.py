# SPDX-License-Identifier: MIT
"""group_sass.py DMM [NVDISASM]: instructions a key of collectives and of CUB's block primitives, as ptxas makes them for
sm_90 (groups of 256, 8 keys of 32 bits a work-item; sub-groups, 4 keys a lane). Needs nvcc with CUB, clang-15, libclc and nvdisasm.

Counts the instructions of a kernel that loads, calls and stores, less those of one that loads and stores. A loop counts
as often as it runs, by TRIPS; conflicts of local memory are not counted, which CUB's sorts have and collectives have not.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBCLC = "/usr/lib/clc/nvptx64--nvidiacl.bc"
# How often the loops of a kernel run, inner ones in all: CUB's merges search 4 + 5 + ... + 11 steps in 8 rounds (a warp's
# 3 + ... + 7 in 5), and its radix sort repeats seven of eight passes; dmm's merges search 1 + 2 + 3 + 4 + 5 + 5 + 5 steps
# in 7 rounds, those of more than a warp 5 + 6 + 7 steps before; its radix sort runs a bit at a time.
TRIPS = {("CUB", "sort"): (60, 8), ("CUB", "lanes_sort"): (25, 5), ("CUB", "sort_bits_32"): (7,),
         ("dmm", "sort"): (18, 25, 7), ("dmm", "sort_bits_4"): (4,), ("dmm", "sort_bits_32"): (32,),
         ("dmm", "by_lanes_sort_bits_4"): (4,), ("dmm", "by_lanes_sort_bits_32"): (32,)}
CALLS = {"base": "", "exchange": "b_to_blocks(r, b)", "scan": "b_scan_inclusive(r, b)",
         "reduce": "const uint sum = b_reduce(r, b); r[0] = get_local_id(0) == 0 ? sum : r[0]",
         "sort_bits_4": "e_sort_bits(r, 2048, 0, 4, e)", "sort_bits_32": "e_sort_bits(r, 2048, 0, 32, e)",
         "sort": "a_sort(r, 2048, a)"}
# The same with --lanes; CUB has one primitive for both.
BY_LANES = {"by_lanes_scan": "c_scan_inclusive(r, c)",
            "by_lanes_reduce": "const uint sum = c_reduce(r, c); r[0] = get_local_id(0) == 0 ? sum : r[0]",
            "by_lanes_sort_bits_4": "d_sort_bits(r, 2048, 0, 4, d)", "by_lanes_sort_bits_32": "d_sort_bits(r, 2048, 0, 32, d)"}
CALLS.update(BY_LANES)
LANES_CALLS = {"lanes_base": "", "lanes_scan": "f_scan_inclusive(r)", "lanes_reduce": "const uint sum = f_reduce(r); r[0] = get_local_id(0) % 32 == 0 ? sum : r[0]",
               "lanes_sort": "f_sort(r, 128)"}
SHORT = ("exchange", "scan", "reduce", "by_lanes_scan", "by_lanes_reduce", "lanes_scan", "lanes_reduce")
INSTANCES = {"a": ["sort"], "b": ["items", "--combine", "a + b", "--identity", "0"], "e": ["radix"],
             "c": ["items", "--combine", "a + b", "--identity", "0", "--lanes", "32"], "d": ["radix", "--lanes", "32"],
             "f": ["lanes", "--combine", "a + b", "--identity", "0"]}
KERNEL = """kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void %s(global const uint *restrict in, global uint *restrict out)
{
    in += get_group_id(0) * 2048, out += get_group_id(0) * 2048;
    local a_room_word a[A_ROOM_WORDS]; local b_room_word b[B_ROOM_WORDS]; local e_room_word e[E_ROOM_WORDS];
    local c_room_word c[C_ROOM_WORDS]; local d_room_word d[D_ROOM_WORDS];
    uint r[8];
    b_load_stripes(r, in, 2048, 0);
    for (uint k = 0; k < %d; k++) {
        %s;
    }
    b_store_stripes(out, r, 2048);
}
"""
# The same by sub-groups.
LANES_KERNEL = """kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void %s(global const uint *restrict in, global uint *restrict out)
{
    uint r[4];
    in += get_global_id(0) / 32 * 128, out += get_global_id(0) / 32 * 128;
    f_load_stripes(r, in, 128, 0);
    for (uint k = 0; k < %d; k++) {
        %s;
    }
    f_store_stripes(out, r, 128);
}
"""


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def cub(folder):
    include = Path(run("which", "nvcc").strip()).resolve().parents[1] / "include" / "cccl"
    run("nvcc", "-arch=sm_90", "-O3", "-std=c++17", "-I", include, "-cubin", "-o", folder / "cub", HERE / "group_cub.cu")
    return folder / "cub"


def program(dmm, times=1):
    """Returns the text of the collectives and of all kernels; those of SHORT call theirs so many times."""
    text = "".join(run(dmm, "group", "--name", name, *options) for name, options in INSTANCES.items())
    for kernel, calls in (KERNEL, CALLS), (LANES_KERNEL, LANES_CALLS):
        text += "".join(kernel % (name, times if name in SHORT else 1, call) for name, call in calls.items())
    return text


def collectives(dmm, folder):
    (folder / "dmm.cl").write_text(program(dmm), encoding="utf-8")
    run("clang-15", "-x", "cl", "-Xclang", "-finclude-default-header", "-D__OPENCL_VERSION__=120", "-cl-std=CL1.2", "-O3",
        "-w", "-target", "nvptx64--nvidiacl", "-Xclang", "-target-cpu", "-Xclang", "sm_80", "-Xclang",
        "-mlink-builtin-bitcode", "-Xclang", LIBCLC, "-S", "-o", folder / "dmm.ptx", folder / "dmm.cl")
    run("ptxas", "-arch=sm_90", "-o", folder / "dmm", folder / "dmm.ptx")
    return folder / "dmm"


def branches_of(nvdisasm, cubin):
    """Yields (kernel, its instructions, its branches as pairs of places). What follows the last EXIT are parts of warps
    that diverged, which come back."""
    for section in re.split(r"\n\s*\.section\s+", run(nvdisasm, "-c", cubin))[1:]:
        head = re.match(r"\.text\.(\w+),", section)
        if not head:
            continue
        found, labels = [], {}
        for line in section.splitlines():
            label = re.match(r"(\.L_x_\d+):", line)
            instruction = re.match(r"\s*/\*[0-9a-f]+\*/\s+(.*?);", line)
            if label:
                labels[label.group(1)] = len(found)
            elif instruction and not instruction.group(1).startswith("NOP"):
                found.append(instruction.group(1))
        end = max(at for at, text in enumerate(found) if "EXIT" in text) + 1
        yield head.group(1), found[:end], [(at, labels[goal.group(1)]) for at, text in enumerate(found[:end])
                                           for goal in [re.search(r"BRA.*`\((\.L_x_\d+)\)", text)] if goal]


def loops_of(branches):
    """Returns the loops as pairs of places, inner ones first."""
    return sorted(((first, last) for last, first in branches if first < last), key=lambda loop: (loop[1] - loop[0], loop))


def kernels_of(nvdisasm, cubin):
    """Yields (kernel, its instructions, its loops)."""
    for kernel, texts, branches in branches_of(nvdisasm, cubin):
        yield kernel, texts, loops_of(branches)


def count(texts, loops, trips):
    """Returns the instructions that a work-item runs, and the accesses to local memory; None: unknown loops."""
    if len(loops) != len(trips):
        return None
    times = [1] * len(texts)
    for (first, last), trip in reversed(list(zip(loops, trips))):
        times[first:last + 1] = [trip] * (last + 1 - first)
    local = [time for time, text in zip(times, texts) if re.search(r"\b(LDS|STS)\b", text)]
    return sum(times), sum(local)


def main():
    nvdisasm = sys.argv[2] if len(sys.argv) > 2 else "nvdisasm"
    rows = {}
    with tempfile.TemporaryDirectory() as name:
        for who, cubin in (("dmm", collectives(sys.argv[1], Path(name))), ("CUB", cub(Path(name)))):
            for kernel, texts, loops in kernels_of(nvdisasm, cubin):
                rows[kernel, who] = count(texts, loops, TRIPS.get((who, kernel), ()))
    print("| collective | dmm: instructions a key | local accesses a key | CUB: instructions a key | local accesses a key |")
    print("|---|--:|--:|--:|--:|")
    for kernel in (*CALLS, *LANES_CALLS):
        cells, own, keys = [], "base" if kernel in CALLS else "lanes_base", 8 if kernel in CALLS else 4
        for who in ("dmm", "CUB"):
            found, base = rows[kernel.replace("by_lanes_", "") if who == "CUB" else kernel, who], rows[own, who]
            cells += ["unknown loops"] * 2 if found is None else [
                "%.1f" % ((found[0] - base[0]) / keys), "%.1f" % (found[1] / keys)]
        if kernel != own:
            print("| %s | %s |" % (kernel, " | ".join(cells)))


if __name__ == "__main__":
    main()
