# SPDX-License-Identifier: MIT
"""Lists the runs of the promise for each word."""

from dataclasses import replace

from promise_inputs import TYPES
from promise_run import AMD, INTEL, NVIDIA, SMALL, WIDE, WIDE_WORDS, Run

MACHINES = (NVIDIA, AMD, INTEL, SMALL)
# E by number of banks: coprime to it, a power of two, a multiple of 4, coprime again.
E_OF = {64: (15, 16, 12, 17), 32: (15, 16, 12, 17), 16: (15, 16, 12, 7), 8: (7, 16, 12, 5)}
KINDS = ("random", "equal", "sorted", "worst")
SORTED_TYPES = ("u8", "f16", "i32", "f64")
MERGED_TYPES = ("i8", "u16", "f32", "u64")
SCANNED_TYPES = ("u8", "u16", "u32", "u64")
SORTED_VALUES = ("none", "4", "12", "index")
MERGED_VALUES = ("none", "4", "12", "1")
SELECTIONS = ("sorted", "unsorted", "nth")
CUTS = ("tiny", "middle", "one")
MOVES = ("permute scatter", "permute randomized", "plan", "transpose")
MOVED_BYTES = ("4", "8", "1", "12")
# Calls that run only on random inputs if an error is planted.
CALLED = ("topk", "topk-alone", "segments", "lists", "histogram", "unique")
CALLED_KINDS = ("equal", "sorted", "equal", "sorted")
SEARCHES = {"search": ("lower", "contains"), "search-teams": ("teams", "teams"), "search-merge": ("merge", "merge")}
SCANS = ("sum", "max", "min", "sum-exclusive")


def small_run(word, machine, E, key_type, kind, detail="none", search="cf"):
    """Returns a run with two lane groups per work-group and three tiles and a part of one: a sort then
    takes two merge passes, the last of them over lists of different lengths."""
    u = 2 * max(machine.lanes, machine.banks)
    return Run(word, machine, u, E, 3 * u * E + 7, key_type, kind, detail, search)


def covering():
    """Returns an orthogonal array: 16 rows of five levels 0..3, in which any two columns contain every
    pair of levels. Built from the lines of the plane over the field of four elements."""
    twice, thrice = (0, 2, 3, 1), (0, 3, 1, 2)
    return [(a, b, a ^ b, a ^ twice[b], a ^ thrice[b]) for a in range(4) for b in range(4)]


def covering_runs(word, types, details, kinds=KINDS):
    for machine, E, key_type, detail, kind in covering():
        yield small_run(word, MACHINES[machine], E_OF[MACHINES[machine].banks][E], types[key_type],
                        kinds[kind], details[detail])
    yield small_run(word, WIDE_WORDS, E_OF[WIDE_WORDS.banks][1], types[3], kinds[3], details[1])


def even_runs(_):
    """Yields sorts with the default parameters of a GPU and inputs of every kind, random first."""
    for kind in ("random", "worst", "sorted", "equal", "skewed"):
        yield Run("sort", NVIDIA, 256, 16, 4 * 256 * 16, "u32", kind)


def split_runs(word):
    """Yields sorts by split: two digits, or the single tile of dmm_radix_alone."""
    for i, machine in enumerate((NVIDIA, INTEL, SMALL, WIDE)):
        u, E = 2 * max(machine.lanes, machine.banks), E_OF[machine.banks][i]
        n = u * E - 3 if word == "split-alone" else 2 * u * E + 7
        yield Run(word, machine, u, E, n, ("u16", "f16", "i16", "u16")[i],
                  ("random", "skewed", "sorted")[i % 3], SORTED_VALUES[i])


def matrix_runs(word):
    """Yields sorts of high, square and wide matrices on every machine."""
    for i, machine in enumerate((NVIDIA, AMD, INTEL, SMALL, WIDE)):
        for j, kind in enumerate(("random", "worst", "equal") if word == "matrix" else ("random",)):
            k = i + j
            yield small_run(word, machine, (4, 8, 2)[k % 3], SORTED_TYPES[k % 4], kind,
                            SORTED_VALUES[(i + 2 * j) % 4])


def partition_runs(word):
    """Yields partitions with random and equal labels, and with labels that send lanes far apart."""
    for i, machine in enumerate((NVIDIA, INTEL, SMALL, WIDE)):
        for j, kind in enumerate(("random", "equal", "lanes")):
            u, E = 2 * max(machine.lanes, machine.banks), (4, 7, 8)[(i + j) % 3]
            yield Run(word, machine, u, E, 2 * u * E + 7, SCANNED_TYPES[(i + j) % 4], kind,
                      "2" if word == "partition-two" else ("33", "256", "1000")[j] if i == 0 else "32")


def labelled_runs(word):
    """Yields partitions whose tiles are wide, square and high matrices, with all kinds of labels, into
    few and many buckets; of more than a tile, or of a single tile."""
    for i, machine in enumerate(MACHINES + (WIDE, WIDE_WORDS)):
        kinds = ("random", "equal", "skewed", "lanes")
        for j, kind in enumerate(kinds if word == "partition-matrix" else kinds[:2]):
            u, E = 2 * max(machine.lanes, machine.banks), (8, 1, 16, 4)[(i + j) % 4]
            n = 2 * u * E + 7 if word == "partition-matrix" else u * E - 3
            yield Run(word, machine, u, E, n, SCANNED_TYPES[(i + j) % 4], kind,
                      ("256", "2", "1000", "32")[j])


def move_runs(word):
    """Yields moves with tiles of powers of two, items of all widths, random orders, and orders that
    send a whole step to one bank."""
    for i, machine in enumerate(MACHINES):
        for kind in ("random", "bank"):
            u = 2 * max(machine.lanes, machine.banks)
            E = (8, 4, 16, 8)[i]
            n = 3200 if word == "transpose" else 3 * u * E + 7
            yield Run(word, machine, u, E, n, "", kind, MOVED_BYTES[(i + (kind == "bank")) % 4])


def called_runs(word, types, details):
    """Yields runs on random inputs for every machine, then one of another kind for each."""
    for i, machine in enumerate(MACHINES):
        yield small_run(word, machine, E_OF[machine.banks][i], types[i], "random", details[i])
    for i, machine in enumerate(MACHINES):
        yield small_run(word, machine, E_OF[machine.banks][(i + 1) % 4], types[i], CALLED_KINDS[i],
                        details[(i + 1) % 4])


def topk_runs(word):
    """Yields selections from several tiles, or from the single tile of dmm_kselect_alone."""
    for run in called_runs(word, SCANNED_TYPES, SELECTIONS + SELECTIONS[:1]):
        yield replace(run, n=run.u * run.E - 3) if word == "topk-alone" else run


# (cloud of tests/support/hull_cloud.h, number of sets). + keeps points between vertices. Some sets are
# larger than a tile. The filter discards most points of the first cloud and few of the others. In
# FILTERED, the clouds of `hull-filtered`, it leaves nothing to split.
CLOUDS = (("disc", "0"), ("ring+", "0"), ("parabola", "0"), ("slope+", "0"))
FILTERED = (("clusters", "9"), ("square", "0"), ("grid+", "0"), ("bits+", "5"))


def hull_runs(word):
    """Yields hulls of more points than a tile, which are split, and of fewer; with and without filter and pruning."""
    for i, machine in enumerate(MACHINES):
        u, E = 2 * max(machine.lanes, machine.banks), 1 + i % 2
        n = u - 3 if word == "hull-few" else 3 * u * E + 7
        clouds = {"hull": (CLOUDS[i], CLOUDS[(i + 1) % 4]), "hull-few": CLOUDS[i:i + 1],
                  "hull-filtered": FILTERED[i:i + 1]}[word]
        for j, (cloud, sets) in enumerate(clouds):
            yield Run(word, machine, u, E, n, ("f64", "f32")[(i // 2 + j) % 2], cloud, sets)


def levels_of(run):
    """Returns the levels of a run: one of each factor."""
    return {("machine", run.machine), ("kind", run.kind), ("detail", run.detail), ("type", run.key_type),
            ("E", (run.E % 2, run.E & (run.E - 1) == 0)), ("search", run.search)}


def short_runs(word):
    """Yields the runs for every change: a small part of all_runs that contains each level of each factor. Of runs with
    as many new levels, it takes the one with the fewest items."""
    left, seen = list(all_runs(word)), set()
    while left:
        best = max(left, key=lambda run: (len(levels_of(run) - seen), -run.n))
        if levels_of(best) <= seen:
            return
        seen |= levels_of(best)
        left.remove(best)
        yield best


def machine_runs(word, types=("",), details=("none",), kind="random", all_E=None):
    """Yields a run on each machine."""
    for i, machine in enumerate(MACHINES):
        E = all_E[i] if all_E else E_OF[machine.banks][i]
        yield small_run(word, machine, E, types[i % len(types)], kind, details[i % len(details)])


def check_runs(word):
    for machine in (SMALL, INTEL):
        u = 2 * machine.banks
        yield Run(word, machine, u, 4, 4 * u + 7, "", "random")


def queue_runs(word):
    for machine in MACHINES + (WIDE,):
        yield Run(word, machine, 2 * max(machine.lanes, machine.banks), 4, 20, "", "random")


def level_runs(word):
    for machine in MACHINES:
        yield Run(word, machine, max(machine.lanes, machine.banks), 1, 500, "", "random")


def plain_runs(_):
    for machine in MACHINES:
        yield small_run("sort", machine, 15, "u32", "random", search="plain")


def with_arguments(runs, *arguments, **named):
    return lambda word: runs(word, *arguments, **named)


# The runs of each word, from which the pages are made.
RUNS = {
    "sort": with_arguments(covering_runs, SORTED_TYPES, SORTED_VALUES),
    "merge": with_arguments(covering_runs, MERGED_TYPES, MERGED_VALUES),
    "scan": with_arguments(covering_runs, SCANNED_TYPES, SCANS, ("random",) * 4),
    "scan-float": with_arguments(machine_runs, ("f32",), ("sum",), "equal"),
    "scan-own": with_arguments(machine_runs, ("16 B",), ("own",), "equal"),
    "scan-difference": with_arguments(machine_runs, SCANNED_TYPES, ("difference",)),
    "items": with_arguments(machine_runs, ("16 B",)),
    "radix": with_arguments(machine_runs, SORTED_TYPES, SORTED_VALUES),
    **dict.fromkeys(("split", "split-alone"), split_runs),
    **dict.fromkeys(("matrix", "shear"), matrix_runs),
    **dict.fromkeys(("partition", "partition-two", "partition-blocks", "partition-split"), partition_runs),
    **dict.fromkeys(("partition-matrix", "partition-alone"), labelled_runs),
    **dict.fromkeys(("hull", "hull-few", "hull-filtered"), hull_runs),
    **dict.fromkeys(("topk", "topk-alone"), topk_runs),
    "histogram": with_arguments(called_runs, SCANNED_TYPES[:3] + SCANNED_TYPES[:1], ("256", "31", "200", "3")),
    "histogram-large": with_arguments(called_runs, ("u16", "u32", "u16", "u32"), ("257", "1000", "65536", "4096")),
    **{word: with_arguments(machine_runs, SCANNED_TYPES, hows, all_E=(1, 2, 4, 3)) for word, hows in SEARCHES.items()},
    "sort-network": with_arguments(machine_runs, SORTED_TYPES, ("none", "4", "8", "index"), all_E=(4, 16, 8, 6)),
    "sort-gather": with_arguments(machine_runs, SORTED_TYPES, ("none", "index", "4", "none")),
    "sort-quick": with_arguments(machine_runs, SORTED_TYPES, ("none", "index", "12", "index")),
    "network": with_arguments(machine_runs, SORTED_TYPES, ("bitonic", "odd-even", "pairwise", "merge-exchange"),
                              all_E=(4, 2, 1, 8)),
    "unique": with_arguments(called_runs, SCANNED_TYPES, ("1", "4", "40", "4")),
    "lists": with_arguments(called_runs, SCANNED_TYPES, ("tiny", "mixed", "mixed", "tiny")),
    "segments": with_arguments(called_runs, SCANNED_TYPES, CUTS + CUTS[:1]),
    **dict.fromkeys(MOVES, move_runs),
    "checks": check_runs,
    **dict.fromkeys(("set", "by-key", "by-segment"), with_arguments(machine_runs, all_E=(7, 8, 4, 3))),
    "queues": queue_runs,
    "heap": level_runs,
    "plain": plain_runs,
    "even": even_runs,
}


def all_runs(word):
    """Yields the runs of a word; none for an unknown one."""
    return RUNS.get(word, lambda _: ())(word)


def wide_runs(word):
    """Yields the runs of a word on NVIDIA's machine, with banks of 8 bytes. Inputs and machines of `even`, `plain` and
    `queues` are their subject."""
    for run in all_runs(word):
        if run.machine == NVIDIA and word not in ("even", "plain", "queues"):
            yield replace(run, machine=WIDE_WORDS)


def full_runs(word):
    """Yields runs of every E: powers of two on every machine, others on two of them; the other factors cycle with
    different periods."""
    kinds = KINDS + ("reversed", "few", "skewed")
    values = ("none", "1", "2", "4", "8", "12", "20")
    at = 0
    for m, machine in enumerate(MACHINES + (WIDE, WIDE_WORDS)):
        for E in (E for E in range(1, 33) if E & (E - 1) == 0 or (E + m) % 3 == 0):
            at += 1
            kind = kinds[at % 7] if 1 < E <= 2 * machine.banks else "random"  # no worst input for others
            if word == "items":
                if max(machine.lanes, machine.banks) * E < 1536:  # larger tiles do not fit 64 KiB
                    yield small_run(word, machine, E, "16 B", "random")
            elif word == "scan":
                yield small_run(word, machine, E, SCANNED_TYPES[at % 4], "random",
                                SCANS[at // 4 % 4])
            else:
                yield small_run(word, machine, E, tuple(TYPES)[at % 11], kind, values[at // 3 % 7])
