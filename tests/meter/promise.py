#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The promise, read off the shipped kernels: no bank conflict in any local step.

Runs `dmm sort`, `dmm merge`, scans, hulls and more under `dmm meter`, in the GPU form, with at least two
lane groups a work-group, and prints what was read. A run fails if its result is wrong, if a kernel
that it must launch is missing, if a kernel marked conflict-free has no local steps or one without
local memory has some, and if a kernel conflicts that must not. --planted turns the last point
round: the kernels have an error in them, and exactly those that it is in must conflict, in every
run of theirs: the first of each word, or with --every all of them.
"""

import argparse
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from promise_cases import CALLED, all_runs, full_runs, short_runs  # noqa: E402
from promise_kernels import KERNELS, NONE, faults_of_sources, may_conflict  # noqa: E402
from promise_plant import PLANTS  # noqa: E402
from promise_run import Programs, RunFailed, local_total, read  # noqa: E402

# Of local passes over those on random keys, for a sort: what docs/conflicts.md states.
MOST_OVER_RANDOM = 1.02


def faults_of(run, reading):
    """What makes a reading worth nothing, whether or not it has conflicts."""
    seen = {kernel["name"]: kernel for kernel in reading["kernels"]}
    built = (run.u, run.machine.banks)
    calls = {run.word} | ({"large values"} if run.detail in ("12", "20") and
                          run.word not in ("plan", "transpose") else set())
    for name in (name for name in KERNELS if KERNELS[name].words & calls):
        kernel, local = seen.get(name), KERNELS[name].mark != NONE
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
        elif KERNELS[name].mark == NONE and kernel["local"]["steps"] > 0:
            yield f"{name} has local steps"
        if kernel["unjudged"] or kernel["finished"] < kernel["launches"]:
            yield f"{name} was not read whole"


def conflicts_that_must_not(run, reading, plant=None):
    """Of kernels that promise none; with an error planted, of those that it is not in, and a lack
    of conflicts where it is."""
    if run.search == "plain":
        return
    for kernel in reading["kernels"]:
        name, count = kernel["name"], kernel["local"]["conflicts"]
        if name not in KERNELS or may_conflict(name, run.word):
            continue
        red = plant is not None and name in plant.kernels and plant.shows(run)
        if count and not red:
            yield f"{name} has {count} conflicts"
        if red and count == 0:
            yield f"an error is planted in {name}, and the meter did not see it"
    if plant is not None and not any(kernel["name"] in plant.kernels for kernel in reading["kernels"]):
        yield "no kernel with the planted error ran"


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
    """Yields (run, reading) for each run that worked; appends what is wrong to `faults`."""
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
    """What is wrong with the passes of the runs of `even`."""
    passes = {run.kind: local_total(reading, "passes") for run, reading in readings}
    for kind, count in passes.items():
        ratio = count / passes["random"]
        print(f"local passes on {kind} keys: {count}, {ratio:.4f} of those on random keys")
        if ratio > MOST_OVER_RANDOM:
            yield f"{kind} keys take {ratio:.4f} times the local passes of random ones"


def row_of(run, kernel):
    """What docs/conflicts.md and docs/promise.md say of a kernel in a run."""
    lines = [line for line in kernel["lines"] if line["space"] == "global"]
    return {"kernel": kernel["name"], "machine": str(run.machine), "run": str(run),
            "free": not may_conflict(kernel["name"], run.word),
            "steps": kernel["local"]["steps"], "conflicts": kernel["local"]["conflicts"],
            "global_steps": sum(line["steps"] for line in lines),
            "transactions": sum(line["passes"] for line in lines),
            "least": sum(line["needed"] for line in lines)}


def keep(folder, word, readings):
    """For promise_pages.py."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [row_of(run, kernel) for run, reading in readings for kernel in reading["kernels"]
            if kernel["name"] in KERNELS and run.search == "cf"]
    (folder / f"{word.replace(' ', '_')}.json").write_text(json.dumps(rows, indent=0), encoding="utf-8")


def program(text):
    return Path(text).resolve(strict=True)


def add_program_arguments(parser):
    parser.add_argument("--dmm", type=program, required=True, help="the command that meters")
    parser.add_argument("--calls", type=program, required=True, help="promise_calls")
    parser.add_argument("--hulls", type=program, required=True, help="promise_hull")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="+", metavar="WORD", help="as in promise_cases.py")
    add_program_arguments(parser)
    parser.add_argument("--subject", type=program, help="the dmm command to meter, if another")
    parser.add_argument("--every", action="store_true", help="the runs that the pages are made from")
    parser.add_argument("--full", action="store_true", help="every E; about half an hour a word")
    parser.add_argument("--planted", choices=PLANTS, help="an error that is in the kernels")
    parser.add_argument("--readings", type=Path, help="a folder to write what was read to")
    return parser.parse_args()


def main():
    args = arguments()
    plant = PLANTS[args.planted] if args.planted else None
    programs = Programs(args.dmm, args.subject or args.dmm, args.calls, args.hulls)
    faults = list(faults_of_sources())
    for word in args.words:
        runs = list(full_runs(word) if args.full else all_runs(word) if args.every or plant else short_runs(word))
        if plant is not None:
            runs = [run for run in runs if plant.reads(run) and (run.kind == "random" or word not in CALLED)]
            if not args.every:
                runs = [run for run in runs if plant.shows(run)][:1]
        readings = []
        for run, reading in judged_readings(runs, programs, plant, faults):
            print_reading(run, reading)
            readings.append((run, reading))
        if not runs:
            faults.append(f"{word}: no such word")
        if word == "even" and len(readings) == len(runs):
            faults += uneven(readings)
        if args.readings:
            keep(args.readings, word, readings)
    for fault in faults:
        print(f"promise: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
