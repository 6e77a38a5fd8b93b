# SPDX-License-Identifier: MIT
"""moves.py [--root DIR] [--dmm DIR] [--calls FILE] [--only EXPRESSION] [--out FILE]: calls that move items, simulated.

Runs dmm_run_length (which is dmm_unique and a subtraction), dmm_partition by labels, dmm_topk and dmm_scan on 2^15 or 2^17
random u32, dmm_histogram, dmm_sort_segmented, partitions by method blocks of dmm-lab, dmm_merge_many of 4 and 8 lists beside
dmm_sort by merge, quick of dmm-lab on 2^15, and calls of the other primitives on 2^12, on GPGPU-Sim's model of a V100 with
2 of 80 multiprocessors, checks the results, and prints for the whole call: multiprocessor cycles an item, without launches and with 5000 cycles for each,
global transactions of 32 bytes as bytes an item, and what DRAM moves. The rows go to --out, by default
bench/results/DATE-simulated-moves.json, from which bench/report.py makes a table. --calls is the program promise_calls of
the tests. README.md describes the folder --root; simulate.py does the same for sorts.
"""
import argparse
import array
import collections
import datetime
import json
import os
import random
import re
import subprocess
import sys

from counters import kernels_of
from simulate import PROJECT, MACHINES, RADIX, Simulator, tuning_of_radix

MACHINE = "v100-2"
SECTOR = 32 # bytes of a global transaction

# what: its words as promise_calls takes them, or "partition K LABEL-BYTES METHOD" (without METHOD: auto), "runs LENGTH",
# "lists K", "sort METHOD [OPTION]", or "checks WORD": the self-test's first check of the primitives that begin so.
Case = collections.namedtuple("Case", "what log_n")


def cases():
    """Yields the cases of the table of docs/records/speed.md."""
    for log_n in 15, 17:
        for what in ("runs 4", "partition 32 1", "partition 32 4", "partition 256 4", "topk u32 unsorted random",
                     "scan u32 sum"):
            yield Case(what, log_n)
    yield Case("histogram u32 256 random", 15)
    yield Case("segments u32 middle random", 15)
    for what in ("partition 32 4 blocks", "partition 256 4 blocks", "lists 4", "lists 8", "sort merge", "sort quick"):
        yield Case(what, 15)
    # Other kernels that are called conflict-free, on few items: for their stalls, not for their cycles. Those of hulls end
    # the simulator, at a call of a function that is not inlined.
    for word in ("transpose", "permute", "permutation plan", "reduce", "unique", "run length", "scan by key", "merge", "set union",
                 "nth", "sort, segments", "network"):
        yield Case("checks " + word, 12)
    for what in ("move transpose 4 random", "move plan 4 random", "move permute randomized 4 bank", "scan f32 sum", "sort matrix",
                 "sort shear", "sort network", "sort radix --guarantee"):
        yield Case(what, 12)


def name_of(case):
    return "moves-%s-%d" % (re.sub(r"\W+", "-", case.what), case.log_n)


# Methods of the command dmm-lab.
LAB = {"matrix", "shear", "quick", "blocks"}


class MoveSimulator(Simulator):
    """Records calls that move items."""

    def __init__(self, root, dmm, calls):
        super().__init__(root, dmm)
        self.calls = os.path.abspath(calls)

    def command(self, method):
        return os.path.join(self.dmm, "dmm-lab" if method in LAB else "dmm")

    def runs(self, folder, length, n):
        """Writes random runs; returns the command that counts them."""
        draw, path, item = random.Random(n + length), os.path.join(folder, "items.bin"), 0
        items = array.array("I")
        for _ in range(n):
            item += draw.randrange(length) == 0
            items.append(item)
        items.tofile(open(path, "wb"))
        return [os.path.join(self.dmm, "dmm"), "--cache", "", "count", "-t", "u32", path,
                "-o", os.path.join(folder, "keys.bin"), "--counts-out", os.path.join(folder, "counts.bin")]

    def lists(self, folder, count, n):
        """Writes sorted lists of equal length; returns the command that merges them."""
        draw, paths = random.Random(n + count), []
        for i in range(count):
            paths.append(os.path.join(folder, "list%d.bin" % i))
            array.array("I", sorted(draw.getrandbits(32) for _ in range(n // count))).tofile(open(paths[-1], "wb"))
        return [os.path.join(self.dmm, "dmm"), "--cache", "", "merge", "-t", "u32", *paths, "-o",
                os.path.join(folder, "out.bin")]

    def sort(self, folder, method, n, *more):
        draw, path = random.Random(n), os.path.join(folder, "items.bin")
        array.array("I", (draw.getrandbits(32) for _ in range(n))).tofile(open(path, "wb"))
        return [self.command(method), "--cache", "", "sort", "--method", method, *more, "-t", "u32",
                "--check", path, "-o", os.path.join(folder, "out.bin")]

    def partition(self, folder, ways, label_bytes, method, n):
        draw = random.Random(n + ways)
        paths = [os.path.join(folder, name) for name in ("items.bin", "labels.npy", "out.bin", "offsets.bin")]
        array.array("I", (draw.getrandbits(32) for _ in range(n))).tofile(open(paths[0], "wb"))
        labels = array.array({1: "B", 4: "I"}[label_bytes], (draw.randrange(ways) for _ in range(n)))
        with open(paths[1], "wb") as out: # the type of labels is known from the file alone
            header = "{'descr': '<u%d', 'fortran_order': False, 'shape': (%d,), }" % (label_bytes, n)
            header = header.ljust(117) + "\n"
            out.write(b"\x93NUMPY\x01\x00" + bytes([len(header), 0]) + header.encode())
            labels.tofile(out)
        return [self.command(method), "--cache", "", "partition", "-K", ways, "-t", "u32", "--labels",
                paths[1], paths[0], "-o", paths[2], "--offsets", paths[3], "--method", method]

    def record_case(self, case, folder):
        words, n = case.what.split(), 1 << case.log_n
        command = (self.partition(folder, int(words[1]), int(words[2]), (words + ["auto"])[3], n) if words[0] == "partition" else
                   self.runs(folder, int(words[1]), n) if words[0] == "runs" else
                   self.lists(folder, int(words[1]), n) if words[0] == "lists" else
                   self.sort(folder, words[1], n, *words[2:]) if words[0] == "sort" else
                   [self.calls.replace("_calls", "_checks"), n, " ".join(words[1:])] if words[0] == "checks" else
                   [self.calls, "move", " ".join(words[1:-2]), *words[-2:], n] if words[0] == "move" else
                   [self.calls, *words, n])
        # With the parameters by columns, 48 KiB of local memory are enough for these.
        method = "radix-columns" if {"blocks", "randomized", "--guarantee"} & set(words) else "radix"
        self.run(*map(str, command), stdout=subprocess.DEVNULL, env=dict(
            os.environ, DMM_RECORD=folder, LD_PRELOAD=self.path("record.so"), DMM_SET="form=gpu,banks=32,lanes=32",
            DMM_TUNING=tuning_of_radix(folder, *RADIX[method])))

    def result(self, case):
        folder = self.path("runs", name_of(case))
        subprocess.run(["rm", "-rf", folder], check=True)
        os.makedirs(folder)
        latency = self.configure(MACHINE, folder)
        self.record_case(case, folder)
        text = self.simulate(folder, self.compile(folder, True), [self.path("replay"), folder])
        kernels, n = kernels_of(text), 1 << case.log_n
        for kernel, name in zip(kernels, re.findall(r"^kernel_name = (?:dmm\d+_)?(\S+)", text, re.M)):
            kernel["name"] = name
        total = {key: sum(kernel[key] for kernel in kernels) for key in kernels[0] if key not in ("step", "name")}
        row = dict(case._asdict(), n=n, launches=len(kernels), sms=MACHINES[MACHINE][0], launch_latency=latency,
                   cycles=(total["cycles"] - latency * len(kernels)) * MACHINES[MACHINE][0] / n,
                   with_launches=total["cycles"] * MACHINES[MACHINE][0] / n,
                   transaction_bytes=(total["global_reads"] + total["global_writes"]) * SECTOR / n,
                   dram_bytes=(total["dram_reads"] + total["dram_writes"]) * SECTOR / n)
        return dict(row, kernels=kernels)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the command dmm")
    options.add_argument("--calls", default=os.path.join(PROJECT, "build/default/tests/meter/promise_calls"))
    options.add_argument("--only", default="", help="simulate only the cases whose names match this expression")
    options.add_argument("--out", help="file for all counters, as JSON", default=os.path.join(
        PROJECT, "bench/results/%s-simulated-moves.json" % datetime.datetime.now(datetime.timezone.utc).date()))
    given = options.parse_args()
    simulator = MoveSimulator(given.root, given.dmm, given.calls)
    rows = json.load(open(given.out, encoding="utf-8")) if os.path.exists(given.out) else []
    order = [name_of(case) for case in cases()]
    commit = subprocess.run(["git", "-C", PROJECT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=True).stdout.strip()
    for case in cases():
        if not re.search(given.only, name_of(case)):
            continue
        row = simulator.result(case)
        rows = [old for old in rows if old["name"] != name_of(case)]
        rows.append(dict({"name": name_of(case), "commit": commit}, **row))
        rows.sort(key=lambda row: order.index(row["name"]))
        print("%s: %d launches, %.2f cycles an item, %.2f with launches; bytes an item: %.1f in transactions, %.1f of DRAM" % (
            name_of(case), row["launches"], row["cycles"], row["with_launches"], row["transaction_bytes"],
            row["dram_bytes"]), flush=True)
        for kernel in row["kernels"]:
            print("  %s: %d cycles, %d registers, %.2f warp instructions an item" % (
                kernel["name"], kernel["cycles"], kernel["registers"], kernel["warp_instructions"] / row["n"]), flush=True)
        with open(given.out, "w", encoding="utf-8") as out:
            out.write("[\n" + ",\n".join(json.dumps(old) for old in rows) + "\n]\n")
    return 0 if rows else "no case has such a name"


if __name__ == "__main__":
    sys.exit(main())
