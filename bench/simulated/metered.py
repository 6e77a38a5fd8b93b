# SPDX-License-Identifier: MIT
"""metered.py [--root DIR] [--dmm DIR] [--only EXPRESSION]: readings of `dmm meter` from a simulated GPU.

Runs programs three times under the driver's engine of `dmm meter`: on this machine's device; on the facts of a V100, where the
instrumented kernels and their launches are recorded, which GPGPU-Sim then runs; and once more on these facts, with the records
that the simulated GPU has made. Each kernel and line must have the same reading on both, and the same results. Needs the folder
of setup.sh (README.md), and a build of the targets dmm_cli, dmm_meter_layer and meter_known.
"""
import argparse
import array
import json
import os
import random
import re
import shutil
import subprocess
import sys

from simulate import HERE, PROJECT, Simulator

sys.path.append(os.path.join(PROJECT, "tests/meter"))
sys.dont_write_bytecode = True
from promise_engines import differences # noqa: E402 pylint: disable=wrong-import-position

MACHINE, UNITS, RECORDS_MB = "v100-2", 2, 16
KNOWN = os.path.join(PROJECT, "tests/meter/known.cl")
# Without sub-groups, whose kernels have functions of vendors'; the tiles of GPUs.
SETTINGS = "form=gpu,sync_width=1,u=64,E=8"
# Lines of a chain of groups: how often a group looks for those before it depends on the order in which a device runs them.
CHAINS = ("cl/radix/radix_chain.clh", "cl/link_walk.clh")
N = 3 * 64 * 8 + 7


def words(folder, name, numbers):
    path = os.path.join(folder, name)
    array.array("I", numbers).tofile(open(path, "wb"))
    return path


def drawn(folder, name="keys", n=N):
    draw = random.Random(n)
    return words(folder, name + ".bin", (draw.getrandbits(32) for _ in range(n)))


def ascending(folder, name, n):
    draw = random.Random(n)
    return words(folder, name + ".bin", sorted(draw.getrandbits(16) for _ in range(n)))


def known_kernels():
    """Returns the kernels of known.cl, and some of its strides. The simulator crashes in `call_path`, which calls a function."""
    names = re.findall(r"^kernel void (\w+)\(", open(KNOWN, encoding="utf-8").read(), re.M)
    return [name for name in names if name != "call_path"] + ["stride_%d" % s for s in (1, 2, 7, 24, 32, 33)]


def cases(dmm):
    """Returns what makes the words of each program, by name."""
    command = [os.path.join(dmm, "dmm"), "--cache", ""] # programs from their text
    return {
        "known": lambda folder: [os.path.join(dmm, "tests/meter/meter_known"), KNOWN, *known_kernels()],
        "sort": lambda folder: [*command, "sort", "-t", "u32", "--method", "merge", drawn(folder), "-o", folder + "/out.bin"],
        "sort-plain": lambda folder: [*command, "--set", "search=plain", "sort", "-t", "u32", "--method", "merge", drawn(folder),
                                      "-o", folder + "/out.bin"],
        "radix": lambda folder: [*command, "sort", "-t", "u32", "--method", "radix", drawn(folder), "-o", folder + "/out.bin"],
        "scan": lambda folder: [*command, "scan", "-t", "u32", drawn(folder), "-o", folder + "/out.bin"],
        "merge": lambda folder: [*command, "merge", "-t", "u32", *(ascending(folder, name, n) for name, n in (("a", N // 2), ("b", N))), "-o",
                                 folder + "/out.bin"],
        "transpose": lambda folder: [*command, "transpose", "-t", "u32", "--shape", "48,40", drawn(folder, n=48 * 40), "-o",
                                     folder + "/out.bin"],
    }


class MeteredSimulator(Simulator):
    def meter(self, program, reading, below, **more):
        """Meters the program with the preloaded libraries between the layer and OpenCL; returns the kernels' readings."""
        loader = subprocess.run(["sh", "-c", "ldconfig -p | sed -n 's/.*libOpenCL.so.1 .*x86-64.* => //p'"], stdout=subprocess.PIPE,
                                text=True, check=True).stdout.split()[0]
        libraries = ":".join([*(self.path(name) for name in below), loader])
        self.run(os.path.join(self.dmm, "dmm"), "meter", "--engine", "driver", "--preload", "--device-like", "nvidia", "--json", reading,
                 "--", "sh", "-c", 'LD_PRELOAD=$LD_PRELOAD:$0 exec "$@"', libraries, *program, stdout=subprocess.DEVNULL,
                 env=dict(os.environ, DMM_SET=SETTINGS, POCL_MAX_PTHREAD_COUNT=str(UNITS), DMM_METER_TRACE_MB=str(RECORDS_MB),
                          DMM_METER_CACHE="0", DMM_PRETEND="v100:%d" % UNITS, **more))
        return json.load(open(reading, encoding="utf-8"))["kernels"]

    def result(self, name, words_of):
        """Returns (kernels by this machine's device, kernels by the simulated GPU)."""
        folder = self.path("runs", "metered-" + name)
        shutil.rmtree(folder, ignore_errors=True)
        real = os.path.join(folder, "real")
        os.makedirs(real)
        self.configure(MACHINE, folder)
        program = words_of(folder)
        one = self.meter(program, real + "/reading", ["record.so"], DMM_RECORD=real)
        self.meter(program, folder + "/reading", ["record.so", "pretend.so"], DMM_RECORD=folder, DMM_PRETEND_READS=real)
        self.simulate(folder, self.compile(folder, False, short_pointers=False), [self.path("replay"), folder])
        other = self.meter(program, folder + "/reading", ["pretend.so"], DMM_PRETEND_READS=real, DMM_PRETEND_DUMPS=folder)
        for entry in os.listdir(folder): # of many MiB
            if entry.startswith("dump"):
                os.remove(os.path.join(folder, entry))
        return one, other


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the build")
    options.add_argument("--only", default="", help="only the programs whose names match this expression")
    given = options.parse_args()
    simulator, faults = MeteredSimulator(given.root, given.dmm), 0
    for name, words_of in cases(simulator.dmm).items():
        if not re.search(given.only, name):
            continue
        one, other = simulator.result(name, words_of)
        found = [text for _, _, text in differences(one, other, ("this device", "the simulated GPU"))]
        chained = [text for text in found if any(" %s:" % file in text for file in CHAINS)]
        wrong = [text for text in found if text not in chained]
        faults += len(wrong)
        print("%s: %d kernels, %d launches, %d lines, %d conflicts: %s" % (
            name, len(other), sum(kernel["launches"] for kernel in other), sum(len(kernel["lines"]) for kernel in other),
            sum(kernel["local"]["conflicts"] for kernel in other), "%d rows differ" % len(wrong) if wrong
            else "equal" + (", but for %d rows of a chain" % len(chained) if chained else "")), flush=True)
        print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
