# SPDX-License-Identifier: MIT
"""report.py [--check]: writes docs/records/speed.md, docs/why.svg and the table of README.md from bench/results/DATE-NAME.json.

Uses the newest file of each NAME (pocl, h200, ...; simulated-v100 comes from bench/simulated). Without results, changes
nothing. --check writes nothing, and exits with 1 if the three files differ from the results.
"""
import glob
import json
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bench/simulated"))
import picture # noqa: E402, needs the path above
import tables as simulated # noqa: E402

RESULTS = os.path.join(ROOT, "bench/results")
BEGIN, END = "<!-- by bench/report.py -->\n", "<!-- end -->\n"

# Names of dmm's competitors, by (who, method) or by who alone; %s stands for the method.
NAMES = {
    ("c", "loop"): "a loop in C", ("c", "monotone_chain"): "a monotone chain in C", "c": "C on all processors",
    "std": "`std::%s`", "boost": "Boost.Compute's %s", "cub": "CUB's %s", "thrust": "Thrust's %s", "dmm": "dmm's %s",
    ("vqsort", "par"): "vqsort on all processors, merged", "vqsort": "vqsort on one thread", ("plain", "loop"): "a loop in C",
    ("boost", "dijkstra"): "Boost.Graph's Dijkstra",
    ("plain", "heap"): "a heap of lists in C", ("plain", "bst_prefetch"): "a search tree in C with prefetching",
    "cgal": "CGAL", "qconvex": "qconvex", "gather": "a gather by a stored order",
    ("c", "gather_threads"): "a gather in C by a stored order",
}

# Rows of the tables: name, word, case, dmm's method.
TABLE = [
    ("sort, method `radix`", "sort", "", "radix"),
    ("sort, method `merge`", "sort", "", "merge"),
    ("merge", "merge", "", "merge"),
    ("prefix sums", "scan", "sum", "scan"),
    ("partition by labels, K = 32", "partition", "K=32", "partition"),
    ("partition by labels, K = 256", "partition", "K=256", "partition"),
    ("shuffle", "shuffle", "", "shuffle"),
    ("transpose", "transpose", "", "transpose"),
    ("the first 100", "topk", "k=100", "topk"),
    ("the median", "nth", "median", "nth"),
    ("hull of points of a disc", "hull", "", "hull"),
]


def newest(skewed=False):
    """Returns {name: (path, rows)} of the newest file of each name, or of each name after `skewed-`."""
    files = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "bench/results/*.json"))):
        date, kind, name = re.match(r"(\d{4}-\d\d-\d\d)-(skewed-)?(.*)\.json$", os.path.basename(path)).groups()
        if not name.startswith("simulated") and bool(kind) == skewed:
            files[name] = (date, path)
    return {name: (path, json.load(open(path, encoding="utf-8"))) for name, (_, path) in sorted(files.items())}


class Results:
    def __init__(self, rows):
        self.rows = rows

    def find(self, word, case, who, method, input_name=None, values=0, kind=None, n=None):
        """Returns the row with n items, or with the most, or None if it was not measured."""
        default = {"hull": "disc", "unique": "sorted"}.get(word, "random")
        fits = [row for row in self.rows
                if (row["word"], row["case"], row["who"], row["method"]) == (word, case, who, method)
                and row["input"] == (input_name or default) and row["values"] == values
                and row["type"] == (kind or ("2xf32" if word == "hull" else "u32")) and n in (None, row["n"])]
        return max(reversed(fits), key=lambda row: row["n"], default=None)  # the newest of them

    def beside(self, own):
        """Returns the competitors' rows that are compared with the row `own`."""
        same = ("word", "case", "input", "n", "values", "type")
        return [row for row in self.rows if row["beside"] == own["method"] and row["who"] != "copy"
                and all(row[key] == own[key] for key in same) and row is not own]

    def copy(self, own):
        same = ("word", "case", "input", "n", "values", "type")
        return next(row for row in self.rows if row["who"] == "copy" and all(row[key] == own[key] for key in same))


def size(n):
    n = int(n)
    for base in (2, 10):
        exponent = 0
        rest = n
        while rest % base == 0:
            rest //= base
            exponent += 1
        if rest == 1 and exponent > 2:
            return "%d^%d" % (base, exponent)
    return str(n)


def figure(x):
    """Formats a number with at most two decimals and no exponent."""
    if x == 0 or abs(x) >= 100:
        return "%.0f" % x
    return "%.1f" % x if abs(x) >= 9.95 else "%.2f" % x


def called(row):
    name = NAMES.get((row["who"], row["method"])) or NAMES[row["who"]]
    parallel = row["method"].endswith("_par")
    if "%s" in name:
        name %= row["method"][:-4] if parallel else row["method"]
    return name + (" in parallel" if parallel else "")


# The README has these rows, and beside them what most programs use today.
SHORT = ["sort, method `radix`", "sort, method `merge`", "prefix sums", "partition by labels, K = 256",
         "hull of points of a disc"]
USED_TODAY = ["c", "std", "boost", "cgal", "qconvex"]


def short_table(results):
    lines = ["| u32 | items | M items/s | others |", "|---|---|---|---|"]
    for text, word, case, method in TABLE:
        row = results.find(word, case, "dmm", method) if text in SHORT else None
        if row is not None:
            others = [other for other in results.beside(row) if other["who"] in USED_TODAY]
            lines.append("| %s | %s | %s | %s |" % (text, size(row["n"]), figure(row["Mitems_a_second"]), ", ".join(
                "%s %s" % (called(other), figure(other["ratio"])) for other in others)))
    return "\n".join(lines) + "\n"


def whole_table(results):
    lines = ["| u32 | items | M items/s | of the copy's rate | beside: time over dmm's |", "|---|---|---|---|---|"]
    for text, word, case, method in TABLE:
        row = results.find(word, case, "dmm", method)
        if row is not None:
            others = ", ".join("%s %s" % (called(other), figure(other["ratio"])) for other in results.beside(row))
            lines.append("| %s | %s | %s | %.2f | %s |" % (
                text, size(row["n"]), figure(row["Mitems_a_second"]), row["share"], others))
    return "\n".join(lines) + "\n"


def origin(rows):
    loads = sorted(float(row["load"] or 0) for row in rows)
    days = sorted({row["date"][:10] for row in rows})
    times = sorted({row["date"] for row in rows})
    when = times[0] if len(times) == 1 else "%s to %s" % (times[0][:16], times[-1][11:] if len(days) == 1 else times[-1])
    return "%s (%s), driver %s; dmm %s, %s, load %s to %s" % (
        rows[0]["device"], rows[0]["platform"], rows[0]["driver"], rows[0]["dmm"], when, loads[0], loads[-1])


def ratio(word, case, who, method, **more):
    """Returns a function that reads a competitor's time over dmm's."""
    def get(results):
        row = results.find(word, case, who, method, **more)
        return row and (row["ratio"], "%s times dmm's time (%s to %s)" % tuple(
            figure(row[key]) for key in ("ratio", "ratio_min", "ratio_max")))
    return get


def share_of_copy_time(word, case, method):
    def get(results):
        row = results.find(word, case, "dmm", method)
        if row is None:
            return None
        part = results.copy(row)["median_ms"] / row["median_ms"]
        return part, "%.2f of the rate of a copy" % part
    return get


def over_own(word, method, other):
    """Returns a function that reads the time of one of dmm's methods over another's."""
    def get(results):
        row, base = results.find(word, "", "dmm", method), results.find(word, "", "dmm", other)
        if not row or not base or row["n"] != base["n"]:
            return None
        part = row["median_ms"] / base["median_ms"]
        return -part, "%s times" % figure(part)
    return get


def milliseconds(word, n, method):
    def get(results):
        row = results.find(word, "", "dmm", method)
        return row and row["n"] == n and (-row["median_ms"], "%s ms" % figure(row["median_ms"])) or None
    return get


def worst_by_random(results):
    worst = results.find("sort", "", "dmm", "merge", input_name="worst")
    random = results.find("sort", "", "dmm", "merge")
    if not worst or not random or worst["n"] != random["n"]:
        return None
    part = worst["median_ms"] / random["median_ms"]
    return -abs(part - 1), "%.3f" % part


# Why an aim of a CPU is missed, or another program ahead: how the aim's text begins, or ""; word, case, method and input of
# dmm's row; bytes an item, 0 for those of the row, None where memory is no bound; what is known of the time.
REASONS = [
    ("partition K = ", "partition", "K=%s", "partition", "random", 0,
     "Finding and counting buckets and moving items take processor time, not memory's: 1.4 and 2.0 to 3.3 ns of a core an item on "
     "the Xeon, where the move took 2.3 to 3.5 before digits had slots instead of places. Tried without gain: the places of four "
     "items found before the first is stored; lines of 64 bytes in one store; full lines noted in a mask and written "
     "32 items later, in rings of 8 lines (K = 256: 19.7 -> 24.8 ms of moving); buckets written past the cache (12 -> 17 ms)."),
    ("exclusive prefix sums", "scan", "sum-exclusive", "scan", "random", 0,
     "On the EPYC with AVX-512, idle, two threads copy 2^24 items in 5.7 ms, in 3.5 past the caches, and read them in 2.0 to "
     "2.5. So one pass cannot take less than 3.5; reducing seven eighths and scanning past the caches took 4.0 to 4.5."),
    ("shuffle", "shuffle", "", "shuffle", "random", 26,
     "Those are 4 read and 6 written, of which 2 are read first, then 6 read and 4 written, which are read first. The rest is "
     "16 products of 32 bits an item, in four rounds, and collecting items in lines by tile. The gathers are given the order, "
     "which dmm computes."),
    ("hull of a circle", "hull", "", "hull", "circle", 0,
     "So memory does not bound it. Of the processor time on the Xeon, moving points to their strips takes 19 %, finding strips "
     "12, sorting them 11, discarding in strips 10, testing chords 8. Every point is a vertex: the hull sorts them, too."),
    ("", "scan", "sum", "scan", "random", 0, "Memory bounds both: either is ahead in some rounds."),
    ("", "fused", "last", "scan", "random", 0, "Memory bounds both: either is ahead in some rounds."),
    ("", "reduce", "sum", "reduce", "random", 0, "Memory bounds both: either is ahead in some rounds."),
    ("", "lexsort", "arrays=%s", "lexsort", "random", None, "Both run the same sorts: either is ahead in some rounds."),
    ("", "sort_segmented", "one", "", "random", None, "Both sort tiles and merge them in as many passes: either is ahead in some rounds."),
    ("", "merge_many", "lists=%s", "merge_many", "random", None,
     "The merges are those by pairs, after launches that find the runs on the device, 20 us. A level takes 0.2 ms, or 0.4 where "
     "Linux puts both of PoCL's threads on one processor (EPYC with AVX-512), so rounds differ twofold."),
    ("", "heap", "bulk=64", "", "random", None,
     "12,288 calls of 12 to 13 us, of which an empty launch with as many arguments takes 8 to 10; `std::priority_queue` takes "
     "7.7 us for the 64 items of a call. Larger bulks are ahead."),
    ("", "sort", "", "radix", "random", None,
     "Up to 2^15 keys one work-item sorts: 2^14 take 0.08 to 0.13 ms on the Xeon, by vqsort 0.07. 2^16 are two launches: two "
     "quicksorts of 2^15 keys, then a merge. vqsort takes 0.27 to 0.30 ms, one work-item of dmm 0.31, two on separate "
     "processors 0.25; Linux often puts both on one. One launch in which each group reads all keys and sorts a share of "
     "them took 0.37 instead of 0.44 ms, but pairs and other types longer. On the EPYC with AVX-512 the kernels take as long as "
     "vqsort: 2^14 keys 0.032 of 0.09 ms, 2^16 0.15 of 0.22; the rest are PoCL's launches, and waiting for them."),
]

# Aims: text, function that reads the value from the results, least value that reaches the aim.
CPU_AIMS = [
    ("radix sort, Boost.Compute takes 10 times as long", ratio("sort", "", "boost", "sort"), 10),
    ("radix sort, `std::sort` takes 10 times as long", ratio("sort", "", "std", "sort"), 10),
    ("radix sort, `std::sort` in parallel takes 10 times as long", ratio("sort", "", "std", "sort_par"), 10),
    ("radix sort, C on two threads takes 1.3 times as long", ratio("sort", "", "c", "radix_threads"), 1.3),
    ("radix sort, vqsort on one thread takes 1.3 times as long", ratio("sort", "", "vqsort", ""), 1.3),
    ("radix sort, vqsort on all processors, merged, takes as long", ratio("sort", "", "vqsort", "par"), 1),
    ("radix sort of u64, C on two threads takes 1.3 times as long", ratio("sort", "", "c", "radix_threads", kind="u64"), 1.3),
    ("radix sort of u64, vqsort on one thread takes 1.3 times as long", ratio("sort", "", "vqsort", "", kind="u64"), 1.3),
    ("radix sort with values, C on two threads takes 1.3 times as long", ratio("sort", "", "c", "radix_threads", values=4), 1.3),
    ("radix sort with values, vqsort on one thread takes 1.3 times as long", ratio("sort", "", "vqsort", "", values=4), 1.3),
    ("radix sort of 2^16 keys, vqsort on one thread takes 1.1 times as long", ratio("sort", "", "vqsort", "", n=2**16), 1.1),
    ("radix sort of 2^18 keys, vqsort on one thread takes 1.1 times as long", ratio("sort", "", "vqsort", "", n=2**18), 1.1),
    ("exclusive prefix sums, Boost.Compute takes 1.1 times as long", ratio("scan", "sum-exclusive", "boost", "exclusive_scan"), 1.1),
    ("exclusive prefix sums, `std::exclusive_scan` in parallel takes 1.1 times as long",
     ratio("scan", "sum-exclusive", "std", "exclusive_scan_par"), 1.1),
    ("partition K = 2, C on two threads takes 1.1 times as long", ratio("partition", "K=2", "c", "partition_threads"), 1.1),
    ("partition K = 32, C on two threads takes 1.1 times as long", ratio("partition", "K=32", "c", "partition_threads"), 1.1),
    ("partition K = 256, C on two threads takes 1.1 times as long", ratio("partition", "K=256", "c", "partition_threads"), 1.1),
    ("shuffle, `std::shuffle` takes 10 times as long", ratio("shuffle", "", "std", "shuffle"), 10),
    ("shuffle, a gather by a stored order takes 1.5 times as long", ratio("shuffle", "", "gather", "stored_order"), 1.5),
    ("transpose at 0.7 of the rate of a copy", share_of_copy_time("transpose", "", "transpose"), 0.7),
    ("transpose in place, not square, at most 3 times as long as out of place",
     over_own("transpose", "in_place_oblong", "transpose"), -3),
    ("hull of 10^7 points of a disc under 73 ms, a time of another algorithm (thesis, GTX 285)", milliseconds("hull", 10**7, "hull"), -73),
    ("hull of a disc, qconvex takes 15 times as long", ratio("hull", "", "qconvex", ""), 15),
    ("hull of a circle, dmm's sort of the points takes as long",
     ratio("hull", "", "dmm", "sort_of_points", input_name="circle"), 1),
]
GPU_AIMS = [
    ("radix sort at 0.6 of CUB's rate", ratio("sort", "", "cub", "radix_sort"), 0.6),
    ("merge sort at 0.8 of CUB's on random keys", ratio("sort", "", "cub", "merge_sort"), 0.8),
    ("merge sort faster than CUB's on its worst input",
     ratio("sort", "", "cub", "merge_sort", input_name="worst-256-17"), 1.0),
    ("merge sort, time on the worst input by that on random keys from 0.97 to 1.03", worst_by_random, -0.03),
    ("partition K = 32 at half the rate of a copy", share_of_copy_time("partition", "K=32", "partition"), 0.5),
    ("shuffle at half the rate of an ideal gather", ratio("shuffle", "", "thrust", "gather"), 0.5),
    ("hull of 10^7 points of a disc under 2 ms", milliseconds("hull", 10**7, "hull"), -2),
]


def is_cpu(rows):
    return any(row["form"] == "cpu" for row in rows)


def aims_table(results):
    lines = ["| aim | reached | |", "|---|---|---|"]
    for text, get, least in CPU_AIMS if is_cpu(results.rows) else GPU_AIMS:
        got = get(results)
        lines.append("| %s | %s | %s |" % (
            text, got[1] if got else "not measured", "" if not got else "yes" if got[0] >= least else "no"))
    return "\n".join(lines) + "\n"


def reason_of_aim(text):
    """Returns the reason of an aim and the case of its row; None if there is none."""
    reason = next((reason for reason in REASONS if reason[0] and text.startswith(reason[0])), None)
    return reason and (reason, reason[2] % text.split(",")[0].split()[-1] if "%" in reason[2] else reason[2])


def reason_of_row(own):
    """Returns the reason of a row of dmm's; None if there is none. They are of items of 4 bytes, and of points."""
    return next((reason for reason in REASONS if (reason[1], reason[4]) == (own["word"], own["input"]) and
                 own["type"] in ("u32", "2xf32") and
                 re.fullmatch(reason[2].replace("%s", ".*"), own["case"]) and reason[3] in ("", own["method"])), None)


def reasons(results):
    """Returns a line for each missed aim of a CPU, and for each row that is behind: what the bytes would take at the copy's
    rate, and what is known of the rest."""
    rows = [] # name, row, reason
    for text, get, least in CPU_AIMS if is_cpu(results.rows) else []:
        got, why = get(results), reason_of_aim(text)
        if got and got[0] < least and why:
            own = results.find(why[0][1], why[1], "dmm", why[0][3], input_name=why[0][4])
            rows.append((text.split(",")[0], own, why[0]))
    for own, other in losses(results) if is_cpu(results.rows) else []:
        why = reason_of_row(own)
        if why and not shortest_command(other).endswith("bound") and all(own is not row for _, row, _ in rows):
            rows.append(("%s, %s, %s" % (described(own), own["input"], size(own["n"])), own, why))
    lines, said = [], []
    for name, row, why in rows:
        line = "- %s: %s ms." % (name, figure(row["median_ms"]))
        if why[5] is not None:
            copied, bytes_an_item = results.copy(row), why[5] or row["bytes_an_item"]
            line += " At the copy's %.1f GB/s, %g bytes an item take %s ms." % (
                copied["GB_a_second"], bytes_an_item,
                figure(1e-6 * bytes_an_item * row["n"] / copied["GB_a_second"]))
        if not any(line in other for other in lines): # two aims of one row
            lines.append(line if why[6] in said else line + " " + why[6])
            said.append(why[6])
    filled = "".join(textwrap.fill(line, 120, subsequent_indent="  ") + "\n" for line in lines)
    return "Why aims are missed, and rows behind:\n\n%s\n" % filled if filled else ""


# Methods of dmm that do the same by other calls, which `auto` should not lose to.
OTHER_WAYS = ("merge_pairs", "sort_all", "sort_of_points", "sorts")


LOSSES = """### Where dmm loses

At the most items at which another program takes less time, or dmm in another way. No call takes less than the shortest command
of the queue, a fill of 4 bytes, measured in the same rounds: where the other program does, dmm cannot win.

%s
"""


def losses(results):
    """Returns (dmm's row, the other's) for each other program, or other way with dmm, that takes less time than dmm, at the
    most items at which it does."""
    most = {}
    for row in results.rows:
        key = tuple(row[name] for name in ("word", "case", "type", "values", "input", "who", "method", "beside"))
        is_other = row["who"] not in ("dmm", "copy") or row["method"] in OTHER_WAYS
        if is_other and row["beside"] and row["ratio"] < 1:
            most[key] = max(most.get(key, row), row, key=lambda row: row["n"])
    return [(results.find(row["word"], row["case"], "dmm", row["beside"], row["input"], row["values"], row["type"], row["n"]), row)
            for row in most.values()]


def losses_table(results):
    lines = ["| dmm | input | n | ms | other program | its time over dmm's | shortest command, ms |", "|---|---|---|---|---|---|---|"]
    for own, row in losses(results):
        lines.append("| %s | %s | %s | %s | %s | %s (%s to %s) | %s |" % (
            described(own), row["input"], size(row["n"]), figure(own["median_ms"]), called(row),
            *(figure(row[key]) for key in ("ratio", "ratio_min", "ratio_max")), shortest_command(row)))
    return LOSSES % "\n".join(lines + [""]) if len(lines) > 2 else ""


def shortest_command(row):
    """Returns the time of the shortest command beside another program's row, and whether it bounds dmm."""
    if "command_ms" not in row: # older results
        return "-"
    return "%.3f%s" % (row["command_ms"], ", the bound" if row["median_ms"] < row["command_ms"] else "")


def described(row):
    """Returns what a row of dmm's measures, without its input."""
    return " ".join(filter(None, (row["word"], row["case"], row["method"] if row["method"] != row["word"] else "",
                                  "" if row["type"] == "u32" else row["type"], "with values" if row["values"] else "")))


def bounds_table(results):
    """Returns a row for each of dmm's methods, at its largest n: bytes per item, and the bound by a copy's rate."""
    lines = ["| dmm | n | bytes an item | copy, GB/s | that allows, M items/s | reached | share | by the device's clock |",
             "|---|---|---|---|---|---|---|---|"]
    seen = set()
    for row in results.rows:
        key = (row["word"], row["case"], row["method"], row["input"], row["type"], row["values"])
        if row["who"] != "dmm" or row["bytes_an_item"] == 0 or key in seen:
            continue
        seen.add(key)
        row = results.find(*key[:2], "dmm", *key[2:4], kind=key[4], values=key[5])
        rate = results.copy(row)["GB_a_second"]
        name = " ".join(filter(None, (row["word"], row["case"], row["method"] if row["method"] != row["word"] else "",
                                      row["input"], "" if row["type"] == "u32" else row["type"],
                                      "with values" if row["values"] else "")))
        lines.append("| %s | %s | %g | %.1f | %s | %s | %.2f | %s |" % (
            name, size(row["n"]), row["bytes_an_item"], rate, figure(1e3 * rate / row["bytes_an_item"]),
            figure(row["Mitems_a_second"]), row["share"],
            "%.2f of the time" % (row["event_ms"] / row["median_ms"]) if row["event_ms"] else "-"))
    return "\n".join(lines) + "\n"


WORKERS = """\
PoCL 3.1 on two cores of an EPYC, idle: an empty call took 25 to 65 us, eight empty launches in one call 32 to 56. A launch of
two groups of 55 us each took 116 to 142 us, and 78 in a row of eight: the second worker begins late. Where calls follow one
another, Linux often woke both workers on one processor, and calls of less than 0.3 ms took as long as on one: 2^16 keys 0.32
to 0.45 ms, with `POCL_AFFINITY=1` in the environment, which pins the workers, 0.26 to 0.29.

"""


def out_of_reach(results):
    """Says for which sizes one command of the queue, a copy, takes longer than vqsort on one thread takes to sort."""
    times = {}
    for row in results.rows:
        if (row["word"], row["method"], row["input"], row["values"], row["type"]) == ("sort", "radix", "random", 0, "u32"):
            peer = next((other for other in results.beside(row) if called(other) == NAMES["vqsort"]), None)
            if row["who"] == "dmm" and peer is not None and peer["median_ms"] < results.copy(row)["median_ms"]:
                times[row["n"]] = "%.3f of %.3f ms at %s" % (
                    peer["median_ms"], results.copy(row)["median_ms"], size(row["n"]))
    if not times:
        return ""
    return "Out of reach: vqsort on one thread takes less time than one copy by the queue, %s.\n\n" % ", ".join(
        times[n] for n in sorted(times))


def hulls_table(results):
    """Returns a row for each set of points: dmm's time, and the competitors' times over it."""
    whos = [("dmm", "sort_of_points"), ("c", "monotone_chain"), ("cgal", "ch_akl_toussaint"), ("qconvex", "")]
    lines = ["| points | n | ms | M points/s | GB/s | of the copy's rate "
             "| sorting the points | a monotone chain in C | CGAL | qconvex |", "|---|---|---|---|---|---|---|---|---|---|"]
    hulls = [row for row in results.rows if (row["word"], row["who"]) == ("hull", "dmm") and row["method"] == "hull"]
    own = {(row["input"], row["n"]): row for row in hulls}
    for (points, n), row in sorted(own.items()):
        others = {(other["who"], other["method"]): figure(other["ratio"]) for other in results.beside(row)}
        lines.append("| %s | %s | %s | %s | %s | %.2f | %s |" % (
            points, size(n), figure(row["median_ms"]), figure(row["Mitems_a_second"]), figure(row["GB_a_second"]), row["share"],
            " | ".join(others.get(who, "-") for who in whos)))
    return "\n".join(lines) + "\n"


def small_sorts_table(results):
    """Returns a row for each size of a sort of at most 2^20 random u32: times, and the competitors' times over them."""
    whos = [("radix", "std", "sort"), ("radix", "std", "sort_par"), ("radix", "vqsort", ""), ("merge", "std", "stable_sort")]
    lines = ["| n | radix, ms | merge, ms | a copy, ms | `std::sort` over radix | in parallel | vqsort on one thread "
             "| `std::stable_sort` over merge |", "|---|---|---|---|---|---|---|---|"]
    rows = [row for row in results.rows if (row["word"], row["input"], row["type"], row["values"]) == ("sort", "random", "u32", 0)]
    for n in sorted({row["n"] for row in rows if row["n"] <= 2**20}):
        here = {(row["beside"], row["who"], row["method"]): row for row in rows if row["n"] == n}
        own = [here.get(key) for key in (("radix", "dmm", "radix"), ("merge", "dmm", "merge"), ("", "copy", ""))]
        lines.append("| %s | %s | %s |" % (
            size(n), " | ".join("%.3f" % row["median_ms"] if row else "-" for row in own),
            " | ".join(figure(here[who]["ratio"]) if who in here else "-" for who in whos)))
    return "\n".join(lines) + "\n" if len(lines) > 2 else ""


def skewed_table(rows):
    """Returns a row for each of dmm's methods: the time on random keys, and those on others over it."""
    inputs = ["sorted", "organ", "equal", "few", "zipf", "worst"]
    lines = ["| dmm | n | random, ms | %s |" % " | ".join(inputs), "|---|---|---|%s" % ("---|" * len(inputs))]
    own = {}
    for row in rows:
        if row["who"] == "dmm":
            own.setdefault((row["word"], row["case"], row["method"], row["n"]), {})[row["input"]] = row["median_ms"]
    for (word, case, method, n), times in own.items():
        lines.append("| %s | %s | %s | %s |" % (
            " ".join(filter(None, (word, case, method if method != word else ""))), size(n), figure(times["random"]),
            " | ".join(figure(times[name] / times["random"]) if name in times else "-" for name in inputs)))
    return "\n".join(lines) + "\n"


def pictures(path):
    """Links the pictures beside results; those of DATE-pocl-epyc are not those of DATE-pocl."""
    others = [other[:-5] + "-" for other in glob.glob(path[:-5] + "-*.json")]
    names = sorted(os.path.relpath(svg, os.path.join(ROOT, "docs/records")) for svg in glob.glob(path[:-5] + "-*.svg")
                   if not svg.startswith(tuple(others)))
    return "".join("![%s](%s)\n\n" % (os.path.basename(name)[:-4], name) for name in names)


SPEED = """# How fast dmm is, and what bounds it

For users who choose a primitive, and for readers who check a claim of speed: times, ratios to other libraries, and the share of
the memory bandwidth that each primitive reaches. `bench/report.py` writes this page from [bench/results](../../bench/results).
`bench/results.sh` repeats the measurements; on a machine with a GPU, `bench/gpu.sh` does.

Times are medians of 11 runs, or of at least 3 for long ones, in one process that alternates between the programs compared. A
ratio is the other program's time divided by dmm's within one round; the smallest and the largest are in parentheses. Every
output was checked. A section is of the code of its date and time, and tells nothing of what was changed since.

Memory bounds a primitive: it must move a number of bytes per item, which its header states, and the device moves them at most
at the rate of a copy in the same process. `share` is the fraction of that bound that was reached. A share above 1 means that
caches served some of the bytes that the model counts as moved. Where the device's own clock shows much less than the whole
time, kernel launches are the bound.

"""


SKEWED = """### Skewed inputs

%s.

Time on keys of each kind over the time on random keys, medians of 11 runs, not in alternation: ratios below 1.3 say
little. `organ` rises and falls, `few` has few different keys, `zipf` many of some and few of others, `worst` is the worst
input of a merge sort with these tiles. The first of equal keys take about as long as those of random ones; of `few` and
`zipf` the first n/4 take twice as long, the median almost four times. `sort_all` sorts all items instead, `merge_pairs`
merges lists two at a time. `bench/results.sh %s --full skewed` measures again.

%s
"""


def speed_page(files):
    text, skewed = SPEED, newest(skewed=True)
    for name, (path, rows) in files.items():
        results = Results(rows)
        text += "## %s\n\n%s.\n\n%s\n%s### Aims\n\n%s\n%s### Bytes\n\n%s\n" % (
            name, origin(rows), whole_table(results), losses_table(results), aims_table(results), reasons(results),
            bounds_table(results))
        small = small_sorts_table(results)
        if small:
            text += "### Sorts of few keys\n\nThe copy of as many keys shows what a launch takes, which is the bound for few keys.\n\n%s\n%s%s" % (
                small, out_of_reach(results), WORKERS if is_cpu(results.rows) else "")
        text += "### Hulls\n\n%s\nThe last four columns are the other program's time divided by dmm's.\n\n%s" % (
            hulls_table(results), pictures(path))
        if name in skewed:
            text += SKEWED % (origin(skewed[name][1]), name, skewed_table(skewed[name][1]))
    return (text + simulated.section(RESULTS)).rstrip("\n") + "\n"


def readme_block(files):
    """README shows the newest CPU and every GPU."""
    cpus = sorted(path for path, rows in files.values() if is_cpu(rows))
    text = ""
    for path, rows in files.values():
        if path in cpus[:-1]:
            continue
        text += "%s, %s: dmm's rate, and the time of others over dmm's. [The rest](docs/records/speed.md), and where dmm is slower.%s\n\n%s" % (
            rows[0]["device"], max(row["date"] for row in rows)[:10],
            " No GPU has been timed." if all(is_cpu(others) for _, others in files.values()) else "", short_table(Results(rows)))
    return text


def main():
    files = newest()
    if not files:
        print("no results in bench/results")
        return 0
    readme_path, speed_path, picture_path = (os.path.join(ROOT, name) for name in ("README.md", "docs/records/speed.md", "docs/why.svg"))
    readme = open(readme_path, encoding="utf-8").read()
    begin, end = readme.index(BEGIN) + len(BEGIN), readme.index(END)
    wanted = {readme_path: readme[:begin] + readme_block(files) + readme[end:], speed_path: speed_page(files)}
    drawn = picture.draw(RESULTS)
    if drawn:
        wanted[picture_path] = drawn
    stale = [path for path, text in wanted.items()
             if not os.path.exists(path) or open(path, encoding="utf-8").read() != text]
    if "--check" in sys.argv:
        print("\n".join("differs from the results: " + path for path in stale) or "the tables agree with the results")
        return 1 if stale else 0
    for path in stale:
        open(path, "w", encoding="utf-8").write(wanted[path])
        print("written: " + path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
