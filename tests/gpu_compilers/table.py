#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles every kernel of every primitive with GPU compilers and the library's options, for the table of docs/records/gpus.md.
Writes the page, or checks that it agrees with the installed compilers. Fails if a kernel has a stack or spills
registers. Exit status 77: no compiler is installed."""

import argparse
import functools
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "meter")]

from compilers import DoesNotCompile, compilers, left_out, run  # noqa: E402
from promise_kernels import kernels_of_sources  # noqa: E402

NO_COMPILER = 77
KEPT_FORMAT = 3  # change it when compilers.py reads other values
# Runs without --all compile all programs to SPIR-V, and for one device of each vendor those in DEMANDING, which need most
# registers.
WHOLE = "spirv"
VENDORS = ("sm_90", "gfx90a", "dg2")
DEMANDING = ("sort u32 + 4 B", "sort u32, radix", "sort u64, radix, guarantee", "sort_segmented u32, argsort", "nth u64",
             "partition, matrix", "partition by splitters + 4 B", "scan i64, max", "unique u32 + 4 B", "hull f32",
             "hull f64, collinear")
# Part of the purpose of programs whose E the library never chooses itself. They need too many registers for Intel.
CHOSEN_E = " E = "
# Its compiler takes SIMD32 for every kernel without ballots and spills in many: shown, and not judged.
SHOWN = "pvc"
# Spills that are known, of programs of the other devices of Intel: bytes of a hardware thread at most.
KNOWN_SPILLS = {("dg2", "dmm_radix_alone"): 512, ("tgllp", "dmm_radix_alone"): 1024,
                ("dg2", "dmm_hull_classify"): 512, ("dg2", "dmm_hull_solve"): 2048, ("tgllp", "dmm_hull_solve"): 4096}
COLUMNS = {"sm_90": "registers", "gfx90a": "registers", "gfx1030": "registers", "gfx1030-wave64": "registers",
           "dg2": "simd", "tgllp": "simd", "pvc": "simd"}


@dataclass
class Program:
    number: int
    purpose: str  # the first description that it was built for
    options: str
    kernels: set = field(default_factory=set)  # used kernels


def programs_of(recorder, device, folder):
    """Returns the programs that the library builds on a device."""
    folder.mkdir(parents=True, exist_ok=True)
    run([recorder, device, folder])
    programs = {}
    for entry in json.loads((folder / "index.json").read_text(encoding="utf-8")):
        if "options" in entry:
            programs[entry["program"]] = Program(entry["program"], entry["for"], entry["options"])
        else:
            programs[entry["program"]].kernels.add(entry["kernel"])
    return list(programs.values())


@functools.cache
def version_of(tool):
    """Returns the first version number in the output of a tool's --version."""
    text = subprocess.run([str(tool), "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False).stdout
    found = re.search(r"V?(\d+\.\d+[.\d]*)", text)
    return found.group(1) if found else ""


def versions_of(compiler):
    return {name: version_of(path) for name, path in compiler.tools.items()
            if path is not None and name not in ("libraries", "ocloc")}


def code_of(source):
    """Returns the lines of a program without comments and #line directives."""
    text = re.sub(r"/\*.*?\*/", " ", source.read_text(encoding="utf-8"), flags=re.S)
    return [" ".join(line.split()) for line in text.splitlines() if line.strip() and not line.startswith("#line")]


def compile_once(compiler, program, folder):
    """Returns the readings of a program. Caches them under a hash of all their inputs."""
    source = folder / f"{program.number}.cl"
    text = json.dumps([code_of(source), program.options, compiler.device, versions_of(compiler), KEPT_FORMAT])
    kept = folder.parent / "kept" / f"{compiler.device}-{hashlib.sha256(text.encode()).hexdigest()}.json"
    if kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    readings = compiler.compile(source, program.options)
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps(readings), encoding="utf-8")
    return readings


def is_wanted(device, program, whole):
    if CHOSEN_E in program.purpose:
        return device in (WHOLE, "sm_90")
    return whole or device == WHOLE or device in VENDORS and program.purpose in DEMANDING


def read(recorder, folder, whole):
    """Returns rows (device, program, readings of its used kernels), and faults."""
    rows, faults = [], []
    for compiler in compilers():
        device = "dg2" if compiler.device == "spirv" else compiler.device
        for program in programs_of(recorder, device, folder / compiler.device):
            if not is_wanted(compiler.device, program, whole):
                continue
            try:
                readings = compile_once(compiler, program, folder / compiler.device)
            except DoesNotCompile as failure:
                faults.append(f"{compiler.device}: {program.purpose}: {failure}")
                continue
            used = {name: readings[name] for name in program.kernels if name in readings}
            rows.append((compiler.device, program, used))
    return rows, faults


def missing_kernels(recorder, folder):
    """Returns the kernels of cl/ that neither a device above nor the CPU form builds."""
    used = {kernel for device in (*VENDORS, "cpu")
            for program in programs_of(recorder, device, folder / device) for kernel in program.kernels}
    return sorted({name for _, name, _ in kernels_of_sources()} - used)


def memory_faults(rows):
    """Yields an error for each stack and each spill that is not known: every access to them costs as much as one to
    global memory."""
    for device, program, readings in rows:
        for name, reading in readings.items() if device != SHOWN else ():
            for what, known in ("stack", 0), ("spills", KNOWN_SPILLS.get((device, name), 0)):
                if reading.get(what, 0) > known:
                    yield f"{device}: {program.purpose}: {name} has {reading[what]} bytes of {what}"


def span(numbers):
    numbers = sorted(set(numbers))
    return "" if not numbers else str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def cells_of(rows):
    """Returns {kernel: {column: text}}. A cell covers all programs of a device."""
    cells = {}
    for name in sorted({name for _, _, readings in rows for name in readings}):
        cells[name] = {}
        for device, what in COLUMNS.items():
            own = [readings[name] for other, _, readings in rows if other == device and name in readings]
            cells[name][device] = span(reading[what] for reading in own if what in reading)
        cells[name]["local"] = span(readings[name]["local"] for device, _, readings in rows
                                    if device == "sm_90" and "local" in readings.get(name, {}))
        for what in ("stack", "spills"):
            cells[name][what] = str(max((readings[name].get(what, 0) for device, _, readings in rows
                                         if device != SHOWN and name in readings), default=0))
        cells[name]["pvc spills"] = span(readings[name]["spills"] for device, _, readings in rows
                                         if device == SHOWN and name in readings)
    return cells


def table(cells):
    heads = [*COLUMNS, "local", "stack", "spills", "pvc spills"]
    lines = ["| kernel | " + " | ".join(heads) + " |", "| --- |" + " --: |" * len(heads)]
    for name, own in cells.items():
        lines.append(f"| `{name}` | " + " | ".join(own[head] for head in heads) + " |")
    return "\n".join(lines)


def tools_line():
    found = {}
    for compiler in compilers():
        found.update(versions_of(compiler))
    return "Compiled by " + ", ".join(f"{name} {version}" for name, version in sorted(found.items())) + "."


PARTS = r"(<!-- table: {} -->\n).*?(<!-- end -->)"


def part_of(text, name):
    found = re.search(PARTS.format(name), text, re.S)
    return text[found.end(1):found.start(2)].strip()


def write_page(page, cells):
    text = page.read_text(encoding="utf-8")
    for name, part in (("tools", tools_line()), ("kernels", table(cells))):
        text = re.sub(PARTS.format(name), lambda found, part=part: found.group(1) + part + "\n" + found.group(2), text,
                      flags=re.S)
    page.write_text(text, encoding="utf-8")


def page_faults(page, cells, whole):
    """Yields the cells that differ from the page. Unless all programs were compiled, checks that the cell lies within the
    range on the page."""
    text = page.read_text(encoding="utf-8")
    if part_of(text, "tools") != tools_line():
        print(f"{page.name} was made with other compilers and is not compared: {tools_line()}")
        return
    lines = [[cell.strip(" `") for cell in line.strip("|").split("|")]
             for line in part_of(text, "kernels").splitlines()]
    said = {line[0]: dict(zip(lines[0][1:], line[1:])) for line in lines[2:]}
    for name, own in cells.items():
        for head, value in own.items():
            known = said.get(name, {}).get(head, "")
            known_span = f"0-{known}" if known and head in ("stack", "spills") else known
            if value != known and (whole or not within(value, known_span)):
                yield f"{page.name}: {name}, {head}: the page says {known or 'nothing'}, the compiler {value}"


def within(value, known):
    """True if `value` lies in the range `known`. Ranges are texts: 'NUMBER' or 'LEAST-MOST'."""
    if not value:
        return True
    if not known:
        return False
    numbers, bounds = list(map(int, value.split("-"))), list(map(int, known.split("-")))
    return bounds[0] <= numbers[0] and numbers[-1] <= bounds[-1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recorder", type=Path, help="the program gpu_programs")
    parser.add_argument("folder", type=Path, help="for programs and compiler outputs")
    parser.add_argument("page", type=Path, help="docs/records/gpus.md")
    parser.add_argument("--write", action="store_true", help="writes the page, from all programs for all devices")
    parser.add_argument("--all", action="store_true", help="compiles all programs for all devices")
    return parser.parse_args()


def main():
    args = arguments()
    print("\n".join(left_out()))
    if not compilers():
        print("no GPU compiler is installed: .ci/setup compilers installs them")
        return NO_COMPILER
    rows, faults = read(args.recorder.resolve(), args.folder, args.all or args.write)
    faults += memory_faults(rows)
    faults += [f"{name} is in cl/, but in no program of gpu_programs"
               for name in missing_kernels(args.recorder.resolve(), args.folder)]
    cells = cells_of(rows)
    if args.write:
        write_page(args.page, cells)
    else:
        differences = list(page_faults(args.page, cells, args.all))
        print("\n".join(differences))
        faults += differences if args.all else []
    for fault in faults:
        print(f"gpu_compilers: {fault}", file=sys.stderr)
    print(f"{len(rows)} programs compiled, {len(cells)} kernels, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
