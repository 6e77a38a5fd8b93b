# SPDX-License-Identifier: MIT
"""search.py [--root DIR] [--dmm DIR] [--only EXPRESSION] [--out FILE]: searches and layouts on a simulated NVIDIA GPU.

Searches for 2^15 random u32 queries in 2^15 or 2^18 sorted keys (and in their layouts) with dmm, and permutes the keys
into layouts, on GPGPU-Sim's model of a V100 with 2 of 80 multiprocessors, checks the results, and prints multiprocessor
cycles per query or key. README.md describes the folder --root. For the tables of docs/search.md. simulate.py does the
same for sorts.
"""
import array
import collections
import os
import random
import subprocess
import sys

import recorded
from simulate import PROJECT, Simulator

N = 1 << 15 # queries
B = 32

# word: search or layout. lanes: teams exchange data by ballots; the device that records has no sub-groups, so this
# program is replaced. queries: random, or sorted. 2^log_n keys: the L2 holds 2^15 of them, not 2^18.
Case = collections.namedtuple("Case", "word kind method lanes queries log_n",
                              defaults=("sorted", "auto", False, "random", 15))


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
    for kind in "sorted", "bst", "btree", "veb", "mveb":
        yield Case("search", kind, "items", log_n=18)
    for kind in "sorted", "btree":
        yield Case("search", kind, "teams", True, log_n=18)
    for kind in "bst", "btree":
        yield Case("layout", kind, log_n=18)
    yield Case("layout", "bst", "cycles") # auto is the hybrid


def name_of(case):
    parts = [case.word, case.kind, case.method, "lanes" if case.lanes else "", case.queries if case.queries != "random" else "",
             str(case.log_n) if case.log_n != 15 else ""]
    return "-".join(part for part in parts if part)


class SearchSimulator(Simulator):
    """Records searches instead of sorts."""

    def keys_file(self, kind, log_n):
        """Writes the keys of a layout to a file and returns its path."""
        folder = self.path("inputs")
        os.makedirs(folder, exist_ok=True)
        sorted_path = os.path.join(folder, "search-sorted-%d.bin" % log_n)
        draw = random.Random(1 << log_n)
        array.array("I", sorted(draw.getrandbits(32) for _ in range(1 << log_n))).tofile(open(sorted_path, "wb"))
        path = os.path.join(folder, "search-%s-%d.bin" % (kind, log_n))
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
        words += ([self.keys_file("sorted", case.log_n)] if case.word == "layout" else
                  [self.keys_file(case.kind, case.log_n), self.queries_file(case.queries)])
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
        items = N if case.word == "search" else 1 << case.log_n
        row = recorded.measure(self, name_of(case), items, lambda folder: self.record_case(case, folder), case.lanes)
        return dict(case._asdict(), **row)


if __name__ == "__main__":
    sys.exit(recorded.main(__doc__, SearchSimulator, {name_of(case): case for case in cases()}))
