# SPDX-License-Identifier: MIT
"""fused.py [--build FOLDER] [--log2 N] [--runs R] [--set SETTINGS]: calls with the caller's texts beside others, in a table.

Columns: medians of dmm, the bytes that it reads and writes for an item, and the time of a loop, std:: and Boost.Compute divided
by dmm's. Runs bench_fused, bench_select, bench_reduce_by_key and bench_reduce_segmented of the build with --peers, and then
pyopencl_fused.py, if dmm_cl, pyopencl and Mako are there.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHES = ("fused", "select", "reduce_by_key", "reduce_segmented")
PEERS = ("plain", "std", "std par", "boost")


def rows_of(build, word, given):
    """Runs a benchmark; returns its rows: dictionaries."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.json")
        command = [os.path.join(build, "bench", "bench_" + word), "--n", "2^%d" % given.log2, "--runs", str(given.runs),
                   "--peers", "--json", path]
        subprocess.run(command + (["--set", given.set] if given.set else []), check=True, stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def name_of(row):
    """Returns a column."""
    return "std par" if (row["who"], row["method"]) == ("std", "par") else row["who"]


def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build/default"))
    options.add_argument("--log2", type=int, default=24)
    options.add_argument("--runs", type=int, default=31)
    options.add_argument("--set", default="")
    return options.parse_args()


def main():
    given = arguments()
    print("| call | bytes per item | ms | GB/s | " + " | ".join(PEERS) + " |\n|---|---|---|---|" + "---|" * len(PEERS))
    for word in BENCHES:
        cases = {}
        for row in rows_of(given.build, word, given):
            cases.setdefault(row["case"] or row["type"], {})[name_of(row)] = row
        for case, who in cases.items():
            own = who["dmm"]
            ratios = ["%.2f" % who[peer]["ratio"] if peer in who else "" for peer in PEERS]
            print("| %s %s | %.3g | %.3g | %.3g | %s |" % (
                word, case, own["bytes_an_item"], own["median_ms"], own["GB_a_second"], " | ".join(ratios)), flush=True)
    done = subprocess.run([sys.executable, os.path.join(HERE, "pyopencl_fused.py"), str(given.log2)], check=False, text=True,
                          capture_output=True, env=dict(os.environ, PYTHONPATH=os.path.join(given.build, "python")))
    print(done.stdout if done.returncode == 0 else "pyopencl: not measured: " + done.stderr.strip().split("\n")[-1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
