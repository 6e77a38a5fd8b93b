# SPDX-License-Identifier: MIT
"""group_cycles.py [--root DIR] [--dmm DIR] [--only EXPRESSION]: collectives beside CUB's block and warp primitives, simulated.

Runs the kernels of group_sass.py and group_cub.cu on the same 2^15 random numbers on GPGPU-Sim's model of a V100 with 2 of 80
multiprocessors, checks what they write, and prints a table of cycles of one multiprocessor a key: those of the kernel less those
of one that loads and stores, a call, and the stalls by conflicts (of 8 calls where one is short). README.md describes the folder --root.
"""
import argparse
import array
import os
import random
import re
import shutil

from counters import kernels_of
from group_sass import CALLS, LANES_CALLS, SHORT, program
from simulate import HERE, MACHINES, PROJECT, Simulator

U, N, MACHINE = 256, 1 << 15, "v100-2"
TIMES = 8 # calls of SHORT in a kernel: one would hide behind the loads and stores


def in_blocks(tile, items, per):
    """Returns striped registers of a tile as the group orders blocks: item t * per + j is register j of work-item t."""
    return [tile[t + j * items] for t in range(items) for j in range(per)]


def in_stripes(tile, items, per):
    """Returns blocked registers of a tile as they are stored: register j of work-item t at t + j * items."""
    return [tile[t * per + j] for j in range(per) for t in range(items)]


def running(numbers):
    sums, total = [], 0
    for number in numbers:
        total = (total + number) & 0xffffffff
        sums.append(total)
    return sums


def written(kernel, who, tile, items, per):
    """Returns what one call makes of a tile of `items` work-items with `per` numbers each."""
    if "sort" in kernel:
        low = 15 if kernel.endswith("_4") else 0xffffffff
        if "bits" in kernel and who == "dmm": # striped before and after
            return sorted(tile, key=lambda number: number & low)
        return in_stripes(sorted(in_blocks(tile, items, per), key=lambda number: number & low), items, per)
    if "scan" in kernel:
        return in_stripes(running(in_blocks(tile, items, per)), items, per)
    if "reduce" in kernel:
        return [sum(tile) & 0xffffffff] + tile[1:]
    return in_stripes(tile, items, per) if kernel == "exchange" else tile


def expected(kernel, who, numbers, items, per):
    """Returns what a kernel writes."""
    out = []
    for at in range(0, len(numbers), items * per):
        tile = numbers[at:at + items * per]
        for _ in range(TIMES if kernel in SHORT else 1):
            tile = written(kernel, who, tile, items, per)
        out += tile
    return out


class GroupSimulator(Simulator):
    def build_counterparts(self):
        """Builds group_cub.cu, unless it is there, and returns its folder."""
        folder = "cub-group"
        if not os.path.exists(self.path(folder, "ready")):
            self.run(os.path.join(HERE, "cub.sh"), self.root, folder, "headers", "group_cub.cu", "-DTIMES=%d" % TIMES)
            self.run("python3", os.path.join(HERE, "simulable.py"), self.path(folder, "cub.sm_70.ptx"))
            open(self.path(folder, "ready"), "w", encoding="utf-8").close()
        return self.path(folder)

    def result(self, kernel, who):
        """Returns the cycles of a kernel, without the launch, and its stalls."""
        folder = self.path("runs", "group-%s-%s" % (who, kernel))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        latency, lanes, draw = self.configure(MACHINE, folder), kernel in LANES_CALLS, random.Random(1)
        numbers = [draw.getrandbits(32) for _ in range(N)]
        wanted = expected(kernel, who, numbers, 32 if lanes else U, 4 if lanes else 8)
        for name, words in ("in", numbers), ("wanted", wanted):
            array.array("I", words).tofile(open(os.path.join(folder, name), "wb"))
        if who == "dmm":
            open(os.path.join(folder, "0.cl"), "w", encoding="utf-8").write(
                program(os.path.join(self.dmm, "dmm"), TIMES).replace("void %s(" % kernel, "void dmm_%s(" % kernel))
            open(os.path.join(folder, "0.options"), "w", encoding="utf-8").close()
            open(os.path.join(folder, "calls"), "w", encoding="utf-8").write(
                "buffer 0 %d in\nbuffer 1 %d -\nlaunch 0 dmm_%s 0 %d %d @0 @1\nread 1 0 %d wanted\n" % (
                    4 * N, 4 * N, kernel, N // (4 if lanes else 8), U, 4 * N))
            text = self.simulate(folder, self.compile(folder, False), [self.path("replay"), folder])
        else:
            built = self.build_counterparts()
            text = self.simulate(folder, os.path.join(built, "cub.sm_70.ptx"), [
                os.path.join(built, "cub"), kernel, os.path.join(folder, "in"), os.path.join(folder, "wanted")])
        (row,) = kernels_of(text)
        return row["cycles"] - latency, row["conflict_stalls"], row["registers"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the command dmm")
    options.add_argument("--only", default="", help="simulate only the collectives whose names match this expression")
    given = options.parse_args()
    simulator, base = GroupSimulator(given.root, given.dmm), {}
    print("| collective | dmm: cycles a key | stalls | registers | CUB: cycles a key | stalls | registers | ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for kernel in (*CALLS, *LANES_CALLS):
        own = "lanes_base" if kernel in LANES_CALLS else "base"
        if kernel != own and not re.search(given.only, kernel):
            continue
        cells, cycles = [], []
        for who in "dmm", "cub":
            spent, stalls, registers = simulator.result(kernel.replace("by_lanes_", "") if who == "cub" else kernel, who)
            base.setdefault((own, who), spent)
            cycles.append((spent - base[own, who]) * MACHINES[MACHINE][0] / N / (TIMES if kernel in SHORT else 1))
            cells += ["%.2f" % cycles[-1], str(stalls), str(registers)]
        if kernel != own:
            print("| %s | %s | %.2f |" % (kernel, " | ".join(cells), cycles[0] / cycles[1]), flush=True)


if __name__ == "__main__":
    main()
