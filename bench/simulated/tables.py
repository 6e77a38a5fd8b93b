# SPDX-License-Identifier: MIT
"""Makes bench/report.py's tables of sorts from the newest bench/results/DATE-simulated-v100.json, -sass, -shares and -moves."""
import glob
import json
import os

WHO = {"dmm": "dmm", "cub": "CUB", "cub-predicated": "CUB without branches"}
# Of an H200: bytes moved per second by a copy, warp instructions per second (132 multiprocessors, 4 a cycle, 1.98 GHz),
# and CUB's published rate for a merge sort of 2^28 random u32, in keys per second.
COPY, ISSUE, CUB_RATE, LOG_N = 4.3e12, 132 * 4 * 1.98e9, 19.0e9, 28


def newest(folder, what="v100"):
    """Returns (path, rows), or None if nothing was simulated."""
    paths = sorted(glob.glob(os.path.join(folder, "*-simulated-%s.json" % what)))
    return (paths[-1], json.load(open(paths[-1], encoding="utf-8"))) if paths else None


def cycles(row, step):
    """Returns multiprocessor cycles per key of a launch of `step`, without the launch latency."""
    launches = [kernel["cycles"] - row["launch_latency"] for kernel in row["kernels"] if kernel["step"] == step]
    return sum(launches) / len(launches) * row["sms"] / row["n"] if launches else 0


def whole(row, latency):
    """Returns cycles per key of the whole sort on all its multiprocessors, with or without launch latency."""
    total = sum(kernel["cycles"] - (0 if latency else row["launch_latency"]) for kernel in row["kernels"])
    return total / row["n"]


def stalls(row):
    return sum(kernel["conflict_stalls"] for kernel in row["kernels"])


def instructions(row, step):
    """Returns PTX warp instructions per 4096 keys in a launch of `step`."""
    ran = [kernel["warp_instructions"] for kernel in row["kernels"] if kernel["step"] == step]
    return sum(ran) / len(ran) / row["n"] * 4096 if ran else 0


def called(row):
    name = WHO[row["who"]]
    if row["who"] == "dmm":
        name += " u=%d E=%d" % (row["u"], row["E"]) + (" search=plain" if row["search"] else "")
    return name


def table(rows):
    lines = ["| keys | input | n | SMs | sort | tile | a pass | whole | with launches | stalls by conflicts "
             "| warp instructions for 4096 keys |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        keys = row["type"] + (" with u32 values" if row["values"] else "")
        lines.append("| %s | %s | 2^%d | %d | %s | %.2f | %.2f | %.2f | %.2f | %d | %d |" % (
            keys, row["input"], row["log_n"], row["sms"], called(row), cycles(row, "tile"), cycles(row, "pass"),
            whole(row, False), whole(row, True), stalls(row), round(instructions(row, "tile"))))
    return "\n".join(lines) + "\n"


def find(rows, who, input_name, log_n=15):
    """Returns the first row of u32 keys without values, or None. That row has the default parameters."""
    return next((row for row in rows if (row["who"], row["type"], row["values"], row["input"], row["log_n"]) ==
                 (who, "u32", 0, input_name, log_n)), None)


def sass_table(rows):
    lines = ["| sort | keys | tile, sm_80 | tile, sm_90 | a pass, sm_80 | a pass, sm_90 |", "|---|---|---|---|---|---|"]
    for row in rows:
        if "sass" in row:
            values = tuple(row["sass"][arch][step] for step in ("tile", "pass") for arch in ("sm_80", "sm_90"))
            keys = row["type"] + (" with u32 values" if row["values"] else "")
            lines.append("| %s | %s | %.2f | %.2f | %.2f | %.2f |" % ((called(row), keys) + values))
    return "\n".join(lines) + "\n" if len(lines) > 2 else ""


PATHS = """Warp instructions per key for sm_90 again, all by ptxas %s and without a simulation, beside the CUB (CCCL) that came with it:
`sort_sass.py` counts the path of a full tile, and loops as often as a warp runs them, the longest lane's search included (above,
lanes that ran are counted, so that CUB's searches, whose lanes differ, cost less). Where whole tiles and others share code, as in
dmm's passes, the longer way counts. dmm at %s, %s:

%s
"""


def paths_table(folder):
    found = newest(folder, "sass")
    if not found:
        return ""
    path, rows = found
    lines = ["| sort | u, E | keys | tile | a pass |", "|---|---|---|---|---|"]
    for row in rows:
        lines.append("| %s | %d, %d | %s | %.2f | %.2f |" % (
            "dmm" if row["who"] == "dmm" else "CUB " + row["version"], row["u"], row["E"],
            row["type"] + (" with u32 values" if row["values"] else ""), row["tile"], row["pass"]))
    commit = next(row["version"] for row in rows if row["who"] == "dmm")
    return PATHS % (rows[0]["ptxas"], commit, os.path.basename(path)[:10], "\n".join(lines))


def passes_of(row):
    tiles, passes = -(-(1 << LOG_N) // (row["u"] * row["E"])), 0
    while 1 << passes < tiles:
        passes += 1
    return passes


def prediction(rows):
    """Returns a paragraph with the predicted rate: each launch takes the longer of the times for its bytes and for its
    instructions, at the share of the issue rate that CUB reaches."""
    own, cub = find(rows, "dmm", "random"), find(rows, "cub-predicated", "random")
    if not own or not cub or "sass" not in own or "sass" not in cub:
        return ""
    count, passes = cub["sass"]["sm_90"], passes_of(cub)
    share = (count["tile"] + passes * count["pass"]) * CUB_RATE / ISSUE
    mine = own["sass"]["sm_90"]
    steps = [mine["tile"]] + [mine["pass"]] * passes_of(own)
    seconds = sum(max(8 / COPY, step / ISSUE / share) for step in steps)
    return """**A prediction, not a measurement:** an H200 sorts 2^%d u32 keys at %.0f G keys/s. CUB's published %.1f G keys/s correspond,
by its counts for sm_90 (%.2f warp instructions per key in a tile, and %d passes of %.2f), to %.0f %% of what the multiprocessors can
issue. The prediction takes the same share for dmm's counts (%.2f, and %d passes of %.2f), or a copy's %.1f TB/s in the steps
where memory takes longer. At the copy's rate alone it would be %.0f G keys/s.
""" % (LOG_N, 1e-9 / seconds, CUB_RATE / 1e9, count["tile"], passes, count["pass"], 100 * share, mine["tile"], passes_of(own),
       mine["pass"], COPY / 1e12, 1e-9 * COPY / 8 / len(steps))


SECTION = """## A simulated V100

No GPU was used: these are cycles of GPGPU-Sim's model of a V100, run by [bench/simulated](../../bench/simulated/README.md), %s;
dmm at %s. All rows are merge sorts. `tile` and `a pass` are cycles of one
multiprocessor per key, without launches. `whole` is cycles of all multiprocessors per key without launches, `with launches` the same with 5000 cycles per launch. Keys of 8 bytes and
pairs have the parameters u=256 E=16, all others u=128 E=32; further rows show what other parameters give. CUB is
DeviceMergeSort 1.17. The simulator runs PTX, in which some of CUB's branches diverge; ptxas replaces these by predicates, hence
the rows `without branches`. `worst` is the worst-case input of Berney's thesis (2023), built for each sort's own tiles. 32 lanes
that access words of 8 bytes need at least two cycles of a bank, here as on a device. The simulator counts the second cycle as
a stall, one per access (u64, and pairs, whose words of 8 bytes hold a key and a position). A minimum of two such words is one
instruction in PTX and several for a device. So the cycles of pairs flatter dmm; the counts of ptxas below do not.

%s
Warp instructions per key in the code of ptxas 11.8, each weighted by how often the simulator executed it:

%s
%s
%s
"""


def section(folder):
    found = newest(folder)
    if not found:
        return ""
    path, rows = found
    radix = [row for row in rows if row.get("method")]
    rows = [row for row in rows if not row.get("method")]
    commits = ", ".join(sorted({row["commit"] for row in rows if row["who"] == "dmm"}))
    return SECTION % (os.path.basename(path)[:10], commits, table(rows), sass_table(rows), paths_table(folder),
                      prediction(rows)) + \
        shares_section(folder) + radix_section(radix) + moves_section(folder)


SHARES_SECTION = """### Shares of worst warps

Section 4.4 of Berney's thesis (2023) names inputs between random and worst ones. `dmm worst --share P --seed 1` writes such u32 keys, here
for CUB's tile of 256 x 17, and dmm takes the same tile and keys: P percent of the warps are worst in each round, the others merge
nearly as random keys do. %s, %d keys, %d multiprocessors, dmm at %s; columns as above
(`simulate.py --only share- --out bench/results/DATE-simulated-shares.json`). CUB's stalls lie nearly on a straight line, its
cycles below one. It takes %.2f times its cycles of 0 %% at 25 %%, %.2f at 50 %% and %.2f at 100 %%; dmm's stay the same.

%s

"""


def shares_section(folder):
    found = newest(folder, "shares")
    if not found:
        return ""
    path, rows = found
    lines = ["| worst warps | sort | tile | a pass | whole | stalls by conflicts |", "|---|---|---|---|---|---|"]
    for row in rows:
        lines.append("| %s %% | %s | %.2f | %.2f | %.2f | %d |" % (
            row["input"].split("-")[1], called(row), cycles(row, "tile"), cycles(row, "pass"), whole(row, False), stalls(row)))
    commits = ", ".join(sorted({row["commit"] for row in rows}))
    cub = {row["input"]: whole(row, False) for row in rows if row["who"] == "cub"}
    growth = (cub["share-%d" % share] / cub["share-0"] for share in (25, 50, 100))
    return SHARES_SECTION % (os.path.basename(path)[:10], rows[0]["n"], rows[0]["sms"], commits, *growth, "\n".join(lines))


RADIX_SECTION = """### Radix sorts there

dmm at %s; CUB is DeviceRadixSort 1.17 (onesweep). Random keys; cycles of one multiprocessor per key without launches: of the launch
that counts all digits, of one that scatters, and of the whole sort with its scans. `by ballots` is what dmm runs where lanes
exchange data, `by columns` where not.

%s
Instructions of a work-item per key in the code of ptxas 11.8 (`sass.py`; warp instructions times 32), the share of 2048 work-items that
registers leave room for, and bytes moved per key. Aims were 80 instructions on sm_90, 50 %% and 8.2 bytes a pass of u32. A pass by ballots
of u32 takes 72 registers on sm_70, which is simulated, and 64 on sm_75, sm_80 and sm_90, which leaves room for 50 %%. 16 keys a
work-item would take an estimated 77 instructions on sm_90, but 80 registers on sm_70 and sm_80. A digit's run in a tile of 3072 keys has 48
bytes, so runs begin and end within sectors of 32 bytes: hence 13.1 bytes of transactions.

%s
%s
**Radix or merge.** Cycles of one multiprocessor per u32 key without launches, from both tables: 5.6 by merge and 8.8 by radix at 2^15,
8.2 and 7.5 at 2^17; so they cross between; on 80 multiprocessors between 2^14 and 2^15. Where lanes exchange data,
`auto` changes at 2^17, and with 32 multiprocessors or more at 2^15.
**Few keys.** u32 on all 80 multiprocessors at e8a0eb5, cycles with 5000 a launch (launches). `One group` sorts all keys as one tile:

| n | merge, u=128 E=32 | radix by ballots, u=256 E=12 | one group |
|---|---|---|---|
| 2^12 | 30,209 (1) | 74,940 (6) | merge u=256 E=16 29,842; radix u=512 E=8 26,914 |
| 2^13 | 51,886 (3) | 76,671 (6) | merge u=256 E=32 39,130, u=512 E=16 41,510 |
| 2^14 | 73,756 (5) | 79,879 (6) | a tile of 2^14 words exceeds the 48 KiB of local memory that OpenCL has there |

Up to one tile (radix 3072 keys, merge 4096) a sort is one launch. Beyond it, one launch of several groups is not built: a pass reads what
all groups of the earlier pass wrote, and OpenCL 1.2 lets a group see what another one stores in the same launch by atomics alone.
It would save at most two launches of 51,886 cycles at 2^13, four of 73,756 at 2^14. One group with a tile of 2^13 takes a quarter
less than three launches at 2^13, but parameters do not depend on n or `max_n`; a caller can set u=256 and E=32. Nor does one group that
takes tile after tile pay: at the 1.34 cycles a key and pass of radix u=512 E=8, whose tile stays in local memory, 2^14 keys would take
93,000 cycles, more than six launches.
"""
RADIX_NAMES = {("dmm", "radix"): "dmm by ballots", ("dmm", "radix-columns"): "dmm by columns", ("cub", "radix"): "CUB"}


def radix_table(rows):
    lines = ["| keys | n | SMs | sort | u, E | count | scatter | whole | with launches | warp instructions per key, a scatter "
             "| registers, scatter | stalls by conflicts |", "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        keys = row["type"] + (" with u32 values" if row["values"] else "")
        scatters = [kernel for kernel in row["kernels"] if kernel["step"] == "scatter"]
        lines.append("| %s | 2^%d | %d | %s | %d, %d | %.2f | %.2f | %.2f | %.2f | %.2f | %d | %d |" % (
            keys, row["log_n"], row["sms"], RADIX_NAMES[row["who"], row["method"]], row["u"], row["E"], cycles(row, "count"),
            cycles(row, "scatter"), whole(row, False) * row["sms"], whole(row, True) * row["sms"],
            sum(kernel["warp_instructions"] for kernel in scatters) / max(1, len(scatters)) / row["n"],
            max((kernel["registers"] for kernel in scatters), default=0), stalls(row)))
    return "\n".join(lines) + "\n"


def occupancy(registers, u):
    """Returns the share of a multiprocessor's 2048 work-items that 65,536 registers allow, in groups of u."""
    return 65536 // (registers * u) * u / 2048


def moved(row, step):
    """Returns (bytes of transactions, bytes of DRAM) a key of a launch of `step`."""
    ran = [kernel for kernel in row["kernels"] if kernel["step"] == step]
    return tuple(sum(kernel[way + "_reads"] + kernel[way + "_writes"] for kernel in ran) * 32 / len(ran) / row["n"]
                 for way in ("global", "dram"))


def radix_sass_table(rows):
    lines = ["| sort | keys | n | count, sm_80 | count, sm_90 | a scatter, sm_80 | a scatter, sm_90 | occupancy, scatter "
             "| bytes of transactions, a scatter | bytes of DRAM, a scatter |", "|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        if "sass" not in row:
            continue
        keys = row["type"] + (" with u32 values" if row["values"] else "")
        registers = max(kernel["registers"] for kernel in row["kernels"] if kernel["step"] == "scatter")
        share = "%.0f %%" % (100 * occupancy(registers, row["u"])) if row["who"] == "dmm" else "" # CUB's has launch bounds
        lines.append("| %s | %s | 2^%d | %.0f | %.0f | %.0f | %.0f | %s | %.1f | %.1f |" % (
            RADIX_NAMES[row["who"], row["method"]], keys, row["log_n"],
            *(32 * row["sass"][arch][step] for step in ("count", "scatter") for arch in ("sm_80", "sm_90")),
            share, *moved(row, "scatter")))
    return "\n".join(lines) + "\n"


# Of an A100: warp instructions per second (108 multiprocessors, 4 a cycle, 1.41 GHz), and Onesweep's published rate for
# 2^28 random u32 (Adinets, Merrill, 2022).
A100_ISSUE, ONESWEEP_RATE = 108 * 4 * 1.41e9, 29.4e9


def radix_prediction(rows):
    by = {(row["who"], row["log_n"]): row["sass"] for row in rows if "sass" in row and not row["values"]}
    if ("dmm", 20) not in by or ("cub", 17) not in by:
        return ""
    def instructions_of(sort, arch):
        return sort[arch]["count"] + 4 * sort[arch]["scatter"]
    cub, own = by["cub", 17], by["dmm", 20]
    share = ONESWEEP_RATE * instructions_of(cub, "sm_80") / A100_ISSUE
    rates = [1e-9 * share * ISSUE / instructions_of(sort, "sm_90") for sort in (own, cub)]
    return """**A prediction, not a measurement:** by radix, an H200 sorts 2^28 u32 keys at %.0f G keys/s with dmm and at %.0f G with CUB.
Onesweep's published %.1f G keys/s on an A100 are, by CUB's counts for sm_80, %.0f %% of what its multiprocessors can issue; the
prediction takes this share of an H200's, and the counts for sm_90. A copy's %.1f TB/s would allow %.0f G keys/s (36 bytes a key).
""" % (*rates, ONESWEEP_RATE / 1e9, 100 * share, COPY / 1e12, COPY / 36e9)


def radix_section(rows):
    commits = ", ".join(sorted({row["commit"] for row in rows if row["who"] == "dmm"}))
    return RADIX_SECTION % (commits, radix_table(rows), radix_sass_table(rows), radix_prediction(rows)) if rows else ""


MOVES_SECTION = """### Other primitives there

dmm at %s, random u32, 2 multiprocessors, %s. Per item: cycles of one multiprocessor without launches, PTX warp
instructions, and bytes in global transactions of 32 bytes. Stalls are those by bank conflicts and by words of 8 bytes, as above.
`partition K BYTES` has labels of so many bytes, and is in place: out of place it does without `dmm_radix_copy`. Rows of 2^12
items (`checks`: the self-test's call) are for their stalls. Of the kernels marked conflict-free those alone have stalls that access
words of 8 bytes: `dmm_histogram_total`, `dmm_segments_*`, `dmm_many_tile`, `dmm_merge_tile` and `dmm_set_tile` with a position
beside a key, `dmm_radix_scatter` of 8-byte items. Kernels of hulls are not simulated: a call of a function ends the simulator.

%s
Before scans were chained and buckets counted while they are found (fd3437d, 2^17, with 5000 cycles a launch): runs without
their lengths 2.30 cycles an item in three launches, now 1.49 in two; partition 32 1 in place 5.58, now 3.69; partition 32 4 5.89, now
3.97. Out of place and without launches, partition 32 1 takes 1.98 and partition 32 4 2.26 cycles; `dmm_radix_copy`, which copies the
same items, takes 1.26: so they move items at 0.64 and 0.56 of the rate of a copy. The aim was half. These rows have the parameters
by columns (u=128 E=16); with those by ballots (u=256 E=12, 80 registers, 6468010) the pass of partition 32 1 takes 1.61 cycles and 3.24
warp instructions, the partition out of place 2.02 cycles: 0.62 of the rate of a copy. 256 buckets are in the row of 2^15.
`dmm_scan` by reduce-then-scan (47d6109) took 1.54 cycles at 2^17 (with launches 1.76) and 0.96 at 2^15 (1.88), in three launches; chained,
it takes 0.84 (0.99) and 0.70 (1.31) in two. Top-k of 2^15, whose counts it scans, took 14.4 (20.5), now 13.7 (18.6).
"""


def moves_table(rows):
    lines = ["| call | n | kernel | launches | registers | cycles | warp instructions | bytes | stalls |",
             "|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        names = list(dict.fromkeys(kernel["name"] for kernel in row["kernels"]))
        for name in names:
            ran = [kernel for kernel in row["kernels"] if kernel["name"] == name]
            per_item = [sum(kernel[key] for kernel in ran) / row["n"] for key in (
                "cycles", "warp_instructions", "global_reads", "global_writes")]
            lines.append("| %s | 2^%d | `%s` | %d | %d | %.2f | %.2f | %.1f | %d |" % (
                row["what"], row["log_n"], name, len(ran), ran[0]["registers"],
                (per_item[0] - row["launch_latency"] * len(ran) / row["n"]) * row["sms"], per_item[1],
                32 * (per_item[2] + per_item[3]), stalls({"kernels": ran})))
    return "\n".join(lines) + "\n"


def moves_section(folder):
    found = newest(folder, "moves")
    if not found:
        return ""
    return MOVES_SECTION % (", ".join(sorted({row["commit"] for row in found[1]})), os.path.basename(found[0])[:10],
                            moves_table(found[1]))
