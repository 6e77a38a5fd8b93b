# SPDX-License-Identifier: MIT
"""Errors that change addresses in local memory, but no result. PLANTS lists them and the kernels in which the meter
must find conflicts. The library promise_plant.c plants them into the texts of programs that are metered."""

import re
import sys
from dataclasses import dataclass

# Permutes each aligned block of n words, n even: consecutive words go to every other word.
SHUFFLE = "#define DMM_PLANTED(x, n) ((x) / (n) * (n) + 2 * ((x) % (n)) % (n) + 2 * ((x) % (n)) / (n))\n"


def always(_):
    return True


@dataclass(frozen=True)
class Plant:
    what: str
    words: tuple  # the calls that are run
    kernels: frozenset  # the kernels with the error
    edits: tuple  # (file of cl/, pattern, replacement)
    shows: object = always  # True if this run must have conflicts; otherwise it must have none
    reads: object = always  # True if this run is made


def even(run):
    return run.E % 2 == 0


def small(run):
    return run.machine.lanes <= 16


BY_KEY = frozenset({"dmm_by_key_reduce", "dmm_by_key_scan", "dmm_by_key_chained", "dmm_segmented_reduce"})
TILES = frozenset({"dmm_sort_tile", "dmm_merge_tile", "dmm_scan_alone", "dmm_scan_apply", "dmm_scan_chained",
                   "dmm_scan_ordered", "dmm_kselect_keep", "dmm_kselect_alone", "dmm_pack_keep", "dmm_segments_tile", "dmm_segments_merge",
                   "dmm_many_tile", "dmm_many_merge", "dmm_set_tile"}) | BY_KEY
RADIX = frozenset({"dmm_radix_scatter", "dmm_radix_alone"})
MATRIX = frozenset({"dmm_sort_matrix"}) | RADIX
HULL_SUMS = frozenset({"dmm_hull_cut", "dmm_hull_extremes", "dmm_hull_filter", "dmm_hull_gather", "dmm_hull_start",
                       "dmm_hull_classify", "dmm_hull_plan", "dmm_hull_move", "dmm_hull_solve", "dmm_hull_place",
                       "dmm_hull_sets"})
HULL_FOLDS = frozenset({"dmm_hull_check", "dmm_hull_cut", "dmm_hull_extremes", "dmm_hull_polygon", "dmm_hull_sets",
                        "dmm_hull_farthest", "dmm_hull_pivot"})

ROWS = (("map_rows.clh", r"return j \* w \+ i;", "return DMM_PLANTED(j * w + i, DMM_TILE);"),)

PLANTS = {
    "rho": Plant(
        "`rho` rotates nothing, and no tile is padded",
        ("merge", "scan", "scan-float", "scan-own", "scan-difference", "topk", "topk-alone", "unique", "segments", "lists", "set",
         "by-key", "by-segment"), TILES,
        (("map.clh", r"return d == 1 \? x : l \* part[^;]*;", "return x + 0 * (part + l);"),
         ("map.clh", r"return l \+ l / d \* \(w - d\);", "return 0 * (l + w + d);"),
         ("map.clh", r"d == w \? E \+ 1 : 1;", "d == w ? E : 1;")), even, small),
    "store": Plant(
        "the store between rounds is not reversed", ("sort",), frozenset({"dmm_sort_tile"}),
        (("sort.clh", r"dmm_choose\(reversed, r\[DMM_E - 1 - j\], r\[j\]\)", "r[j]"),
         ("sort.clh", r"\(slot, j,", "(slot, reversed ? DMM_E - 1 - j : j,"),
         ("sort.clh", r"reversed, lists >= DMM_W\)", "reversed, 0)")), always, small),
    "split": Plant(
        "split lists leave every other word out", ("split", "split-alone", "partition-split"), RADIX,
        (("map.clh", r"return one \? T - 1 - \(x - zeros_before\) : zeros_before;",
          "return DMM_PLANTED(one ? T - 1 - (x - zeros_before) : zeros_before, T);"),
         ("map.clh", r"return x < zeros \? x : T - 1 - \(x - zeros\);",
          "return DMM_PLANTED(x < zeros ? x : T - 1 - (x - zeros), T);"))),
    "turn": Plant(
        "items of a matrix that turns wait in rows that are not skewed", ("matrix", "partition-matrix"), MATRIX,
        (("map_turn.clh", r"return \(r \+ dmm_turn_column\(p, log_g, m\)\)", "return (r)"),), always, small),
    "rows": Plant(
        "rows of a matrix lie in every other bank",
        ("partition-matrix", "partition-alone"), RADIX, ROWS, always, small),
    "rounds": Plant(
        "rows of labels and claims lie in every other bank", ("permute randomized",), frozenset({"dmm_permute_rounds"}),
        ROWS),
    "counters": Plant(
        "work-items add up rows of counters from column 0 on", ("split", "topk", "topk-alone", "histogram"),
        frozenset({"dmm_radix_count", "dmm_kselect_count", "dmm_kselect_alone", "dmm_histogram_count"}),
        (("map_counters.clh", r"\(c \+ t\) % columns", "(c + 0 * t) % columns"),)),
    "columns": Plant(
        "two lanes count in one bank's column", ("topk", "topk-alone", "histogram"),
        frozenset({"dmm_kselect_count", "dmm_kselect_alone", "dmm_histogram_count"}),
        (("map_counters.clh", r"return t % columns;", "return t / 2 % columns;"),), lambda run: run.detail != "3"),
    "rake": Plant(
        "runs of counters have an even number of words", ("partition-matrix", "partition-alone"), RADIX,
        (("map_counters.clh", r"return rows \+ 1;", "return rows;"),), always, small),
    "sums": Plant(
        "sums of work-items lie in every other word",
        ("scan", "scan-float", "scan-own", "scan-difference", "topk", "topk-alone", "unique", "split", "hull", "hull-few", "set",
         "by-key", "by-segment"),
        frozenset({"dmm_scan_reduce", "dmm_scan_ordered", "dmm_scan_alone", "dmm_scan_apply", "dmm_scan_chained",
                   "dmm_kselect_count", "dmm_kselect_keep", "dmm_kselect_alone", "dmm_pack_keep",
                   "dmm_set_tile"}) | BY_KEY | RADIX | HULL_SUMS,
        (("map_counters.clh", r"return row \+ t - back;", "return DMM_PLANTED(row + t - back, DMM_U);"),),
        always, small),
    "fold": Plant(
        "what a group joins lies in every other word", ("partition", "permute randomized", "hull", "hull-few", "by-key"),
        frozenset({"dmm_partition_bucket", "dmm_partition_judge", "dmm_permute_rounds",
                   "dmm_by_key_reduce"}) | HULL_FOLDS,
        (("group.clh", r"\(words\)\[(t|\(t\) \+ s_)\]", r"(words)[DMM_PLANTED(\1, DMM_U)]"),), always, small),
    "sets": Plant(
        "sets of a bitonic network are accessed without turns", ("sort-network",), frozenset({"dmm_sort_network"}),
        (("map_network.clh", r"return \(q & last\) \* \(turns \+ 1\) >> log_w;", "return 0 * (q + turns);"),)),
    "wires": Plant(
        "the wires of a network's tile lie in every other word", ("network",), frozenset({"dmm_network_tile"}),
        (("network.cl", r"codes, x, dmm_encode", "codes, DMM_PLANTED(x, DMM_TILE), dmm_encode"),
         ("network.cl", r"dmm_plane_code\(codes, x\)", "dmm_plane_code(codes, DMM_PLANTED(x, DMM_TILE))"),
         ("network.cl", r"p = pair & DMM_NETWORK_MASK,", "p = DMM_PLANTED(pair & DMM_NETWORK_MASK, DMM_TILE),"),
         ("network.cl", r"q = (pair >> DMM_NETWORK_BITS & DMM_NETWORK_MASK);", r"q = DMM_PLANTED(\1, DMM_TILE);"))),
    "totals": Plant(
        "sums of a histogram's bins lie in every other word", ("histogram",), frozenset({"dmm_histogram_total"}),
        (("histogram.cl", r"\bsums\[(t|t \+ s)\]", r"sums[DMM_PLANTED(\1, DMM_U)]"),)),
    "skew": Plant(
        "items of a tile that is transposed lie in rows that are not skewed", ("transpose", "plan"),
        frozenset({"dmm_transpose_tiles", "dmm_transpose_square"}),
        (("map_rows.clh", r"\(c \+ r\) % s", "c"),)),
    "partners": Plant(
        "work-item 0 looks for its neighbour's item in the bank of work-item 1", ("set",), frozenset({"dmm_set_tile"}),
        (("partners.clh", r"s\.t : DMM_W_KEY\)", "s.t : DMM_W_KEY + 1)"),)),
    "pairs": Plant(
        "lanes take comparators of two rounds in turn", ("network",), frozenset({"dmm_network_tile"}),
        (("network.cl", r"if \(pairs\[j\] != DMM_NETWORK_NONE\)\n(\s*)dmm_network_compare\(codes, origins, pairs\[j\]\);",
          r"{ const uint k = from + DMM_PLANTED(j - from, end - from); if (pairs[k] != DMM_NETWORK_NONE)"
          r"\n\1dmm_network_compare(codes, origins, pairs[k]); }"),), lambda run: run.E > 1),
    "plan": Plant(
        "a plan's moves find every item in another bank", ("plan",), frozenset({"dmm_plan_tile"}),
        (("permutation_plan.cl", r"tile\[x\] = first", "tile[DMM_PLANTED(x, DMM_TILE)] = first"),
         ("permutation_plan.cl", r"tile\[move\[e\] & 0xffff\]", "tile[DMM_PLANTED(move[e] & 0xffff, DMM_TILE)]"))),
}


def code_of(path):
    """Returns a kernel file without comments, as in the embedded programs (cmake/embed.cmake)."""
    def ends(comment):
        return "\n" * comment.group().count("\n") or " "
    return re.sub(r"/\*.*?\*/", ends, path.read_text(encoding="utf-8"), flags=re.S)


def plant(name, kernels):
    """Returns the text of the file that promise_plant.c reads: lines of the kernels and what replaces them."""
    codes = {path: code_of(path) for path in sorted(kernels.rglob("*.cl*")) if path.is_file()}
    wrong = dict(codes)
    for base, pattern, instead in PLANTS[name].edits:
        path, = (path for path in codes if path.name == base)
        text = re.sub(pattern, instead, wrong[path])
        if text == wrong[path]:
            sys.exit(f"{base} has no match of '{pattern}' to plant an error in")
        wrong[path] = text
    lines = [SHUFFLE.rstrip("\n")]
    for path, code in codes.items():
        for old, new in zip(code.split("\n"), wrong[path].split("\n"), strict=True):
            if old == new:
                continue
            if any(old in other.split("\n") for where, other in codes.items() if where != path):
                sys.exit(f"the line '{old}' of {path.name} is in another file, too: the error would be there as well")
            lines += [old, new]
    return "\n".join(lines) + "\n"
