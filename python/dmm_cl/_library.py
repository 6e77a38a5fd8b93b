# SPDX-License-Identifier: MIT
"""Loads libdmm: that of $DMM_LIBRARY, or the one in this folder, as the wheel has it."""
import ctypes
import os

_NAMES = ("libdmm.so", "libdmm.dylib", "libdmm.dll")


def _path() -> str:
    """Returns the file of libdmm."""
    named = os.environ.get("DMM_LIBRARY")
    if named:
        return named
    folder = os.path.dirname(os.path.abspath(__file__))
    for name in _NAMES:
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    raise ImportError("dmm_cl: %s has no %s: install the package by pip, or name a file in DMM_LIBRARY"
                      % (folder, _NAMES[0]))


def _load() -> ctypes.CDLL:
    path = _path()
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError("dmm_cl: %s cannot be loaded: %s" % (path, error)) from None


library = _load()
