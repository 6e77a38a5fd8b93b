#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The promise, read off the shipped kernels: no bank conflict in any local step.

Runs `dmm sort`, `dmm merge`, scans and sorts of structs under `dmm meter`, in the GPU form, with at
least two lane groups a work-group, and prints what was read. A run fails if its result is wrong, if
a kernel that it must launch is missing, if a tile kernel has no local steps, and if any kernel of
the list has a conflict. --expect-conflicts turns the last point round, for kernels with an error
planted in them: they must sort all the same, and the meter must see it.
"""

import argparse
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from promise_inputs import TYPES  # noqa: E402
from promise_run import (AMD, HERE, INTEL, NVIDIA, SMALL, WIDE, WIDE_WORDS, Programs,  # noqa: E402
                         Run, RunFailed, local_total, read)

PARTITIONS = {"partition", "partition-split", "partition-matrix"}
# Every kernel, a line each: the calls that launch it, and whether it works in local memory. All but
# MEASURED are marked conflict-free. A kernel of cl/ that is not here fails the test.
KERNELS = {
    "dmm_sort_tile": ({"sort", "items"}, True),
    "dmm_sort_matrix": ({"matrix", "shear"}, True),
    "dmm_merge_partition": ({"sort", "items", "merge", "matrix", "shear"}, False),
    "dmm_merge_tile": ({"sort", "items", "merge", "matrix", "shear"}, True),
    "dmm_gather_values": ({"large values"}, False),
    "dmm_scan_reduce": ({"scan"}, True),
    "dmm_scan_alone": ({"scan"}, True),
    "dmm_scan_apply": ({"scan"}, True),
    "dmm_radix_count": ({"radix", "split"} | PARTITIONS, True),
    "dmm_radix_scatter": ({"radix", "split"} | PARTITIONS, True),
    "dmm_radix_settle": ({"radix", "split"} | PARTITIONS, False),
    "dmm_radix_alone": ({"split-alone", "partition-alone"}, True),
    "dmm_radix_buckets": (set(), False),
    "dmm_partition_bucket": (PARTITIONS | {"partition-alone"}, True),
    "dmm_partition_judge": (PARTITIONS | {"partition-alone"}, True),
    "dmm_partition_offsets": (PARTITIONS | {"partition-alone"}, False),
    "dmm_shuffle_gather": (set(), False),
    "dmm_plan_tile": ({"plan"}, True),
    "dmm_permute_plain": (set(), False),
    "dmm_permute_count": (set(), False),
    "dmm_permute_clear": (set(), False),
    "dmm_permute_mark": (set(), False),
    "dmm_permute_own": (set(), False),
    "dmm_permute_find": (set(), False),
    "dmm_permute_tell": (set(), False),
    "dmm_permute_tile": ({"permute scatter"}, True),
    "dmm_permute_rounds": ({"permute randomized"}, True),
    "dmm_transpose_tiles": ({"plan"}, True),
    "dmm_transpose_square": ({"transpose"}, True),
    "dmm_transpose_blocks": (set(), False),
    "dmm_transpose_bands": (set(), False),
    "dmm_transpose_rows": ({"transpose"}, False),
    "dmm_transpose_columns": ({"transpose"}, False),
    "dmm_spread_start": (set(), False),
    "dmm_spread_lines": (set(), False),
    "dmm_spread_settle": (set(), False),
    "dmm_select_count": ({"topk"}, True),
    "dmm_select_keep": ({"topk"}, True),
    "dmm_select_least": (set(), False),
    "dmm_segments_check": ({"segments"}, False),
    "dmm_segments_find": ({"segments"}, False),
    "dmm_segments_tile": ({"segments"}, True),
    "dmm_segments_split": ({"segments"}, False),
    "dmm_segments_merge": ({"segments"}, True),
    "dmm_hull_check": ({"hull-few"}, True),
    "dmm_hull_cut": ({"hull"}, True),
    "dmm_hull_extremes": ({"hull"}, True),
    "dmm_hull_frame": ({"hull"}, True),
    "dmm_hull_filter": ({"hull"}, True),
    "dmm_hull_gather": ({"hull"}, True),
    "dmm_hull_sets": ({"hull-few"}, True),
    "dmm_hull_start": ({"hull"}, True),
    "dmm_hull_farthest": ({"hull"}, True),
    "dmm_hull_pivot": ({"hull"}, True),
    "dmm_hull_classify": ({"hull"}, True),
    "dmm_hull_plan": ({"hull"}, True),
    "dmm_hull_move": ({"hull"}, True),
    "dmm_hull_settle": ({"hull", "hull-few"}, True),
    "dmm_hull_place": ({"hull", "hull-few"}, True),
    "dmm_hull_write": ({"hull", "hull-few"}, False),
    "dmm_hull_sample": (set(), False),
    "dmm_hull_assign": (set(), False),
    "dmm_hull_strips": (set(), False),
    "dmm_hull_spread": (set(), False),
    "dmm_hull_join": (set(), False),
    "dmm_search_queries": ({"search"}, True),
    "dmm_unique_count": ({"unique"}, True),
    "dmm_unique_keep": ({"unique"}, True),
    "dmm_unique_fetch": ({"unique"}, False),
    "dmm_histogram_count": ({"histogram"}, True),
    "dmm_histogram_total": ({"histogram"}, False),
}
MEASURED = {"dmm_permute_tile", "dmm_radix_scatter", "dmm_radix_alone", "dmm_search_queries"}
# Words of calls under `guarantee`: nothing of theirs is measured.
GUARANTEED = {"split", "split-alone", "partition-split", "partition-matrix", "partition-alone",
              "permute randomized"}

MACHINES = (NVIDIA, AMD, INTEL, SMALL)
# By banks: E coprime to them, a power of two, a multiple of 4, coprime again.
E_OF = {64: (15, 16, 12, 17), 32: (15, 16, 12, 17), 16: (15, 16, 12, 7), 8: (7, 16, 12, 5)}
KINDS = ("random", "equal", "sorted", "worst")
SORTED_TYPES = ("u8", "f16", "i32", "f64")
MERGED_TYPES = ("i8", "u16", "f32", "u64")
SCANNED_TYPES = ("u8", "u16", "u32", "u64")
SORTED_VALUES = ("none", "4", "12", "index")
MERGED_VALUES = ("none", "4", "12", "1")
SELECTIONS = ("sorted", "unsorted", "nth")
CUTS = ("tiny", "middle", "one")
MOVES = ("permute scatter", "permute randomized", "plan", "transpose")
MOVED_BYTES = ("4", "8", "1", "12")
SCANS = ("sum", "max", "min", "sum-exclusive")

# Of local passes over those on random keys, for a sort: what docs/conflicts.md states.
MOST_OVER_RANDOM = 1.02


# ---- Which runs --------------------------------------------------------------------------------


def small_run(word, machine, E, key_type, kind, detail="none", search="cf"):
    """Two lane groups a work-group; three tiles and a part of one, so that a sort takes two merge
    passes, the last of them over lists of different lengths."""
    u = 2 * max(machine.lanes, machine.banks)
    return Run(word, machine, u, E, 3 * u * E + 7, key_type, kind, detail, search)


def covering():
    """16 rows of five columns of levels 0..3 in which any two columns show every pair of levels: an
    orthogonal array, from the lines of the plane over the field of four elements."""
    twice, thrice = (0, 2, 3, 1), (0, 3, 1, 2)
    return [(a, b, a ^ b, a ^ twice[b], a ^ thrice[b]) for a in range(4) for b in range(4)]


def covering_runs(word, types, details, kinds=KINDS):
    for machine, E, key_type, detail, kind in covering():
        yield small_run(word, MACHINES[machine], E_OF[MACHINES[machine].banks][E], types[key_type],
                        kinds[kind], details[detail])


def even_runs():
    """The parameters that a GPU gets by default, and inputs of every kind, random ones first."""
    for kind in ("random", "worst", "sorted", "equal", "skewed"):
        yield Run("sort", NVIDIA, 256, 16, 4 * 256 * 16, "u32", kind)


def split_runs(word):
    """Sorts by split: two digits, or the one tile of dmm_radix_alone."""
    for i, machine in enumerate((NVIDIA, INTEL, SMALL, WIDE)):
        u, E = 2 * max(machine.lanes, machine.banks), E_OF[machine.banks][i]
        n = u * E - 3 if word == "split-alone" else 2 * u * E + 7
        yield Run(word, machine, u, E, n, ("u16", "f16", "i16", "u16")[i],
                  ("random", "skewed", "sorted")[i % 3], SORTED_VALUES[i])


def matrix_runs(word):
    """Matrices that are high, square and wide, on every machine."""
    for i, machine in enumerate((NVIDIA, AMD, INTEL, SMALL, WIDE)):
        for j, kind in enumerate(("random", "worst", "equal") if word == "matrix" else ("random",)):
            k = i + j
            yield small_run(word, machine, (4, 8, 2)[k % 3], SORTED_TYPES[k % 4], kind,
                            SORTED_VALUES[(i + 2 * j) % 4])


def partition_runs(word):
    """The same labels for either move: random, equal, and those that send lanes far apart."""
    for i, machine in enumerate((NVIDIA, INTEL, SMALL, WIDE)):
        for j, kind in enumerate(("random", "equal", "lanes")):
            u, E = 2 * max(machine.lanes, machine.banks), (4, 7, 8)[(i + j) % 3]
            yield Run(word, machine, u, E, 2 * u * E + 7, SCANNED_TYPES[(i + j) % 4], kind,
                      ("33", "256", "1000")[j] if i == 0 else "32")


def labelled_runs(word):
    """Tiles as matrices that are wide, square and high, by all kinds of labels, into few buckets and
    many; more than a tile of them, or one that is sorted alone."""
    for i, machine in enumerate(MACHINES + (WIDE, WIDE_WORDS)):
        kinds = ("random", "equal", "skewed", "lanes")
        for j, kind in enumerate(kinds if word == "partition-matrix" else kinds[:2]):
            u, E = 2 * max(machine.lanes, machine.banks), (8, 1, 16, 4)[(i + j) % 4]
            n = 2 * u * E + 7 if word == "partition-matrix" else u * E - 3
            yield Run(word, machine, u, E, n, SCANNED_TYPES[(i + j) % 4], kind,
                      ("256", "2", "1000", "32")[j])


def move_runs(word):
    """Tiles of powers of two; items of all widths; random orders, and those that send a whole step
    to one bank."""
    for i, machine in enumerate(MACHINES):
        for kind in ("random", "bank"):
            u = 2 * max(machine.lanes, machine.banks)
            E = (8, 4, 16, 8)[i]
            n = 3200 if word == "transpose" else 3 * u * E + 7
            yield Run(word, machine, u, E, n, "", kind, MOVED_BYTES[(i + (kind == "bank")) % 4])
def hull_runs(word):
    """More points than a tile, which are split, and fewer."""
    for i, machine in enumerate(MACHINES):
        u, E = 2 * max(machine.lanes, machine.banks), 1 + i % 2
        yield Run(word, machine, u, E, 3 * u * E + 7 if word == "hull" else u - 3, "f64", "parabola")


def short_runs(word):
    """What every change is tested with."""
    if word == "sort":
        yield from covering_runs(word, SORTED_TYPES, SORTED_VALUES)
    elif word == "merge":
        yield from covering_runs(word, MERGED_TYPES, MERGED_VALUES)
    elif word == "scan":
        yield from covering_runs(word, SCANNED_TYPES, SCANS, ("random",) * 4)
    elif word == "items":
        for i, machine in enumerate(MACHINES):
            yield small_run(word, machine, E_OF[machine.banks][i], "12 B", "random")
    elif word == "radix":
        for i, machine in enumerate(MACHINES):
            yield small_run(word, machine, E_OF[machine.banks][i], SORTED_TYPES[i], "random",
                            SORTED_VALUES[i])
    elif word in ("split", "split-alone"):
        yield from split_runs(word)
    elif word in ("matrix", "shear"):
        yield from matrix_runs(word)
    elif word in ("partition", "partition-split"):
        yield from partition_runs(word)
    elif word in ("partition-matrix", "partition-alone"):
        yield from labelled_runs(word)
    elif word in ("hull", "hull-few"):
        yield from hull_runs(word)
    elif word == "topk":
        for i, machine in enumerate(MACHINES):
            yield small_run(word, machine, E_OF[machine.banks][i], SCANNED_TYPES[i], "random",
                            SELECTIONS[i % 3])
    elif word == "histogram":
        for i, machine in enumerate(MACHINES):
            yield small_run(word, machine, E_OF[machine.banks][i], SCANNED_TYPES[i % 3], "random",
                            ("256", "31", "200", "3")[i])
    elif word == "search":
        for i, machine in enumerate(MACHINES):
            yield small_run(word, machine, (1, 2, 4, 3)[i], SCANNED_TYPES[i], "random",
                            ("lower", "contains")[i % 2])
    elif word == "unique":
        for i, machine in enumerate(MACHINES):
            yield small_run(word, machine, E_OF[machine.banks][i], SCANNED_TYPES[i], "random",
                            ("1", "4", "40", "4")[i])
    elif word == "segments":
        for i, machine in enumerate(MACHINES):
            yield small_run(word, machine, E_OF[machine.banks][i], SCANNED_TYPES[i], "random",
                            CUTS[i % 3])
    elif word in MOVES:
        yield from move_runs(word)
    elif word == "plain":
        for machine in MACHINES:
            yield small_run("sort", machine, 15, "u32", "random", search="plain")
    elif word == "even":
        yield from even_runs()


def full_runs(word):
    """Every E on every machine; the other factors go round at a pace of their own."""
    kinds = KINDS + ("reversed", "few", "skewed")
    values = ("none", "1", "2", "4", "8", "12", "20")
    at = 0
    for machine in MACHINES + (WIDE, WIDE_WORDS):
        for E in range(1, 33):
            at += 1
            kind = kinds[at % 7] if E > 1 else "random"  # no worst input for E = 1
            if word == "items":
                yield small_run(word, machine, E, "12 B", "random")
            elif word == "scan":
                yield small_run(word, machine, E, SCANNED_TYPES[at % 4], "random",
                                SCANS[at // 4 % 4])
            else:
                yield small_run(word, machine, E, tuple(TYPES)[at % 11], kind, values[at // 3 % 7])


# ---- The verdict -------------------------------------------------------------------------------


def faults_of(run, reading):
    """What makes a reading worth nothing, whether or not it has conflicts."""
    seen = {kernel["name"]: kernel for kernel in reading["kernels"]}
    built = (run.u, run.machine.banks)
    calls = {run.word} | ({"large values"} if run.detail in ("12", "20") and
                          run.word not in ("plan", "transpose") else set())
    for name in (name for name in KERNELS if KERNELS[name][0] & calls):
        kernel, local = seen.get(name), KERNELS[name][1]
        if kernel is None:
            yield f"{name} was not seen"
        elif local and kernel["local"]["steps"] == 0:
            yield f"{name} has no local steps"
        elif local and (kernel["group_items"], kernel["built_banks"]) != built:
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
    mark = " measured" if run.search == "plain" or run.word in ("radix", "partition", "permute scatter") else ""
    print(f"{run} {local_total(reading, 'conflicts'):6} conflicts{mark}, local steps: {kernels}",
          flush=True)
    for kernel in reading["kernels"]:
        for line in kernel["lines"]:
            if line["space"] == "local" and line["conflicts"]:
                print(f"    {kernel['name']} {line['file']}:{line['line']} {line['kind']}: "
                      f"{line['conflicts']} conflicts in {line['steps']} steps: {line['text']}")


def judged_readings(runs, programs, expect_conflicts, faults):
    """Yields (run, reading) for each run that worked; appends what is wrong to `faults`."""
    with_conflicts = 0
    for run in runs:
        try:
            reading = read(run, programs)
        except RunFailed as failure:
            faults.append(f"{run}: {failure}")
            continue
        faults += [f"{run}: {fault}" for fault in faults_of(run, reading)]
        conflicts = local_total(reading, "conflicts",
                                () if run.word in GUARANTEED else MEASURED)
        if conflicts and run.search == "cf":
            with_conflicts += 1
            if not expect_conflicts:
                faults.append(f"{run}: {conflicts} conflicts")
        yield run, reading
    if expect_conflicts and with_conflicts == 0:
        faults.append("an error is planted in the kernels, and the meter did not see it")


def uneven(readings):
    """What is wrong with the passes of even_runs()."""
    passes = {run.kind: local_total(reading, "passes") for run, reading in readings}
    for kind, count in passes.items():
        ratio = count / passes["random"]
        print(f"local passes on {kind} keys: {count}, {ratio:.4f} of those on random keys")
        if ratio > MOST_OVER_RANDOM:
            yield f"{kind} keys take {ratio:.4f} times the local passes of random ones"


def unlisted_kernels():
    for path in sorted((HERE.parents[1] / "cl").glob("**/*.cl*")):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"DMM_KERNEL\([^)]*\)\s*void\s+(\w+)", text):
            if name not in KERNELS:
                yield f"{path.name}: {name} is not in the list of kernels"


def program(text):
    return Path(text).resolve(strict=True)


def add_program_arguments(parser):
    parser.add_argument("--dmm", type=program, required=True, help="the command that meters")
    parser.add_argument("--calls", type=program, required=True, help="promise_calls")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="+", metavar="WORD", help="sort merge scan items radix split split-alone "
                        "partition partition-split topk segments histogram search unique plain even")
    add_program_arguments(parser)
    parser.add_argument("--subject", type=program, help="the dmm command to meter, if another")
    parser.add_argument("--full", action="store_true", help="every E; about half an hour a word")
    parser.add_argument("--expect-conflicts", action="store_true")
    return parser.parse_args()


def main():
    args = arguments()
    programs = Programs(args.dmm, args.subject or args.dmm, args.calls)
    faults = list(unlisted_kernels())
    for word in args.words:
        runs = list(full_runs(word) if args.full else short_runs(word))
        readings = []
        for run, reading in judged_readings(runs, programs, args.expect_conflicts, faults):
            print_reading(run, reading)
            readings.append((run, reading))
        if not runs:
            faults.append(f"{word}: no such word")
        if word == "even" and len(readings) == len(runs):
            faults += uneven(readings)
    for fault in faults:
        print(f"promise: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
