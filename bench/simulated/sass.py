# SPDX-License-Identifier: MIT
"""sass.py [--root DIR] [--out FILE] [--arch sm_80,sm_90] [NAME...]: counts instructions per key as ptxas compiles them.

The simulator runs PTX and records how often each line ran (simulate.py keeps these counts). ptxas compiles the same
file with line numbers, and nvdisasm shows the PTX line of each instruction. The count of a block of instructions is the
most common count of its lines. Adds warp instructions per key to the rows of the names given, or to all rows.
"""
import argparse
import collections
import json
import os
import re
import statistics
import subprocess

from counters import step_of

INSTRUCTION = re.compile(r"^\s*(@!?%p\d+\s+)?[a-z][\w.]*\b.*;\s*$")
BRANCHES = ("BRA", "BRX", "EXIT", "BSYNC", "BREAK", "RET", "CALL", "BAR")


def numbered(text):
    """Returns the PTX with the number of its line before each instruction."""
    lines, depth, named = [], 0, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(".visible") and not named:
            lines.append('.file\t1 "kernels.ptx"')
            named = True
        depth += line.count("{") - line.count("}")
        if depth > 0 and INSTRUCTION.match(line) and not line.strip().startswith("."):
            lines.append(".loc\t1 %d 0" % number)
        lines.append(line)
    return "\n".join(lines) + "\n"


def counts_of(path):
    """Returns {line: number of lanes that ran it}."""
    counts = {}
    for line in open(path, encoding="utf-8", errors="replace"):
        found = re.match(r"\S+ (\d+) : (\d+) ", line)
        if found:
            counts[int(found.group(1))] = int(found.group(2))
    return counts


def kernels_that_ran(text, counts):
    name, ran = "", []
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r"\.entry (\w+)", line)
        name = found.group(1) if found else name
        if number in counts and name not in ran:
            ran.append(name)
    return ran


def blocks_of(text):
    """Returns {kernel: its blocks of (operation, PTX line)}."""
    kernels, blocks, line = collections.defaultdict(list), None, 0
    for row in text.splitlines():
        section = re.match(r"\s*\.section\s+\.text\.(\S+?),", row)
        place = re.search(r"//## File .*, line (\d+)", row)
        label = re.match(r"^\.L_", row)
        operation = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", row)
        if section:
            blocks = kernels[section.group(1)] = [[]]
        elif place:
            line = int(place.group(1))
        elif label and blocks and blocks[-1]:
            blocks.append([])
        elif operation and blocks is not None:
            name = operation.group(1).split(".")[0]
            if name != "NOP":
                blocks[-1].append((name, line))
            if name in BRANCHES:
                blocks.append([])
    return kernels


def warp_instructions(blocks, counts):
    total = 0
    for block in blocks:
        ran = [counts.get(line, 0) for _, line in block if line]
        if ran:
            total += len(block) * statistics.mode(sorted(ran, reverse=True)) / 32
    return total


class Tools:
    def __init__(self, root):
        self.ptxas = os.path.join(root, "toolkit/bin/ptxas")
        self.nvdisasm = next(os.path.join(path, "nvdisasm") for path, _, names in os.walk(
            os.path.join(root, "cuda"), followlinks=True) if "nvdisasm" in names)

    def disassemble(self, folder, ptx, arch, counts):
        source, cubin = os.path.join(folder, "lines.ptx"), os.path.join(folder, arch + ".cubin")
        text = open(ptx, encoding="utf-8").read()
        with open(source, "w", encoding="utf-8") as file:
            file.write(numbered(text))
        entries = [word for name in kernels_that_ran(text, counts) for word in ("--entry", name)]
        subprocess.run([self.ptxas, "-arch=" + arch, "-O3", "-lineinfo", *entries, "-o", cubin, source], check=True)
        return subprocess.run([self.nvdisasm, "-g", "-c", cubin], check=True, capture_output=True, text=True).stdout


def count(tools, folder, arch, row):
    """Returns {step: warp instructions per key in one launch} of the steps that ran."""
    exact = os.path.join(folder, "exact.ptx") # dmm's, before simulate.py rewrote what the simulator lacks
    ptx = exact if os.path.exists(exact) else next(
        os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".sm_70.ptx"))
    counts = counts_of(os.path.join(folder, "gpgpu_inst_stats.txt"))
    for number, line in enumerate(open(ptx, encoding="utf-8"), 1):
        if "lop3" in line and number in counts: # the simulator ran two instructions for it: with_ands_of_two
            counts[number] //= 2
    launches = collections.Counter(kernel["step"] for kernel in row["kernels"])
    result = collections.Counter()
    for name, blocks in blocks_of(tools.disassemble(folder, ptx, arch, counts)).items():
        if step_of(name) in launches:
            result[step_of(name)] += warp_instructions(blocks, counts) / launches[step_of(name)] / row["n"]
    return {step: round(value, 3) for step, value in result.items()}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--out", required=True, help="results of simulate.py")
    options.add_argument("--arch", default="sm_80,sm_90")
    options.add_argument("names", nargs="*")
    given = options.parse_args()
    tools = Tools(os.path.abspath(given.root))
    rows = json.load(open(given.out, encoding="utf-8"))
    for row in rows:
        folder = os.path.join(os.path.abspath(given.root), "runs", row["name"])
        if (given.names and row["name"] not in given.names) or not os.path.isdir(folder):
            continue
        row["sass"] = {arch: count(tools, folder, arch, row) for arch in given.arch.split(",")}
        print("%s: %s" % (row["name"], row["sass"]), flush=True)
    with open(given.out, "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
