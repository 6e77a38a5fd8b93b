# SPDX-License-Identifier: MIT
"""launches.py [--dmm DIR] [--gpu GPU] [--check PAGE]: launches of dmm's primitives by n, without a GPU or a simulator.

Runs the calls of calls.c on the facts of a GPU (pretend.c), and counts what they launch (record.c). Prints a table, with the
launches of CUB and Thrust that simulations have counted, or compares it with that of a page. n is the number of u32 in the
first file: a call on labels of a byte has four times as many, and one on a list of pairs half.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
SIZES = {1000: "1000", 1 << 16: "2^16", 1 << 20: "2^20"}
HEAD = "| call | n = %s | CUB, Thrust: launches, at n |\n|---|%s---|\n" % (" | ".join(SIZES.values()), "---|" * len(SIZES))


def library_of(dmm):
    return min((path for path, _, names in os.walk(dmm) if "libdmm.so.0" in names), key=len)


def build_calls(dmm, program):
    """Builds calls.c with the library of a build folder."""
    library = library_of(dmm)
    subprocess.run(["cc", "-O1", "-o", program, os.path.join(HERE, "calls.c"), "-I" + os.path.join(PROJECT, "include"),
                    "-L" + library, "-ldmm", "-lOpenCL", "-Wl,-rpath," + library], check=True)


def names_of_calls():
    table = open(os.path.join(HERE, "calls.c"), encoding="utf-8").read().split("} primitives[] = {")[1]
    return re.findall(r'^    \{"([\w-]+)", \w+\},$', table, re.M)


class Counter:
    """Counts the launches of calls; its folder holds programs and recordings."""

    def __init__(self, folder, dmm, gpu):
        self.folder, self.gpu, self.calls = folder, gpu, os.path.join(folder, "calls")
        build_calls(dmm, self.calls)
        for name in "record", "pretend":
            subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", os.path.join(folder, name + ".so"),
                            os.path.join(HERE, name + ".c"), "-ldl"], check=True)
        for n in SIZES: # ascending numbers are lists, keys and labels as well
            with open(self.input(n), "wb") as out:
                out.write(b"".join(x.to_bytes(4, "little") for x in range(n)))

    def input(self, n):
        return os.path.join(self.folder, "%d.bin" % n)

    def count(self, call, n):
        with tempfile.TemporaryDirectory(dir=self.folder) as recording:
            preload = ":".join(os.path.join(self.folder, name) for name in ("record.so", "pretend.so"))
            subprocess.run([self.calls, call, self.input(n), self.input(n)], check=True, stdout=subprocess.DEVNULL, env=dict(
                os.environ, LD_PRELOAD=preload, DMM_RECORD=recording, DMM_PRETEND=self.gpu, DMM_SET=""))
            return len(re.findall(r"^launch ", open(os.path.join(recording, "calls"), encoding="utf-8").read(), re.M))


def counted(dmm, gpu):
    """Returns the launches of each call, by n."""
    with tempfile.TemporaryDirectory() as folder:
        counter = Counter(folder, dmm, gpu)
        return {call: [counter.count(call, n) for n in SIZES] for call in names_of_calls()}


def others_of(rows, call):
    """Returns what simulations of a call's counterpart have launched."""
    found = {}
    for row in rows:
        if row["who"] == "cub" and row["primitive"] == call:
            found.setdefault(row["launches"], set()).add(row["log_n"])
    return "; ".join("%d at %s" % (launches, ", ".join("2^%d" % log_n for log_n in sorted(sizes)))
                     for launches, sizes in sorted(found.items()))


def table_of(launches, rows):
    return HEAD + "".join("| %s | %s | %s |\n" % (call, " | ".join(map(str, counts)), others_of(rows, call))
                          for call, counts in launches.items())


def check(launches, page):
    """Returns what differs between the launches and a page's table."""
    lines = re.findall(r"^\| ([\w-]+) \|((?: \d+ \|){%d})" % len(SIZES), open(page, encoding="utf-8").read(), re.M)
    listed = {call: [int(count) for count in re.findall(r"\d+", counts)] for call, counts in lines if call in launches}
    return ["%s: launches %s, %s has %s" % (call, counts, page, listed.get(call)) for call, counts in launches.items()
            if listed.get(call) != counts]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the build")
    options.add_argument("--gpu", default="v100", help="a GPU of pretend.c")
    options.add_argument("--rows", help="counters of simulations, as primitives.py writes them")
    options.add_argument("--check", help="page whose table to compare with")
    given = options.parse_args()
    launches = counted(given.dmm, given.gpu)
    if given.check:
        return "\n".join(check(launches, given.check)) or 0
    print(table_of(launches, json.load(open(given.rows, encoding="utf-8")) if given.rows else []), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
