#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the promise on the shipped kernels: no bank conflict in any local step.

Runs `dmm sort`, `dmm merge`, scans, hulls and more under `dmm meter`, in the GPU form, with at least two
lane groups per work-group, and prints the readings. A run fails if its result is wrong, if a kernel is
missing that it must launch, if a kernel marked conflict-free has no local steps or a kernel marked `no
local memory` has some, or if a kernel has conflicts and must not. With --planted, the kernels contain an
error: exactly the kernels with the error must conflict, in the first run of each word or, with --every,
in all runs. With --erew the meter counts two lanes on one word as a conflict too, and only kernels that
docs/promise.md marks so must have none.
"""

import argparse
import dataclasses
import itertools
import json
import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from promise_cases import CALLED, RUNS, all_runs, full_runs, short_runs, wide_runs  # noqa: E402
from promise_kernels import EREW, KERNELS, NONE, may_conflict  # noqa: E402
from promise_plant import PLANTS, plant  # noqa: E402
from promise_run import HERE, Programs, RunFailed, local_total, read  # noqa: E402

# Largest allowed ratio of a sort's local passes to those on random keys, as in docs/records/conflicts.md.
MOST_OVER_RANDOM = 1.02


def faults_of(run, reading):
    """Yields the errors that make a reading useless, whether or not it has conflicts."""
    seen = {kernel["name"]: kernel for kernel in reading["kernels"]}
    built = (run.u, run.machine.banks)
    for name in (name for name in KERNELS if run.word in KERNELS[name].words):
        kernel, local = seen.get(name), KERNELS[name].mark != NONE
        if kernel is None:
            yield f"{name} was not launched"
        elif local and kernel["local"]["steps"] == 0:
            yield f"{name} has no local steps"
        elif local and (kernel["group_items"], kernel["built_banks"]) != built:
            yield (f"{name} has groups of {kernel['group_items']} and was built for "
                   f"{kernel['built_banks']} banks")
    for name, kernel in seen.items():
        if name not in KERNELS:
            yield f"{name} is not in the list of kernels"
        elif KERNELS[name].mark == NONE and kernel["local"]["steps"] > 0:
            yield f"{name} has local steps"
        if kernel["unjudged"] or kernel["finished"] < kernel["launches"]:
            yield f"{name} was not read completely"


def conflicts_that_must_not(run, reading, plant=None):
    """Yields conflicts of kernels that promise none in the run's model. With a planted error, yields conflicts of
    kernels without the error, and kernels with the error that have no conflicts."""
    if run.search == "plain":
        return
    for kernel in reading["kernels"]:
        name, count = kernel["name"], kernel["local"]["conflicts"]
        if name not in KERNELS or may_conflict(name, run.word) or (run.machine.erew and KERNELS[name].model != EREW):
            continue
        red = plant is not None and name in plant.kernels and plant.shows(run)
        if count and not red:
            yield f"{name} has {count} conflicts"
        if red and count == 0:
            yield f"{name} has the planted error, but no conflicts"
    if plant is not None and not any(kernel["name"] in plant.kernels for kernel in reading["kernels"]):
        yield "no kernel with the planted error was launched"


def print_reading(run, reading):
    kernels = ", ".join(f"{kernel['name'].removeprefix('dmm_')} {kernel['local']['steps']}"
                        for kernel in reading["kernels"] if kernel["local"]["steps"])
    measured = run.search == "plain" or any(may_conflict(kernel["name"], run.word)
                                            for kernel in reading["kernels"] if kernel["name"] in KERNELS)
    print(f"{run} {local_total(reading, 'conflicts'):6} conflicts{' measured' if measured else ''}, "
          f"local steps: {kernels}", flush=True)
    for kernel in reading["kernels"]:
        for line in kernel["lines"]:
            if line["space"] == "local" and line["conflicts"]:
                print(f"    {kernel['name']} {line['file']}:{line['line']} {line['kind']}: "
                      f"{line['conflicts']} conflicts in {line['steps']} steps: {line['text']}")


def judged_readings(runs, programs, plant, faults):
    """Yields (run, reading) for each run that worked; appends errors to `faults`."""
    for run in runs:
        try:
            reading = read(run, programs)
        except RunFailed as failure:
            faults.append(f"{run}: {failure}")
            continue
        faults += [f"{run}: {fault}" for fault in faults_of(run, reading)]
        faults += [f"{run}: {fault}" for fault in conflicts_that_must_not(run, reading, plant)]
        yield run, reading


def uneven(readings):
    """Yields the kinds of keys on which the runs of `even` take too many passes."""
    passes = {run.kind: local_total(reading, "passes") for run, reading in readings}
    for kind, count in passes.items():
        ratio = count / passes["random"]
        print(f"local passes on {kind} keys: {count}, {ratio:.4f} of those on random keys")
        if ratio > MOST_OVER_RANDOM:
            yield f"{kind} keys take {ratio:.4f} times the local passes of random keys"


def row_of(run, kernel):
    """Returns the numbers of a kernel in a run for docs/records/conflicts.md and docs/promise.md."""
    lines = [line for line in kernel["lines"] if line["space"] == "global"]
    return {"kernel": kernel["name"], "machine": str(run.machine), "run": str(run),
            "free": not may_conflict(kernel["name"], run.word),
            "steps": kernel["local"]["steps"], "conflicts": kernel["local"]["conflicts"],
            "global_steps": sum(line["steps"] for line in lines),
            "transactions": sum(line["passes"] for line in lines),
            "least": sum(line["needed"] for line in lines)}


def keep(folder, word, readings):
    """Writes the readings to a file for promise_pages.py."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [row_of(run, kernel) for run, reading in readings for kernel in reading["kernels"]
            if kernel["name"] in KERNELS and run.search == "cf"]
    (folder / f"{word.replace(' ', '_')}.json").write_text(json.dumps(rows, indent=0), encoding="utf-8")


def program(text):
    return Path(text).resolve(strict=True)


def add_program_arguments(parser):
    parser.add_argument("--dmm", type=program, required=True, help="the dmm command")
    parser.add_argument("--calls", type=program, required=True, help="promise_calls")
    parser.add_argument("--hulls", type=program, required=True, help="promise_hull")
    parser.add_argument("--checks", type=program, help="promise_checks")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORD",
                        help="as in promise_cases.py; default: those of the planted error")
    add_program_arguments(parser)
    parser.add_argument("--planter", type=program, help="the library promise_plant")
    parser.add_argument("--every", action="store_true", help="makes all runs, from which the pages are made")
    parser.add_argument("--full", action="store_true", help="runs every E")
    parser.add_argument("--wide", action="store_true", help="runs on banks of 8 bytes; without words, of all words")
    parser.add_argument("--erew", action="store_true", help="counts in the stricter model")
    parser.add_argument("--planted", choices=PLANTS, help="the error planted in the kernels")
    parser.add_argument("--readings", type=Path, help="folder for the readings")
    args = parser.parse_args()
    if args.wide and not args.words:
        args.words = [word for word in RUNS if any(wide_runs(word))]
    if not args.words and not args.planted:
        parser.error("name a word or a planted error")
    if args.planted and not args.planter:
        parser.error("--planted needs --planter")
    return args


def programs_of(args, folder):
    """Returns the programs; with a planted error, its file is in the folder."""
    programs = Programs(args.dmm, args.calls, args.hulls, args.checks)
    if args.planted is None:
        return programs
    path = folder / "plant"
    path.write_text(plant(args.planted, HERE.parents[1] / "cl"), encoding="utf-8")
    return dataclasses.replace(programs, planter=args.planter, plant=path)


def full_part(word):
    """Yields every N-th run from the K-th on if DMM_TEST_PART is K/N (part_wanted of tests/support/rig.h), else all."""
    part, parts = map(int, (os.environ.get("DMM_TEST_PART") or "1/1").split("/"))
    yield from itertools.islice(full_runs(word), part - 1, None, parts)


def runs_of(word, args):
    if args.full:
        return list(full_part(word))
    if args.wide:
        return list(wide_runs(word))
    runs = all_runs(word) if args.every or args.planted else short_runs(word)
    return [dataclasses.replace(run, machine=run.machine.exclusive()) for run in runs] if args.erew else list(runs)


def judge(args, programs):
    """Makes the runs of the words, prints and keeps the readings; returns the errors."""
    error = PLANTS[args.planted] if args.planted else None
    faults = []
    for word in args.words or error.words:
        runs = runs_of(word, args)
        if error is not None:
            runs = [run for run in runs if error.reads(run) and (run.kind == "random" or word not in CALLED)]
            if not args.every:
                runs = [run for run in runs if error.shows(run)][:1]
        readings = []
        for run, reading in judged_readings(runs, programs, error, faults):
            print_reading(run, reading)
            readings.append((run, reading))
        if not runs:
            faults.append(f"{word}: unknown word")
        if word == "even" and len(readings) == len(runs):
            faults += uneven(readings)
        if args.readings:
            keep(args.readings, word, readings)
    return faults


def main():
    args = arguments()
    with tempfile.TemporaryDirectory(prefix="dmm-plant-") as folder:
        faults = judge(args, programs_of(args, Path(folder)))
    for fault in faults:
        print(f"promise: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
