# SPDX-License-Identifier: MIT
"""dmm_cl: sort, select, scan, search and more in OpenCL, for arrays of numpy and pyopencl.

The functions here have numpy's names and take arrays of numpy, buffers, and arrays of pyopencl, which stay on their
queue. `objects` has every primitive as in C, `c` the C interface itself.
"""
from . import c, objects
from .context import Context, Error, context_of, default_context, use
from .dlpack import from_dlpack
from .expressions import accumulate, compress, diff, flatnonzero, nanargmax, nanargmin, reduce, select
from .group import group_moves, group_source
from .moving import convex_hull, permutation, shortest_paths, shuffle
from .selecting import TopK, argpartition, bincount, cumsum, histogram, median, partition, topk
from .sets import intersect1d, isin, searchsorted, setdiff1d, setxor1d, union1d, unique
from .sorting import argsort, lexsort, merge, sort

__version__ = c.DMM_VERSION
__all__ = ["Context", "Error", "TopK", "accumulate", "argpartition", "argsort", "bincount", "c", "compress",
           "context_of", "convex_hull", "cumsum", "default_context", "diff", "flatnonzero", "from_dlpack", "group_moves",
           "group_source", "histogram", "intersect1d", "isin", "lexsort", "median", "merge", "nanargmax", "nanargmin",
           "objects", "partition", "permutation", "reduce", "searchsorted", "select",
           "setdiff1d", "setxor1d", "shortest_paths", "shuffle", "sort", "topk", "union1d", "unique", "use"]
