#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an item costs on AMD's GPUs in a full tile, by clang and llvm-mca: wave instructions, VALU instructions, words
of local memory, and cycles of the vector unit of one wave. Writes the table of docs/records/gpus.md.

The path through a kernel: a condition of lanes holds; of an if and its else, the shorter one runs; of other ways, that
with most accesses to memory, then the shortest. A loop runs as often as LOOPS says for a function that it has lines of,
and once otherwise. Latencies of memory and conflicts are not counted."""

import argparse
import collections
import functools
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
CL = HERE.parent.parent / "cl"
sys.path.append(str(HERE))

from compilers import ROCM_LIBRARIES, clang_words, find_tool, run  # noqa: E402
from table import PARTS, programs_of, version_of  # noqa: E402

PATHS = {"merge sort, tile": ("sort u32", "dmm_sort_tile"), "merge sort, pass": ("sort u32", "dmm_merge_tile"),
         "radix sort, digits": ("sort u32, radix", "dmm_radix_digits"),
         "radix sort, pass": ("sort u32, radix", "dmm_radix_pass"), "scan": ("scan u32", "dmm_scan_chained"),
         "histogram of bytes": ("histogram u8", "dmm_histogram_count"),
         "partition, buckets": ("partition by splitters + 4 B", "dmm_partition_bucket")}
# Runs of a loop, by a function that has lines in it, and log2(u): rounds of a tile, mean steps of a search in them.
LOOPS = {"dmm_sort_round": lambda log_u: log_u - 1, "dmm_search_blocks": lambda log_u: (log_u + 1) / 2}
COLD = {"dmm_chain_count"} # where a group counts what an earlier one has not stored yet
# Devices: whose facts they have here, and whose version ROCm's libraries of LLVM 15 take for theirs.
DEVICES = {"gfx90a": ("gfx90a", "90a"), "gfx942": ("gfx90a", "940"), "gfx1100": ("gfx1030", "1036"),
           "gfx1201": ("gfx1030", "1036")}
LIBRARIES = ("opencl", "ocml", "ockl", "oclc_daz_opt_off", "oclc_unsafe_math_off", "oclc_finite_only_off",
             "oclc_correctly_rounded_sqrt_off", "oclc_abi_version_500")
HEAD = re.compile(r"(?:DMM_INLINE|DMM_KERNEL|kernel|static)\b.*?\b(dmm_\w+)\(|(?:void|uint|int) (dmm_\w+)\(")
NOT_ISSUED = ("s_waitcnt", "s_wait_", "s_nop", "s_delay", "s_clause")


@dataclass
class Block:
    label: str
    lines: list = field(default_factory=list)  # instructions
    functions: list = field(default_factory=list)  # of each
    loops: tuple = ()  # labels of headers, outer ones first
    times: float = 1
    skipped: bool = False


def function_at(path, line):
    """Returns the function of cl/ that has a line; comments of clang name file and line."""
    return next((name for first, name in reversed(functions_of(path)) if first <= line), "")


@functools.cache
def functions_of(path):
    text = (CL.parent / path).read_text(encoding="utf-8").splitlines() if (CL.parent / path).is_file() else []
    heads = ((number, HEAD.match(line)) for number, line in enumerate(text, 1))
    return [(number, head.group(1) or head.group(2)) for number, head in heads if head]


def blocks_of(text, kernel):
    """Returns the blocks of a kernel in their order."""
    body = text[text.index(f"\n{kernel}:"):]
    blocks, function, name = [Block("entry")], "", "entry"
    for line in body[:body.index("\n.Lfunc_end")].splitlines()[1:]:
        label = re.match(r"(?:\.L(BB\d+_\d+):|; %bb\.(\d+):)", line)
        place = re.match(r"\s+\.loc\s.*;\s*(\S+?):(\d+):", line)
        header, child = re.search(r"in Loop: Header=(BB\d+_\d+)", line), re.search(r"=>\s*This .*Loop Header", line)
        parent = re.search(r"Parent Loop (BB\d+_\d+) Depth", line)
        if label:
            name = label.group(1) or "bb" + label.group(2)
            blocks.append(Block(name))
        if parent:
            blocks[-1].loops += (parent.group(1),)
        if header:
            blocks[-1].loops = (header.group(1),)
        if child:
            blocks[-1].loops += (name,)
        if place and int(place.group(2)) > 0:
            function = function_at(place.group(1), int(place.group(2)))
        instruction = re.match(r"\s+([a-z]+_\w+.*?)\s*(?:;|$)", line)
        if instruction and not label:
            blocks[-1].lines.append(instruction.group(1))
            blocks[-1].functions.append(function)
            if re.match(r"s_c?branch|s_endpgm", instruction.group(1)):
                blocks.append(Block(""))
    return [block for block in blocks if block.label or block.lines]


def nest(blocks):
    """Gives each block the whole nest of its loops: a comment names the innermost only."""
    nests, last = {}, ()
    for block in blocks:
        if block.loops and block.loops[-1] == block.label:
            nests[block.label] = block.loops
    for block in blocks:
        if not block.label:
            block.loops = last
        elif block.loops and block.loops[-1] != block.label:
            block.loops = nests.get(block.loops[-1], block.loops)
        last = block.loops


def words_of(line):
    """Returns the words of 4 bytes that a lane moves by an instruction."""
    name = line.split()[0]
    if not name.startswith(("ds_read", "ds_write", "ds_load", "ds_store", "global_", "flat_", "buffer_")):
        return 0
    bits = re.search(r"_b(\d+)", name)
    wide = re.search(r"dwordx(\d)", name)
    two = 2 if re.search(r"(read|write|load|store)(_2addr|2)", name) else 1
    return two * (max(1, int(bits.group(1)) // 32) if bits else int(wide.group(1)) if wide else 1)


def weight(blocks):
    return sum(len(block.lines) for block in blocks)


def skip_alternatives(blocks):
    """Of an if and its else, in masks of lanes, marks the longer one."""
    at = {block.label: i for i, block in enumerate(blocks) if block.label}
    for i, block in enumerate(blocks):
        goal = goal_of(block, "s_cbranch_execz")
        if goal not in at or at[goal] <= i or not any("s_or_saveexec" in line for line in blocks[at[goal]].lines):
            continue
        end = goal_of(blocks[at[goal]], "s_cbranch_execz")
        if end in at and at[end] > at[goal]:
            one, other = blocks[i + 1:at[goal]], blocks[at[goal] + 1:at[end]]
            for skipped in one if weight(one) > weight(other) else other:
                skipped.skipped = True


def goal_of(block, branch):
    found = re.match(branch + r"\w* \.L(BB\d+_\d+)", block.lines[-1]) if block.lines else None
    return found.group(1) if found else ""


def trips(blocks, log_u, unknown):
    """Sets how often each block runs."""
    of_loop = {}
    for block in blocks:
        for header in block.loops:
            of_loop.setdefault(header, collections.Counter()).update(
                function for function in block.functions if block.loops[-1] == header)
    for block in blocks:
        for header in block.loops:
            names = of_loop[header]
            known = [name for name in LOOPS if name in names]
            if any(name in COLD for name in names):
                block.skipped = True
            elif known:
                block.times *= LOOPS[known[0]](log_u)
            else:
                unknown.add(names.most_common(1)[0][0] if names else header)


def ways_of(blocks):
    """Yields the blocks that may follow each block. A way back to the head of a loop goes to where the loop ends."""
    at = {block.label: i for i, block in enumerate(blocks) if block.label}
    ways = []
    for i, block in enumerate(blocks):
        last, goal = block.lines[-1] if block.lines else "", at.get(goal_of(block, "s_c?branch"))
        if last.startswith("s_endpgm"):
            ways.append([])
        elif last.startswith("s_branch"):
            ways.append([goal])
        elif last.startswith("s_cbranch_execnz") and blocks[goal].label not in block.loops:
            ways.append([goal])
        elif last.startswith("s_cbranch_exec"):
            ways.append([i + 1])
        else:
            ways.append([i + 1, goal] if goal is not None else [i + 1])

    def is_back(i, to):
        return to is not None and to < len(blocks) and blocks[to].label in blocks[i].loops

    ends = collections.defaultdict(set)
    for i, block in enumerate(blocks):
        branch = at.get(goal_of(block, "s_c?branch"))
        for to in {*ways[i], *([branch] if branch is not None else [])}:
            for header in block.loops:
                if to < len(blocks) and header not in blocks[to].loops:
                    ends[header].add(to)
    for i, own in enumerate(ways):
        yield [end for to in own for end in (sorted(ends[blocks[to].label]) if is_back(i, to) else [to])]


def path_of(blocks):
    """Returns the blocks of the path, each once."""
    ways, best, pending = list(ways_of(blocks)), {len(blocks): ((0, 0), [])}, [0]
    entered = set()
    while pending:
        i = pending[-1]
        open_ways = [way for way in ways[i] if way not in best and way not in entered] if i not in best else []
        if open_ways:
            entered.add(i)
            pending.append(open_ways[0])
            continue
        pending.pop()
        entered.discard(i)
        block = blocks[i]
        (most, least), rest = max((best[way] for way in ways[i] if way in best), key=lambda way: way[0],
                                  default=((0, 0), []))
        times = 0 if block.skipped else block.times
        best[i] = ((most + sum(map(words_of, block.lines)) * times, least - len(block.lines) * times),
                   rest if block.skipped else [block, *rest])
    return best[0][1]


def vector_cycles(mca, device, path):
    """Returns the cycles that the vector unit is busy, by llvm-mca's model of the device."""
    total = 0
    for times in sorted({block.times for block in path}):
        code = [line for block in path if block.times == times for line in block.lines
                if not line.startswith(("s_cbranch", "s_branch", "s_endpgm", "s_barrier"))]
        text = subprocess.run([mca, "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={device}", "-iterations=1",
                               "-instruction-info=false", "-"], input="\n".join(code) + "\n", capture_output=True,
                              text=True, check=True).stdout
        names = re.findall(r"^\[(\d+(?:\.\d+)?)\]\s+- (\w+)", text, re.M)
        pressures = re.search(r"Resource pressure per iteration:\n.*\n(.*)\n", text).group(1).split()
        total += times * sum(float(value) for (_, name), value in zip(names, pressures)
                             if name == "HWVALU" and value != "-")
    return total


def compile_to(clang, device, libraries, source, options):
    version, wave64 = DEVICES[device][1], device.startswith("gfx9")
    names = (*LIBRARIES, f"oclc_isa_version_{version}", f"oclc_wavefrontsize64_{'on' if wave64 else 'off'}")
    out = source.with_suffix(f".{device}.s")
    run([*clang_words(clang, options), "--target=amdgcn-amd-amdhsa", f"-mcpu={device}", "-nogpulib",
         "-gline-tables-only", "-mcode-object-version=5", *(word for name in names for word in (
             "-Xclang", "-mlink-builtin-bitcode", "-Xclang", libraries / f"{name}.bc")), "-S", "-o", out, source])
    return out.read_text(encoding="utf-8")


def cell_of(mca, device, text, kernel, options, unknown):
    u, e = (int(re.search(rf"DMM_{name}=(\d+)", options).group(1)) for name in "UE")
    blocks = blocks_of(text, kernel)
    nest(blocks)
    trips(blocks, u.bit_length() - 1, unknown)
    skip_alternatives(blocks)
    path = path_of(blocks)
    lanes = 64 if device.startswith("gfx9") else 32
    sums = collections.Counter()
    for block in path:
        for line in block.lines:
            sums["all"] += block.times * (not line.startswith(NOT_ISSUED))
            sums["valu"] += block.times * line.startswith("v_")
            sums["local"] += block.times * words_of(line) * line.startswith("ds_")
    return [f"{sums['all'] / e / lanes:.2f}", f"{sums['valu'] / e:.0f}", f"{sums['local'] / e:.1f}",
            f"{vector_cycles(mca, device, path) / e / lanes:.2f}"]


def write_table(page, name, table):
    text = page.read_text(encoding="utf-8")
    page.write_text(re.sub(PARTS.format(name), lambda found: found.group(1) + table + "\n" + found.group(2), text,
                           flags=re.S), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recorder", type=Path, help="the program gpu_programs")
    parser.add_argument("page", type=Path, help="docs/records/gpus.md")
    parser.add_argument("--clang", default=find_tool("clang-22", "clang-15"), help="knows the devices (clang 22: all)")
    parser.add_argument("--mca", default=find_tool("llvm-mca-22", "llvm-mca-15", "llvm-mca"))
    parser.add_argument("--write", action="store_true", help="writes the page; otherwise prints the table")
    args = parser.parse_args()
    libraries = next((folder for folder in ROCM_LIBRARIES if folder.is_dir()), None)
    known = run([args.clang, "--target=amdgcn-amd-amdhsa", "--print-supported-cpus"])
    devices = [device for device in DEVICES if re.search(rf"\b{device}\b", known)]
    rows, unknown = [], set()
    missing = {*LOOPS, *COLD} - {name for path in CL.rglob("*.cl*")
                                 for _, name in functions_of(path.relative_to(CL.parent))}
    if missing or libraries is None:
        sys.exit(f"paths: cl/ has no {missing}" if missing else "paths: ROCm's device libraries are missing")
    with tempfile.TemporaryDirectory() as name:
        for device in devices:
            folder = Path(name) / device
            programs = {program.purpose: program
                        for program in programs_of(args.recorder.resolve(), DEVICES[device][0], folder)}
            texts = {}
            for what, (purpose, kernel) in PATHS.items():
                program = programs[purpose]
                if purpose not in texts:
                    texts[purpose] = compile_to(args.clang, device, libraries, folder / f"{program.number}.cl",
                                                program.options)
                cells = cell_of(args.mca, device, texts[purpose], kernel, program.options, unknown)
                shape = " ".join(re.findall(r"DMM_([UE]=\d+)", program.options))
                rows.append(f"| {what} | {device} | {shape} | " + " | ".join(cells) + " |")
    table = "\n".join(["| kernel | device | shape | wave instructions | VALU instructions a lane | "
                       "words of local memory | VALU cycles |", "|---|---|---|--:|--:|--:|--:|", *sorted(rows)])
    table += f"\n\nBy clang {version_of(args.clang)} and llvm-mca {version_of(args.mca)}. Loops counted once: " + \
        ", ".join(f"`{name}`" for name in sorted(unknown)) + "."
    if args.write:
        write_table(args.page, "paths", table)
    print(table)


if __name__ == "__main__":
    main()
