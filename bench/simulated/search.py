# SPDX-License-Identifier: MIT
"""search.py [--root DIR] [--dmm DIR] [--only EXPRESSION] [--out FILE]: searches and layouts on a simulated NVIDIA GPU.

Searches for 2^15 random u32 queries in 2^15 sorted keys (and in their layouts) with dmm, and permutes the keys into
layouts, on GPGPU-Sim's model of a V100 with 2 of 80 multiprocessors, checks the results, and prints multiprocessor cycles
per query or key. README.md describes the folder --root. For the table of docs/search.md. simulate.py does the same for
sorts.
"""
import argparse
import array
import collections
import json
import os
import random
import re
import subprocess
import sys

from counters import kernels_of
from simulate import PROJECT, MACHINES, Simulator

N = 1 << 15
MACHINE = "v100-2"
B = 32

# word: search or layout. lanes: teams exchange data by ballots; the device that records has no sub-groups, so this
# program is replaced. queries: random, or sorted.
Case = collections.namedtuple("Case", "word kind method lanes queries", defaults=("sorted", "auto", False, "random"))


def cases():
    """Yields the cases of the table."""
    yield Case("search", method="items")
    for lanes in True, False:
        yield Case("search", method="teams", lanes=lanes)
        yield Case("search", "btree", "teams", lanes)
    for kind in "bst", "btree", "veb", "mveb":
        yield Case("search", kind, "items")
    yield Case("search", method="items", queries="sorted")
    yield Case("search", method="merge", queries="sorted")
    for kind in "bst", "btree", "veb", "mveb":
        yield Case("layout", kind)


def name_of(case):
    parts = [case.word, case.kind, case.method, "lanes" if case.lanes else "", case.queries if case.queries != "random" else ""]
    return "-".join(part for part in parts if part)


class SearchSimulator(Simulator):
    """Records searches instead of sorts."""

    def keys_file(self, kind):
        """Writes the keys of a layout to a file and returns its path."""
        folder = self.path("inputs")
        os.makedirs(folder, exist_ok=True)
        sorted_path = os.path.join(folder, "search-sorted.bin")
        draw = random.Random(N)
        array.array("I", sorted(draw.getrandbits(32) for _ in range(N))).tofile(open(sorted_path, "wb"))
        path = os.path.join(folder, "search-%s.bin" % kind)
        if kind != "sorted":
            self.command("layout", "-t", "u32", "-k", kind, "-b", B, sorted_path, "-o", path)
        return path

    def queries_file(self, how):
        path = self.path("inputs", "queries-%s.bin" % how)
        draw = random.Random(N + 1)
        queries = [draw.getrandbits(32) for _ in range(N)]
        array.array("I", sorted(queries) if how == "sorted" else queries).tofile(open(path, "wb"))
        return path

    def record_case(self, case, folder):
        words = ["--cache", "", "--tuning", "", "--set", "form=gpu,banks=32,lanes=32", case.word, "-t", "u32",
                 "--method", case.method, "-k", case.kind, "-b", B, "-o", os.path.join(folder, "out.bin")]
        words += ([self.keys_file("sorted")] if case.word == "layout" else
                  [self.keys_file(case.kind), self.queries_file(case.queries)])
        self.run(os.path.join(self.dmm, "dmm"), *words, stdout=subprocess.DEVNULL,
                 env=dict(os.environ, DMM_RECORD=folder, LD_PRELOAD=self.path("record.so")))

    @staticmethod
    def with_lanes(path):
        """Replaces the program of teams by one with ballots; launches are the same."""
        if "dmm_search_teams" not in open(path, encoding="utf-8").read():
            return []
        open(path, "w", encoding="utf-8").write('#include "cl/search/search_lanes.cl"\n')
        return ["-I" + PROJECT, "-DDMM_LANES_BY=2", "-DDMM_LANES=32"]

    def result(self, case):
        folder = self.path("runs", name_of(case))
        subprocess.run(["rm", "-rf", folder], check=True)
        os.makedirs(folder)
        latency = self.configure(MACHINE, folder)
        self.record_case(case, folder)
        text = self.simulate(folder, self.compile(folder, case.lanes), [self.path("replay"), folder])
        kernels = kernels_of(text)
        cycles = sum(kernel["cycles"] - latency for kernel in kernels)
        return dict(case._asdict(), n=N, launches=len(kernels), sms=MACHINES[MACHINE][0],
                    cycles_an_item=cycles * MACHINES[MACHINE][0] / N, kernels=kernels)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the command dmm")
    options.add_argument("--only", default="", help="simulate only the cases whose names match this expression")
    options.add_argument("--out", default="", help="file for all counters, as JSON")
    given = options.parse_args()
    simulator = SearchSimulator(given.root, given.dmm)
    rows = []
    for case in cases():
        if not re.search(given.only, name_of(case)):
            continue
        row = simulator.result(case)
        rows.append(dict({"name": name_of(case)}, **row))
        print("%s: %.2f cycles an item, %d launches" % (name_of(case), row["cycles_an_item"], row["launches"]), flush=True)
        if given.out:
            with open(given.out, "w", encoding="utf-8") as out:
                out.write("[\n" + ",\n".join(json.dumps(old) for old in rows) + "\n]\n")
    return 0 if rows else "no case has such a name"


if __name__ == "__main__":
    sys.exit(main())
