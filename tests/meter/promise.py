#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The promise, read off the shipped kernels: no bank conflict in any local step.

promise.py WORD... runs `dmm sort`, `dmm merge`, scans and sorts of structs under `dmm meter`, in the
GPU form, with at least two lane groups a work-group. It prints what was read and fails if a run gives a
wrong result, a kernel that the run must launch is missing, a tile kernel has no local steps, or a
kernel of the list has a conflict. --expect-conflicts turns the last point round: for kernels with an
error planted in them, which sort right all the same.
"""

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from promise_inputs import TYPES, key_bytes, make_keys, numbered_values, pack  # noqa: E402
from promise_run import (AMD, INTEL, NVIDIA, SMALL, WIDE, WIDE_WORDS, Machine, Programs,  # noqa: E402
                         RunFailed, local_total, meter)

# Every kernel, a line each: the calls that launch it, and whether it works in local memory.
# All are marked conflict-free. A kernel of cl/ that is not here fails the test.
KERNELS = {
    "dmm_sort_tile": ({"sort", "items"}, True),
    "dmm_merge_partition": ({"sort", "items", "merge"}, False),
    "dmm_merge_tile": ({"sort", "items", "merge"}, True),
    "dmm_gather_values": ({"large values"}, False),
    "dmm_scan_reduce": ({"scan"}, True),
    "dmm_scan_alone": ({"scan"}, True),
    "dmm_scan_apply": ({"scan"}, True),
}

MACHINES = (NVIDIA, AMD, INTEL, SMALL)
# Of each machine: E coprime to w; w, or a multiple of it, or half of it; no power of two; coprime.
E_OF = {32: (15, 16, 12, 17), 16: (15, 16, 12, 7), 8: (7, 16, 12, 5)}
KINDS = ("random", "equal", "sorted", "worst")
SORTED_TYPES = ("u8", "f16", "i32", "f64")
MERGED_TYPES = ("i8", "u16", "f32", "u64")
SCANNED_TYPES = ("u8", "u16", "u32", "u64")
SORTED_VALUES = ("none", "4", "12", "index")
MERGED_VALUES = ("none", "4", "12", "1")
SCANS = ("sum", "max", "min", "sum-exclusive")


@dataclass(frozen=True)
class Run:
    """One program under the meter. `detail`: of the values (sort, merge) or which scan."""

    word: str
    machine: Machine
    E: int
    key_type: str
    detail: str
    kind: str
    search: str = "cf"

    @property
    def u(self):
        return 2 * max(self.machine.lanes, self.machine.banks)

    @property
    def n(self):
        """Three tiles and a part of one: two merge passes, the last of them of unequal lists."""
        return 3 * self.u * self.E + 7

    @property
    def settings(self):
        return f"form=gpu,u={self.u},E={self.E},search={self.search}"

    def calls(self):
        return {self.word} | ({"large values"} if self.detail == "12" else set())

    def __str__(self):
        plain = " plain search" if self.search == "plain" else ""
        return (f"{self.word:5} {self.machine!s:8} u={self.u:<3} E={self.E:<2} "
                f"{self.key_type:4} {self.detail:13} {self.kind:8}{plain}")


# ---- Which runs --------------------------------------------------------------------------------


def covering():
    """16 rows of five columns of levels 0..3 in which every two columns meet in every pair of levels:
    an orthogonal array, by the lines of the plane over the field of four elements."""
    twice, thrice = (0, 2, 3, 1), (0, 3, 1, 2)
    return [(a, b, a ^ b, a ^ twice[b], a ^ thrice[b]) for a in range(4) for b in range(4)]


def rows(word, types, details, kinds):
    for machine, E, key_type, detail, kind in covering():
        yield Run(word, MACHINES[machine], E_OF[MACHINES[machine].banks][E], types[key_type],
                  details[detail], kinds[kind])


def short_runs(word):
    """What every change is tested with."""
    if word == "sort":
        yield from rows(word, SORTED_TYPES, SORTED_VALUES, KINDS)
        for i, machine in enumerate(MACHINES):
            yield Run("items", machine, E_OF[machine.banks][i], "12 B", "struct", "random")
            yield Run(word, machine, E_OF[machine.banks][0], "u32", "none", "random", "plain")
    elif word == "merge":
        yield from rows(word, MERGED_TYPES, MERGED_VALUES, KINDS)
    elif word == "scan":
        yield from rows(word, SCANNED_TYPES, SCANS, ("random",) * 4)


def full_runs(word):
    """Every E on every machine; the other factors go round at their own pace."""
    kinds = KINDS + ("reversed", "few", "skewed")
    values = ("none", "1", "2", "4", "8", "12", "20")
    at = 0
    for machine in MACHINES + (WIDE, WIDE_WORDS):
        for E in range(1, 33):
            at += 1
            kind = kinds[at % 7]
            if word == "scan":
                yield Run(word, machine, E, SCANNED_TYPES[at % 4], SCANS[at // 4 % 4], "random")
                continue
            if kind == "worst" and E == 1:
                kind = "random"
            yield Run(word, machine, E, tuple(TYPES)[at % 11], values[at // 3 % 7], kind)
            if word == "sort" and E % 4 == machine.banks % 3:
                yield Run("items", machine, E, "12 B", "struct", "random")


# ---- One run -----------------------------------------------------------------------------------


def value_options(run, folder, names_and_counts):
    """Files of values for `dmm sort` and `dmm merge`, numbered through, and the options that say so."""
    options, first = [], 0
    for name, count in names_and_counts:
        path = folder / f"{name}.bin"
        path.write_bytes(numbered_values(count, int(run.detail), first))
        options += [f"--{name}", path]
        first += count
    return options + ["--value-bytes", run.detail, "--values-out", folder / "values_out.bin"]


def sort_command(run, programs, keys, folder):
    path = folder / "keys.bin"
    path.write_bytes(pack(run.key_type, keys))
    options = []
    if run.detail == "index":
        options = ["--argsort", "--values-out", folder / "values_out.bin"]
    elif run.detail != "none":
        options = value_options(run, folder, [("values", len(keys))])
    return [programs.subject, "sort", "--check", "-t", run.key_type, path, "-o",
            folder / "out.bin", *options]


def merge_command(run, programs, keys, folder):
    """A and B are the lists that a sort of these keys would merge in its last pass."""
    half = 2 * run.u * run.E
    paths = []
    for name, part in (("a", keys[:half]), ("b", keys[half:])):
        paths.append(folder / f"{name}.bin")
        paths[-1].write_bytes(pack(run.key_type, sorted(part)))
    options = []
    if run.detail != "none":
        options = value_options(run, folder, [("a-values", half), ("b-values", len(keys) - half)])
    return [programs.subject, "merge", "--check", "-t", run.key_type, *paths, "-o",
            folder / "out.bin", *options]


def command_of(run, programs, folder):
    if run.word == "items":
        return [programs.calls, "items", run.n]
    if run.word == "scan":
        return [programs.calls, "scan", run.key_type, run.detail, run.n]
    keys = make_keys(run.kind, programs.dmm, folder, run.key_type, run.n, run.u, run.E,
                     run.machine.banks)
    return {"sort": sort_command, "merge": merge_command}[run.word](run, programs, keys, folder)


def faults_of(run, reading):
    """What makes the reading worth nothing, whether or not there are conflicts."""
    seen = {kernel["name"]: kernel for kernel in reading["kernels"]}
    for name, (calls, local) in KERNELS.items():
        if not calls & run.calls():
            continue
        kernel = seen.get(name)
        if kernel is None:
            yield f"{name} was not seen"
        elif local and kernel["local"]["steps"] == 0:
            yield f"{name} has no local steps"
        elif local and (kernel["group_items"] != run.u or kernel["built_banks"] != run.machine.banks):
            yield (f"{name} has groups of {kernel['group_items']} and was built for "
                   f"{kernel['built_banks']} banks")
    for name, kernel in seen.items():
        if name not in KERNELS:
            yield f"{name} is not in the list"
        if kernel["unjudged"] or kernel["finished"] < kernel["launches"]:
            yield f"{name} was not read whole"


def print_reading(run, reading):
    kernels = ", ".join(f"{kernel['name'].removeprefix('dmm_')} {kernel['local']['steps']}"
                        for kernel in reading["kernels"] if kernel["local"]["steps"])
    conflicts = local_total(reading, "conflicts")
    mark = "measured " if run.search == "plain" else ""
    print(f"{run} {conflicts:6} conflicts {mark}in local steps: {kernels}", flush=True)
    for kernel in reading["kernels"]:
        for line in kernel["lines"]:
            if line["space"] == "local" and line["conflicts"]:
                print(f"    {kernel['name']} {line['file']}:{line['line']} {line['kind']}: "
                      f"{line['conflicts']} conflicts in {line['steps']} steps: {line['text']}")


def read(run, programs):
    with tempfile.TemporaryDirectory(prefix="dmm-promise-") as name:
        folder = Path(name)
        return meter(programs, run.machine, run.settings, command_of(run, programs, folder), folder)


# ---- All runs ----------------------------------------------------------------------------------


def judge(runs, programs, expect_conflicts):
    """Runs and prints all; returns what is wrong."""
    faults, with_conflicts, count = [], 0, 0
    for run in runs:
        count += 1
        try:
            reading = read(run, programs)
        except RunFailed as failure:
            faults.append(f"{run}: {failure}")
            continue
        print_reading(run, reading)
        faults += [f"{run}: {fault}" for fault in faults_of(run, reading)]
        conflicts = local_total(reading, "conflicts")
        if run.search == "plain":
            continue
        with_conflicts += conflicts > 0
        if conflicts and not expect_conflicts:
            faults.append(f"{run}: {conflicts} conflicts")
    if expect_conflicts and with_conflicts == 0:
        faults.append("an error is planted in the kernels, and the meter did not see it")
    print(f"{count} runs, {with_conflicts} of them with conflicts where there should be none")
    return faults


def unlisted_kernels():
    folder = Path(__file__).resolve().parents[2] / "cl"
    for path in sorted(folder.glob("*.cl")):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"DMM_KERNEL\([^)]*\)\s*void\s+(\w+)", text):
            if name not in KERNELS:
                yield f"{path.name}: {name} is not in the list of kernels"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="+", metavar="WORD", choices=("sort", "merge", "scan"))
    parser.add_argument("--dmm", type=Path, required=True, help="the command that meters")
    parser.add_argument("--subject", type=Path, help="the dmm command that is metered, if another")
    parser.add_argument("--calls", type=Path, required=True, help="promise_calls")
    parser.add_argument("--full", action="store_true", help="every E, some minutes a word")
    parser.add_argument("--expect-conflicts", action="store_true")
    return parser.parse_args()


def main():
    args = arguments()
    programs = Programs(args.dmm, args.subject or args.dmm, args.calls)
    faults = list(unlisted_kernels())
    for word in args.words:
        runs = full_runs(word) if args.full else short_runs(word)
        faults += judge(runs, programs, args.expect_conflicts)
    for fault in faults:
        print(f"promise: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
