# SPDX-License-Identifier: MIT
"""network.py [--root DIR] [--dmm DIR] [--only EXPRESSION] [--out FILE]: sorting networks on a simulated NVIDIA GPU.

Sorts 2^15 random u32 keys by networks, and by dmm_sort's method network, on GPGPU-Sim's model of a V100 with 2 of 80
multiprocessors, checks the results, and prints multiprocessor cycles per key. README.md describes the folder --root.
For the table of docs/networks.md. simulate.py does the same for other sorts.
"""
import argparse
import array
import json
import os
import random
import re
import subprocess
import sys

from counters import kernels_of
from simulate import MACHINES, PROJECT, Simulator

N = 1 << 15
MACHINE = "v100-2"
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
        folder = self.path("runs", "network-" + name)
        subprocess.run(["rm", "-rf", folder], check=True)
        os.makedirs(folder)
        latency = self.configure(MACHINE, folder)
        self.record_case(name, folder)
        text = self.simulate(folder, self.compile(folder, False), [self.path("replay"), folder])
        kernels = kernels_of(text)
        cycles = sum(kernel["cycles"] - latency for kernel in kernels)
        return {"name": name, "n": N, "sms": MACHINES[MACHINE][0], "launches": len(kernels),
                "cycles_an_item": cycles * MACHINES[MACHINE][0] / N, "kernels": kernels}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the command dmm")
    options.add_argument("--only", default="", help="simulate only the cases whose names match this expression")
    options.add_argument("--out", default="", help="file for all counters, as JSON")
    given = options.parse_args()
    simulator = NetworkSimulator(given.root, given.dmm)
    rows = []
    for name in CASES:
        if not re.search(given.only, name):
            continue
        row = simulator.result(name)
        rows.append(row)
        print("%s: %.2f cycles a key, %d launches, %d registers, %d conflict stalls, %d warp instructions" % (
            name, row["cycles_an_item"], row["launches"], max(kernel["registers"] for kernel in row["kernels"]),
            sum(kernel["conflict_stalls"] for kernel in row["kernels"]),
            sum(kernel["warp_instructions"] for kernel in row["kernels"])), flush=True)
        if given.out:
            with open(given.out, "w", encoding="utf-8") as out:
                out.write("[\n" + ",\n".join(json.dumps(old) for old in rows) + "\n]\n")
    return 0 if rows else "no case has such a name"


if __name__ == "__main__":
    sys.exit(main())
