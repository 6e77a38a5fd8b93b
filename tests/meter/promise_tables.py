#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes tables of docs/records/conflicts.md (but the first: promise_pages.py) and docs/matrix.md from runs under the meter, and
writes them between the comments `table: NAME` and `end`. The text around the tables is written by hand."""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from promise import MOST_OVER_RANDOM, add_program_arguments, program  # noqa: E402
from promise_pages import grouped, markdown, put  # noqa: E402
from promise_plant import PLANTS  # noqa: E402
from promise_run import NVIDIA, Machine, Programs, Run, local_total, read  # noqa: E402

SHAPES = ((15, 512), (17, 256), (16, 256), (32, 128))  # (E, u)
KINDS = ("random", "worst", "sorted", "equal", "few", "skewed")


def worst_degree(reading):
    return max(kernel["local"]["worst"] for kernel in reading["kernels"])


# ---- Tables ------------------------------------------------------------------------------------


def planted_table(_):
    rows = [(f"`promise_planted_{name}`", plant.what, ", ".join(plant.words),
             ", ".join(f"`{kernel}`" for kernel in sorted(plant.kernels))) for name, plant in PLANTS.items()]
    return markdown(("test", "planted error ", "in calls of ", "must conflict in every run "), rows)


def over(reading, other):
    return local_total(reading, "passes") / local_total(other, "passes")


def cost(reading, on_random):
    return (grouped(local_total(reading, "passes")), grouped(local_total(reading, "conflicts")),
            worst_degree(reading), f"{over(reading, on_random):.4f}")


def search_table(programs):
    rows, most = [], 0.0
    for E, u in SHAPES:
        free, plain = ({kind: read(Run("sort", NVIDIA, u, E, 4 * u * E, "u32", kind, search=search),
                                   programs) for kind in KINDS} for search in ("cf", "plain"))
        for kind in KINDS:
            rows.append((E, u, kind, *cost(free[kind], free["random"]),
                         *cost(plain[kind], plain["random"]),
                         f"{over(plain[kind], free[kind]):.3f}"))
            most = max(most, over(free[kind], free["random"]))
    last = ("conflicts", "worst", "over random")
    table = markdown(("E", "u", "keys ", "conflict-free: passes", *last, "plain: passes", *last,
                      "plain / free"), rows)
    verdict = "at most" if most <= MOST_OVER_RANDOM else "NOT within"
    return (f"{table}\n\nThe most over random of the conflict-free search: {most:.4f}, {verdict} "
            f"the {MOST_OVER_RANDOM} that we ask for.")


# Word of the run, and the kernel that moves items inside a tile.
MOVERS = (("permute scatter", "dmm_permute_tile"), ("permute randomized", "dmm_permute_rounds"),
          ("plan", "dmm_plan_tile"))
MOVE_SHAPES = ((4, 256), (16, 128))  # (E, u)


def moves_table(programs):
    """Reads the kernel that moves items inside a tile, and the whole call."""
    rows = []
    for E, u in MOVE_SHAPES:
        for word, name in MOVERS:
            readings = {kind: read(Run(word, NVIDIA, u, E, 4 * u * E, "", kind, "4"), programs)
                        for kind in ("random", "bank")}
            for kind, reading in readings.items():
                inside = next(kernel["local"] for kernel in reading["kernels"]
                              if kernel["name"] == name)
                rows.append((E, u, f"`{name}`", kind, grouped(inside["steps"]),
                             grouped(inside["passes"]), grouped(inside["conflicts"]),
                             inside["worst"], *(cost(reading, readings["random"])[i]
                                                for i in (0, 1, 3))))
    return markdown(("E", "u", "kernel ", "permutation ", "steps", "passes", "conflicts", "worst",
                     "whole call: passes", "conflicts", "over random"), rows)


# Name, word of the run, (E, u). For Boost.Compute, E and u only determine the number of keys.
SUBJECTS = (("`dmm sort`", "sort", SHAPES[0]), ("textbook merge sort", "textbook", SHAPES[0]),
            ("`dmm sort`", "sort", SHAPES[2]), ("textbook merge sort", "textbook", SHAPES[2]),
            ("Boost.Compute, radix", "boost radix", SHAPES[0]),
            ("Boost.Compute, merge", "boost merge", SHAPES[0]))


def others_table(programs):
    """Reads totals, and the lines with conflicts on the keys with most conflicts."""
    totals, lines = [], []
    for name, word, (E, u) in SUBJECTS:
        shape = ("", "") if word.startswith("boost") else (E, u)
        readings = {kind: read(Run(word, NVIDIA, u, E, 4 * u * E, "u32", kind), programs)
                    for kind in ("random", "worst", "equal")}
        for kind, reading in readings.items():
            totals.append((name, *shape, kind, grouped(local_total(reading, "steps")),
                           *cost(reading, readings["random"])))
        kind = max(readings, key=lambda kind: local_total(readings[kind], "conflicts"))
        lines += [(name, *shape, kind, *line) for line in lines_that_fight(readings[kind])]
    first, last = ("program", "E", "u", "keys "), ("steps", "passes", "conflicts", "worst")
    return (markdown((*first, *last, "over random"), totals)
            + "\n\nThe lines that conflict, on the keys on which each program does most:\n\n"
            + markdown((*first, "line ", "text ", *last), lines))


def lines_that_fight(reading):
    for kernel in reading["kernels"]:
        for line in kernel["lines"]:
            if line["space"] == "local" and line["conflicts"]:
                text = line["text"].split("/*")[0].strip().replace("|", "&#124;")
                yield (f"`{kernel['name']}` {line['file']}:{line['line']}", f"`{text}`",
                       grouped(line["steps"]), grouped(line["passes"]), grouped(line["conflicts"]),
                       line["worst"])


def shown(programs):
    """Returns a session in which a user meters a sort of the worst input."""
    commands = ("worst --elements 30720 -E 15 -u 512 -w 32 -o worst.npy",
                "meter -- dmm --set form=gpu,E=15,u=512 sort worst.npy -o sorted.npy")
    path = f"{programs.dmm.parent}{os.pathsep}{os.environ['PATH']}"
    text = "```\n"
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            done = subprocess.run([programs.dmm, *command.split()], check=True, cwd=folder,
                                  env=dict(os.environ, PATH=path), stdout=subprocess.PIPE,
                                  text=True)
            text += f"$ dmm {command}\n{done.stdout}"
    return text + "```"


# ---- One tile, also in the papers' model -------------------------------------------------------

TILES = ((8, 64, 16), (16, 256, 16), (32, 128, 8), (32, 256, 16), (32, 512, 8), (64, 256, 16))  # (banks, u, E)


def square(banks):
    return Machine(banks, banks, ("--lanes", str(banks), "--banks", str(banks)))


def of_kernel(reading, name):
    return next(kernel["local"] for kernel in reading["kernels"] if kernel["name"] == name)


def tiles_table(programs):
    """Sorts of one tile of random u32 keys: passes where a broadcast is one, and where each lane counts (EREW)."""
    rows = []
    for banks, u, E in TILES:
        passes = {}
        for model, machine in (("broadcast", square(banks)), ("EREW", square(banks).exclusive())):
            for word, name in (("sort", "dmm_sort_tile"), ("matrix", "dmm_sort_matrix"), ("shear", "dmm_sort_matrix")):
                reading = read(Run(word, machine, u, E, u * E, "u32", "random"), programs)
                passes[model, word] = of_kernel(reading, name)["passes"]
        free, strict = passes["broadcast", "sort"], passes["EREW", "sort"]
        matrix, shear = passes["EREW", "matrix"], passes["EREW", "shear"]
        if (matrix, shear) != (passes["broadcast", "matrix"], passes["broadcast", "shear"]):
            raise SystemExit("a sort of a matrix reads one word by two lanes")
        rows.append((banks, u, E, free, strict, matrix, shear, f"{free / matrix:.2f}", f"{strict / matrix:.2f}"))
    return markdown(("banks", "u", "E", "merge", "merge, EREW", "matrix", "shear", "merge / matrix",
                     "merge, EREW / matrix"), rows)


PARTITIONS = ((8, 64, 16, (32, 256)), (16, 128, 16, (32, 256)), (32, 128, 16, (2, 32, 256)), (32, 256, 8, (32, 256)),
              (64, 128, 16, (32, 256)))  # (banks, u, E, numbers of buckets)


def partitions_table(programs):
    """Partitions of one tile of random labels, by the three methods: passes, and those where each lane counts (EREW)."""
    rows = []
    for banks, u, E, ways in PARTITIONS:
        for K in ways:
            local, strict = ({word: of_kernel(read(Run(word, machine, u, E, u * E - 3, "u32", "random", str(K)), programs),
                                              "dmm_radix_alone")
                              for word in ("partition", "partition-split", "partition-alone")}
                             for machine in (square(banks), square(banks).exclusive()))
            rank, split, matrix = (local[word]["passes"] for word in local)
            exclusive = [strict[word]["passes"] for word in strict]
            rows.append((banks, u, E, K, f"{rank} ({local['partition']['conflicts']})", split, matrix,
                         f"{matrix / split:.2f}", *exclusive, f"{exclusive[2] / exclusive[1]:.2f}"))
    return markdown(("banks", "u", "E", "K", "rank", "split", "matrix", "matrix over split", "rank, EREW", "split, EREW",
                     "matrix, EREW", "matrix over split, EREW"), rows)


PERMUTATIONS = ((8, 64, 16), (16, 128, 16), (32, 128, 16), (32, 256, 4), (64, 128, 16))  # (banks, u, E)


def permutations_table(programs):
    """Passes of the kernel that permutes one tile of u32 items, in both models."""
    rows = []
    for banks, u, E in PERMUTATIONS:
        for kind in ("random", "bank"):
            free, strict = ([of_kernel(read(Run(word, machine, u, E, u * E, "", kind, "4"), programs), name)["passes"]
                             for word, name in MOVERS] for machine in (square(banks), square(banks).exclusive()))
            if (free[0], free[2]) != (strict[0], strict[2]):
                raise SystemExit("a move reads one word by two lanes")
            rows.append((banks, u, E, kind, free[0], free[1], strict[1], free[2]))
    return markdown(("banks", "u", "E", "order ", "by goals", "rounds", "rounds, EREW", "plan"), rows)


# ---- The pages ---------------------------------------------------------------------------------

TABLES = {"planted": ("records/conflicts.md", planted_table), "search": ("records/conflicts.md", search_table),
          "moves": ("records/conflicts.md", moves_table), "shown": ("records/conflicts.md", shown),
          "others": ("records/conflicts.md", others_table), "tiles": ("matrix.md", tiles_table),
          "partitions": ("matrix.md", partitions_table), "permutations": ("matrix.md", permutations_table)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add_program_arguments(parser)
    for name in ("textbook", "peer"):
        parser.add_argument(f"--{name}", type=program, help="for the tables of other sorts")
    parser.add_argument("docs", type=Path)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"{' '.join(TABLES)}; default: all")
    return parser.parse_args()


def main():
    args = arguments()
    programs = Programs(args.dmm, args.calls, args.hulls, textbook=args.textbook, peer=args.peer)
    for name in args.tables or TABLES:
        page, table = TABLES[name]
        path = args.docs / page
        text = table(programs)
        path.write_text(put(path.read_text(encoding="utf-8"), name, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
