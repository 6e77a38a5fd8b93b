#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the tables of docs/conflicts.md and writes them into it: what stands between the comments
`table: NAME` and `end`. The text around them is written by hand."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from promise import (KERNELS, MACHINES, MOST_OVER_RANDOM, add_program_arguments,  # noqa: E402
                     judged_readings, short_runs)
from promise_run import NVIDIA, Programs, Run, local_total, read  # noqa: E402

SHAPES = ((15, 512), (17, 256), (16, 256), (32, 128))  # (E, u)
KINDS = ("random", "worst", "sorted", "equal", "few", "skewed")


def markdown(header, rows):
    """The first column is text, the others are numbers but for those whose header ends in a space."""
    rule = ["---" if i == 0 or name.endswith(" ") else "--:" for i, name in enumerate(header)]
    lines = [[name.strip() for name in header], rule, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def grouped(number):
    """12 345 678"""
    return f"{number:,}".replace(",", " ")


def worst_degree(reading):
    return max(kernel["local"]["worst"] for kernel in reading["kernels"])


def readings_of(words, programs, expect_conflicts=False):
    faults, readings = [], []
    for word in words:
        readings += judged_readings(short_runs(word), programs, expect_conflicts, faults)
    if faults:
        sys.exit("\n".join(faults))
    return readings


# ---- Tables ------------------------------------------------------------------------------------


def kernels_table(programs):
    readings = readings_of(("sort", "merge", "items", "scan"), programs)
    rows = []
    for name in KERNELS:
        seen = [(run, kernel) for run, reading in readings for kernel in reading["kernels"]
                if kernel["name"] == name]
        steps = [sum(kernel["local"]["steps"] for run, kernel in seen if run.machine == machine)
                 for machine in MACHINES]
        conflicts = sum(kernel["local"]["conflicts"] for _, kernel in seen)
        rows.append((f"`{name}`", len(seen), *map(grouped, steps), conflicts))
    return markdown(("kernel", "runs", *map(str, MACHINES), "conflicts"), rows)


def planted_table(programs, planted):
    rows = []
    for what, subject in planted:
        readings = readings_of(("sort",), replace(programs, subject=subject), True)
        conflicts = [local_total(reading, "conflicts") for _, reading in readings]
        rows.append((what, len(readings), sum(count > 0 for count in conflicts),
                     grouped(sum(conflicts))))
    return markdown(("planted error", "runs", "runs with conflicts", "conflicts"), rows)


def search_table(programs):
    rows, most = [], 0.0
    for E, u in SHAPES:
        random_passes = {}
        for kind in KINDS:
            cells = []
            for search in ("cf", "plain"):
                reading = read(Run("sort", NVIDIA, u, E, 4 * u * E, "u32", kind, search=search),
                               programs)
                passes = local_total(reading, "passes")
                random_passes.setdefault(search, passes)
                ratio = passes / random_passes[search]
                cells += [grouped(passes), f"{ratio:.4f}", local_total(reading, "conflicts")]
                if search == "cf":
                    most, free = max(most, ratio), passes
                else:
                    cells += [worst_degree(reading), f"{passes / free:.3f}"]
            rows.append((E, u, kind, *map(str, cells)))
    table = markdown(("E", "u", "keys ", "conflict-free: passes", "over random", "conflicts",
                      "plain: passes", "over random", "conflicts", "worst", "plain / free"), rows)
    verdict = "at most" if most <= MOST_OVER_RANDOM else "NOT within"
    return (f"{table}\n\nThe most over random of the conflict-free search: {most:.4f}, {verdict} the "
            f"{MOST_OVER_RANDOM} that we ask for.")


# Name, word of the run, search, (E, u). For Boost.Compute E and u only say how many keys.
SUBJECTS = (("`dmm sort`", "sort", "cf", SHAPES[0]),
            ("textbook merge sort", "textbook", "cf", SHAPES[0]),
            ("`dmm sort`", "sort", "cf", SHAPES[2]),
            ("textbook merge sort", "textbook", "cf", SHAPES[2]),
            ("Boost.Compute, radix", "boost radix", "cf", SHAPES[0]),
            ("Boost.Compute, merge", "boost merge", "cf", SHAPES[0]))


def others_tables(programs):
    """Two: totals, and the lines that fight, on the keys on which they fight most."""
    totals, lines = [], []
    for name, word, search, (E, u) in SUBJECTS:
        shape = ("", "") if word.startswith("boost") else (E, u)
        runs = [Run(word, NVIDIA, u, E, 4 * u * E, "u32", kind, search=search)
                for kind in ("random", "worst", "equal")]
        readings = [(run, read(run, programs)) for run in runs]
        base = local_total(readings[0][1], "passes")
        for run, reading in readings:
            passes = local_total(reading, "passes")
            totals.append((name, *shape, run.kind, grouped(local_total(reading, "steps")),
                           grouped(passes), grouped(local_total(reading, "conflicts")),
                           worst_degree(reading), f"{passes / base:.4f}"))
        run, reading = max(readings, key=lambda pair: local_total(pair[1], "conflicts"))
        lines += [(name, *shape, run.kind, *line) for line in lines_that_fight(reading)]
    return (markdown(("program", "E", "u", "keys ", "local steps", "passes", "conflicts", "worst",
                      "over random"), totals),
            markdown(("program", "E", "u", "keys ", "line ", "text ", "steps", "passes", "conflicts",
                      "worst"), lines))


def lines_that_fight(reading):
    for kernel in reading["kernels"]:
        for line in kernel["lines"]:
            if line["space"] == "local" and line["conflicts"]:
                text = line["text"].split("/*")[0].strip().replace("|", "&#124;")
                yield (f"`{kernel['name']}` {line['file']}:{line['line']}", f"`{text}`",
                       grouped(line["steps"]), grouped(line["passes"]), grouped(line["conflicts"]),
                       line["worst"])


def shown(programs):
    """What a user sees who meters a sort of the worst input."""
    commands = ("worst --elements 30720 -E 15 -u 512 -w 32 -o worst.npy",
                "meter -- dmm --set form=gpu,E=15,u=512 sort worst.npy -o sorted.npy")
    path = f"{programs.dmm.resolve().parent}{os.pathsep}{os.environ['PATH']}"
    text = "```\n"
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            done = subprocess.run([programs.dmm.resolve(), *command.split()], check=True, cwd=folder,
                                  env=dict(os.environ, PATH=path), stdout=subprocess.PIPE, text=True)
            text += f"$ dmm {command}\n{done.stdout}"
    return text + "```"


def made_with(programs):
    dmm = subprocess.run([programs.dmm, "--version"], check=True, capture_output=True, text=True)
    oclgrind = subprocess.run(["oclgrind", "--version"], check=False, capture_output=True, text=True)
    name = re.search(r"Oclgrind \S+", oclgrind.stdout + oclgrind.stderr)
    return f"Made with {dmm.stdout.split(chr(10))[0].strip()} and {name.group(0) if name else 'Oclgrind'}."


# ---- The page ----------------------------------------------------------------------------------


def put(text, name, table):
    pattern = re.compile(rf"(<!-- table: {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        sys.exit(f"the page has no table {name}")
    return pattern.sub(lambda match: match.group(1) + table + match.group(2), text)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add_program_arguments(parser)
    for name in ("textbook", "peer", "planted-rho", "planted-store"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("page", type=Path)
    return parser.parse_args()


def main():
    args = arguments()
    programs = Programs(args.dmm, args.dmm, args.calls, args.textbook, args.peer)
    planted = (("`rho` of one partition is off by one word", args.planted_rho),
               ("the store between rounds is not reversed", args.planted_store))
    tables = {"made": made_with(programs), "kernels": kernels_table(programs),
              "planted": planted_table(programs, planted), "search": search_table(programs)}
    tables["shown"] = shown(programs)
    tables["others"], tables["lines"] = others_tables(programs)
    text = args.page.read_text(encoding="utf-8")
    for name, table in tables.items():
        text = put(text, name, table)
    args.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
