# SPDX-License-Identifier: MIT
"""python -m dmm_cl.demo [-n ITEMS] [-r RUNS] [-o demo.svg]: times dmm beside numpy, and pyopencl if it is there.

Prints the device, and for each task the least of a few runs in milliseconds, losses as well as wins, and between which
ratios the runs were, each beside its neighbour. Draws the ratios as an SVG. dmm's times include all copies of arrays,
except in the lines of pyopencl, whose arrays stay on the device.
"""
import argparse
import platform
import sys
import time
from typing import Any, Callable, List, Optional, Tuple

import numpy as np

import dmm_cl

Times = Tuple[float, float, float, float]  # milliseconds of dmm and of the other one, least and largest ratio
Row = Tuple[str, Times, str]  # task, times, name of the other one


def milliseconds(ours: Callable[[], Any], theirs: Callable[[], Any], runs: int) -> Times:
    """Returns the least times of two calls in turn, and the range of their ratios.

    The first call of each is not counted, since it may build kernels.
    """
    times: Tuple[List[float], List[float]] = ([], [])
    for run in range(runs + 1):
        for call, list_of in zip((ours, theirs), times):
            begin = time.perf_counter()
            call()
            if run > 0:
                list_of.append(1000 * (time.perf_counter() - begin))
    ratios = [other / own for own, other in zip(*times)]
    return min(times[0]), min(times[1]), min(ratios), max(ratios)


def largest(rows: Any, k: int) -> Any:
    """Returns the k largest items of each row, sorted, by numpy."""
    return np.sort(np.partition(rows, -k)[:, -k:])


def tasks(n: int) -> List[Tuple[str, Callable[[], Any], Callable[[], Any]]]:
    """Returns each task with dmm's call and numpy's."""
    random = np.random.default_rng(1)
    u32 = random.integers(0, 1 << 32, n, np.uint32)
    f32, f64 = random.standard_normal(n, np.float32), random.standard_normal(n)
    i64 = random.integers(0, 1000, n)
    labels = random.integers(0, 256, n).astype(np.uint8)
    ordered, rows = np.sort(f32), f32[:n // 1000 * 1000].reshape(-1, 1000)
    return [
        ("sort uint32", lambda: dmm_cl.sort(u32), lambda: np.sort(u32)),
        ("sort float32", lambda: dmm_cl.sort(f32), lambda: np.sort(f32)),
        ("sort float64", lambda: dmm_cl.sort(f64), lambda: np.sort(f64)),
        ("argsort float32, stable", lambda: dmm_cl.argsort(f32), lambda: np.argsort(f32, kind="stable")),
        ("argsort float32, numpy's default", lambda: dmm_cl.argsort(f32), lambda: np.argsort(f32)),
        ("lexsort int64, float32", lambda: dmm_cl.lexsort((f32, i64)), lambda: np.lexsort((f32, i64))),
        ("sort rows of 1000 float32", lambda: dmm_cl.sort(rows),
         lambda: np.sort(rows)),
        ("10 largest of rows of 1000 float32", lambda: dmm_cl.topk(rows, 10),
         lambda: largest(rows, 10)),
        ("100 largest float32", lambda: dmm_cl.topk(f32, 100), lambda: np.argpartition(f32, n - 100)[-100:]),
        ("median float32", lambda: dmm_cl.median(f32), lambda: np.median(f32)),
        ("partition float32", lambda: dmm_cl.partition(f32, n // 3), lambda: np.partition(f32, n // 3)),
        ("unique with counts, int64", lambda: dmm_cl.unique(i64, return_counts=True),
         lambda: np.unique(i64, return_counts=True)),
        ("searchsorted float32", lambda: dmm_cl.searchsorted(ordered, f32), lambda: np.searchsorted(ordered, f32)),
        ("bincount uint8", lambda: dmm_cl.bincount(labels), lambda: np.bincount(labels)),
        ("histogram float32, 100 bins", lambda: dmm_cl.histogram(f32, 100), lambda: np.histogram(f32, 100)),
        ("cumsum float32", lambda: dmm_cl.cumsum(f32), lambda: np.cumsum(f32)),
        ("cumsum of rows of 1000 float32", lambda: dmm_cl.cumsum(rows, 1),
         lambda: np.cumsum(rows, 1)),
        ("permutation", lambda: dmm_cl.permutation(n, 1), lambda: np.random.default_rng(1).permutation(n)),
    ]


def beside_pyopencl(n: int, runs: int) -> List[Row]:
    """Returns rows beside pyopencl's own sort and prefix sums; none where it, or its module Mako, is missing."""
    try:
        import pyopencl as cl
        import pyopencl.array
        from pyopencl.algorithm import RadixSort
        from pyopencl.scan import GenericScanKernel
        device = dmm_cl.default_context().device
        context = cl.Context([cl.Device.from_int_ptr(device.id)])
        queue = cl.CommandQueue(context)
        keys = cl.array.to_device(queue, np.random.default_rng(1).integers(0, 1 << 32, n, np.uint32))
        sort = RadixSort(context, "unsigned *keys", key_expr="keys[i]", sort_arg_names=["keys"])
        scan = GenericScanKernel(context, np.uint32, "__global unsigned *in, __global unsigned *out", "in[i]", "a+b",
                                 "0", "out[i] = item;")
        out = cl.array.empty_like(keys)
        rows = []
        for name, ours, theirs in (
                ("sort uint32 on the device", lambda: dmm_cl.sort(keys), lambda: sort(keys, key_bits=32, queue=queue)),
                ("cumsum uint32 on the device", lambda: dmm_cl.cumsum(keys, dtype=np.uint32),
                 lambda: scan(keys, out, queue=queue))):
            rows.append((name, milliseconds(lambda: (ours(), queue.finish()), lambda: (theirs(), queue.finish()), runs),
                         "pyopencl"))
        return rows
    except Exception as error:  # pyopencl's kernels do not build on every driver
        print("no times of pyopencl: %s: %s" % (type(error).__name__, str(error).split("\n")[0]))
        return []


def picture(rows: List[Row], title: str) -> str:
    """Returns an SVG with a bar for each task: how many times as fast dmm is, on a logarithmic axis."""
    left, width, line = 260, 420, 22
    ratios = [times[1] / times[0] for _, times, _ in rows]
    reach = max(2.0, max(max(ratio, 1 / ratio) for ratio in ratios))
    middle, height = left + width / 2, line * len(rows) + 70
    text = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">'
            % (left + width + 120, height), '<rect width="100%" height="100%" fill="white"/>',
            '<text x="10" y="20" font-size="14">%s</text>' % title.replace("&", "&amp;").replace("<", "&lt;"),
            '<text x="%d" y="40" text-anchor="end" fill="#555">slower</text>' % (middle - 6),
            '<text x="%d" y="40" fill="#555">times as fast as numpy (pyopencl)</text>' % (middle + 6)]
    for place, ((name, _, other), ratio) in enumerate(zip(rows, ratios)):
        y = 50 + line * place
        length = width / 2 * np.log(ratio) / np.log(reach)
        text += ['<text x="%d" y="%d" text-anchor="end">%s</text>' % (left - 8, y + 13, name),
                 '<rect x="%.1f" y="%d" width="%.1f" height="16" fill="%s"/>'
                 % (min(middle, middle + length), y, abs(length), "#2a7" if ratio >= 1 else "#c53"),
                 '<text x="%d" y="%d">%.2f, %s</text>' % (left + width + 8, y + 13, ratio, other)]
    text += ['<line x1="%g" y1="46" x2="%g" y2="%d" stroke="#333"/>' % (middle, middle, height - 16), "</svg>", ""]
    return "\n".join(text)


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m dmm_cl.demo", description=(__doc__ or "").split(": ", 1)[1])
    parser.add_argument("-n", type=int, default=1 << 20, help="items of each array (default: %(default)s)")
    parser.add_argument("-r", type=int, default=5, help="runs, of which the best counts (default: %(default)s)")
    parser.add_argument("-o", default="demo.svg", help="file of the picture (default: %(default)s)")
    options = parser.parse_args(arguments)
    if options.n < 1000 or options.r < 1:
        parser.error("-n must be at least 1000, and -r at least 1")
    device = dmm_cl.default_context().device
    title = "%s, %s: %d items" % (device.name.decode(), device.platform_name.decode(), options.n)
    print("device  %s\nnumpy   %s on %s\ndmm     %s, with all copies of arrays" %
          (title, np.__version__, platform.machine(), dmm_cl.__version__))
    print("%-34s %10s %10s %8s %16s" % ("best of %d runs, ms" % options.r, "dmm", "other", "times", "from to"))
    rows: List[Row] = []
    for name, ours, theirs in tasks(options.n):
        rows.append((name, milliseconds(ours, theirs, options.r), "numpy"))
        show(rows[-1])
    for row in beside_pyopencl(options.n, options.r):
        rows.append(row)
        show(row)
    wins = sum(times[1] > times[0] for _, times, _ in rows)
    print("dmm is faster in %d of %d tasks" % (wins, len(rows)))
    with open(options.o, "w", encoding="utf-8") as file:
        file.write(picture(rows, title))
    print("picture: %s" % options.o)
    return 0


def show(row: Row) -> None:
    """Prints a line of the table."""
    name, (ours, theirs, least, most), other = row
    print("%-34s %10.2f %10.2f %8.2f %8.2f%8.2f  %s" % (name, ours, theirs, theirs / ours, least, most, other), flush=True)


if __name__ == "__main__":
    sys.exit(main())
