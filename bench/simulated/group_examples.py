# SPDX-License-Identifier: MIT
"""group_examples.py [--root DIR] [--build DIR] [--only EXPRESSION]: cycles of the examples of collectives, simulated.

Records the programs examples/ex_group_*.c on this machine's device, runs their kernels on GPGPU-Sim's model of a V100 with 2 of 80
multiprocessors, checks what they write, and prints a table of cycles, without the launch: of the kernel as it is usually written, and
of the one by collectives. README.md describes the folder --root.
"""
import argparse
import os
import re
import shutil
import subprocess

from counters import kernels_of
from simulate import HERE, PROJECT, Simulator

MACHINE = "v100-2"
ANY_ORDER = "dmm_by_(binary_searches|serial_merges)" # write their results by an atomic counter, in any order: not compared


class ExampleSimulator(Simulator):
    def kernels(self, name):
        """Returns the rows of an example's kernels, in the order of their launches, and the launch's latency."""
        folder = self.path("runs", "group-" + name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        latency = self.configure(MACHINE, folder)
        self.run(os.path.join(self.dmm, "examples", name), stdout=subprocess.DEVNULL,
                 env=dict(os.environ, DMM_RECORD=folder, LD_PRELOAD=self.path("record.so")))
        calls, program = os.path.join(folder, "calls"), os.path.join(folder, "0.cl")
        text = open(calls, encoding="utf-8").read()
        kernels = "|".join(set(re.findall(r"^launch 0 (\w+)", text, re.M)))
        for path, before in (calls, "launch 0 "), (program, "void "): # compile() names kernels by this prefix
            text = re.sub(r"(?m)^((?:kernel .*)?%s)(?=(%s)\b)" % (before, kernels), r"\1dmm_", open(path, encoding="utf-8").read())
            open(path, "w", encoding="utf-8").write(text)
        text = open(calls, encoding="utf-8").read()
        found = re.search(ANY_ORDER, text)
        if found:
            open(calls, "w", encoding="utf-8").write(text[:found.end()] + re.sub(r"\nread .*", "", text[found.end():]))
        text = self.simulate(folder, self.compile(folder, False), [self.path("replay"), folder])
        names = re.findall(r"^kernel_name = (\S+)", text, re.M)
        return [dict(row, ours="by_collectives" in launched) for row, launched in zip(kernels_of(text), names)], latency


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--build", default=os.path.join(PROJECT, "build/default"), help="folder of the built examples")
    options.add_argument("--only", default="", help="simulate only the examples whose names match this expression")
    given = options.parse_args()
    simulator = ExampleSimulator(given.root, given.build)
    print("| program | usual kernel: cycles | stalls by conflicts | with collectives: cycles | stalls | usual / collectives |")
    print("|---|--:|--:|--:|--:|--:|")
    sources = sorted(os.listdir(os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples")))
    for name in (source[:-2] for source in sources if re.match(r"ex_group_\w+\.c$", source)):
        if not re.search(given.only, name):
            continue
        rows, latency = simulator.kernels(name)
        ours = [row for row in rows if row["ours"]]
        usual = [row for row in rows if not row["ours"]]
        cycles = [sum(row["cycles"] - latency for row in mine) for mine in (usual, ours)]
        stalls = [sum(row["conflict_stalls"] for row in mine) for mine in (usual, ours)]
        print("| %s | %d | %d | %d | %d | %.2f |" % (
            name[len("ex_group_"):], cycles[0], stalls[0], cycles[1], stalls[1], cycles[0] / cycles[1]), flush=True)


if __name__ == "__main__":
    main()
