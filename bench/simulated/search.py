# SPDX-License-Identifier: MIT
"""search.py [--root DIR] [--dmm DIR] [--only EXPRESSION] [--out FILE]: searches and layouts on a simulated NVIDIA GPU.

Searches for 2^15 random u32 queries in 2^15 sorted keys (and in their layouts) with dmm, and permutes the keys into
layouts, on GPGPU-Sim's model of a V100 with 2 of 80 multiprocessors, checks the results, and prints multiprocessor cycles
per query or key. README.md describes the folder --root. For the table of docs/search.md. simulate.py does the same for
sorts.
"""
import array
import collections
import os
import random
import subprocess
import sys

import recorded
from simulate import PROJECT, Simulator

N = 1 << 15
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
        row = recorded.measure(self, name_of(case), N, lambda folder: self.record_case(case, folder), case.lanes)
        return dict(case._asdict(), **row)


if __name__ == "__main__":
    sys.exit(recorded.main(__doc__, SearchSimulator, {name_of(case): case for case in cases()}))
