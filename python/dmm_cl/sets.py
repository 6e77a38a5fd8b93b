# SPDX-License-Identifier: MIT
"""Sets and searches by numpy's names: unique, searchsorted, isin, union1d, intersect1d, setdiff1d, setxor1d."""
from typing import Any, Optional, Tuple

import numpy as np

from . import c
from .arrays import begin, float_bits, order, type_of
from .sorting import flat, promote, sort_rows


def _sorted(engine: Any, array: Any, index: Optional[Any] = None) -> Any:
    """Returns the items of an array of one dimension sorted, floats with one zero and one NaN; index as sort_rows()."""
    source, target = engine.in_place(engine.clean(array))
    sort_rows(engine, source, target, False, index)
    return target


def _count(engine: Any, counts: Any) -> int:
    """Returns the number that a call has written."""
    return int(engine.item(counts, 0))


def _runs(engine: Any, keys: Any, counts: Optional[Any] = None, values: Optional[Any] = None) -> Any:
    """Returns the first of each run of equal items; counts, if any, receives the lengths of runs."""
    source, target = engine.in_place(keys)
    runs = engine.empty(1, np.uint64)
    ins, outs = {"keys_in": source}, {"keys_out": target, "runs_out": runs}
    fields = dict(key_bytes=keys.dtype.itemsize)
    if counts is not None:
        outs["counts_out"] = counts
        engine.call("run_length", fields, [keys.size], ins, outs)
    else:
        if values is not None:
            fields["value_bytes"] = 8
            ins["values_in"], outs["values_out"] = engine.in_place(values)
        engine.call("unique", fields, [keys.size], ins, outs)
        values = outs.get("values_out")
    n = _count(engine, runs)
    return target[:n], (None if values is None else values[:n])


def unique(a: Any, /, *, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False) -> Any:
    """Returns the different items of an array, sorted; with the flags a tuple as numpy.unique's, of int64.

    index     the first position of each item in the flat array
    inverse   the place of each item of the array among the different ones, in the array's shape
    counts    how often each occurs
    NaNs are equal to each other, and -0 to 0, which is returned. Cost: a sort and a pass; inverse: a search for each
    item. Of an array of pyopencl, the call waits for the number of different items.
    """
    engine, (array,) = begin("unique", a)
    type_of(engine.name, array.dtype)
    items = flat(array)
    if items.size == 0:
        values, index, counts = items, engine.empty(0, np.int64), engine.empty(0, np.int64)
        inverse = engine.empty(array.shape, np.int64)
    else:
        index = engine.empty(items.size, np.int64) if return_index else None
        keys = _sorted(engine, items, index)
        values, counts = None, None
        if return_counts:
            counts = engine.empty(items.size, np.uint64)
            values, _ = _runs(engine, keys, counts)
            counts = counts[:values.size].view(np.int64)
        if return_index or values is None:
            values, index = _runs(engine, keys, values=index)
        inverse = None
        if return_inverse:
            inverse = _ranks(engine, values, engine.clean(items), c.DMM_RANK_LOWER).reshape(array.shape)
    results = [found for found, wanted in ((index, return_index), (inverse, return_inverse), (counts, return_counts))
               if wanted]
    return (values, *results) if results else values


def _ranks(engine: Any, keys: Any, queries: Any, rank: int) -> Any:
    """Returns the int64 rank of each query among sorted keys."""
    out = engine.empty(queries.shape, np.int64)
    if queries.size and keys.size:
        engine.call("search", dict(order=order(engine.name, keys.dtype), result=rank, rank_bytes=8),
                    [keys.size, queries.size], {"keys": keys, "queries": queries}, {"out": out})
        return out
    return engine.upload(np.zeros(queries.shape, np.int64)) if queries.size else out


def searchsorted(a: Any, v: Any, /, side: str = "left", sorter: Any = None) -> Any:
    """Returns the int64 places at which items of `v` would be inserted into the sorted array `a` of one dimension.

    side: "left", before equal items, or "right", after them. sorter: positions that sort `a`. Types are promoted as
    numpy does. Keys that are not sorted give places that mean nothing. Cost: log2(n) + 1 reads for each item of `v`.
    """
    if side not in ("left", "right"):
        raise ValueError("dmm_cl.searchsorted: side must be 'left' or 'right', not %r" % (side,))
    engine, (keys, queries) = begin("searchsorted", a, v)
    if keys.ndim != 1:
        raise ValueError("dmm_cl.searchsorted: the sorted array must have one dimension")
    shape = queries.shape
    keys, queries = promote(engine, keys, flat(queries))
    if sorter is not None:
        keys = engine.take(keys, engine.cast(engine.array(sorter), np.int64))
    if keys.dtype.kind == "f":
        # NaNs of any bits are equal for numpy: searches for the first or the last one of libdmm's order.
        top, infinity, _ = float_bits(keys.dtype)
        queries = engine.clean(queries, infinity + 1 if side == "left" else top + infinity + 1)
    found = _ranks(engine, keys, queries, c.DMM_RANK_LOWER if side == "left" else c.DMM_RANK_UPPER).reshape(shape)
    return found[()] if shape == () and isinstance(found, np.ndarray) else found


def isin(element: Any, test_elements: Any, /, *, invert: bool = False) -> Any:
    """Returns for each item of an array whether it is among the items of another one: bool, as numpy.isin.

    A NaN is found where there is one, which differs from numpy. Of arrays of pyopencl: uint8, 0 or 1.
    Cost: a sort of test_elements and a search for each item.
    """
    engine, (array, tests) = begin("isin", element, test_elements)
    items, keys = promote(engine, flat(array), flat(tests))
    out = engine.upload(np.zeros(array.size, np.uint8)) if array.size else engine.empty(0, np.uint8)
    if items.size and keys.size:
        ins = {"keys": _sorted(engine, keys), "queries": engine.clean(items)}
        engine.call("search", dict(order=order(engine.name, keys.dtype), result=c.DMM_RANK_CONTAINS),
                    [keys.size, items.size], ins, {"out": out})
    out = out.reshape(array.shape)
    if isinstance(out, np.ndarray):
        return out.view(bool) ^ bool(invert)
    return 1 - out if invert else out


def _set(name: str, op: int, a: Any, b: Any, assume_unique: bool) -> Any:
    """Returns the different items of an operation on two sets, sorted."""
    engine, (first, second) = begin(name, a, b)
    first, second = promote(engine, flat(first), flat(second))
    first, second = (array if array.size == 0 else _sorted(engine, array) if assume_unique
                     else _runs(engine, _sorted(engine, array))[0] for array in (first, second))
    n = first.size + second.size
    out = engine.empty(n, first.dtype)
    if n == 0:
        return out
    count = engine.empty(1, np.uint64)
    spans = {"a_keys": first if first.size else None, "b_keys": second if second.size else None}
    engine.call("set", dict(order=order(engine.name, first.dtype), op=op), [first.size, second.size], spans,
                {"keys_out": out, "count_out": count})
    return out[:_count(engine, count)]


def union1d(a: Any, b: Any, /) -> Any:
    """Returns the different items of two arrays, sorted. Cost: a sort of each and a merge. Other rules as unique()."""
    return _set("union1d", c.DMM_SET_UNION, a, b, False)


def intersect1d(a: Any, b: Any, /, assume_unique: bool = False) -> Any:
    """Returns the different items that are in both arrays, sorted. Cost as union1d()."""
    return _set("intersect1d", c.DMM_SET_INTERSECTION, a, b, assume_unique)


def setdiff1d(a: Any, b: Any, /, assume_unique: bool = False) -> Any:
    """Returns the different items of `a` that are not in `b`, sorted, also with assume_unique. Cost as union1d()."""
    return _set("setdiff1d", c.DMM_SET_DIFFERENCE, a, b, assume_unique)


def setxor1d(a: Any, b: Any, /, assume_unique: bool = False) -> Any:
    """Returns the different items that are in one of the arrays alone, sorted. Cost as union1d()."""
    return _set("setxor1d", c.DMM_SET_SYMMETRIC, a, b, assume_unique)


__all__: Tuple[str, ...] = ("unique", "searchsorted", "isin", "union1d", "intersect1d", "setdiff1d", "setxor1d")
