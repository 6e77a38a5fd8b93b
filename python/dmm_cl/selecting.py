# SPDX-License-Identifier: MIT
"""Selecting and counting by numpy's names: topk, partition, argpartition, median, bincount, histogram, cumsum."""
import warnings
from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np

from . import c
from .arrays import Host, begin, float_bits, halves, matrix_of, order, type_of
from .expressions import along_axis, select
from .sets import searchsorted, unique
from .sorting import flat, sort, sort_rows


class TopK(NamedTuple):
    """The items that topk() selects, and their int64 positions."""
    values: Any
    indices: Any


def topk(a: Any, k: int, /, axis: int = -1, *, largest: bool = True, sorted: bool = True) -> TopK:
    """Returns the k largest items along an axis (largest=False: the smallest), and their positions.

    Ties go to lower positions. NaNs come last in either direction. sorted=False leaves the items of an array of one
    dimension in their order. k above the length of the axis is a ValueError.
    Cost: about two reads of every item, and a sort of k; of several rows with k up to 32, a read of every item,
    otherwise a sort of each row.
    """
    engine, (array,) = begin("topk", a)
    if not -array.ndim <= axis < array.ndim:
        raise ValueError("dmm_cl.topk: there is no axis %d in shape %s" % (axis, array.shape))
    if not 0 <= k <= array.shape[axis]:
        raise ValueError("dmm_cl.topk: k = %d is not from 0 to the length of axis %d of shape %s"
                         % (k, axis, array.shape))
    fields: Dict[str, Any] = dict(order=order(engine.name, array.dtype, largest))
    if array.ndim == 1:
        values, indices = engine.empty(k, array.dtype), engine.empty(k, np.int64)
        if k:
            fields.update(value_bytes=8, argsort=1, unsorted=not sorted)
            engine.call("topk", fields, [array.size, k], {"keys_in": array},
                        {"keys_out": values, "values_out": indices})
        return TopK(values, indices)
    rows, _ = engine.in_place(array, axis)
    values, indices = (engine.empty(rows.shape[:-1] + (k,), dtype) for dtype in (array.dtype, np.int64))
    if values.size:
        fields.update(k=k, value_bytes=8, argsort=1)
        engine.call("topk_segmented", fields, [rows.size, rows.size // rows.shape[-1]], {"keys_in": rows},
                    {"keys_out": values, "values_out": indices})
    return TopK(engine.back(values, axis), engine.back(indices, axis))


def nth(engine: Any, array: Any, rank: int) -> Any:
    """Returns the item of a rank among those of an array of one dimension, as a scalar; -0 is before 0."""
    found = engine.empty(1, array.dtype)
    fields = dict(order=order(engine.name, array.dtype, zero_equal=False))
    engine.call("nth", fields, [array.size, rank], {"keys_in": array}, {"key_out": found})
    return engine.item(found, 0)


def _after(pivot: Any) -> Any:
    """Returns the next item in the order of libdmm, in which -0 is before 0, or None if there is none."""
    dtype = pivot.dtype
    if dtype.kind != "f":
        if dtype.kind == "b":
            return None if pivot else np.bool_(True)
        return None if pivot == np.iinfo(dtype).max else dtype.type(pivot + dtype.type(1))
    top, infinity, _ = float_bits(dtype)
    unsigned = np.dtype("u%d" % dtype.itemsize)
    bits = int(np.array(pivot).view(unsigned))
    if bits == infinity:
        return None
    bits = 0 if bits == top else bits - 1 if bits & top else bits + 1
    return np.array(bits, unsigned).view(dtype)[()]


def _partition(name: str, a: Any, kth: Any, axis: Optional[int], wants_index: bool) -> Any:
    """Returns the items of a partition, or their positions."""
    engine, (array,) = begin(name, a)
    if axis is None:
        array, axis = flat(array), -1
    source, target = engine.in_place(array, axis)
    n = source.shape[-1]
    ranks = np.unique(np.asarray(kth))
    if ranks.dtype.kind not in "iu" or np.any(ranks < -n) or np.any(ranks >= n):
        raise ValueError("%s: kth must be integers from %d to %d" % (engine.name, -n, n - 1))
    ranks = np.unique(np.where(ranks < 0, ranks + n, ranks)).tolist()
    index = engine.empty(source.shape, np.int64) if wants_index else None
    splitters = _splitters(engine, source, ranks)
    if splitters is None:
        sort_rows(engine, source, target, False, index)
    elif source.size:
        fields = dict(order=order(engine.name, source.dtype, zero_equal=False), by=c.DMM_PARTITION_BY_SPLITTERS,
                      ways=len(splitters) + 1)
        ins, outs = {"items_in": source}, {"items_out": target}
        if index is not None:
            fields["value_bytes"], outs["values_out"] = 8, index
            ins["values_in"] = engine.fill(index, np.arange(source.size))
        outs["offsets_out"] = engine.empty(len(splitters) + 2, np.uint64)
        engine.call("partition", fields, [source.size], {**ins, "by": engine.upload(splitters)}, outs)
    return engine.back(target if index is None else index, axis)


def _splitters(engine: Any, source: Any, ranks: Any) -> Optional[np.ndarray]:
    """Returns splitters before and after the item of each rank; None: sort instead."""
    if source.ndim != 1 or not 0 < len(ranks) <= 4 or source.size < 2:
        return None
    found = []
    for rank in ranks:
        pivot = nth(engine, source, rank)
        after = None if pivot != pivot else _after(pivot)
        if pivot != pivot or after is None and rank != ranks[-1]:
            return None
        found += [pivot, pivot if after is None else after]
    # One of two lengths, since each is a program of its own: buckets between equal splitters are empty.
    found += [found[-1]] * (0 if len(found) == 2 else 8 - len(found))
    return np.array(found, source.dtype)


def partition(a: Any, kth: Any, /, axis: Optional[int] = -1) -> Any:
    """Returns a copy in which each item kth is where a sort would put it, smaller ones before it, as numpy.partition.

    kth: an integer or several. Items and errors as sort(). Cost: about two reads of every item for each kth, up to 4,
    and a pass; of several rows, more kth, or where a kth is a NaN, a sort.
    """
    return _partition("partition", a, kth, axis, False)


def argpartition(a: Any, kth: Any, /, axis: Optional[int] = -1) -> Any:
    """Returns the int64 positions of the items of partition(), at its cost and with 8 bytes more for each item."""
    return _partition("argpartition", a, kth, axis, True)


def median(a: Any, /, axis: Optional[int] = None) -> Any:
    """Returns the median along an axis, as numpy.median: a NaN where there is one; None: of all items.

    Cost: about two reads of every item for each of the two middle ones; along an axis, a sort of the rows. Of an array
    of pyopencl, all of it, as a scalar: the call waits.
    """
    engine, (array,) = begin("median", a)
    type_of(engine.name, array.dtype)
    if axis is not None and array.ndim > 1:
        if not isinstance(engine, Host):
            raise TypeError("dmm_cl.median: an array of pyopencl has a median of all items only")
        rows = sort(array, axis)
        rows = np.moveaxis(rows, axis, -1)
        n = rows.shape[-1]
        found = np.mean(rows[..., (n - 1) // 2:n // 2 + 1], axis=-1)
        return np.where(rows[..., -1] != rows[..., -1], np.nan, found).astype(found.dtype) if n else found
    if axis is not None and not -array.ndim <= axis < array.ndim:
        raise ValueError("dmm_cl.median: there is no axis %d in shape %s" % (axis, array.shape))
    array, n = flat(array), array.size
    if n == 0:
        warnings.warn("dmm_cl.median: there are no items", RuntimeWarning, stacklevel=2)
        return np.float64(np.nan)
    if array.dtype.kind == "f":
        last = nth(engine, array, n - 1)
        if last != last:
            return array.dtype.type(np.nan)
    low = nth(engine, array, (n - 1) // 2)
    return np.mean(np.array([low] if n % 2 else [low, nth(engine, array, n // 2)], array.dtype))


def _labels(engine: Any, array: Any) -> Tuple[Any, int]:
    """Returns an array of labels as an unsigned type of at most 4 bytes, and the largest label plus 1."""
    if array.ndim != 1:
        raise ValueError("%s: labels must have one dimension" % engine.name)
    if array.dtype.kind not in "bui":
        raise TypeError("%s: labels must be integers of at least 0, not %s" % (engine.name, array.dtype))
    if array.size == 0:
        return array, 0
    if isinstance(engine, Host):
        low, high = int(array.min()), int(array.max())
    else:
        high = int(nth(engine, array, array.size - 1))
        low = int(nth(engine, array, 0)) if array.dtype.kind == "i" else 0
    if low < 0:
        raise ValueError("%s: labels must be at least 0; one is %d" % (engine.name, low))
    if array.dtype.kind == "b":
        array = array.view(np.uint8)
    elif array.dtype.kind == "i" and array.dtype.itemsize <= 4:
        array = array.view("u%d" % array.dtype.itemsize)
    elif array.dtype.itemsize > 4 and high < 65536:
        array = engine.cast(array, np.uint32)
    return array, high + 1


def bincount(a: Any, /, *, minlength: int = 0) -> Any:
    """Returns how often each number from 0 on is in an array of integers of one dimension, as numpy.bincount: int64.

    A negative item is a ValueError. Cost: a read of every item, after one for the largest; of more than 65536 bins, a
    sort. Of an array of pyopencl, the call waits for its largest item.
    """
    engine, (array,) = begin("bincount", a)
    if minlength < 0:
        raise ValueError("dmm_cl.bincount: minlength = %d is negative" % minlength)
    labels, bins = _labels(engine, array)
    bins = max(bins, minlength)
    if bins == 0 or array.size == 0:
        return engine.upload(np.zeros(bins, np.int64)) if bins else engine.empty(0, np.int64)
    if bins <= 65536:
        counts = engine.empty(bins, np.uint64)
        engine.call("histogram", dict(type=type_of(engine.name, labels.dtype), bins=bins), [labels.size],
                    {"labels": labels}, {"counts_out": counts})
        return counts.view(np.int64)
    if not isinstance(engine, Host):
        raise TypeError("dmm_cl.bincount: %d bins are more than 65536, the most for an array of pyopencl" % bins)
    values, counts = unique(labels, return_counts=True)
    found = np.zeros(bins, np.int64)
    found[values] = counts
    return found


def histogram(a: Any, /, bins: Any = 10, range: Any = None) -> Tuple[Any, Any]:
    """Returns the counts of bins and their edges, as numpy.histogram without weights.

    The edges are an array of numpy. Bins by name ("auto") need an array in host memory, and more than 65536 bins, too.
    Cost: two comparisons for each item; log2(bins) where edges are given, and for float16. Of an array of pyopencl,
    the call waits for its least and its largest item, unless range or edges are given.
    """
    engine, (array,) = begin("histogram", a)
    type_of(engine.name, array.dtype)
    items = flat(array)
    if isinstance(engine, Host):
        edges = np.histogram_bin_edges(items, bins, range)
    elif isinstance(bins, str):
        raise TypeError("dmm_cl.histogram: bins = %r needs an array in host memory: give a number or edges" % bins)
    else:
        ends = [nth(engine, items, 0), nth(engine, items, items.size - 1)] if items.size and range is None else []
        edges = np.histogram_bin_edges(np.array(ends, items.dtype), bins, range)
    limits = edges.astype(np.result_type(edges.dtype, items.dtype), copy=True)
    even = isinstance(bins, (int, np.integer)) and 0 < bins <= 65536 and limits.dtype.kind == "f" and items.size > 0
    if not even or limits.dtype == np.float16:
        return _by_edges(engine, engine.cast(items, limits.dtype), limits), edges
    counts = engine.empty(int(bins), np.uint64)
    engine.call("histogram", dict(type=type_of(engine.name, limits.dtype), bins=int(bins), by=c.DMM_HISTOGRAM_EVEN),
                [items.size], {"labels": engine.cast(items, limits.dtype), "edges": engine.upload(limits)},
                {"counts_out": counts})
    return counts.view(np.int64), edges


def _by_edges(engine: Any, items: Any, limits: np.ndarray) -> Any:
    """Returns the int64 counts of items between limits; those equal to the last limit are in the last bin, too."""
    bins, last, more = len(limits) - 1, limits[-1], 0
    if items.size == 0 or bins == 0:
        return engine.upload(np.zeros(bins, np.int64)) if bins else engine.empty(0, np.int64)
    if limits.dtype.kind == "f":  # a NaN is after infinity
        limits[-1] = np.nextafter(last, limits.dtype.type(np.inf)) if last < np.inf else np.nan
    elif last < np.iinfo(limits.dtype).max:
        limits[-1] += limits.dtype.type(1)
    else:
        more = select(items, "x == %d%s" % (last, "UL" if limits.dtype.kind == "u" else "L")).size
    if isinstance(engine, Host):  # on CPUs, a search and a count of places take half the time of a count by edges
        counts = bincount(searchsorted(limits, items, side="right"), minlength=bins + 2)[1:bins + 1]
    elif bins > 65536:
        raise TypeError("dmm_cl.histogram: %d bins are more than 65536, the most for an array of pyopencl" % bins)
    else:
        found = engine.empty(bins, np.uint64)
        engine.call("histogram", dict(type=type_of(engine.name, limits.dtype), bins=bins, by=c.DMM_HISTOGRAM_EDGES),
                    [items.size], {"labels": items, "edges": engine.upload(limits)}, {"counts_out": found})
        counts = found.view(np.int64)
    if more:
        counts[-1:] += more
    return counts


def cumsum(a: Any, /, axis: Optional[int] = None, *, dtype: Any = None) -> Any:
    """Returns the sums of the items up to each one, along an axis; None: of all items, as numpy.cumsum.

    Integers of less than 8 bytes are added as int64 or uint64, unless dtype says otherwise; sums wrap. Floats are added
    in another order than numpy's: results differ by rounding. float16 is added as float32. float64 needs a
    device with double. Cost: two or three passes; along the last axis of several rows, also a byte an item.
    """
    engine, (array,) = begin("cumsum", a)
    type_of(engine.name, array.dtype)
    kind = array.dtype.kind
    wanted = np.dtype(dtype) if dtype is not None else array.dtype
    if dtype is None and kind in "bui" and (array.dtype.itemsize < 8):
        wanted = np.dtype(np.uint64 if kind == "u" else np.int64)
    if wanted.kind == "b":
        raise TypeError("dmm_cl.cumsum: sums of type %s are not offered: give dtype=numpy.float32" % wanted)
    if axis is None:
        array, axis = flat(array), -1
    found = matrix_of(engine.name, array, axis)
    fields: Any = dict(type=type_of(engine.name, wanted), op=c.DMM_SCAN_SUM)
    if fields["type"] == c.DMM_F16:
        fields.update(halves())
        fields["map"].update(out="dmm_to_half(total)", result=dict(type=c.DMM_F16))
    if found is not None and found[0] == 0 and array.ndim > 1:
        out = engine.empty(array.shape, wanted)
        if out.size:
            engine.call("axis", dict(along_axis(fields), work=c.DMM_AXIS_SCAN), list(found[1:]),
                        {"in_": engine.cast(array, wanted)}, {"out": out})
        return out
    source, target = engine.in_place(engine.cast(array, wanted), axis)
    if source.size and source.size == source.shape[-1]:
        engine.call("scan", fields, [source.size], {"in_": source}, {"out": target})
    elif source.size:
        engine.call("scan_segmented", fields, [source.size, source.size // source.shape[-1]], {"in_": source},
                    {"out": target})
    return engine.back(target, axis)
