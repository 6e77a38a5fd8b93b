# SPDX-License-Identifier: MIT
"""simulate.py [--root DIR] [--dmm DIR] [--only EXPRESSION] [--out FILE]: sorts on a simulated NVIDIA GPU.

Sorts with dmm and with CUB on GPGPU-Sim's model of a V100, reduced to a few multiprocessors, checks the results, and
writes the simulator's counters to bench/results/DATE-simulated-v100.json, from which bench/report.py makes tables.
setup.sh makes the folder --root; README.md describes it. Runs one simulation at a time, on one core; each takes up to
some minutes.
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

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))

# Multiprocessors and memory channels of a V100 and of its simulated parts: the same share of both, except for rounding.
MACHINES = {"v100": (80, 32), "v100-8": (8, 4), "v100-2": (2, 1)}
CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}

# who: dmm, cub, or cub-predicated: CUB with a serial merge without branches, as ptxas compiles it (the simulator runs
# PTX).
# input: random; worst; share-P: P percent of the warps are worst (dmm worst --share), for the tile u * E of the case.
# method: "" for merge; radix; radix-columns: dmm's radix sort on a device whose lanes cannot exchange data.
# u, E: dmm's, by default those of host/core/tuning_built_in.c for NVIDIA.
Case = collections.namedtuple("Case", "who type values input log_n machine u E search method", defaults=(0, 0, "", ""))
USUAL = {("u8", 0): (128, 32), ("u16", 0): (128, 32), ("u32", 0): (128, 32), ("u64", 0): (256, 16), ("u32", 4): (256, 16)}
SHARES = (0, 100, 50, 25) # percent of the warps
RADIX = {"radix": (256, 12), "radix-columns": (128, 16)} # (u, E)


def cases():
    """Yields the cases of the tables: random and worst keys (CUB on its own worst keys), other types, pairs, shapes."""
    for log_n, machine in (15, "v100-2"), (17, "v100-8"):
        for kind, values in ("u32", 0), ("u64", 0), ("u32", 4), ("u16", 0), ("u8", 0):
            for input_name in "random", "worst":
                if log_n > int(kind[1:]) and input_name == "worst":
                    continue # a permutation of n keys needs n values
                yield Case("dmm", kind, values, input_name, log_n, machine, *USUAL[kind, values])
                for who in ("cub", "cub-predicated") if (kind, values) == ("u32", 0) else ("cub-predicated",):
                    yield Case(who, kind, values, input_name, log_n, machine)
    for input_name in "random", "worst":
        yield Case("dmm", "u32", 0, input_name, 15, "v100-2", *USUAL["u32", 0], "plain")
    for kind, values in ("u32", 0), ("u64", 0), ("u32", 4):
        for shape in (128, 32), (256, 16), (128, 16), (256, 8):
            if shape != USUAL[kind, values]:
                yield Case("dmm", kind, values, "random", 15, "v100-2", *shape)
    for shape in (128, 32), (128, 16), (128, 8): # few tiles on many multiprocessors
        yield Case("dmm", "u32", 0, "random", 15, "v100", *shape)
    yield Case("cub", "u32", 0, "random", 15, "v100")
    for log_n, values in (15, 0), (17, 0), (15, 4):
        for method, shape in RADIX.items():
            yield Case("dmm", "u32", values, "random", log_n, "v100-2", *shape, method=method)
        yield Case("cub", "u32", values, "random", log_n, "v100-2", method="radix")
    for who, shape in ("dmm", RADIX["radix"]), ("cub", (0, 0)):
        yield Case(who, "u64", 0, "random", 15, "v100-2", *shape, method="radix")
    yield Case("dmm", "u32", 0, "random", 20, "v100-2", *RADIX["radix"], method="radix")
    for log_n in 15, 16, 17: # where radix passes merge on all multiprocessors
        yield Case("dmm", "u32", 0, "random", log_n, "v100", *RADIX["radix"], method="radix")
        if log_n > 15:
            yield Case("dmm", "u32", 0, "random", log_n, "v100", *USUAL["u32", 0])
    for share in SHARES: # all on the keys for CUB's tiles, and dmm with CUB's parameters
        for who, shape in ("dmm", (256, 17)), ("cub", (0, 0)):
            yield Case(who, "u32", 0, "share-%d" % share, 15, "v100-2", *shape)


def name_of(case):
    shape = "u%d-E%d" % (case.u, case.E) if case.u else ""
    parts = [case.who, case.method, case.type, "values" if case.values else "", case.input, str(case.log_n), case.machine, shape, case.search]
    return "-".join(part for part in parts if part)


def shape_of(case):
    """Returns (u, E): dmm's from the case, CUB's from the policy of CUB 1.17 for sm_60 and later (merge), sm_70 (radix)."""
    if case.who == "dmm":
        return case.u, case.E
    if case.method == "radix":
        return 384, max(1, 46 * 4 // max(4, int(case.type[1:]) // 8))
    return 256, max(1, min(17, 17 * 4 * 8 // int(case.type[1:])))


def items_of(case, shape):
    """Returns 2^log_n, or for CUB's merge sort as many of its own tiles as 2^log_n has tiles of 4096."""
    tile = shape[0] * shape[1]
    if case.method:
        return 1 << case.log_n
    return (1 << case.log_n) if (1 << case.log_n) % tile == 0 else (1 << case.log_n) // 4096 * tile


def with_narrow_constants(ptx):
    """Returns PTX whose integer constants have 32 bits, the most that the simulator reads right: wider ones are made of
    parts."""
    def instruction(found):
        value = int(found.group(2))
        if -1 << 31 <= value < 1 << 31:
            return found.group(0)
        parts = "mov.u64 %%wide, %d; " % (value >> 32)
        for shift in 16, 0:
            parts += "shl.b64 %%wide, %%wide, 16; or.b64 %%wide, %%wide, %d; " % (value >> shift & 0xffff)
        return "\t{ .reg .b64 %wide; " + parts + found.group(1).strip() + " %wide" + found.group(3) + " }\n"
    return re.sub(r"^(\s+\w+(?:\.\w+)*\.[bus]64\s.*?)\s(-?\d+)(;|,.*;)\n", instruction, ptx, flags=re.M)


def with_loads_past_l1(ptx):
    """Returns PTX whose volatile loads read what other multiprocessors have stored: the simulator takes them from L1."""
    return ptx.replace("ld.volatile.global.", "ld.global.cg.")


def with_brev_by_halves(ptx):
    """Returns PTX that reverses 64 bits by reversing each half, because the simulator reverses 32 bits right only."""
    return re.sub(r"^\s+brev\.b64\s+(\S+), (\S+);$", r"\t{ .reg .b32 %low, %high; mov.b64 {%low, %high}, \2; brev.b32 "
                  r"%low, %low; brev.b32 %high, %high; mov.b64 \1, {%high, %low}; }", ptx, flags=re.M)


def with_ands_of_two(ptx):
    """Returns PTX that makes an and of three words by two steps, because the simulator has no lop3."""
    return re.sub(r"^\s+lop3\.b32\s+(\S+), (\S+), (\S+), (\S+), 0x80;$",
                  r"\t{ .reg .b32 %two; and.b32 %two, \2, \3; and.b32 \1, %two, \4; }", ptx, flags=re.M)


def with_names_of(program, ptx):
    """Returns PTX whose kernels, and other functions and arrays of dmm and its meter, are named for the program."""
    kernels = re.findall(r"\.entry (\w+)", ptx)
    return re.sub(r"\b(?=(?:dmm|meter)_|(?:%s)\b)" % "|".join(kernels), "dmm%s_" % program, ptx)


def tuning_of_radix(folder, u, E):
    """Writes a tuning file for radix sorts, and nothing else, and returns its path."""
    path = os.path.join(folder, "tuning")
    open(path, "w", encoding="utf-8").write("dmm tuning 1\nany\ntune sort.radix 16 form=gpu u=%d E=%d\n" % (u, E))
    return path


class Simulator:
    def __init__(self, root, dmm):
        self.root, self.dmm = os.path.abspath(root), os.path.abspath(dmm)

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def run(self, *command, **more):
        return subprocess.run([str(word) for word in command], check=True, **more)

    def command(self, *words):
        return self.run(os.path.join(self.dmm, "dmm"), *words, capture_output=True, text=True).stdout

    def keys(self, case, n, shape):
        """Writes the keys to a file and returns its path."""
        path = self.path("inputs", "%s-%s-%d-%dx%d.bin" % (case.type, case.input, n, *shape))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if case.input == "worst" or case.input.startswith("share-"):
            drawn = ["--share", case.input.split("-")[1], "--seed", "1"] if case.input != "worst" else []
            self.command("worst", *drawn, "-n", n, "-u", shape[0], "-E", shape[1], "-t", case.type, "-o", path)
        else:
            draw = random.Random(n)
            bits = int(case.type[1:])
            array.array(CODES[case.type], (draw.getrandbits(bits) for _ in range(n))).tofile(open(path, "wb"))
        return path

    def folder(self, case):
        path = self.path("runs", name_of(case))
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    def record(self, case, folder, keys):
        """Runs dmm on this machine's own device and records its launches."""
        settings, tuning = "form=gpu,banks=32,lanes=32", ""
        if case.method: # scans have their own u and E
            tuning = tuning_of_radix(folder, case.u, case.E)
        else:
            settings += ",u=%d,E=%d,search=%s" % (case.u, case.E, case.search or "cf")
        words = ["--cache", "", "--tuning", tuning, "--set", settings, "sort", "-t", case.type,
                 "--method", (case.method or "merge").split("-")[0], "--check", keys, "-o", os.path.join(folder, "sorted.bin")]
        if case.values:
            values = os.path.join(folder, "values.bin")
            n = os.path.getsize(keys) // (int(case.type[1:]) // 8)
            array.array("I", range(n)).tofile(open(values, "wb"))
            words += ["--values", values, "--value-bytes", "4", "--values-out", os.path.join(folder, "values-out.bin")]
        self.run(os.path.join(self.dmm, "dmm"), *words, stdout=subprocess.DEVNULL,
                 env=dict(os.environ, DMM_RECORD=folder, LD_PRELOAD=self.path("record.so")))

    @staticmethod
    def with_lanes(path):
        """Replaces a program of columns by that of ballots, which this machine's device cannot run; launches are the
        same. Returns the options that it takes."""
        if "dmm_radix_pass" not in open(path, encoding="utf-8").read():
            return []
        open(path, "w", encoding="utf-8").write('#include "cl/radix/radix_ballot.cl"\n')
        return ["-I" + PROJECT, "-DDMM_LANES_BY=2", "-DDMM_LANES=32"]

    def compile(self, folder, lanes, short_pointers=True):
        """Compiles the programs of a recording to one PTX file; each kernel's name begins with its program's number.
        Short pointers, to local memory, are no arguments of functions that clang leaves: ptxas would refuse their types."""
        text = ""
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".options"):
                continue
            number = name.split(".")[0]
            options = open(os.path.join(folder, name), encoding="utf-8").read().replace("-cl-std=CL1.2", "").split()
            if lanes:
                options += self.with_lanes(os.path.join(folder, number + ".cl"))
            ptx = os.path.join(folder, number + ".ptx")
            target = ["-Xclang", "-target-feature", "-Xclang", "+ptx63", "-Xclang", "-target-cpu", "-Xclang", "sm_70"]
            short = ["-Xclang", "-fcuda-short-ptr", "-mllvm", "--nvptx-short-ptr"] if short_pointers else []
            self.run("clang-15", "-target", "nvptx64-nvidia-cuda", *target, "-x", "cl", "-cl-std=CL1.2", "-O3", "-S", "-w", *short,
                     "-Xclang", "-finclude-default-header", "-Xclang", "-mlink-builtin-bitcode",
                     "-Xclang", "/usr/lib/clc/nvptx64--nvidiacl.bc", *options,
                     "-Dget_global_offset(d)=((size_t)0)", # replay.cpp rejects launches with an offset
                     "-o", ptx, os.path.join(folder, number + ".cl"))
            part = with_names_of(number, with_brev_by_halves(
                with_loads_past_l1(with_narrow_constants(open(ptx, encoding="utf-8").read()))))
            text += part if not text else re.sub(r"^\.(version|target|address_size).*\n", "", part, flags=re.M)
        open(os.path.join(folder, "exact.ptx"), "w", encoding="utf-8").write(text) # the same lines, for sass.py
        path = os.path.join(folder, "kernels.sm_70.ptx")
        open(path, "w", encoding="utf-8").write(with_ands_of_two(text))
        return path

    def configure(self, machine, folder):
        """Writes the simulator's configuration to the folder of the run; returns its launch latency in cycles."""
        from_folder = self.path("simulator/configs/tested-cfgs/SM7_QV100")
        for name in os.listdir(from_folder):
            if name.endswith(".icnt"):
                shutil.copy(os.path.join(from_folder, name), folder)
        text = open(os.path.join(from_folder, "gpgpusim.config"), encoding="utf-8").read()
        changes = {"gpgpu_n_clusters": MACHINES[machine][0], "gpgpu_n_mem": MACHINES[machine][1],
                   "enable_ptx_file_line_stats": 1}
        if machine != "v100":
            changes["gpgpu_memory_partition_indexing"] = 0 # the V100's hash needs all 32 channels
        for key, value in changes.items():
            text, times = re.subn(r"^-%s\s+\S+" % key, "-%s %d" % (key, value), text, flags=re.M)
            assert times == 1, key
        open(os.path.join(folder, "gpgpusim.config"), "w", encoding="utf-8").write(text)
        return int(re.search(r"^-gpgpu_kernel_launch_latency (\d+)", text, re.M).group(1))

    def simulate(self, folder, ptx, command):
        """Runs a program on the simulator's CUDA runtime, which loads its kernels from `ptx`."""
        library = next(path for path, _, names in os.walk(self.path("simulator/lib")) if "libcudart.so" in names)
        environment = dict(os.environ, LD_LIBRARY_PATH=library, CUDA_INSTALL_PATH=self.path("toolkit"), DMM_PTX=ptx,
                           PATH=self.path("toolkit/bin") + os.pathsep + os.environ["PATH"], CUOBJDUMP_SIM_FILE="none",
                           CUDA_LAUNCH_BLOCKING="1", GPGPUSIM_ROOT=self.path("simulator"),
                           GPGPUSIM_SETUP_ENVIRONMENT_WAS_RUN="1")
        log = os.path.join(folder, "out")
        with open(log, "w", encoding="utf-8") as out:
            ran = subprocess.run(["nice", "-n", "5", *command], cwd=folder, env=environment, stdout=out,
                                 stderr=subprocess.STDOUT, check=False)
        text = open(log, encoding="utf-8", errors="replace").read()
        if ran.returncode != 0 or "\nend good\n" not in text:
            sys.exit("%s: failed, or gave a wrong result: see %s" % (command, log))
        return text

    def result(self, case):
        folder, shape = self.folder(case), shape_of(case)
        latency = self.configure(case.machine, folder)
        n = items_of(case, shape)
        keys = self.keys(case, n, shape)
        if case.who == "dmm":
            self.record(case, folder, keys)
            text = self.simulate(folder, self.compile(folder, case.method == "radix"), [self.path("replay"), folder])
        else:
            program = case.who + ("-" + case.method if case.method else "")
            text = self.simulate(folder, self.path(program, "cub.sm_70.ptx"),
                                 [self.path(program, "cub"), case.type, str(case.values), keys])
        row = dict(case._asdict(), n=n, sms=MACHINES[case.machine][0], channels=MACHINES[case.machine][1],
                   launch_latency=latency, kernels=kernels_of(text))
        row["u"], row["E"] = shape
        return row


def summary(row):
    """Formats cycles of each step of a radix sort, or multiprocessor cycles per key, of the tiles and of a pass, and conflicts."""
    def cycles(step):
        launches = [k["cycles"] - row["launch_latency"] for k in row["kernels"] if k["step"] == step]
        return sum(launches) / len(launches) * row["sms"] / row["n"] if launches else 0
    if row["method"]:
        launches = collections.defaultdict(list)
        for k in row["kernels"]:
            launches[k["step"]].append(k)
        return "; ".join("%d %s: %.2f cycles a key, %.2f warp instructions, %d registers" % (
            len(ran), step, cycles(step), sum(k["warp_instructions"] for k in ran) / len(ran) / row["n"],
            ran[0]["registers"]) for step, ran in launches.items())
    return "tile %.2f pass %.2f conflicts %d" % (
        cycles("tile"), cycles("pass"), sum(k["conflict_stalls"] for k in row["kernels"]))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--root", default=os.path.expanduser("~/.cache/dmm-simulated"))
    options.add_argument("--dmm", default=os.path.join(PROJECT, "build/default"), help="folder of the command dmm")
    options.add_argument("--only", default="", help="simulate only the cases whose names match this expression")
    options.add_argument("--out", default=os.path.join(
        PROJECT, "bench/results/%s-simulated-v100.json" % datetime.datetime.now(datetime.timezone.utc).date()))
    given = options.parse_args()
    simulator = Simulator(given.root, given.dmm)
    rows = json.load(open(given.out, encoding="utf-8")) if os.path.exists(given.out) else []
    commit = subprocess.run(["git", "-C", PROJECT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=True).stdout.strip()
    for case in cases():
        name = name_of(case)
        if not re.search(given.only, name):
            continue
        row = dict({"name": name, "commit": commit}, **simulator.result(case))
        rows = [old for old in rows if old["name"] != name] + [row]
        order = [name_of(other) for other in cases()]
        rows.sort(key=lambda row: order.index(row["name"]) if row["name"] in order else len(order))
        with open(given.out, "w", encoding="utf-8") as out: # after each case, because all cases take hours
            out.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
        print("%s: %s" % (name, summary(row)), flush=True)


if __name__ == "__main__":
    main()
