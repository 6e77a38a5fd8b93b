# SPDX-License-Identifier: MIT
"""sort_sass.py [--root DIR] [--dmm DIR] [--out FILE]: instructions a key of merge sorts, as ptxas makes them for sm_90: of
dmm, of CUB 1.17 and of the CUB (CCCL) that nvcc brings, all by nvcc's ptxas and without a simulation.

Counts the path of a full tile: of all paths from a kernel's entry to an exit with a barrier that with the fewest loads under
a predicate (whole tiles need none), then the most instructions. Loops count as often as `trips_of`
says; a branch that only some lanes of a warp take counts once. setup.sh makes --root.
"""
import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys

from counters import step_of
from group_sass import branches_of, loops_of
from sass import Tools
from simulate import HERE, PROJECT, USUAL, Case, Simulator, shape_of

KINDS = ("u32", 0), ("u64", 0), ("u32", 4)
MANGLED = {"u32": "IPjE", "u64": "IPmE"}


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def path_of(texts, branches):
    """Returns the places of the instructions on the path that counts."""
    goals = {at: goal for at, goal in branches if at < goal <= len(texts)}
    back = {at for at, goal in branches if goal < at}
    best = [((False, 0, 0), None)] * (len(texts) + 1) # from a place to the end: (any barrier, -loads by predicate, instructions), next
    for at in range(len(texts) - 1, -1, -1):
        text, next_ones = texts[at], [at + 1]
        predicated = text.startswith("@")
        if re.search(r"\bEXIT\b", text):
            next_ones = [len(texts)] + ([at + 1] if predicated else [])
        elif at in goals and at not in back:
            next_ones = [goals[at]] + ([at + 1] if predicated else [])
        score, chosen = max((best[place][0], place) for place in next_ones)
        best[at] = ((score[0] or "BAR.SYNC" in text, score[1] - (predicated and "LDG" in text), score[2] + 1), chosen)
    places, at = [], 0
    while at < len(texts):
        places.append(at)
        at = best[at][1]
    return places


def trips_of(who, step, u, E, loops):
    """Returns how often a warp runs each loop, inner ones first. CUB's merges search lists of E, 2E, 4E ... keys, round by
    round, in one loop in all or one a round, as long as the lane with the most keys before its diagonal. dmm's search
    blocks: lists of 2, 4, ... of them, of 32 at most in one loop and longer ones in another one before; the first round is
    by exchange."""
    rounds = u.bit_length() - 1
    if step == "pass":
        return [(u * E // 2).bit_length() if who == "CUB" else rounds]
    if who == "dmm":
        return [sum(range(5, rounds)), sum(min(log, 5) for log in range(1, rounds)), rounds - 1]
    steps = [statistics.mean(max(min(t % (2 << k), (2 << k) - t % (2 << k)) * E for t in range(warp, warp + 32)).bit_length()
                             for warp in range(0, u, 32)) for k in range(rounds)]
    return steps if loops == rounds else [sum(steps), rounds]


def count(who, step, u, E, texts, branches):
    """Returns the instructions a key on the path."""
    places = path_of(texts, branches)
    loops = [loop for loop in loops_of(branches) if loop[0] in places and loop[1] in places]
    trips = trips_of(who, step, u, E, len(loops))
    if len(trips) != len(loops):
        sys.exit("%s, %s: unknown loops %s" % (who, step, loops))
    times = dict.fromkeys(places, 1)
    for (first, last), trip in reversed(list(zip(loops, trips))):
        times.update((at, trip) for at in places if first <= at <= last)
    return sum(times.values()) / 32 / E


def cub(folder, nvcc, include):
    """Compiles CUB's sorts; returns the cubin and the version."""
    value = int(re.search(r"define CUB_VERSION (\d+)", open(os.path.join(include, "cub/version.cuh"), encoding="utf-8").read()).group(1))
    path = os.path.join(folder, "cub-%d.cubin" % value)
    run(nvcc, "-arch=sm_90", "-std=c++17", "-O3", "-w", "-cubin", "-DCUB_IGNORE_DEPRECATED_CPP_DIALECT",
        "-DTHRUST_IGNORE_DEPRECATED_CPP_DIALECT", "-DTHRUST_IGNORE_CUB_VERSION_CHECK", "-I" + include, "-o", path,
        os.path.join(HERE, "cub.cu"))
    return path, "%d.%d.%d" % (value // 100000, value // 100 % 1000, value % 100)


def dmm(simulator, ptxas, case):
    """Records a sort, and compiles its program; returns the cubin."""
    folder = simulator.folder(case)
    simulator.record(case, folder, simulator.keys(case, 1 << case.log_n, shape_of(case)))
    simulator.compile(folder, False)
    source, path = os.path.join(folder, "sm_90.ptx"), os.path.join(folder, "sm_90.cubin")
    text = open(os.path.join(folder, "exact.ptx"), encoding="utf-8").read()
    with open(source, "w", encoding="utf-8") as file: # ptxas of CUDA 13 refuses older targets
        file.write(re.sub(r"^\.target .*", ".target sm_90", re.sub(r"^\.version .*", ".version 7.8", text, flags=re.M), flags=re.M))
    run(ptxas, "-arch=sm_90", "-O3", "-o", path, source)
    return path


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the command dmm")
    options.add_argument("--nvcc", default=os.environ.get("NVCC", "nvcc"))
    options.add_argument("--out", default=os.path.join(
        PROJECT, "bench/results/%s-simulated-sass.json" % datetime.datetime.now(datetime.timezone.utc).date()))
    given = options.parse_args()
    nvcc = os.path.realpath(run("which", given.nvcc).strip())
    ptxas = os.path.join(os.path.dirname(nvcc), "ptxas")
    compiler = re.search(r"V([\d.]+)", run(ptxas, "--version")).group(1)
    simulator, nvdisasm = Simulator(given.root, given.dmm), Tools(os.path.abspath(given.root)).nvdisasm
    commit = run("git", "-C", PROJECT, "rev-parse", "--short", "HEAD").strip()
    theirs = [cub(simulator.root, nvcc, include) for include in (
        simulator.path("headers"), os.path.join(os.path.dirname(nvcc), "../include/cccl"))]
    rows = []
    for kind, values in KINDS:
        own = Case("dmm", kind, values, "random", 15, "v100-2", *USUAL[kind, values])
        shapes = [("dmm", dmm(simulator, ptxas, own), commit, shape_of(own))]
        shapes += [("CUB", path, version, shape_of(own._replace(who="cub"))) for path, version in theirs]
        for who, path, version, (u, E) in shapes:
            row = {"who": who, "version": version, "ptxas": compiler, "type": kind, "values": values, "u": u, "E": E}
            for kernel, texts, branches in branches_of(nvdisasm, path):
                step = step_of(kernel)
                if step in ("tile", "pass") and (who == "dmm" or (
                        MANGLED[kind] in kernel and ("NullType" in kernel) == (values == 0))):
                    row[step] = round(count(who, step, u, E, texts, branches), 3)
            rows.append(row)
            print("%(who)s %(version)s %(type)s %(values)d: tile %(tile).2f, pass %(pass).2f" % row, flush=True)
    with open(given.out, "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
