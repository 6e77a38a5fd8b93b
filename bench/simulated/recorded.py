# SPDX-License-Identifier: MIT
"""Tables of commands that are recorded and replayed on the simulated V100: what search.py and network.py have alike."""
import argparse
import json
import os
import re
import shutil

from counters import kernels_of
from simulate import MACHINES, PROJECT

MACHINE = "v100-2"


def measure(simulator, name, n, record, lanes=False):
    """Replays the launches that record(folder) records; returns counters, and multiprocessor cycles an item."""
    folder = simulator.path("runs", name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    latency = simulator.configure(MACHINE, folder)
    record(folder)
    text = simulator.simulate(folder, simulator.compile(folder, lanes), [simulator.path("replay"), folder])
    kernels, sms = kernels_of(text), MACHINES[MACHINE][0]
    cycles = sum(kernel["cycles"] - latency for kernel in kernels)
    return {"n": n, "sms": sms, "launches": len(kernels), "cycles_an_item": cycles * sms / n, "kernels": kernels}


def main(doc, simulator_class, cases):
    """Runs the cases, by name, that --only selects; each is measured by simulator.result."""
    options = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the command dmm")
    options.add_argument("--only", default="", help="simulate only the cases whose names match this expression")
    options.add_argument("--out", default="", help="file for all counters, as JSON")
    given = options.parse_args()
    simulator = simulator_class(given.root, given.dmm)
    rows = []
    for name, case in cases.items():
        if not re.search(given.only, name):
            continue
        row = dict({"name": name}, **simulator.result(case))
        rows.append(row)
        print("%s: %.2f cycles an item, %d launches, %d registers, %d conflict stalls, %d warp instructions" % (
            name, row["cycles_an_item"], row["launches"], max(kernel["registers"] for kernel in row["kernels"]),
            sum(kernel["conflict_stalls"] for kernel in row["kernels"]),
            sum(kernel["warp_instructions"] for kernel in row["kernels"])), flush=True)
        if given.out:
            with open(given.out, "w", encoding="utf-8") as out:
                out.write("[\n" + ",\n".join(json.dumps(old) for old in rows) + "\n]\n")
    return 0 if rows else "no case has such a name"
