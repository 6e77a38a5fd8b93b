#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the engines of `dmm meter` on runs of the promise: every kernel and every line must have the same reading."""

import argparse
import os
import resource
import sys
import time

from promise import add_program_arguments
from promise_cases import RUNS, all_runs, short_runs
from promise_run import Programs, RunFailed, environment_of, read


def spent():
    """Returns the processor time of the processes that have ended, and the time, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime, time.monotonic()


def reading_of(engine, run, programs):
    """Returns the reading by an engine, its processor time and its time in seconds."""
    os.environ["DMM_METER_ENGINE"] = engine
    # The same build of the kernels in both; on PoCL, dmm's programs declare the functions of OpenCL C themselves.
    os.environ["DMM_METER_BUILD_OPTIONS"] = environment_of(run).get("OCLGRIND_BUILD_OPTIONS", "")
    os.environ["OCLGRIND_BUILD_OPTIONS"] = "-D DMM_OWN_BUILTINS"
    before = spent()
    reading = read(run, programs)
    after = spent()
    return reading, after[0] - before[0], after[1] - before[1]


def differences(one, other):
    """Yields a line for each kernel or row of two readings that differs."""
    theirs = {kernel["name"]: kernel for kernel in other["kernels"]}
    for kernel in one["kernels"]:
        peer = theirs.pop(kernel["name"], None)
        if peer is None:
            yield f"{kernel['name']}: only one engine ran it"
        elif kernel != peer:
            rows = [row for row in kernel["lines"] if row not in peer["lines"]]
            rows += [row for row in peer["lines"] if row not in kernel["lines"]]
            yield f"{kernel['name']}: {kernel['launches']} and {peer['launches']} launches"
            for row in rows:
                numbers = " ".join(str(row[name]) for name in ("steps", "passes", "needed", "worst"))
                yield f"  {row['file']}:{row['line']} {row['space']} {row['kind']} {numbers}"
    for name in theirs:
        yield f"{name}: only one engine ran it"


def compare(run, programs, times):
    """Returns what differs in a run; adds its processor times."""
    first, *simulated = reading_of("oclgrind", run, programs)
    reading_of("driver", run, programs)  # the driver compiles
    second, *driven = reading_of("driver", run, programs)
    times[0] += simulated[0]
    times[1] += driven[0]
    print(f"{run}: processor time {simulated[0]:.2f} and {driven[0]:.2f} s, time {simulated[1]:.2f} and "
          f"{driven[1]:.2f} s", flush=True)
    return list(differences(first, second))


def main():
    # dmm chooses the width of an index by the size of the device's memory, and the number of groups by its units
    os.environ["POCL_MEMORY_LIMIT"] = "1"
    os.environ["POCL_MAX_PTHREAD_COUNT"] = "1"  # one compute unit, as Oclgrind
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="as in promise_cases.py; default: all")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="of each word (default: 1; 0: all)")
    add_program_arguments(parser)
    args = parser.parse_args()
    programs = Programs(args.dmm, args.calls, args.hulls, args.checks)
    faults, times = 0, [0, 0]
    for word in args.words or RUNS:
        runs = list(all_runs(word) if args.runs == 0 else short_runs(word))
        for run in runs[:args.runs or None]:
            try:
                found = compare(run, programs, times)
            except RunFailed as failure:
                found = [str(failure)]
            faults += bool(found)
            for line in found:
                print(f"promise_engines: {run}: {line}", file=sys.stderr, flush=True)
    print(f"{faults} runs differ; processor time {times[0]:.1f} and {times[1]:.1f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
