# SPDX-License-Identifier: MIT
"""Shuffles, convex hulls and shortest paths."""
import operator
import secrets
from typing import Any, Optional

import numpy as np

from . import c
from .arrays import Host, begin, is_device, refuse_masks, to_numpy
from .context import Error

_FAULTS = {c.DMM_PATHS_OFFSET: "offset", c.DMM_PATHS_TARGET: "target", c.DMM_PATHS_WEIGHT: "weight",
           c.DMM_PATHS_SOURCE: "source"}


def _seed(seed: Optional[int]) -> int:
    """Returns a seed of 64 bits; None: a fresh one."""
    if seed is None:
        return secrets.randbits(64)
    number = operator.index(seed)
    if not 0 <= number < 1 << 64:
        raise ValueError("dmm_cl: a seed is from 0 to 2^64 - 1, not %d" % number)
    return number


def _row_bytes(array: Any) -> int:
    """Returns the bytes of an item along axis 0."""
    return array.dtype.itemsize * int(np.prod(array.shape[1:], dtype=np.int64))


def permutation(x: Any, /, seed: Optional[int] = None) -> Any:
    """Returns the numbers 0 to x - 1, or the items of x along its first axis, in a random order.

    The order depends on the seed and the number of items alone, on any device; None: a fresh seed. Items of any type
    but objects, of at most 256 bytes. Cost: a pass or two, and 4 to 24 rounds of arithmetic an item.
    """
    if not is_device(x) and np.ndim(x) == 0 and not hasattr(x, "__dlpack__"):
        engine: Any = Host("dmm_cl.permutation")
        n = int(x)
        if n != x or n < 0:
            raise ValueError("dmm_cl.permutation: %r is no number of items" % (x,))
        out = np.empty(n, np.int64)
        if n:
            engine.call("shuffle", dict(item_bytes=8, indices=1), [n], {}, {"out": out}, seed=_seed(seed))
        return out
    refuse_masks("dmm_cl.permutation", x)
    if is_device(x):
        engine, (array,) = begin("permutation", x)
        target = engine.empty(array.shape, array.dtype)
    else:
        engine, array = Host("dmm_cl.permutation"), np.array(x, order="C")
        target = array
    _shuffle(engine, array, target, seed)
    return target


def shuffle(x: Any, /, seed: Optional[int] = None) -> None:
    """Puts the items of an array along its first axis into a random order, in place: that of permutation().

    x: a C-contiguous array of numpy that may be written, or of pyopencl; a TypeError otherwise.
    """
    if is_device(x):
        engine, (array,) = begin("shuffle", x)
    elif (isinstance(x, np.ndarray) and not isinstance(x, np.ma.MaskedArray)
          and x.flags.c_contiguous and x.flags.writeable):
        engine, array = Host("dmm_cl.shuffle"), x
    else:
        raise TypeError("dmm_cl.shuffle: needs a C-contiguous array that may be written: call permutation()")
    _shuffle(engine, array, array, seed)


def _shuffle(engine: Any, array: Any, target: Any, seed: Optional[int]) -> None:
    """Shuffles the items of an array along its first axis into `target`; in host memory both are equal."""
    if array.dtype.hasobject:
        raise TypeError("%s: items that are objects of Python are not offered" % engine.name)
    if array.ndim == 0:
        raise TypeError("%s: an array of no dimension has no order" % engine.name)
    if array.size == 0:
        return
    item_bytes = _row_bytes(array)
    if item_bytes > 256:
        raise TypeError("%s: an item along axis 0 has %d bytes, and 256 are the most: index by permutation(n)"
                        % (engine.name, item_bytes))
    engine.call("shuffle", dict(item_bytes=item_bytes), [array.shape[0]], {} if isinstance(engine, Host) else
                {"in_": array}, {"out": target}, seed=_seed(seed))


def convex_hull(points: Any, /, *, collinear: bool = False) -> Any:
    """Returns the int64 indices of the vertices of the convex hull of points, counter-clockwise.

    points: shape (n, 2), float32 or float64; integers of at most 4 bytes become float64. The first vertex is the
    smallest point by x, then y; of equal points the lowest index counts. Exact for all finite points; others are a
    ValueError. collinear: also the points between vertices. Cost: two reads of the points, then O(m log m) for the m
    points that pass a filter. Of an array of pyopencl, the call waits for the number of vertices.
    """
    engine, (array,) = begin("convex_hull", points)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError("dmm_cl.convex_hull: points must have the shape (n, 2), not %s" % (array.shape,))
    if array.dtype.kind in "bui" and array.dtype.itemsize <= 4:
        array = engine.cast(array, np.float64)
    if array.dtype not in (np.float32, np.float64):
        raise TypeError("dmm_cl.convex_hull: points of type %s are not offered: convert them to float32 or float64"
                        % array.dtype)
    n = array.shape[0]
    hull = engine.empty(n, np.int64)
    if n == 0:
        return hull
    count, outs = engine.empty(1, np.uint64), {}
    fields = dict(coordinates=c.DMM_HULL_F64 if array.dtype == np.float64 else c.DMM_HULL_F32, index_bytes=8,
                  collinear=bool(collinear))
    if not isinstance(engine, Host):
        outs["report_out"] = engine.empty(2, np.uint64)
    try:
        engine.call("hull", fields, [n], {"points": array}, {"hull_out": hull, "count_out": count, **outs})
        status, place = c.DMM_OK, 0
        if outs:
            code, place = (int(word) for word in outs["report_out"].get(queue=engine.queue))
            status = code & 0xffffffff
    except Error as error:
        if error.status != c.DMM_NOT_FINITE:
            raise
        status, place = error.status, int(count[0])
    if status == c.DMM_NOT_FINITE:
        raise ValueError("dmm_cl.convex_hull: point %d is not finite" % place)
    engine.context.check("dmm_hull_enqueue", status)
    return hull[:int(engine.item(count, 0))]


def _graph(engine: Any, graph: Any) -> Any:
    """Returns offsets, targets and weights of a graph in the types of libdmm."""
    if hasattr(graph, "indptr"):
        if getattr(graph, "format", "csr") != "csr":
            raise TypeError("%s: a sparse matrix must be in the format csr: call tocsr()" % engine.name)
        graph = graph.indptr, graph.indices, graph.data
    offsets, targets, weights = (engine.array(part) for part in graph)
    if any(part.ndim != 1 for part in (offsets, targets, weights)) or offsets.size == 0:
        raise ValueError("%s: offsets, targets and weights must have one dimension, and there is at least one offset"
                         % engine.name)
    if targets.size != weights.size:
        raise ValueError("%s: %d targets, but %d weights" % (engine.name, targets.size, weights.size))
    if offsets.dtype.kind not in "ui" or targets.dtype.kind not in "ui":
        raise TypeError("%s: offsets and targets must be integers" % engine.name)
    if weights.dtype.kind in "ui" and weights.dtype != np.uint32 and isinstance(engine, Host):
        if weights.size and not 0 <= int(weights.min()) <= int(weights.max()) < 0xffffffff:
            raise ValueError("%s: integer weights must be from 0 to 2^32 - 2" % engine.name)
        weights = engine.cast(weights, np.uint32)
    if weights.dtype not in (np.float32, np.uint32):
        raise TypeError("%s: weights of type %s are not offered: convert them to float32 or uint32"
                        % (engine.name, weights.dtype))
    return _numbers(engine, "offset", offsets, np.uint64), _numbers(engine, "target", targets, np.uint32), weights


def _numbers(engine: Any, what: str, array: Any, dtype: Any) -> Any:
    """Returns integers as an unsigned type; negative or large ones are a ValueError (on the device they wrap)."""
    if isinstance(engine, Host) and array.size and array.dtype != dtype:
        if int(array.min()) < 0 or int(array.max()) > np.iinfo(dtype).max:
            raise ValueError("%s: a %s is negative or too large" % (engine.name, what))
    return engine.cast(array, dtype)


def shortest_paths(graph: Any, sources: Any, /, *, return_predecessors: bool = False) -> Any:
    """Returns the distance of each vertex of a directed graph from the nearest source.

    graph     a csr matrix of scipy, or (offsets, targets, weights): the edges of vertex v are offsets[v] to
              offsets[v + 1] - 1; weights are float32 or unsigned and at least 0 (float64: a TypeError)
    sources   a vertex or several
    Distances have the type of weights: float32, or uint32. No path: infinity, or 2^32 - 1. return_predecessors: also
    int32, the vertex before each one on a shortest path; a source has itself, a vertex without a path -1.
    A graph that is no graph is a ValueError that names the first fault. Cost: edges are read once for each round in
    which their vertex came nearer. The call waits.
    """
    parts = [graph.data] if hasattr(graph, "indptr") else list(graph)
    engine, _ = begin("shortest_paths", *parts)
    offsets, targets, weights = _graph(engine, graph)
    vertices = sources if is_device(sources) else np.atleast_1d(to_numpy(engine.name, sources))
    if vertices.dtype.kind not in "ui" and vertices.size:
        raise TypeError("dmm_cl.shortest_paths: sources must be integers, not %s" % vertices.dtype)
    origins = _numbers(engine, "source", engine.array(vertices), np.uint32)
    n, m = offsets.size - 1, targets.size
    distances, before = engine.empty(n, weights.dtype), engine.empty(n, np.uint32)
    report = engine.empty(2, np.uint64)
    if n == 0:
        return (distances, before.view(np.int32)) if return_predecessors else distances
    outs = {"distances_out": distances}
    if return_predecessors:
        outs["predecessors_out"] = before
    own = dict(report_out=report) if not isinstance(engine, Host) else {}
    fault = c.dmm_report()
    numbers = dict(num_sources=origins.size, num_stops=0)
    spans = {"offsets": offsets, "targets": targets if m else None, "weights": weights if m else None,
             "sources": origins if origins.size else None}
    desc = dict(weight=c.DMM_F32 if weights.dtype == np.float32 else c.DMM_U32)
    try:
        engine.call("paths", desc, [n, m], spans, {**outs, **own}, **numbers,
                    **({} if own else {"report_out": fault}))
        if own:
            fault = c.dmm_report.from_buffer_copy(report.get(queue=engine.queue).tobytes())
            engine.context.check("dmm_paths_enqueue", fault.code)
    except Error as error:
        if error.status == c.DMM_BAD_DATA:
            raise ValueError("dmm_cl.shortest_paths: %s %d is wrong" % (_FAULTS.get(fault.detail, "item"),
                                                                        fault.position)) from None
        raise
    return (distances, before.view(np.int32)) if return_predecessors else distances
