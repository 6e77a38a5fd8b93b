# SPDX-License-Identifier: MIT
"""pyopencl_fused.py [LOG2_N]: the dot product, a scan with an operator, and sums of rows of 128, of u32, beside
pyopencl's ReductionKernel and GenericScanKernel on the same queue: medians of 31 rounds, each of which runs all.
Needs dmm_cl, pyopencl and Mako."""
import statistics
import sys
import time

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel

import dmm_cl
from dmm_cl import c, objects


def main():
    n = 1 << int(sys.argv[1] if len(sys.argv) > 1 else "24")
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    ours = dmm_cl.Context(queue=queue)
    numbers = np.random.default_rng(1).integers(0, 1 << 32, n, dtype=np.uint32)
    x, y = cl_array.to_device(queue, numbers), cl_array.to_device(queue, numbers[::-1].copy())
    out, total = cl_array.empty(queue, n, np.uint32), cl_array.empty(queue, 1, np.uint32)
    theirs, own = cl_array.empty(queue, n, np.uint32), dict(combine="b ? b : a", identity="0")
    dot = objects.Reduce(ours, map=dict(further=1, expression="item * y"))
    scan = objects.Scan(ours, own=own, map=dict(expression="item % 4 ? item : 0"))
    reduction = ReductionKernel(context, np.uint32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]",
                                arguments="__global const uint *x, __global const uint *y")
    last = GenericScanKernel(context, np.uint32, arguments="__global const uint *x, __global uint *out",
                             input_expr="x[i] % 4 ? x[i] : 0", scan_expr="b ? b : a", neutral="0",
                             output_statement="out[i] = item")
    rows = objects.ReduceSegmented(ours)
    row_sums, their_sums = (cl_array.empty(queue, n // 128, np.uint32) for _ in range(2))
    their_rows = GenericScanKernel(context, np.uint32, arguments="__global const uint *x, __global uint *out",
                                   input_expr="x[i]", scan_expr="across_seg_boundary ? b : a + b", neutral="0",
                                   is_segment_start_expr="i % 128 == 0",
                                   output_statement="if (i % 128 == 127) out[i / 128] = item")
    temp = cl.Buffer(context, cl.mem_flags.READ_WRITE, 1 + max(
        dot.temp_bytes(n), scan.temp_bytes(n), rows.temp_bytes(n, n // 128)))
    sums = [None]

    def reduce_theirs():
        sums[0] = reduction(x, y, queue=queue)
        sums[0].finish()

    calls = {
        ("dot", "dmm"): lambda: dot.enqueue(queue, n, in_=x, further=[y], out=total, temp=temp).wait(),
        ("dot", "pyopencl"): reduce_theirs,
        ("last", "dmm"): lambda: scan.enqueue(queue, n, in_=x, out=out, temp=temp).wait(),
        ("last", "pyopencl"): lambda: last(x, theirs, queue=queue).wait(),
        ("rows", "dmm"): lambda: rows.enqueue(queue, n, n // 128, in_=x, out=row_sums, temp=temp).wait(),
        ("rows", "pyopencl"): lambda: their_rows(x, their_sums, queue=queue).wait(),
    }
    times = {key: [] for key in calls}
    for turn in range(32):
        for key, call in calls.items():
            begin = time.perf_counter()
            call()
            if turn > 0:
                times[key].append(time.perf_counter() - begin)
    assert total.get()[0] == sums[0].get() and (out.get() == theirs.get()).all()
    assert (row_sums.get() == their_sums.get()).all()
    for word in ("dot", "last", "rows"):
        mine, other = times[word, "dmm"], times[word, "pyopencl"]
        print("%s: dmm %.2f ms, pyopencl %.2f ms, %.2f times" % (
            word, 1e3 * statistics.median(mine), 1e3 * statistics.median(other),
            statistics.median(b / a for a, b in zip(mine, other))))


if __name__ == "__main__":
    main()
