# SPDX-License-Identifier: MIT
"""Parses GPGPU-Sim's output: one row for each launch, with the counters of that launch alone."""
import re

# The simulator's name and ours. All of these count from the start of the run.
TOTALS = {
    "gpgpu_n_tot_w_icount": "warp_instructions",
    "gpgpu_stall_shd_mem[s_mem][bk_conf]": "conflict_stalls",
    "gpgpu_n_mem_read_global": "global_reads",
    "gpgpu_n_mem_write_global": "global_writes",
    "total dram reads": "dram_reads",
    "total dram writes": "dram_writes",
}

# Part of a kernel's name, and the step that the kernel belongs to.
STEPS = (("sort_tile", "tile"), ("BlockSort", "tile"), ("partition", "partition"), ("Partition", "partition"),
         ("merge_tile", "pass"), ("MergeKernel", "pass"),
         ("radix_alone", "tile"), ("SingleTile", "tile"), ("radix_count", "count"), ("radix_histogram", "count"),
         ("radix_digits", "count"), ("radix_starts", "scan"), ("radix_pass", "scatter"),
         ("SortHistogram", "count"), ("Upsweep", "count"), ("radix_scatter", "scatter"), ("radix_sweep", "scatter"),
         ("Onesweep", "scatter"), ("Downsweep", "scatter"), ("scan_", "scan"), ("ScanBins", "scan"), ("ExclusiveSum", "scan"))


def step_of(name):
    return next((step for part, step in STEPS if part in name), "other")


def kernels_of(text):
    rows, before = [], {}
    registers = dict(re.findall(r"Kernel '(\S+?)' : regs=(\d+)", text))
    for part in re.split(r"^kernel_name = ", text, flags=re.M)[1:]:
        name = part.split()[0]
        row = {"step": step_of(name), "registers": int(registers.get(name, 0)),
               "cycles": int(re.search(r"^gpu_sim_cycle = (\d+)", part, re.M).group(1))}
        for theirs, ours in TOTALS.items():
            total = int(re.search(r"^%s\s*=\s*(\d+)" % re.escape(theirs), part, re.M).group(1))
            row[ours] = total - before.get(ours, 0)
            before[ours] = total
        rows.append(row)
    return rows
