# SPDX-License-Identifier: MIT
"""network.py [--root DIR] [--dmm DIR] [--only EXPRESSION] [--out FILE]: sorting networks on a simulated NVIDIA GPU.

Sorts 2^15 random u32 keys by networks, and by dmm_sort's method network, on GPGPU-Sim's model of a V100 with 2 of 80
multiprocessors, checks the results, and prints multiprocessor cycles per key; also rows of 256 keys, and 4096 keys, which
one work-group sorts while the other multiprocessor is idle, by bitonic and by AKS. README.md describes the folder --root.
For the tables of docs/networks.md. simulate.py does the same for other sorts.
"""
import array
import os
import random
import subprocess
import sys

import recorded
from simulate import Simulator

N, ONE_TILE = 1 << 15, 1 << 12
CASES = {"sort": (N, "sort", "--method", "network")}
CASES.update({kind: (N, "network", kind) for kind in ("bitonic", "odd-even", "merge-exchange", "pairwise")})
for name, words in ("bitonic", ()), ("aks", ("--perfect",)):
    CASES[name + "-256"] = (N, "network", name, "-n", "256", *words)
    CASES[name + "-4096"] = (ONE_TILE, "network", name, *words)
CASES["merge-4096"] = (ONE_TILE, "sort", "--method", "merge")


class NetworkSimulator(Simulator):
    """Records sorts by networks."""

    def record_case(self, name, folder):
        n, *command = CASES[name]
        path = self.path("inputs", "network-%d.bin" % n)
        draw = random.Random(n)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        array.array("I", (draw.getrandbits(32) for _ in range(n))).tofile(open(path, "wb"))
        words = ["--cache", "", "--tuning", "", "--set", "form=gpu,banks=32,lanes=32,u=256,E=16"]
        words += [*command, "--run", path] if command[0] == "network" else [*command, path]
        words += ["-t", "u32", "--check", "-o", os.path.join(folder, "sorted.bin")]
        program = "dmm-lab" if command[0] == "network" else "dmm"
        self.run(os.path.join(self.dmm, program), *words, stdout=subprocess.DEVNULL,
                 env=dict(os.environ, DMM_RECORD=folder, LD_PRELOAD=self.path("record.so")))

    def result(self, name):
        return recorded.measure(self, "network-" + name, CASES[name][0], lambda folder: self.record_case(name, folder))


if __name__ == "__main__":
    sys.exit(recorded.main(__doc__, NetworkSimulator, {name: name for name in CASES}))
