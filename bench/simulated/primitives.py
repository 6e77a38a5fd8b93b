# SPDX-License-Identifier: MIT
"""primitives.py [--root DIR] [--dmm DIR] [--set SETTINGS] [--only EXPRESSION] [--out FILE] [--page FILE]: primitives of dmm beside those of CUB and Thrust.

Runs calls of dmm (calls.c) and their counterparts (primitives.cu) on the same files, 2^15 and 2^17 random items, on GPGPU-Sim's
model of a V100 with 2 of 80 multiprocessors, and checks the results. The programs of dmm are those of a V100's owner: the call
is recorded on this machine's device, for what it reads back, and again by pretend.so, for what it launches. The rows go to
--out, by default bench/results/DATE-simulated-primitives.json, and the table to --page. README.md describes the folder --root.
"""
import argparse
import array
import collections
import datetime
import json
import os
import random
import re
import shutil
import subprocess
import sys

from counters import kernels_of
import launches
from simulate import HERE, MACHINES, PROJECT, Simulator

SECTOR = 32 # bytes of a global transaction

# name: of calls.c; counterpart: the option of primitives.cu, and what it calls; inputs: functions below
Primitive = collections.namedtuple("Primitive", "name counterpart called inputs")
Case = collections.namedtuple("Case", "primitive who log_n machine")


def words(draw, n):
    return [array.array("I", (draw.getrandbits(32) for _ in range(n)))]


def affine_maps(draw, n):
    """Returns n maps x -> x*b + c, as b and c."""
    return words(draw, 2 * n)


def labels(draw, n):
    return [array.array("I", (draw.randrange(256) for _ in range(n)))]


def byte_labels(draw, n):
    return [array.array("B", (draw.randrange(256) for _ in range(n)))]


def equal_labels(_, n):
    return [array.array("B", [7] * n)]


def runs(draw, n):
    """Returns runs of 4 items on average, and values."""
    items, item = array.array("I"), 0
    for _ in range(n):
        item += draw.randrange(4) == 0
        items.append(item)
    return [items] + words(draw, n)


def two_lists(draw, n):
    """Returns two sorted lists, n items in all."""
    return [array.array("I", sorted(draw.randrange(2 * n) for _ in range(n // 2))) for _ in range(2)]


def keys_and_queries(draw, n):
    return [array.array("I", sorted(draw.getrandbits(32) for _ in range(n)))] + words(draw, n)


PRIMITIVES = (
    Primitive("histogram-u8", "HISTOGRAM=uint8_t", "DeviceHistogram::HistogramEven", byte_labels),
    Primitive("histogram-u8", "HISTOGRAM=uint8_t", "DeviceHistogram::HistogramEven", equal_labels),
    Primitive("histogram-u32", "HISTOGRAM=uint32_t", "DeviceHistogram::HistogramEven", labels),
    Primitive("scan", "SCAN", "DeviceScan::InclusiveSum", words),
    Primitive("reduce", "REDUCE", "DeviceReduce::Sum", words),
    Primitive("scan-affine", "AFFINE", "DeviceScan::InclusiveScan, own operator", affine_maps),
    Primitive("reduce-minmax", "MINMAX", "DeviceReduce::Reduce, own operator, TransformInputIterator", words),
    Primitive("unique", "UNIQUE", "DeviceSelect::Unique", runs),
    Primitive("run-length", "RUNS", "DeviceRunLengthEncode::Encode", runs),
    Primitive("reduce-by-key", "REDUCE_BY_KEY", "DeviceReduce::ReduceByKey", runs),
    Primitive("select", "SELECT", "DeviceSelect::If", words),
    Primitive("select-rest-behind", "PARTITION", "DevicePartition::If, the rest reversed", words),
    Primitive("partition", "PARTITION", "DevicePartition::If, the rest reversed", words), # in place
    Primitive("partition-apart", "PARTITION", "DevicePartition::If, the rest reversed", words),
    Primitive("merge", "MERGE", "thrust::merge", two_lists),
    Primitive("union", "UNION", "thrust::set_union", two_lists),
    Primitive("search", "SEARCH", "thrust::lower_bound", keys_and_queries),
    Primitive("partition-32", "SORT=5", "DeviceRadixSort::SortKeys, 5 bits", words),
    Primitive("scan-by-key", "SCAN_BY_KEY", "DeviceScan::InclusiveSumByKey", runs),
    Primitive("segments-700", "SEGMENTS=700", "DeviceSegmentedSort::SortKeys", words),
    Primitive("transpose", "TRANSPOSE", "a padded tile of 32 by 32", words),
    Primitive("shuffle", "SHUFFLE", "thrust::shuffle_copy", words),
    Primitive("topk-third", "SORT=32", "DeviceRadixSort::SortKeys, of all", words),
    Primitive("topk-few", "SORT=32", "DeviceRadixSort::SortKeys, of all", words),
    Primitive("nth", "SORT=32", "DeviceRadixSort::SortKeys, of all", words),
)


ALL_MULTIPROCESSORS = ("histogram-u32", "scan", "reduce", "unique", "run-length", "reduce-by-key", "select", "select-rest-behind",
                       "partition-apart", "union", "scan-by-key")


def cases():
    for primitive in PRIMITIVES:
        for log_n in 15, 17:
            for who in ("dmm", "cub") if primitive.counterpart else ("dmm",):
                yield Case(primitive, who, log_n, "v100-2")
    for primitive in PRIMITIVES: # a chain of groups takes its time where many run at once
        if primitive.name in ALL_MULTIPROCESSORS:
            for who in "dmm", "cub":
                yield Case(primitive, who, 20, "v100")


def measured_before(rows, case):
    """Returns the row of a counterpart that has run on the same input for another primitive, or None."""
    same = {"who": "cub", "called": case.primitive.called, "input": case.primitive.inputs.__name__, "log_n": case.log_n,
            "machine": case.machine}
    return next((row for row in rows if case.who == "cub" and row["primitive"] != case.primitive.name
                 and same.items() <= row.items()), None)


def name_of(case):
    kind = "-equal" if case.primitive.inputs is equal_labels else ""
    return "%s-%s%s-%d-%s" % (case.who, case.primitive.name, kind, case.log_n, case.machine)


class PrimitiveSimulator(Simulator):
    """Records and replays calls.c, and runs primitives.cu."""

    def __init__(self, root, dmm, settings):
        super().__init__(root, dmm)
        self.settings = settings

    def build_counterpart(self, option):
        """Builds primitives.cu, unless it is there, and returns its folder."""
        folder = "cub-" + re.sub(r"\W", "-", option.lower())
        if not os.path.exists(self.path(folder, "ready")):
            self.run(os.path.join(HERE, "cub.sh"), self.root, folder, "headers", "primitives.cu", "-D" + option)
            self.run(sys.executable, os.path.join(HERE, "simulable.py"), self.path(folder, "cub.sm_70.ptx"))
            open(self.path(folder, "ready"), "w", encoding="utf-8").close()
        return self.path(folder)

    def record_call(self, case, folder, paths):
        """Records the call on this machine's device in folder/real, then on the facts of the GPU."""
        os.makedirs(os.path.join(folder, "real"))
        command = [self.path("calls"), case.primitive.name, *paths]
        self.run(*command, env=dict(os.environ, DMM_RECORD=os.path.join(folder, "real"), LD_PRELOAD=self.path("record.so"),
                                    DMM_SET=""))
        self.run(*command, env=dict(
            os.environ, DMM_RECORD=folder, LD_PRELOAD=self.path("record.so") + ":" + self.path("pretend.so"), DMM_SET=self.settings,
            DMM_PRETEND="v100:%d" % MACHINES[case.machine][0], DMM_PRETEND_READS=os.path.join(folder, "real")))

    def result(self, case):
        folder, n = self.path("runs", name_of(case)), 1 << case.log_n
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        latency, draw, paths = self.configure(case.machine, folder), random.Random(n), []
        for i, numbers in enumerate(case.primitive.inputs(draw, n)):
            paths.append(os.path.join(folder, "input%d.bin" % i))
            numbers.tofile(open(paths[-1], "wb"))
        if case.who == "dmm":
            self.record_call(case, folder, paths)
            text = self.simulate(folder, self.compile(folder, False), [self.path("replay"), folder])
        else:
            program = self.build_counterpart(case.primitive.counterpart)
            text = self.simulate(folder, os.path.join(program, "cub.sm_70.ptx"), [os.path.join(program, "cub"), *paths])
        kernels, sms = kernels_of(text), MACHINES[case.machine][0]
        for kernel, name in zip(kernels, re.findall(r"^kernel_name = (?:dmm\d+_)?(\S+)", text, re.M)):
            kernel["name"] = name[:60]
        total = {key: sum(kernel[key] for kernel in kernels) for key in kernels[0] if key not in ("step", "name")}
        return {"who": case.who, "primitive": case.primitive.name, "called": case.primitive.called,
                "input": case.primitive.inputs.__name__, "log_n": case.log_n, "n": n, "machine": case.machine, "sms": sms,
                "launches": len(kernels), "launch_latency": latency,
                "cycles": (total["cycles"] - latency * len(kernels)) * sms / n, "with_launches": total["cycles"] * sms / n,
                "warp_instructions": total["warp_instructions"] / n, "stalls": total["conflict_stalls"],
                "transaction_bytes": (total["global_reads"] + total["global_writes"]) * SECTOR / n, "kernels": kernels}


PAGE = """# Primitives beside CUB and Thrust, on a simulated V100

For users of CUB who want to know what a primitive costs, and for whoever makes one quicker: cycles of one multiprocessor an item, on
GPGPU-Sim's model of a V100, of which %s.
Each row is of the commit of dmm that it names; CUB and Thrust 1.17.2. Cycles and ratio: without launches, and with 5000 cycles for each.
A ratio below 1: dmm takes less. Bytes: read and written an item, as the simulated memory counts them, in sectors of 32 bytes. Stalls:
by conflicts, and by words of 8 bytes (those of `dmm_histogram_total`). `partition`: in place, and stable; `partition-apart`: not in
place. `scan-affine`, `reduce-minmax`: an own operator, of items of 8 bytes; `reduce-minmax` makes them of u32 as they are read.
Selections by rank: beside CUB's sort of all. Results were compared, byte for byte.
[What to know before believing a number](../../bench/simulated/README.md), above all of atomics on equal labels.

| primitive | counterpart | n | dmm: commit | launches | cycles | bytes | stalls | counterpart: launches | cycles | bytes | stalls | ratio |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
%s
This command simulates all of it again, in hours, and writes this page; `--only EXPRESSION` simulates some, `--only none` none:

```sh
python3 bench/simulated/primitives.py
```

## Launches

Launches of a call by n, the number of u32 of a call, on the facts of a V100; of CUB and Thrust, what their simulations launched.
`partition`: in place; `sort`: by the method that `auto` takes. A call on one list launches once where it fits into a tile. The test
`simulated_launches` compares this table with the build.

%s
```sh
python3 bench/simulated/launches.py
```
"""


def page_of(rows, table):
    """Returns the page: a line for each case of dmm, beside its counterpart, and the table of launches."""
    others, lines = {row["name"][len("cub-"):]: row for row in rows if row["who"] == "cub"}, ""
    for row in (row for row in rows if row["who"] == "dmm"):
        other = others.get(row["name"][len("dmm-"):])
        kind = " of equal labels" if row["input"] == "equal_labels" else ""
        machine = ", all 80" if row["sms"] == 80 else ""
        lines += "| %s%s | %s | 2^%d%s | %.8s | %d | %.2f, %.2f | %.1f | %d |" % (
            row["primitive"], kind, row["called"] or "-", row["log_n"], machine, row["commit"], row["launches"],
            row["cycles"], row["with_launches"], row["transaction_bytes"], row["stalls"])
        lines += " | | | | |\n" if other is None else " %d | %.2f, %.2f | %.1f | %d | %.2f, %.2f |\n" % (
            other["launches"], other["cycles"], other["with_launches"], other["transaction_bytes"], other["stalls"],
            row["cycles"] / other["cycles"], row["with_launches"] / other["with_launches"])
    machines = {2: "2 of 80 multiprocessors and 1 of 32 memory channels are there", 80: "all are there where the table says so"}
    found = sorted({row["sms"] for row in rows})
    return PAGE % ("; ".join(machines[sms] for sms in found), lines, table)


def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the build")
    options.add_argument("--set", default="", help="settings for dmm, as in DMM_SET, e.g. u=128,E=8")
    options.add_argument("--only", default="", help="simulate only the cases whose names match this expression")
    options.add_argument("--out", help="file for all counters, as JSON", default=os.path.join(
        PROJECT, "bench/results/%s-simulated-primitives.json" % datetime.datetime.now(datetime.timezone.utc).date()))
    options.add_argument("--page", help="page to write", default=os.path.join(PROJECT, "docs/records/primitives.md"))
    return options.parse_args()


def main():
    given = arguments()
    simulator = PrimitiveSimulator(given.root, given.dmm, given.set)
    launches.build_calls(given.dmm, simulator.path("calls"))
    rows = json.load(open(given.out, encoding="utf-8")) if os.path.exists(given.out) else []
    order = [name_of(case) for case in cases()]
    commit = subprocess.run(["git", "-C", PROJECT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=True).stdout.strip()
    for case in cases():
        name = name_of(case)
        if not re.search(given.only, name):
            continue
        row = measured_before(rows, case)
        row = dict(row, name=name, primitive=case.primitive.name) if row else dict(
            {"name": name, "commit": commit}, **simulator.result(case))
        rows = sorted([old for old in rows if old["name"] != name] + [row], key=lambda row: order.index(row["name"]))
        with open(given.out, "w", encoding="utf-8") as out: # after each case, because all cases take an hour
            out.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
        print("%s: %d launches, %.2f cycles an item, %.2f with launches, %.2f warp instructions, %.1f bytes, %d stalls" % (
            name, row["launches"], row["cycles"], row["with_launches"], row["warp_instructions"], row["transaction_bytes"],
            row["stalls"]), flush=True)
        for kernel in row["kernels"]:
            print("  %.60s: %d cycles, %d registers" % (kernel["name"], kernel["cycles"], kernel["registers"]), flush=True)
    if not rows:
        return "no case has such a name"
    table = launches.table_of(launches.counted(given.dmm, "v100"), rows)
    open(given.page, "w", encoding="utf-8").write(page_of(rows, table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
