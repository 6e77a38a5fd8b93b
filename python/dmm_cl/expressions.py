# SPDX-License-Identifier: MIT
"""Selecting by flags or by an expression, and reducing and scanning by an operator of the caller's, in OpenCL C."""
from ctypes import byref
from typing import Any, Dict, Optional

import numpy as np

from . import c
from .arrays import begin, halves, matrix_of, type_of
from .sorting import flat


def _selected(engine: Any, array: Any, fields: Dict[str, Any], wanted: str, flags: Any = None) -> Any:
    """Returns the selected items of an array of one dimension ("items_out"), or where they are ("positions_out")."""
    fields = dict(fields, type=type_of(engine.name, array.dtype))
    out = engine.empty(array.size, array.dtype if wanted == "items_out" else np.int64)
    if array.size == 0:
        return out
    count = engine.empty(1, np.uint64)
    ins = {"items_in": array} if flags is None else {"items_in": array, "flags": flags}
    engine.call("select", fields, [array.size], ins, {wanted: out, "selected_out": count})
    return out[:int(engine.item(count, 0))]


def select(a: Any, where: str, /, *, return_positions: bool = False) -> Any:
    """Returns the items for which an expression in OpenCL C is not 0, of one dimension, in their order.

    where              over x, the item (bool: uchar; float16: its bits, ushort), and i, its position, a ulong: "x > 0"
    return_positions   the int64 positions of these items in the flat array, instead of the items
    An expression that does not compile is an Error with the build log. Cost: an item is read once (on CPUs twice) and
    written once; the first call with an expression compiles it. Of an array of pyopencl, the call waits for the number
    of items.
    """
    engine, (array,) = begin("select", a)
    return _selected(engine, flat(array), dict(where=where), "positions_out" if return_positions else "items_out")


def flatnonzero(a: Any, /) -> Any:
    """Returns the int64 positions of the items that are not 0 in the flat array, as numpy.flatnonzero.

    Cost: as select().
    """
    engine, (array,) = begin("flatnonzero", a)
    where = "x & 0x7fff" if array.dtype == np.float16 else "x != 0"
    return _selected(engine, flat(array), dict(where=where), "positions_out")


def compress(condition: Any, a: Any, /) -> Any:
    """Returns the items of the flat array whose flag is not 0, as numpy.compress without an axis.

    condition: bool or uint8, of any shape with as many items, or fewer: the items after them are left out.
    numpy.extract is the same. Cost: a byte for each item and what moves. Of arrays of pyopencl, the call waits for the
    number of items.
    """
    engine, (flags, array) = begin("compress", condition, a)
    if flags.dtype not in (np.bool_, np.uint8):
        raise TypeError("dmm_cl.compress: the condition must be bool or uint8, not %s" % flags.dtype)
    flags, array = flat(flags), flat(array)
    if flags.size > array.size:
        raise ValueError("dmm_cl.compress: %d flags, but %d items" % (flags.size, array.size))
    return _selected(engine, array[:flags.size], {}, "items_out", flags)


def _own(engine: Any, array: Any, combine: str, identity: Any) -> Dict[str, Any]:
    """Returns the fields of a description with an operator."""
    kind = type_of(engine.name, array.dtype)
    own: Dict[str, Any] = dict(combine=combine, identity=str(identity))
    return dict(halves(), own=own) if kind == c.DMM_F16 else dict(type=kind, own=own)


def _lines(engine: Any, array: Any, axis: int) -> Any:
    """Returns fields of dmm_axis, rows and columns, and the array; an axis between others is moved to the end."""
    found = matrix_of(engine.name, array, axis)
    if found is None:
        array = engine.in_place(array, axis)[0]
        found = matrix_of(engine.name, array, -1)
    assert found is not None
    return dict(axis=found[0]), list(found[1:]), array


def along_axis(fields: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the same fields for dmm_axis."""
    return dict({name: field for name, field in fields.items() if name != "type"}, order=dict(type=fields["type"]))


def _to_halves(engine: Any, array: Any) -> Any:
    """Returns the items of an array of float32, rounded to float16."""
    out = engine.empty(array.shape, np.dtype(np.float16))
    if out.size:
        narrow = dict(item=dict(type=c.DMM_F32), expression="0", out="dmm_to_half(item)", result=dict(type=c.DMM_F16))
        engine.call("axis", dict(work=c.DMM_AXIS_SCAN, axis=1, map=narrow), [1, out.size], {"in_": array}, {"out": out})
    return out


def reduce(a: Any, combine: str, identity: Any, /, axis: Optional[int] = None) -> Any:
    """Returns all items combined by an operator in OpenCL C, as a scalar of the array's type; or those along an axis.

    combine    an associative expression over a, what comes before, and b, items of the OpenCL C type: "a * b"
    identity   the item that changes nothing, a number or an expression: 1; of no items, the result
    An expression that does not compile is an Error with the build log. Of floats, the order of the calls is fixed for
    n, the device and its tuning. float64 needs a device with double; float16 is combined as float, and the result
    rounded once. Cost: a read of each item; the first call with an operator compiles it. Of an array of pyopencl, the
    call waits.
    """
    engine, (array,) = begin("reduce", a)
    fields = _own(engine, array, combine, identity)
    wanted = np.dtype(np.float32) if "map" in fields else array.dtype
    if axis is not None:
        along, shape, source = _lines(engine, array, axis)
        kept = [length for at, length in enumerate(array.shape) if at != axis % array.ndim]
        out = engine.empty(tuple(kept), wanted)
        if out.size:
            along.update(along_axis(fields), work=c.DMM_AXIS_REDUCE)
            engine.call("axis", along, shape, {"in_": source if source.size else engine.empty(1, array.dtype)},
                        {"out": out})
        return out if wanted == array.dtype else _to_halves(engine, out)
    out = engine.empty(1, wanted)
    source = flat(array) if array.size else engine.empty(1, array.dtype)
    engine.call("reduce", fields, [array.size], {"in_": source}, {"out": out})
    return array.dtype.type(engine.item(out, 0))


def accumulate(a: Any, combine: str, identity: Any, /, axis: Optional[int] = None, *,
               exclusive: bool = False, exact: bool = False) -> Any:
    """Returns for each item all items up to it, of the flat array or along an axis, combined by an operator.

    combine, identity, errors   as for reduce()
    exclusive                   the items before each one, without it; the first result is the identity
    exact                       grouping changes no bit, as of integers: GPUs then read each item once, not twice
    Cost: each item is read twice and written once.
    """
    engine, (array,) = begin("accumulate", a)
    fields = dict(_own(engine, array, combine, identity), exclusive=bool(exclusive))
    fields["own"].update(exact=bool(exact))
    if "map" in fields:
        fields["map"].update(out="dmm_to_half(total)", result=dict(type=c.DMM_F16))
    if axis is not None:
        along, shape, source = _lines(engine, array, axis)
        out = engine.empty(source.shape, array.dtype)
        if out.size:
            along.update(along_axis(fields), work=c.DMM_AXIS_SCAN)
            engine.call("axis", along, shape, {"in_": source}, {"out": out})
        return out if source is array else engine.back(out, axis)
    source, target = engine.in_place(flat(array))
    if array.size:
        engine.call("scan", fields, [array.size], {"in_": source}, {"out": target})
    return target


def _given(engine: Any, name: int, dtype: Any) -> Dict[str, Any]:
    """Returns the fields of a description with an operator that is given, of an array of a type."""
    kind, own, fused = type_of(engine.name, dtype), c.dmm_operator(), c.dmm_map()
    engine.context.check("dmm_operator_given", c.dmm_operator_given(byref(own), byref(fused), name, kind))
    texts = dict(item=own.item, combine=own.combine, identity=own.identity)
    made = dict(item=dict(type=kind), expression=fused.expression)
    if fused.out is not None:
        made.update(out=fused.out, result=dict(type=kind))
    texts.update(item_bytes=own.item_bytes, commutes=own.commutes, exact=own.exact)
    return dict(type=c.DMM_ITEM, own=texts, map=made)


def _place(name: str, operator: int, a: Any) -> int:
    """Returns the place that argmin or argmax finds."""
    engine, (array,) = begin(name, a)
    if array.size == 0:
        raise ValueError("dmm_cl.%s: of no items" % name)
    found = engine.empty(2, np.uint64)
    engine.call("reduce", _given(engine, operator, array.dtype), [array.size], {"in_": flat(array)}, {"out": found})
    place = int(engine.item(found, 0))
    if place == 2**64 - 1:
        raise ValueError("dmm_cl.%s: all items are NaN" % name)
    return place


def nanargmin(a: Any, /) -> int:
    """Returns where the least item of the flat array is, as numpy.nanargmin: of equal ones the first; NaNs do not count.

    A ValueError if there is none. Cost: a read of each item. Of an array of pyopencl, the call waits.
    """
    return _place("nanargmin", c.DMM_OPERATOR_ARGMIN, a)


def nanargmax(a: Any, /) -> int:
    """Returns where the greatest item of the flat array is, as numpy.nanargmax; else as nanargmin()."""
    return _place("nanargmax", c.DMM_OPERATOR_ARGMAX, a)


def diff(a: Any, /) -> Any:
    """Returns by how much each item of the flat array, but the first one, is more than the one before it, as numpy.diff.

    Integers wrap. bool is a TypeError. Cost: each item is read twice and written once.
    """
    engine, (array,) = begin("diff", a)
    if array.dtype.kind == "b":
        raise TypeError("dmm_cl.diff: items of type bool are not offered: give an integer type")
    source, target = engine.in_place(flat(array))
    if array.size:
        fields = dict(_given(engine, c.DMM_OPERATOR_DIFFERENCE, array.dtype), exclusive=True)
        engine.call("scan", fields, [array.size], {"in_": source}, {"out": target})
    return target[1:]
