#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Intel's compiler makes of the kernels that cost most, from the dumps of IGC: SIMD width, spills, instructions,
and the share of these that compute with 64-bit integers, which are addresses. Writes the table of docs/records/gpus.md.
Counts the code, not what runs: loops once, and tiles that are not full, too."""

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE))

from compilers import find_tool, run  # noqa: E402
from paths import PATHS, write_table  # noqa: E402
from table import programs_of  # noqa: E402

DEVICES = ("dg2", "tgllp", "pvc")
INSTRUCTION = re.compile(r"^\s*(?:\([^)]*\)\s*)*([a-z]\w*)(?:\.\w+)*\s+(?:\([^)]*\)\s*)*\(\d+\|M\d+\)(.*?)(?://|$)")


def readings_of(ocloc, device, source, options, folder):
    """Returns {kernel: (SIMD width, bytes spilled, instructions, those of 64 bits)}; of several tries, the last."""
    folder.mkdir()
    run([ocloc, "compile", "-q", "-file", source, "-device", device, "-options", options, "--format", "zebin",
         "-output", "binary", "-output_no_suffix", "-out_dir", folder],
        env={**os.environ, "IGC_ShaderDumpEnable": "1", "IGC_DumpToCustomDir": str(folder)})
    found = {}
    for path in sorted(folder.glob("*_simd*.asm"), key=lambda path: path.stat().st_mtime_ns):
        text = path.read_text(encoding="utf-8", errors="replace")
        kernel, spilled = re.search(r"//\.kernel (\w+)", text), re.search(r"//\.spill size (\d+)", text)
        code = [match.groups() for match in map(INSTRUCTION.match, text.splitlines()) if match]
        wide = sum(name == "addc" or not name.startswith("send") and bool(re.search(r":u?q\b", rest))
                   for name, rest in code)
        found[kernel.group(1)] = (int(re.search(r"_simd(\d+)_", path.name).group(1)),
                                  int(spilled.group(1)) if spilled else 0, len(code), wide)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recorder", type=Path, help="the program gpu_programs")
    parser.add_argument("page", type=Path, help="docs/records/gpus.md")
    parser.add_argument("--ocloc", default=find_tool("ocloc"))
    parser.add_argument("--write", action="store_true", help="writes the page; otherwise prints the table")
    args = parser.parse_args()
    lines = ["| kernel | device | shape | SIMD | spilled, bytes | instructions | of 64 bits |",
             "|---|---|---|--:|--:|--:|--:|"]
    with tempfile.TemporaryDirectory() as name:
        for device in DEVICES:
            folder, known = Path(name) / device, {}
            programs = {program.purpose: program for program in programs_of(args.recorder.resolve(), device, folder)}
            for what, (purpose, kernel) in PATHS.items():
                program = programs[purpose]
                if purpose not in known:
                    known[purpose] = readings_of(args.ocloc, device, folder / f"{program.number}.cl", program.options,
                                                 folder / f"dump{program.number}")
                simd, spilled, count, wide = known[purpose][kernel]
                shape = " ".join(re.findall(r"DMM_([UE]=\d+)", program.options))
                lines.append(f"| {what} | {device} | {shape} | {simd} | {spilled} | {count} | "
                             f"{100 * wide / count:.0f} % |")
    table = "\n".join([*lines[:2], *sorted(lines[2:])])
    if args.write:
        write_table(args.page, "igc", table)
    print(table)


if __name__ == "__main__":
    main()
