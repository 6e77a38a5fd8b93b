# SPDX-License-Identifier: MIT
"""Sorting by numpy's names: sort, argsort, lexsort, merge. See functions of this module for shapes, errors and cost."""
from typing import Any, Dict, Optional, Sequence

import numpy as np

from . import c
from .arrays import begin, matrix_of, order


def flat(array: Any) -> Any:
    """Returns an array of one dimension with the same items."""
    return array if array.ndim == 1 else array.reshape(array.size)


def rows_begin(shape: Any) -> np.ndarray:
    """Returns the offsets of the rows of an array, and of its end."""
    rows = int(np.prod(shape[:-1], dtype=np.int64))
    return np.arange(rows + 1, dtype=np.uint64) * np.uint64(shape[-1])


def sort_rows(engine: Any, source: Any, target: Any, descending: bool, index: Optional[Any] = None) -> None:
    """Sorts each row of `source` into `target`; `index`, if any, receives int64 positions within the row."""
    if source.size == 0:
        return
    fields: Dict[str, Any] = dict(order=order(engine.name, source.dtype, descending))
    ins, outs = {"keys_in": source}, {"keys_out": target}
    if index is not None:
        fields["value_bytes"], outs["values_out"] = 8, index
    if source.size == source.shape[-1]:
        if index is not None:
            fields["argsort"] = 1
        engine.call("sort", fields, [source.size], ins, outs)
        return
    begins = rows_begin(source.shape)
    if index is not None:
        places = np.tile(np.arange(source.shape[-1]), len(begins) - 1)
        ins["values_in"] = engine.fill(index, places)
    fields["offset_type"] = c.DMM_U64
    engine.call("sort_segmented", fields, [source.size, len(begins) - 1],
                {**ins, "offsets": engine.upload(begins)}, outs)


def sort_columns(engine: Any, array: Any, axis: int, descending: bool, wants_index: bool) -> Any:
    """Returns the sorted items, or their positions, along the first of several axes; None for another axis."""
    found = matrix_of(engine.name, array, axis) if array.ndim > 1 else None
    if found is None or found[0] != 0:
        return None
    out = engine.empty(array.shape, array.dtype)
    index = engine.empty(array.shape, np.int64) if wants_index else None
    fields = dict(work=c.DMM_AXIS_SORT, order=order(engine.name, array.dtype, descending))
    if wants_index:
        fields.update(value_bytes=8, argsort=1)
    if array.size:
        engine.call("axis", fields, list(found[1:]), {"in_": array},
                    {"out": out, "values_out": index} if wants_index else {"out": out})
    return index if wants_index else out


def sort(a: Any, /, axis: Optional[int] = -1, *, descending: bool = False, stable: bool = True) -> Any:
    """Returns a sorted copy of an array, along an axis; None: of all items.

    Always stable. NaNs are last, descending too; -0 and 0 are equal.
    Items: bool, integers, float16, float32, float64; others are a TypeError.
    Cost: a pass per 8 or 11 bits of an item; rows of an array (any axis but that of a single row) by merging, a pass
    per doubling. Arrays in host memory are copied to the device and back.
    """
    engine, (array,) = begin("sort", a)
    if axis is None:
        array, axis = flat(array), -1
    columns = sort_columns(engine, array, axis, descending, False)
    if columns is not None:
        return columns
    source, target = engine.in_place(array, axis)
    sort_rows(engine, source, target, descending)
    return engine.back(target, axis)


def argsort(a: Any, /, axis: Optional[int] = -1, *, descending: bool = False, stable: bool = True) -> Any:
    """Returns the int64 positions that sort an array along an axis; None: of all items.

    Always stable: equal items keep their order, descending too. NaNs are last, in the order of their bits.
    Items, errors and cost as sort(), with 8 bytes more to move for each item.
    """
    engine, (array,) = begin("argsort", a)
    if axis is None:
        array, axis = flat(array), -1
    columns = sort_columns(engine, array, axis, descending, True)
    if columns is not None:
        return columns
    source, target = engine.in_place(array, axis)
    index = engine.empty(source.shape, np.int64)
    sort_rows(engine, source, target, descending, index)
    return engine.back(index, axis)


def lexsort(keys: Sequence[Any], /) -> Any:
    """Returns the int64 positions that sort by several keys, the last one first, as numpy.lexsort.

    keys: arrays of one dimension and equal length, or the rows of one array. Cost: a sort for keys side
    by side of at most 64 bits together, or for each; more than eight keys are sorted by eight at a time.
    """
    engine, arrays = begin("lexsort", *keys)
    if not arrays:
        raise TypeError("dmm_cl.lexsort: give at least one key")
    if any(array.ndim != 1 or array.size != arrays[0].size for array in arrays):
        raise ValueError("dmm_cl.lexsort: keys must have one dimension and equal lengths")
    n, index = arrays[0].size, None
    if n == 0:
        return engine.empty(0, np.int64)
    for first in range(0, len(arrays), c.DMM_MAX_COLUMNS):
        keys = arrays[first:first + c.DMM_MAX_COLUMNS][::-1]  # libdmm's first key decides first
        if index is not None:
            keys = [engine.take(key, index) for key in keys]
        rows = engine.empty(n, np.uint32 if n < 1 << 32 else np.int64)
        fields = dict(num_keys=len(keys), keys=[order(engine.name, key.dtype) for key in keys],
                      row_bytes=rows.dtype.itemsize)
        engine.call("lexsort", fields, [n], {"keys_in": keys}, {"rows_out": rows})
        rows = engine.cast(rows, np.int64)
        index = rows if index is None else engine.take(index, rows)
    return index


def merge(a: Any, b: Any, /, *, descending: bool = False) -> Any:
    """Returns the sorted items of two sorted arrays of one dimension; equal items of `a` come first.

    Types are promoted as numpy does. Arrays that are not sorted give an unspecified order. Cost: one pass.
    """
    engine, (first, second) = begin("merge", a, b)
    first, second = promote(engine, first, second)
    out = engine.empty(first.size + second.size, first.dtype)
    if out.size:
        ins = {"a_keys": first if first.size else None, "b_keys": second if second.size else None}
        engine.call("merge", dict(order=order(engine.name, first.dtype, descending)), [first.size, second.size], ins,
                    {"keys_out": out})
    return out


def promote(engine: Any, first: Any, second: Any) -> Any:
    """Returns two arrays of one dimension with items of their common type."""
    if first.ndim != 1 or second.ndim != 1:
        raise ValueError("%s: arrays must have one dimension" % engine.name)
    dtype = np.result_type(first.dtype, second.dtype)
    order(engine.name, dtype)
    return engine.cast(first, dtype), engine.cast(second, dtype)
