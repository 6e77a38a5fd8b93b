# SPDX-License-Identifier: MIT
"""Work-group collectives without bank conflicts: OpenCL C text for kernels of your own."""
from ctypes import POINTER, byref, c_char_p, c_uint32, c_uint64
from typing import Any, Dict

import numpy as np

from . import c
from .arrays import type_of
from .context import Error
from .objects import fill

KINDS = {"items": c.DMM_GROUP_ITEMS, "sort": c.DMM_GROUP_SORT, "count": c.DMM_GROUP_COUNT, "radix": c.DMM_GROUP_RADIX,
         "lanes": c.DMM_GROUP_LANES}
_ORDER = ("descending", "zero_equal", "item", "item_bytes", "less")


def _desc(function: str, kind: str, name: str, dtype: Any, fields: Dict[str, Any]) -> "c.dmm_group_desc":
    """Returns the dmm_group_desc of the arguments of group_source()."""
    if kind not in KINDS:
        raise ValueError("dmm_cl.%s: kind must be one of %s, not %r" % (function, ", ".join(KINDS), kind))
    fields = dict(fields)
    order = {field: fields.pop(field) for field in _ORDER if field in fields}
    if "combine" in fields or "identity" in fields:
        fields["own"] = {field: str(fields.pop(field)) for field in ("combine", "identity") if field in fields}
    order["type"] = c.DMM_ITEM if "item" in order else type_of("dmm_cl.%s" % function, np.dtype(dtype))
    return fill(c.dmm_group_desc(), dict(fields, kind=KINDS[kind], name=name, order=order))


def group_source(kind: str, name: str, dtype: Any = np.uint32, /, **fields: Any) -> str:
    """Returns OpenCL C text whose functions a work-group calls: put it before your kernel in a program.

    kind     "items" (load, store, exchange, compact, transpose, permute, reduce, scan), "sort" (sort, merge, unique,
             sets), "radix" (rank, sort by digits), "count" (histogram) or "lanes" (of a sub-group: load, store,
             exchange, reduce, scan, sort, rank, places of flagged items)
    name     what the names in the text begin with, so that a program may have several
    dtype    of the items; or item="typedef uint2 dmm_item;", item_bytes=8
    fields   u, E, banks, bank_bytes; sort, lanes: descending, zero_equal, less, positions; items, lanes: combine
             and identity; items: columns; items, radix: lanes; count, radix, lanes: bins: as in include/dmm/group.h
    The page on collectives explains the functions. Neither a device nor a context is needed.

        text = dmm_cl.group_source("sort", "row", np.float32, u=64, E=8)
        program = pyopencl.Program(context, text + kernels).build()
    """
    desc, text = _desc("group_source", kind, name, dtype, fields), c_char_p()
    status = c.dmm_group_source(byref(text), byref(desc))
    if status != c.DMM_OK:
        raise Error("dmm_group_source", status)
    try:
        return (text.value or b"").decode()
    finally:
        c.dmm_group_source_free(text)


def group_moves(index: Any, dtype: Any = np.uint32, /, **fields: Any) -> "np.ndarray":
    """Returns the uint32 array that the function permute of a text of the kind "items" needs: item i goes to index[i].

    dtype, fields   as for group_source(); index: a permutation of 0 .. u*E - 1
    """
    goals = np.ascontiguousarray(index, dtype=np.uint64).ravel()
    desc = _desc("group_moves", "items", "dmm", dtype, fields)
    if goals.size != (desc.u or 256) * (desc.E or 8):
        raise ValueError("dmm_cl.group_moves: index must have u * E = %d positions, not %d"
                         % ((desc.u or 256) * (desc.E or 8), goals.size))
    moves = np.empty(goals.size, np.uint32)
    status = c.dmm_group_moves(moves.ctypes.data_as(POINTER(c_uint32)), byref(desc),
                               goals.ctypes.data_as(POINTER(c_uint64)))
    if status != c.DMM_OK:
        raise Error("dmm_group_moves", status)
    return moves
