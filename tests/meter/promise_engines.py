#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the engines of `dmm meter` on runs of the promise: every kernel and every line must have the same reading.

With --kept FOLDER, readings are kept there, and a run that has been read with today's kernels and meter is not read again:
the same command continues one that was stopped. --page PAGE writes the tables of docs/records/engines.md from them; --check
PAGE fails if the page hides that it lacks runs of the promise, or if a difference on it is not explained."""

import argparse
import hashlib
import json
import multiprocessing
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from promise import add_program_arguments  # noqa: E402
from promise_cases import RUNS, all_runs, short_runs  # noqa: E402
from promise_kernels import ROOT  # noqa: E402
from promise_pages import markdown, pattern_of, put  # noqa: E402
from promise_run import Programs, RunFailed, read  # noqa: E402

sys.path.insert(0, str(ROOT / "tests"))
from stale import Tree  # noqa: E402

ENGINES = ("oclgrind", "driver")
# Why rows of a kernel differ, by the kernel and the row's place, space and kind.
SWITCH = "Oclgrind takes a wrong branch of a `switch` ([meter.md](../meter.md))"
EXPLAINED = {("dmm_hull_extremes", f"cl/hull/hull.clh:{line} global read"): SWITCH for line in (67, 68)}
# Runs in which the kernels of hulls go on with other points then. Of the rows that differ, without the optimiser
# (-cl-opt-disable) Oclgrind has those of the driver's optimised kernels in 3 of 4, 131 of 135, 42 of 48, 50 of 52, 3 of 4, 5 of 7,
# 144 of 152, 69 of 74 and 63 of 67, and its own in 3; the others are of reads and lines that the optimiser changes.
HULL_RUNS = (
    "hull-few (32, 32) u=64 E=1 f64 0 disc", "hull (8, 8) u=16 E=2 f64 0 disc", "hull (32, 32) u=64 E=1 f32 0 ring+",
    "hull-filtered (32, 32) u=64 E=1 f64 9 clusters", "hull-few (64, 32) u=128 E=2 f64 0 ring+",
    "hull (16, 16) u=32 E=1 f64 0 slope+", "hull-filtered (64, 32) u=128 E=2 f64 0 square", "hull (64, 32) u=128 E=2 f64 0 ring+",
    "hull (32, 32) u=64 E=1 f64 0 disc")
OPTIMISER = "the optimiser makes one read of two in the driver's build alone: without it (`-cl-opt-disable`) the readings are equal"
EXPLAINED_RUNS = {**{run: ("dmm_hull_", SWITCH) for run in HULL_RUNS},
                  "partition-alone (32, 32) u=64 E=16 u32 2 equal": ("dmm_radix_alone", OPTIMISER)}
SAMPLED = "the buffer has no place for so many work-items: a part of the groups is metered"
EXPLANATIONS = {SWITCH, OPTIMISER, SAMPLED}


def name_of(run):
    return " ".join(str(run).split())


# ---- Readings ----------------------------------------------------------------------------------


def texts_hash(engine):
    """Returns the hash of all kernels, and of the meter's sources that the engine is made of, without comments."""
    folder = ROOT / "host/meter"
    files = [path for path in sorted(folder.rglob("*.*")) if engine == "driver" or path.parent == folder]
    texts = [re.sub(r"/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.S).split() for path in files]
    words = [Tree().hash_of("docs/promise.md"), *(" ".join(text) for text in texts)]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]


def commit():
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "cl", "host", "include")
    return git("rev-parse", "--short=10", "HEAD") + (" with changes" if changed else "")


class Readings:
    """Reads runs by both engines, and keeps what was read in a folder, if there is one."""

    def __init__(self, programs, folder, plain=False, once=False):
        self.programs, self.folder, self.commit = programs, folder, commit() if folder else ""
        self.plain, self.times = plain, 1 if once else 3
        self.hashes = {engine: texts_hash(engine) + programs.settings for engine in ENGINES} if folder else {}
        if folder:  # caches that nothing else fills: what a first run takes is compiling
            (folder / "cache").mkdir(parents=True, exist_ok=True)
            os.environ["POCL_CACHE_DIR"] = os.environ["XDG_CACHE_HOME"] = str((folder / "cache").resolve())

    def path(self, engine, run):
        return self.folder / engine / self.hashes[engine] / (re.sub(r"\W+", "_", name_of(run)) + ".json")

    def kept(self, engine, run):
        """Returns what is kept of a run: its kernels or its error, and the seconds of each time that it ran."""
        if self.folder is None or not self.path(engine, run).exists():
            return None
        return json.loads(self.path(engine, run).read_text(encoding="utf-8"))

    def make(self, engine, run, seconds):
        os.environ["DMM_METER_ENGINE"] = engine
        # The same build of the kernels in both; on PoCL, dmm's programs declare the functions of OpenCL C themselves.
        options = "-D DMM_OWN_BUILTINS" + (" -cl-opt-disable" if self.plain else "")
        os.environ["DMM_METER_BUILD_OPTIONS"] = os.environ["OCLGRIND_BUILD_OPTIONS"] = options
        made = {"commit": self.commit, "seconds": seconds}
        try:
            # The first time, the driver compiles, and the second, which takes longest, the layer keeps a binary.
            while len(seconds) < self.times_of(engine):
                made["kernels"] = read(run, self.programs, seconds)["kernels"]
        except RunFailed as failure:
            made["error"] = str(failure)
        return made

    def times_of(self, engine):
        return self.times if engine == "driver" else 1

    def of(self, engine, run):
        found = self.kept(engine, run)
        seconds = found["seconds"] if found else []
        if len(seconds) < self.times_of(engine) and not (found and "error" in found):
            found = self.make(engine, run, seconds)
            if self.folder is not None:
                path = self.path(engine, run)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.with_suffix(".new").write_text(json.dumps(found), encoding="utf-8")
                path.with_suffix(".new").rename(path)
        return found


# ---- Differences -------------------------------------------------------------------------------


def differing_rows(kernel, peer, names):
    """Yields (place, text) for each row that only one of two readings of a kernel has."""
    for who, rows, others in ((names[0], kernel["lines"], peer["lines"]), (names[1], peer["lines"], kernel["lines"])):
        for row in (row for row in rows if row not in others):
            place = f"{row['file']}:{row['line']} {row['space']} {row['kind']}"
            numbers = " ".join(str(row[name]) for name in ("steps", "passes", "needed", "worst"))
            yield place, f"{who}: {place} {numbers}"


def differences(one, other, names=("Oclgrind", "driver")):
    """Yields (kernel, place, text) for all that differs between the kernels of two engines."""
    theirs = {kernel["name"]: kernel for kernel in other}
    for kernel in one:
        peer = theirs.pop(kernel["name"], None)
        if peer is None:
            yield kernel["name"], "", f"only {names[0]} ran it"
        elif kernel != peer:
            rows = list(differing_rows(kernel, peer, names))
            yield from ((kernel["name"], *row) for row in rows)
            if not rows:
                facts = [fact for fact in kernel if kernel[fact] != peer.get(fact)]
                yield kernel["name"], "", ", ".join(f"{fact} {kernel[fact]} and {peer.get(fact)}" for fact in facts)
    for name in theirs:
        yield name, "", f"only {names[1]} ran it"


def explanation(run, kernel, place, sampled):
    if kernel in sampled:
        return SAMPLED
    prefix, why = EXPLAINED_RUNS.get(name_of(run), (None, None))
    return why if prefix and kernel.startswith(prefix) else EXPLAINED.get((kernel, place))


def compare(run, one, other):
    """Returns (a text for each difference without an explanation, the explanations of the others)."""
    failed = [f"{engine}: {made['error']}" for engine, made in zip(ENGINES, (one, other)) if "error" in made]
    if failed:
        return failed, []
    sampled = {kernel["name"] for kernel in other["kernels"] if "sampled_groups" in kernel}
    found = [(explanation(run, name, place, sampled), f"{name}: {text}") for name, place, text
             in differences(one["kernels"], other["kernels"])]
    return [text for why, text in found if why is None], list(dict.fromkeys(why for why, _ in found if why))


# ---- The page ----------------------------------------------------------------------------------


def every_run():
    return [run for word in RUNS for run in all_runs(word)]


def cells_of(run, one, other):
    """Returns a row of the table: the run, kernels, lines, the result, and the processor times."""
    wrong, whys = compare(run, one, other)
    kernels = one.get("kernels", ())
    result = "; ".join(wrong).replace("|", "/").replace("\n", " ")[:200] if wrong else "; ".join(whys) or "equal"
    times = one["seconds"][:1] + other["seconds"]
    return [f"`{name_of(run)}`", len(kernels), sum(len(kernel["lines"]) for kernel in kernels), result,
            times[0], times[1], times[3] if len(times) > 3 else None]


def table_of(pairs):
    """Returns what is said of all runs that both engines have read, and their table."""
    rows = [cells_of(*pair) for pair in pairs]
    simulated, first = (sum(row[i] for row in rows) for i in (4, 5))
    repeated = [row for row in rows if row[6] is not None]
    before, warm = (sum(row[i] for row in repeated) for i in (4, 6))
    repetitions = (f"; of the {len(repeated)} runs that were repeated, {before:.1f} by Oclgrind and {warm:.1f} by the driver's engine "
                   f"with caches filled, {before / warm:.1f} times less") if repeated else ""
    equal, wrong = sum(row[3] == "equal" for row in rows), sum(bool(compare(*pair)[0]) for pair in pairs)
    commits = sorted({made["commit"] for pair in pairs for made in pair[1:]})
    some = "All" if len(rows) == len(every_run()) else f"{len(rows)} of the"
    said = (f"{some} {len(every_run())} runs are read, at commit {', '.join(commits)}: {equal} are equal, "
            f"{len(rows) - equal - wrong} differ with an explanation, {wrong} without. They have {sum(row[1] for row in rows)} "
            f"readings of kernels and {sum(row[2] for row in rows)} of lines. Seconds of processor time: {simulated:.1f} by "
            f"Oclgrind and {first:.1f} by the driver's engine while it rewrites and compiles{repetitions}.")
    lines = [[*row[:4], *("" if seconds is None else f"{seconds:.2f}" for seconds in row[4:]),
              f"{row[4] / row[6]:.1f}" if row[6] else ""] for row in rows]
    return said, markdown(("run", "kernels", "lines", "readings ", "Oclgrind, s", "driver, first, s", "driver, s", "ratio"), lines)


def write(page, readings):
    pairs = [(run, *(readings.kept(engine, run) for engine in ENGINES)) for run in every_run()]
    said, table = table_of([pair for pair in pairs if None not in pair])
    text = put(page.read_text(encoding="utf-8"), "made", said)
    page.write_text(put(text, "engines", table), encoding="utf-8")


def faults_of_page(text):
    """Yields what the page lacks, or says and must not."""
    table = pattern_of("engines").search(text)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in (table.group(2) if table else "").splitlines()]
    results = {row[0].strip("`"): row[3] for row in rows[2:]}
    said = re.search(r"^(?:(All)|(\d+) of the) (\d+) runs are read", text, re.M)
    if not said or (int(said[2] or said[3]), int(said[3])) != (len(results), len(every_run())):
        yield f"says another number of runs than {len(results)} of {len(every_run())}"
    for run in map(name_of, every_run()):
        result = results.pop(run, "equal")
        if result != "equal" and not set(result.split("; ")) <= EXPLANATIONS:
            yield f"{run}: {result}"
    yield from (f"has {run}, which is no run of the promise" for run in results)


def check(page):
    text = page.read_text(encoding="utf-8")
    faults = [f"{page}: {fault}" for fault in faults_of_page(text)]
    lies = (text.replace("| equal |", "| dmm_scan: driver: 7 |", 1), re.sub(r"\n\| `.*", "", text, count=1))
    if not all(list(faults_of_page(lie)) for lie in lies):
        faults.append("a page that lies would pass")
    print("\n".join(faults) or "what differs on the page is explained, and it says how many runs it has")
    return 1 if faults else 0


# ---- The command -------------------------------------------------------------------------------


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORD", help="as in promise_cases.py; default: all")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="of each word (default: 1; 0: all)")
    parser.add_argument("--kept", type=Path, metavar="FOLDER", help="keeps readings, and continues with those kept")
    parser.add_argument("--page", type=Path, help="writes the table of the readings kept")
    parser.add_argument("--minutes", type=float, default=1e9, metavar="M", help="begins no run after this time")
    parser.add_argument("--engine", choices=ENGINES, help="reads by one engine alone, ahead of the comparison")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="runs at once (default: 1)")
    parser.add_argument("--once", action="store_true", help="no time with caches filled, which takes two more runs on the driver")
    parser.add_argument("--plain", action="store_true", help="kernels that are not optimised (-cl-opt-disable)")
    parser.add_argument("--set", default="", metavar="SETTINGS", help="more settings of dmm, as in DMM_SET")
    add_program_arguments(parser)
    args = parser.parse_args()
    if (args.page or args.engine) and not args.kept:
        parser.error("--page and --engine need --kept")
    if args.plain and args.kept:
        parser.error("readings with --plain are not kept")
    return args


def runs_of(args):
    """Returns the runs: the first of each word, then the second, and so on; those that bring new levels come first."""
    words = args.words or list(RUNS)
    lists = [list(short_runs(word)) for word in words]
    if args.runs == 0:
        lists = [runs + [run for run in all_runs(word) if run not in runs] for word, runs in zip(words, lists)]
    most = args.runs or max(map(len, lists))
    return [runs[i] for i in range(most) for runs in lists if i < len(runs)]


def read_all(task):
    """Returns the run and its readings by the engines; None after the time."""
    run, readings, engines, until = task
    return (run, *(readings.of(engine, run) for engine in engines)) if time.monotonic() < until else None


def judge(made):
    """Prints a run's times and what differs; returns the texts of what is not explained."""
    run, one, other = made
    wrong, whys = compare(run, one, other)
    print(f"{run}: processor time {one['seconds'][-1]:.2f} and {other['seconds'][-1]:.2f} s {'; '.join(whys)}", flush=True)
    for line in wrong:
        print(f"promise_engines: {run}: {line}", file=sys.stderr, flush=True)
    return wrong


def main():
    if sys.argv[1:2] == ["--check"] and len(sys.argv) == 3:
        return check(Path(sys.argv[2]))
    # dmm chooses the width of an index by the size of the device's memory, and the number of groups by its units
    os.environ["POCL_MEMORY_LIMIT"] = "1"
    os.environ["POCL_MAX_PTHREAD_COUNT"] = "1"  # one compute unit, as Oclgrind
    args = arguments()
    readings = Readings(Programs(args.dmm, args.calls, args.hulls, args.checks, settings=args.set), args.kept,
                        args.plain, args.once)
    engines = (args.engine,) if args.engine else ENGINES
    tasks = [(run, readings, engines, time.monotonic() + 60 * args.minutes) for run in runs_of(args)]
    faults, done, times = 0, 0, [0, 0]
    with multiprocessing.Pool(args.jobs) as pool:
        for made in filter(None, pool.imap_unordered(read_all, tasks)):
            done += 1
            if args.engine:
                continue
            faults += bool(judge(made))
            times = [spent + reading["seconds"][-1] for spent, reading in zip(times, made[1:])]
    late = f"; {len(tasks) - done} runs not begun: call again" if done < len(tasks) else ""
    print(f"{faults} runs differ; processor time {times[0]:.1f} and {times[1]:.1f} s{late}")
    if args.page:
        write(args.page, readings)
    return 1 if faults or late else 0


if __name__ == "__main__":
    sys.exit(main())
