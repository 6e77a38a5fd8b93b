# SPDX-License-Identifier: MIT
"""Runs programs under `dmm meter`: defines a run, its command and its reading."""

import json
import os
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from promise_inputs import drawn_keys, key_bytes, make_keys, numbered_values, pack

TIMEOUT_S = 1200
# Calls that are checks of the self-test, by the beginnings of their names.
CHECKED = {"set": ("set ",), "by-key": ("scan by key", "reduce by key"),
           "by-segment": ("scan, segments", "reduce, segments", "axis, scan", "axis, reduce"), "queues": ("paths by",)}
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Machine:
    lanes: int
    banks: int
    options: tuple  # options of dmm meter
    erew: bool = False

    def exclusive(self):
        """Returns the machine in which two lanes on one word conflict, too."""
        return Machine(self.lanes, self.banks, (*self.options, "--erew"), True)

    def __str__(self):
        return f"({self.lanes}, {self.banks})"


# (16, 16) is like Intel's, where two writes to one word also conflict: its readings are never lower.
NVIDIA = Machine(32, 32, ("--device-like", "nvidia"))
AMD = Machine(64, 32, ("--device-like", "amd"))
INTEL = Machine(16, 16, ("--device-like", "intel-gen"))
SMALL = Machine(8, 8, ("--lanes", "8", "--banks", "8"))
WIDE = Machine(64, 64, ("--lanes", "64", "--banks", "64"))
WIDE_WORDS = Machine(32, 32, ("--lanes", "32", "--banks", "32", "--word", "8"))


@dataclass(frozen=True)
class Programs:
    dmm: Path
    calls: Path  # promise_calls
    hulls: Path  # promise_hull
    checks: Path = None  # promise_checks; the other programs are for the tables
    textbook: Path = None
    peer: Path = None
    planter: Path = None  # the library promise_plant, and the file that it reads; None: no error is planted
    plant: Path = None
    settings: str = ""  # more of dmm's, as in DMM_SET

    @property
    def lab(self):
        """The command dmm-lab, which the build puts beside dmm."""
        return self.dmm.parent / "dmm-lab"


@dataclass(frozen=True)
class Run:
    """One metered program: n keys of a kind (promise_inputs), u and E as in dmm --set."""

    word: str  # sort, merge, scan, items, radix, topk, segments; textbook, boost radix, boost merge
    machine: Machine
    u: int
    E: int
    n: int
    key_type: str
    kind: str
    detail: str = "none"  # bytes of a value, or `index` (sort, merge); variant (scan, topk, segments);
                          # number of sets (hull)
    search: str = "cf"

    def __str__(self):
        plain = " plain search" if self.search == "plain" else ""
        return (f"{self.word:5} {self.machine!s:8} u={self.u:<3} E={self.E:<2} {self.key_type:4} "
                f"{self.detail:13} {self.kind:8}{plain}")


class RunFailed(Exception):
    """The metered program failed or gave a wrong result."""


def value_options(run, folder, names_and_counts):
    """Writes values, numbered across the files; returns the options of `dmm sort` or `dmm merge`."""
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
    if run.word == "textbook":
        return [programs.textbook, HERE / "promise_textbook.cl", run.u, run.E, path]
    if run.word.startswith("boost"):
        return [programs.peer, run.word.split()[1], path]
    if run.word == "network":
        return [programs.lab, "network", run.detail, "--run", path, "-t", run.key_type, "--check", "-o",
                folder / "out.bin"]
    methods = {"radix": "radix", "split": "radix", "split-alone": "radix", "sort-network": "network"}
    studied = {"matrix": "matrix", "shear": "shear", "sort-quick": "quick", "sort-gather": "gather"}
    method = methods.get(run.word) or studied.get(run.word)
    options = ["--method", method] if method else []
    if run.word.startswith("split"):
        options.append("--guarantee")
    if run.detail == "index":
        options += ["--argsort", "--values-out", folder / "values_out.bin"]
    elif run.detail != "none":
        options += value_options(run, folder, [("values", len(keys))])
    return [programs.lab if run.word in studied else programs.dmm, "sort", "--check", "-t", run.key_type, path, "-o",
            folder / "out.bin", *options]


def merge_command(run, programs, keys, folder):
    """Returns a merge of the two lists that a sort of these keys merges in its last pass."""
    half = run.u * run.E
    while 2 * half < len(keys):
        half *= 2
    paths = []
    for name, part in (("a", keys[:half]), ("b", keys[half:])):
        paths.append(folder / f"{name}.bin")
        paths[-1].write_bytes(pack(run.key_type, sorted(part)))
    options = []
    if run.detail != "none":
        options = value_options(run, folder, [("a-values", half), ("b-values", len(keys) - half)])
    return [programs.dmm, "merge", "--check", "-t", run.key_type, *paths, "-o",
            folder / "out.bin", *options]


def labels_of(run):
    """Returns the buckets of a partition's items; `lanes`: at most 16 buckets, one per work-item in turn. The
    last item differs from the first: if all share a bucket, nothing moves."""
    ways = int(run.detail)
    if run.kind == "lanes":
        labels = [x // run.E % min(16, ways) for x in range(run.n)]
    else:
        labels = [key % ways for key in drawn_keys(run.kind, "u32", run.n)]
    return labels[:-1] + [(labels[0] + 1) % ways]


def partition_command(run, programs, folder):
    """Returns the command of a partition of numbered items, modulo the range of their type."""
    items = numbered_values(run.n, key_bytes(run.key_type))
    (folder / "items.bin").write_bytes(items)
    (folder / "labels.bin").write_bytes(pack("u32", labels_of(run)))
    studied = {"partition-matrix": "matrix", "partition-alone": "matrix", "partition-blocks": "blocks"}
    method = studied.get(run.word, "auto" if run.word == "partition-two" else "radix")
    options = ["--method", method, *(["--guarantee"] if run.word == "partition-split" else [])]
    return [programs.lab if run.word in studied else programs.dmm, "partition", "-K", run.detail, "--labels", folder / "labels.bin",
            "-t", run.key_type, folder / "items.bin", "-o", folder / "out.bin", "--offsets",
            folder / "offsets.bin", *options]


def check_partition(run, folder):
    labels, bytes_each = labels_of(run), key_bytes(run.key_type)
    order = sorted(range(run.n), key=labels.__getitem__)
    items = b"".join((x % 256 ** bytes_each).to_bytes(bytes_each, "little") for x in order)
    counts = [0] * int(run.detail)
    for label in labels:
        counts[label] += 1
    offsets = pack("u64", [sum(counts[:b]) for b in range(len(counts) + 1)])
    if (folder / "out.bin").read_bytes() != items or (
            folder / "offsets.bin").read_bytes() != offsets:
        raise RunFailed("the partition is wrong")


def command_of(run, programs, folder):
    if run.word in ("checks", *CHECKED):
        return [programs.checks, run.n, *CHECKED.get(run.word, ())]
    if run.word == "heap":
        return [programs.lab, "heap", "-n", run.n, "--bulk", 16, "--take"]
    if run.word.startswith("hull"):
        return [programs.hulls, run.key_type, run.kind, run.detail, run.n]
    if run.word.startswith("partition"):
        return partition_command(run, programs, folder)
    if run.word == "items":
        return [programs.calls, "items", run.n]
    if run.word in ("permute scatter", "permute randomized", "plan", "transpose"):
        return [programs.calls, "move", run.word, run.detail, run.kind, run.n]
    if run.word.split("-")[0] in ("scan", "search"):
        return [programs.calls, run.word.split("-")[0], run.key_type, run.detail, run.n]
    if run.word in ("topk", "topk-alone", "segments", "lists", "histogram", "unique", "histogram-large"):
        word = run.word.split("-")[0]
        return [programs.calls, word, run.key_type, run.detail, run.kind, run.n]
    keys = make_keys(run.kind, programs.dmm, folder, run.key_type, run.n, run.u, run.E,
                     run.machine.banks)
    command = merge_command if run.word == "merge" else sort_command
    return command(run, programs, keys, folder)


def environment_of(run, settings):
    environment = dict(os.environ)
    environment.pop("DMM_DEVICE", None)
    environment["DMM_SET"] = f"form=gpu,u={run.u},E={run.E},search={run.search}" + ("," + settings if settings else "")
    return environment


def planted(programs, command):
    """Returns the command with the planter loaded before Oclgrind's library."""
    if programs.planter is None:
        return command
    return ["env", f"DMM_PLANT={programs.plant}", "sh", "-c", 'LD_PRELOAD=$0:$LD_PRELOAD exec "$@"', programs.planter,
            *command]


def processor_seconds():
    """Returns the processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read(run, programs, spent=None):
    """Returns the reading of a run, the JSON of docs/meter.md as a dictionary; raises RunFailed. Adds the processor time
    of the metered program to the list `spent`."""
    with tempfile.TemporaryDirectory(prefix="dmm-promise-") as name:
        folder = Path(name)
        path = folder / "reading.json"
        words = [programs.dmm, "meter", *run.machine.options, "--json", path, "--",
                 *planted(programs, command_of(run, programs, folder))]
        words = [str(word) for word in words]
        environment = environment_of(run, programs.settings)
        before = processor_seconds()
        done = subprocess.run(words, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_S, check=False)
        if spent is not None:
            spent.append(processor_seconds() - before)
        if done.returncode != 0:
            raise RunFailed(f"DMM_SET={environment['DMM_SET']} {' '.join(words)}\n"
                            f"exit status {done.returncode}:\n{done.stdout}")
        if run.word.startswith("partition"):
            check_partition(run, folder)
        return json.loads(path.read_text(encoding="utf-8"))


def local_total(reading, what, but=()):
    """Returns the sum of "steps", "passes", "needed" or "conflicts" in local memory over all kernels except `but`."""
    return sum(kernel["local"][what] for kernel in reading["kernels"] if kernel["name"] not in but)
