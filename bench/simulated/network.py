# SPDX-License-Identifier: MIT
"""network.py [--root DIR] [--dmm DIR] [--only EXPRESSION] [--out FILE]: sorting networks on a simulated NVIDIA GPU.

Sorts 2^15 random u32 keys by networks, and by dmm_sort's method network, on GPGPU-Sim's model of a V100 with 2 of 80
multiprocessors, checks the results, and prints multiprocessor cycles per key. README.md describes the folder --root.
For the table of docs/networks.md. simulate.py does the same for other sorts.
"""
import array
import os
import random
import subprocess
import sys

import recorded
from simulate import Simulator

N = 1 << 15
CASES = ("sort", "bitonic", "odd-even", "merge-exchange", "pairwise")


class NetworkSimulator(Simulator):
    """Records sorts by networks."""

    def record_case(self, name, folder):
        path = self.path("inputs", "network.bin")
        draw = random.Random(N)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        array.array("I", (draw.getrandbits(32) for _ in range(N))).tofile(open(path, "wb"))
        words = ["--cache", "", "--tuning", "", "--set", "form=gpu,banks=32,lanes=32,u=256,E=16"]
        words += ["sort", path, "--method", "network"] if name == "sort" else ["network", name, "--run", path]
        words += ["-t", "u32", "--check", "-o", os.path.join(folder, "sorted.bin")]
        self.run(os.path.join(self.dmm, "dmm"), *words, stdout=subprocess.DEVNULL,
                 env=dict(os.environ, DMM_RECORD=folder, LD_PRELOAD=self.path("record.so")))

    def result(self, name):
        return recorded.measure(self, "network-" + name, N, lambda folder: self.record_case(name, folder))


if __name__ == "__main__":
    sys.exit(recorded.main(__doc__, NetworkSimulator, {name: name for name in CASES}))
