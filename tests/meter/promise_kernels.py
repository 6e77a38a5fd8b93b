# SPDX-License-Identifier: MIT
"""Lists every kernel of cl/: its mark, its proofs and tests, and the calls that launch it. Also reads from the sources
which kernels exist and which declare local memory."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Marks. SPLIT: measured, but conflict-free in calls under `guarantee` and in calls by matrix. Kernels by ballots
# (cl/lanes.clh) do not run in Oclgrind, which reads those by columns.
FREE, NONE, MEASURED, SPLIT = ("conflict-free", "no local memory", "measured",
                               "measured; conflict-free under `guarantee`")
# Models of docs/proofs.md.
EREW, BROADCAST = "EREW", "broadcast"


@dataclass(frozen=True)
class Kernel:
    mark: str
    words: frozenset  # the calls that launch it: words of promise_cases.py
    model: str = ""  # the strictest model in which it is conflict-free
    proofs: tuple = ()  # sections of docs/proofs.md
    tests: tuple = ()  # tests of the index maps


def free(words, model, proofs, tests, mark=FREE):
    return Kernel(mark, frozenset(words), model, tuple(proofs), tuple(tests))


def without(*words):
    return Kernel(NONE, frozenset(words))


PARTITIONS = {"partition", "partition-split", "partition-matrix"}
SPLITS = {"split-alone", "partition-alone"}
HULLS = {"hull", "hull-filtered"}

MERGE = (BROADCAST, ("A merge by blocks", "No conflict in a merge", "The store between rounds", "Sums"),
         ("test_map", "test_blocks", "test_block_store", "test_map_counters"))
SORT = (BROADCAST, (*MERGE[1], "The first round"), MERGE[2])
MATRIX = (EREW, ("Rows",), ("test_map_rows", "test_turn"))
SCAN = (BROADCAST, ("Sums", "Tiles in stripes and in blocks"), ("test_map_counters", "test_map"))
SUMS = (BROADCAST, ("Sums",), ("test_map_counters",))
COUNT = (EREW, ("Counters",), ("test_map_counters",))
RADIX = (BROADCAST, ("The split", "Counters", "Rows", "Sums", "Tiles in stripes and in blocks"),
         ("test_split", "test_map_counters", "test_map_rows", "test_map"))
SKEW = (EREW, ("Transposing",), ("test_map_rows",))

KERNELS = {
    "dmm_sort_tile": free({"sort", "items"}, *SORT),
    "dmm_sort_matrix": free({"matrix", "shear"}, *MATRIX),
    "dmm_sort_network": free({"sort-network"}, EREW, ("Sets of a bitonic network",), ("test_map_network",)),
    "dmm_network_tile": free({"network"}, EREW, ("Comparators of a network",), ("test_network_plan",)),
    "dmm_merge_partition": without("sort", "items", "merge", "matrix", "shear"),
    "dmm_merge_tile": free({"sort", "items", "merge", "matrix", "shear"}, *MERGE),
    "dmm_gather_values": without("large values"),
    "dmm_scan_reduce": free({"scan"}, *SUMS),
    "dmm_scan_alone": free({"scan"}, *SCAN),
    "dmm_scan_apply": free({"scan"}, *SCAN),
    "dmm_radix_digits": Kernel(MEASURED, frozenset({"radix", "partition"})),
    "dmm_radix_starts": Kernel(MEASURED, frozenset({"radix", "partition"})),
    "dmm_radix_pass": Kernel(MEASURED, frozenset({"radix", "partition"})),
    "dmm_radix_count": free({"split"} | PARTITIONS - {"partition"}, *COUNT),
    "dmm_radix_scatter": free({"split"} | PARTITIONS - {"partition"}, *RADIX),
    "dmm_radix_copy": without("split", *PARTITIONS - {"partition"}),
    "dmm_radix_alone": free(SPLITS, *RADIX, SPLIT),
    "dmm_radix_buckets": without(),
    "dmm_partition_bucket": free(PARTITIONS | {"partition-alone"}, *SUMS),
    "dmm_partition_judge": free(PARTITIONS | {"partition-alone"}, *SUMS),
    "dmm_partition_offsets": without("partition-alone", *PARTITIONS),
    "dmm_shuffle_gather": without(),
    "dmm_plan_tile": free({"plan"}, EREW, ("Moves of a plan",), ("test_plan_moves",)),
    "dmm_permute_plain": without(),
    "dmm_permute_count": without(),
    "dmm_permute_clear": without(),
    "dmm_permute_mark": without(),
    "dmm_permute_own": without(),
    "dmm_permute_find": without(),
    "dmm_permute_tell": without(),
    "dmm_permute_tile": Kernel(MEASURED, frozenset({"permute scatter"})),
    "dmm_permute_rounds": free({"permute randomized"}, BROADCAST, ("Rounds", "Sums"),
                               ("test_map_rows", "test_map_counters")),
    "dmm_transpose_tiles": free({"plan"}, *SKEW),
    "dmm_transpose_square": free({"transpose"}, *SKEW),
    "dmm_transpose_blocks": without(),
    "dmm_transpose_bands": without(),
    "dmm_transpose_rows": without("transpose"),
    "dmm_transpose_columns": without("transpose"),
    "dmm_spread_start": without(),
    "dmm_spread_lines": without(),
    "dmm_spread_tiles": without(),
    "dmm_select_count": free({"topk"}, *COUNT),
    "dmm_select_keep": free({"topk"}, *SCAN),
    "dmm_select_least": without(),
    "dmm_offsets_check": without("segments", "lists"),
    "dmm_segments_find": without("segments"),
    "dmm_segments_tile": free({"segments"}, *SORT),
    "dmm_segments_split": without("segments"),
    "dmm_segments_merge": free({"segments"}, *MERGE),
    "dmm_many_cut": without("lists"),
    "dmm_many_place": without("lists"),
    "dmm_many_middle": without("lists"),
    "dmm_many_levels": without("lists"),
    "dmm_many_tile": free({"lists"}, *SORT),
    "dmm_many_split": without("lists"),
    "dmm_many_merge": free({"lists"}, *MERGE),
    "dmm_hull_check": free({"hull-few"}, *SUMS),
    "dmm_hull_cut": free(HULLS, *SUMS),
    "dmm_hull_extremes": free(HULLS, *SUMS),
    "dmm_hull_polygon": free(HULLS, *SUMS),
    "dmm_hull_filter": free(HULLS, *SUMS),
    "dmm_hull_gather": free(HULLS, *SUMS),
    "dmm_hull_sets": free({"hull-few"}, *SUMS),
    "dmm_hull_start": free(HULLS, *SUMS),
    "dmm_hull_farthest": free({"hull"}, *SUMS),
    "dmm_hull_pivot": free({"hull"}, *SUMS),
    "dmm_hull_classify": free({"hull"}, *SUMS),
    "dmm_hull_plan": free({"hull"}, *SUMS),
    "dmm_hull_move": free({"hull"}, *SUMS),
    "dmm_hull_solve": free({"hull-few"} | HULLS, *SUMS),
    "dmm_hull_place": free({"hull-few"} | HULLS, *SUMS),
    "dmm_hull_write": without("hull-few", *HULLS),
    "dmm_hull_sample": without(),
    "dmm_hull_assign": without(),
    "dmm_hull_strips": without(),
    "dmm_hull_spread": without(),
    "dmm_hull_join": without(),
    "dmm_search_queries": Kernel(MEASURED, frozenset({"search"})),
    "dmm_search_teams": Kernel(MEASURED, frozenset({"search-teams"})),
    "dmm_search_merge": Kernel(MEASURED, frozenset({"search-merge"})),
    "dmm_layout_swap": without(),
    "dmm_layout_columns": without(),
    "dmm_layout_tiles": without(),
    "dmm_heap_begin": without(),
    "dmm_heap_gather": without(),
    "dmm_heap_combine": without(),
    "dmm_heap_compact": without(),
    "dmm_heap_place": without(),
    "dmm_heap_emit": without(),
    "dmm_unique_count": free({"unique"}, *SUMS),
    "dmm_unique_keep": free({"unique"}, *SCAN),
    "dmm_unique_fetch": without("unique"),
    "dmm_run_length_count": without("unique"),
    "dmm_histogram_count": free({"histogram"}, *COUNT),
    "dmm_histogram_total": free({"histogram", "histogram-large"}, *SUMS),
}
# Words of calls under `guarantee` or by matrix, in which SPLIT kernels must have no conflicts.
GUARANTEED = {"split", "split-alone", "partition-split", "partition-matrix", "partition-alone",
              "permute randomized"}


def may_conflict(name, word):
    mark = KERNELS[name].mark
    return mark == MEASURED or (mark == SPLIT and word not in GUARANTEED)


# ---- Sources -----------------------------------------------------------------------------------


def sources():
    folder = ROOT / "cl"
    return {path.relative_to(ROOT).as_posix(): re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
            for path in sorted((*folder.rglob("*.cl"), *folder.rglob("*.clh")))}


def body_of(text, start):
    """Returns the text from the first brace after `start` to its closing brace. If both branches of an
    #if open the same brace, it is counted twice, and the body extends too far: never too short."""
    depth = 0
    for at in range(text.index("{", start), len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at + 1]
    return text[start:]


def kernels_of_sources():
    """Yields (file, kernel, True if it declares local memory). A kernel declares local memory in its
    own body (OpenCL C 1.2, section 6.5.2), here also by macros, or as an argument."""
    texts = sources()
    macros = [name for text in texts.values()
              for name, body in re.findall(r"#define (\w+)\([^)]*\)((?:[^\n]*\\\n)*[^\n]*)", text)
              if re.search(r"^\s*local ", body.replace("\\\n", "\n"), re.M)]
    declares = re.compile(r"^\s*local |[(,]\s*local |\b(?:" + "|".join(macros + ["no_macro"]) + r")\(", re.M)
    for path, text in texts.items():
        for found in re.finditer(r"(?:DMM_KERNEL(?:_LANES)?\([^)]*\)|\b(?:__)?kernel\b[^;{]*?)\s*void\s+(\w+)", text):
            yield path, found.group(1), bool(declares.search(body_of(text, found.start())))


# Kernels of the CPU form, in which DMM_SCRATCH declares nothing.
IN_CPU_FORM = {"dmm_hull_sample", "dmm_hull_assign"}


def faults_of_sources():
    """Yields the differences between KERNELS and the sources."""
    seen = {}
    for path, name, local in kernels_of_sources():
        seen[name] = seen.get(name, False) or local
        if name not in KERNELS:
            yield f"{path}: {name} is not in the list of kernels"
    for name, kernel in KERNELS.items():
        if name not in seen:
            yield f"{name} is in the list of kernels, but not in cl/"
        elif (kernel.mark == NONE) == seen[name] and name not in IN_CPU_FORM:
            yield f"{name} is marked `{kernel.mark}`, but {'declares' if seen[name] else 'has no'} local memory"
        if kernel.mark != NONE and not kernel.words:
            yield f"{name} is marked `{kernel.mark}`, but no run reads it"


